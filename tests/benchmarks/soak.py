"""Measures whether memory stays: many visits opened and closed, each with ten runs of the page."""

import asyncio
import json
import sys

from tests.visitors import Visitor

from .attending import class_room
from .measuring import TICKETS, memory_kb

AT_ONCE = 8
PRESSES = ("Right",) * 7 + ("Left", "End")  # with the run of arriving, ten


async def visits(url: str, count: int) -> None:
    """So many visits, some at once."""
    numbers = iter(range(count))

    async def worker() -> None:
        for number in numbers:
            async with Visitor(url, {"ticket": TICKETS[number % len(TICKETS)]}) as visitor:
                for press in PRESSES:
                    await visitor.rerun(press)

    await asyncio.gather(*(worker() for _ in range(AT_ONCE)))


async def main(url: str, pid: int, count: int) -> dict[str, object]:
    """The figures, by their words. Any failure ends the measurement."""
    first = count // 10
    await visits(url, first)
    before = memory_kb(pid)
    await visits(url, count - first)
    after = memory_kb(pid)
    return {
        "soak: visits": count,
        "soak: runs of the page": count * (len(PRESSES) + 1),
        f"soak: memory after {first * (len(PRESSES) + 1)} runs, MB": round(before / 1000, 1),
        "soak: memory at the end, MB": round(after / 1000, 1),
        "soak: memory, at the end to then": round(after / before, 3),
    }


if __name__ == "__main__":
    with class_room() as server:
        print(json.dumps(asyncio.run(main(server.url, server.process.pid, int(sys.argv[1])))))
