"""Owns a class: visitors who each press a button about every two seconds, over Streamlit's own protocol."""

import asyncio
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from tests.browser.server import Server, copy_project
from tests.readme import class_options
from tests.visitors import Visitor

from .measuring import TICKETS

PAUSE_S = (1.5, 2.5)  # between a press's answer and the next press
JOINING_S = 15.0
PRESSES = ("Right", "Right", "Right", "Left", "Right", "Right", "End", "Home")


@contextmanager
def class_room() -> Iterator[Server]:
    """The page of a copy of the project, started as the README says for a class."""
    with tempfile.TemporaryDirectory() as name:
        server = Server(copy_project(Path(name)), *class_options())
        try:
            yield server
        finally:
            server.stop()


@dataclass
class Attended:
    """What a class saw: seconds until a press had its whole page, bytes of all pages, and errors by their text."""

    reruns_s: list[float] = field(default_factory=list)
    size: int = 0
    errors: list[str] = field(default_factory=list)


async def attend(url: str, visitors: int, minutes: float, joined: asyncio.Event, chance: random.Random) -> Attended:
    """Have so many visitors join, one after another, and then press for so long. `joined` is set when all are there."""
    found = Attended()
    began = asyncio.get_running_loop().create_future()
    tasks = [
        asyncio.create_task(_visit(url, number, visitors, began, minutes, found, random.Random(chance.random())))
        for number in range(visitors)
    ]
    await asyncio.sleep(JOINING_S + 3)
    joined.set()
    began.set_result(time.perf_counter())
    await asyncio.gather(*tasks)
    return found


async def _visit(
    url: str,
    number: int,
    visitors: int,
    began: "asyncio.Future[float]",
    minutes: float,
    found: Attended,
    chance: random.Random,
) -> None:
    await asyncio.sleep(JOINING_S * number / visitors)
    ticket = TICKETS[number % len(TICKETS)]
    try:
        async with Visitor(url, {"ticket": ticket}, cookie=f"explorer={uuid4().hex}") as visitor:
            size = visitor.run.size
            until = await began + minutes * 60
            await asyncio.sleep(chance.uniform(0, sum(PAUSE_S) / 2))
            press = 0
            while time.perf_counter() < until:
                run = await visitor.rerun(PRESSES[press % len(PRESSES)])
                press += 1
                found.reruns_s.append(run.seconds)
                size += run.size
                await asyncio.sleep(chance.uniform(*PAUSE_S))
            found.size += size
    except Exception as error:  # whatever went wrong is what is counted
        found.errors.append(f"{type(error).__name__}: {error}")


async def arrive(url: str, visitors: int, within_s: float) -> list[float]:
    """Seconds from connecting to the first whole page, of visitors who arrive evenly within some time."""

    async def one(number: int) -> float:
        await asyncio.sleep(within_s * number / visitors)
        started = time.perf_counter()
        async with Visitor(url, {"ticket": TICKETS[number % len(TICKETS)]}):
            return time.perf_counter() - started

    return list(await asyncio.gather(*(one(number) for number in range(visitors))))


def told(errors: Sequence[str]) -> str:
    """How many errors, with the first one's text."""
    return f"{len(errors)} ({errors[0]})" if errors else "0"
