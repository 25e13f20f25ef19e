"""The stepper as a NiceGUI page: the same loop and the same cards, without what the page has around them."""

import sys

from nicegui import ui

from assistant.explorer import run
from assistant.explorer.cards import draw
from assistant.explorer.language import LANGUAGES
from assistant.explorer.so_far import order_ids
from assistant.explorer.view import View


@ui.page("/")
def page() -> None:
    """One visitor's page."""
    recording = next(one for one in run.recordings()[0] if one.ticket.id == "T-80001")
    step = 0

    def go(wanted: int) -> None:
        nonlocal step
        events = run.replay(recording).events
        step = min(max(wanted, 0), len(events))
        shown = events[:step]
        view = View(LANGUAGES["en"], recording, order_ids(shown, recording.ticket.text))
        while len(list(cards)) > step:
            cards.remove(-1)
        with cards:
            for number in range(len(list(cards)) + 1, step + 1):
                ui.html(draw(events[number - 1], number, view), sanitize=False)

    cards = ui.column()
    with ui.row():
        for words, move in (("Back", -1), ("Next", 1), ("All", 99), ("Over", -99)):
            ui.button(words, on_click=lambda _, move=move: go(step + move)).props(f"id={words}")


ui.run(host="127.0.0.1", port=int(sys.argv[1]), show=False, reload=False)
