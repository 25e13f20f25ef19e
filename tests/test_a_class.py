"""Correct under load: many visitors at once each see their own ticket and step, also beside one who sends nonsense."""

import asyncio
import random
import re
from collections.abc import Iterator

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.browser.server import Server, copy_project
from tests.readme import class_options
from tests.visitors import STREAM, Visitor

VISITORS = 50
PRESSES = 12
STEPS = 7
TICKETS = {"T-80008": "C-81265", "T-80001": "C-20417", "T-65059": "C-98373", "T-80009": "C-88930"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The page as the README starts it for a class."""
    running = Server(copy_project(tmp_path_factory.mktemp("class")), *class_options())
    yield running
    running.stop()


def sees(visitor: Visitor) -> tuple[set[str], int]:
    """Which customers are named on a visitor's page, and how many steps are on it."""
    text = visitor.run.text
    return set(re.findall(r"C-\d{5}", text)) & set(TICKETS.values()), len(set(re.findall(r'data-step="(\d+)"', text)))


async def goes_through(url: str, number: int) -> list[str]:
    """One visitor, who presses at random. Returns what was not theirs."""
    chance, wrong = random.Random(number), []
    ticket, customer = list(TICKETS.items())[number % len(TICKETS)]
    step = number % (STEPS + 1)
    async with Visitor(url, {"ticket": ticket, "step": str(step)} if step else {"ticket": ticket}) as visitor:
        for _ in range(PRESSES):
            if sees(visitor) != ({customer}, step):
                wrong.append(f"visitor {number}, {ticket}, step {step}: {sees(visitor)}")
            press = chance.choice(("Right", "Right", "Left", "End", "Home"))
            step = {"Right": min(step + 1, STEPS), "Left": max(step - 1, 0), "End": STEPS, "Home": 0}[press]
            await visitor.rerun(press)
    return wrong


async def nonsense(url: str, number: int) -> None:
    """Connect, and send bytes that are no message; the server may hang up."""
    chance = random.Random(number)
    address = url.replace("http", "ws", 1) + STREAM
    async with connect(address, origin=url.rstrip("/"), subprotocols=["streamlit"]) as socket:  # type: ignore[arg-type, list-item]
        try:
            for size in (0, 1, 10, 1000, 100_000):
                await socket.send(chance.randbytes(size))
                await socket.send("no protobuf" * size)
        except ConnectionClosed:
            pass


async def a_class(url: str, fools: int = 0) -> list[str]:
    """All visitors at once, and those who send nonsense among them. Returns what anybody saw that was not theirs."""
    own = [goes_through(url, number) for number in range(VISITORS)]
    found, _ = await asyncio.gather(asyncio.gather(*own), asyncio.gather(*(nonsense(url, one) for one in range(fools))))
    return [wrong for one in found for wrong in one]


def test_fifty_visitors_at_once_each_see_their_own_ticket_and_step(server: Server) -> None:
    assert asyncio.run(a_class(server.url)) == []


def test_who_sends_nonsense_harms_nobody_else(server: Server) -> None:
    assert asyncio.run(a_class(server.url, fools=5)) == []
    assert server.process.poll() is None
