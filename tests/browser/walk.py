"""Owns one run through a ticket with Next, and what the window held at each step: many tests look at it."""

from typing import Any, NamedTuple

from .window import STEPS, Window

TICKETS = ("T-80008", "T-80001", "T-65059", "T-80009")
BOXES = """() => {
    const box = element => { const { top, bottom, left, right } = element.getBoundingClientRect();
                             return { top, bottom, left, right } };
    const controls = [...document.querySelectorAll(".st-key-bar button, .st-key-tickets button")];
    const card = [...document.querySelectorAll(".st-key-steps article.card")].at(-1);
    return {
        controls: controls.map(box),
        card: card ? box(card) : null,
        bar: box(document.querySelector('[data-testid="stBottom"]')),
        room: box(document.querySelector('[data-testid="stMain"]')),
        panel: box(document.querySelector(".st-key-panel")),
        overflow: Math.max(document.documentElement.scrollWidth,
                           document.querySelector('[data-testid="stMain"]').scrollWidth) - innerWidth,
    };
}"""
CARD_IS_PLACED = """() => {
    const card = [...document.querySelectorAll(".st-key-steps article.card")].at(-1);
    if (!card) return true;
    const { top, bottom } = card.getBoundingClientRect();
    const before = window.lastBox;
    window.lastBox = `${top} ${bottom}`;
    return before === window.lastBox;
}"""


class Stop(NamedTuple):
    """What a window held at one step. `received`: all that the server had sent so far."""

    step: int
    html: str
    text: str
    received: bytes
    address: dict[str, str]
    focus: str
    boxes: dict[str, Any]


Walk = tuple[Stop, ...]


def walk_through(window: Window, ticket: str) -> Walk:
    """Open the ticket, press Next until the last step, and look around at each."""
    window.open(ticket=ticket).stands_at(0)
    stops = [look(window, 0)]
    for step in range(1, STEPS + 1):
        window.press("Next").stands_at(step)
        stops.append(look(window, step))
    window.page.close()
    return tuple(stops)


def look(window: Window, step: int) -> Stop:
    """Note what is there now, once the newest card has come to rest."""
    boxes = boxes_at_rest(window)
    received = b"\n".join(window.received)
    return Stop(step, window.page.content(), window.text, received, window.address, window.focus, boxes)


def boxes_at_rest(window: Window) -> dict[str, Any]:
    """Where the controls and the newest card are, after the page has brought the card into view."""
    window.page.wait_for_timeout(150)  # page.js looks a second time 120 ms after it has drawn; nothing tells of it
    window.page.wait_for_function(CARD_IS_PLACED, polling="raf")
    boxes: dict[str, Any] = window.page.evaluate(BOXES)
    return boxes
