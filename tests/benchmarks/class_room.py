"""Measures a class in one process, started as the README says; the visitors run on the same processors."""

import asyncio
import json
import random
import sys

from .attending import arrive, attend, class_room, told
from .measuring import cpu_s, memory_kb, ms, p50, p95

VISITORS = 100
ARRIVING = 30


async def main(url: str, pid: int, minutes: float) -> dict[str, object]:
    """The figures, by their words."""
    await arrive(url, 2, 0)  # the first visit of all imports the modules
    await asyncio.sleep(1)
    arrived = await arrive(url, ARRIVING, 1)
    await asyncio.sleep(1)
    before, joined = memory_kb(pid), asyncio.Event()
    attending = asyncio.create_task(attend(url, VISITORS, minutes, joined, random.Random(1)))
    await joined.wait()
    there, used = memory_kb(pid), cpu_s(pid)
    found = await attending
    return {
        "arriving within one second": ARRIVING,
        "from connecting to the first page, p50, ms": ms(p50(arrived)),
        "from connecting to the first page, p95, ms": ms(p95(arrived)),
        "visitors in one process": VISITORS,
        "presses": len(found.reruns_s),
        "errors": told(found.errors),
        "rerun, p50, ms": ms(p50(found.reruns_s)),
        "rerun, p95, ms": ms(p95(found.reruns_s)),
        "rerun, longest, ms": ms(max(found.reruns_s)),
        "the process's share of one core, %": round((cpu_s(pid) - used) / minutes / 60 * 100),
        "memory a visitor, kB": round((there - before) / VISITORS),
        "bytes a press, kB": round(found.size / 1000 / len(found.reruns_s), 1),
    }


if __name__ == "__main__":
    with class_room() as server:
        print(json.dumps(asyncio.run(main(server.url, server.process.pid, float(sys.argv[1])))))
