"""Measures a large class over the processes that the README's nginx configuration names: two."""

import asyncio
import json
import random
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack

from tests.nginx import Nginx, configuration, program

from .attending import attend, class_room, told
from .measuring import cpu_s, ms, p50, p95

VISITORS = 300
PROCESSES = 2


async def main(url: str, servers: Sequence[int], minutes: float) -> dict[str, object]:
    """The figures, by their words. A share is of one core."""
    joined = asyncio.Event()
    attending = asyncio.create_task(attend(url, VISITORS, minutes, joined, random.Random(2)))
    await joined.wait()
    started, used, own = time.perf_counter(), [cpu_s(pid) for pid in servers], time.process_time()
    found = await attending
    took = time.perf_counter() - started
    shares = [round((cpu_s(pid) - before) / took * 100) for pid, before in zip(servers, used, strict=True)]
    return {
        "processes behind nginx": len(servers),
        "visitors over all processes": VISITORS,
        "presses over all processes": len(found.reruns_s),
        "errors over all processes": told(found.errors),
        "rerun over all processes, p50, ms": ms(p50(found.reruns_s)),
        "rerun over all processes, p95, ms": ms(p95(found.reruns_s)),
        "each process's share of a core, %": ", ".join(map(str, shares)),
        "the measuring visitors' share of a core, %": round((time.process_time() - own) / took * 100),
    }


def measured(minutes: float) -> dict[str, object]:
    """The figures, or why there are none."""
    found = program()
    if found is None:
        return {"processes behind nginx": "not measured: no nginx"}
    with ExitStack() as running:
        servers = [running.enter_context(class_room()) for _ in range(PROCESSES)]
        nginx = Nginx(found, [server.port for server in servers], configuration())
        running.callback(nginx.remove)
        return asyncio.run(main(nginx.url, [server.process.pid for server in servers], minutes))


if __name__ == "__main__":
    print(json.dumps(measured(float(sys.argv[1]))))
