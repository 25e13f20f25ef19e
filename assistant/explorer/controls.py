"""Owns what a person operates: the tickets, the language switch, and the bar with Back, Next, Show all and Start over.

A press writes the whole address and nothing else; the run that follows reads it. No control is ever disabled.
"""

import html
from collections.abc import Callable, Sequence

import streamlit as st

from assistant.sentence import Sentence, say

from .address import Place
from .language import LANGUAGES, Language
from .notices import notice
from .panel import caption

EDGE = "pressed_at_the_edge"


def go(place: Place) -> None:
    """Write the place into the address."""
    st.query_params.from_dict(place.parameters())


def tickets(place: Place, ids: Sequence[str], language: Language) -> None:
    """One button a ticket. The chosen one is the primary one. An ID stands in backticks, where no Markdown works."""
    with st.container(key="tickets"):
        for ticket_id in ids:
            st.button(
                f"`{ticket_id}` {caption(ticket_id, language)}",
                key=f"ticket {ticket_id}",
                type="primary" if ticket_id == place.ticket else "secondary",
                width="stretch",
                on_click=go,
                args=(Place(ticket_id, 0, place.lang),),
            )


def language_switch(place: Place, language: Language) -> None:
    """A button for each other language, named in that language. The place is kept."""
    for other in LANGUAGES.values():
        if other != language:
            st.button(
                other.name,
                key="language",
                type="tertiary",
                icon=":material/translate:",
                on_click=go,
                args=(place._replace(lang=other.code),),
            )


def divergences(found: Sequence[tuple[str, int]], place: Place, language: Language) -> None:
    """Where the code as it is now leaves a recording: a notice, and a button to each such step."""
    if not found:
        return
    with st.container(key="divergences"):
        st.html(notice(language, say("The code as it is now leaves the recording in these tickets:")))
        for ticket_id, step in found:
            st.button(
                f"`{ticket_id}` {language.tell(say('step {step}', step=step))}",
                key=f"divergence {ticket_id}",
                on_click=go,
                args=(Place(ticket_id, step, place.lang),),
            )


def bar(place: Place, steps: int, title: Sentence | None, notices: Sequence[Sentence], language: Language) -> None:
    """The bar that stays: four buttons with their keys, and where one is. Notices on the address stand above."""
    moves: tuple[tuple[Sentence, str, str, Callable[[int], int]], ...] = (
        (say("Back"), "Left", ":material/arrow_back:", lambda step: step - 1),
        (say("Next step"), "Right", ":material/arrow_forward:", lambda step: step + 1),
        (say("Show all steps"), "End", ":material/last_page:", lambda _step: steps),
        (say("Start over"), "Home", ":material/first_page:", lambda _step: 0),
    )
    if notices:
        st.bottom.html(notice(language, *notices))
    with st.bottom, st.container(key="bar", horizontal=True, wrap=False, vertical_alignment="center"):
        for label, shortcut, icon, move in moves:
            st.button(
                language.tell(label),
                key=shortcut,
                icon=icon,
                shortcut=shortcut,
                type="primary" if shortcut == "Right" else "secondary",
                on_click=_move,
                args=(place, steps, move),
            )
        st.html(_where(place, steps, title, language))


def _move(place: Place, steps: int, move: Callable[[int], int]) -> None:
    wanted = move(place.step)
    step = min(max(wanted, 0), steps)
    if step == place.step:
        st.session_state[EDGE] = True
    go(place._replace(step=step))


def _where(place: Place, steps: int, title: Sentence | None, language: Language) -> str:
    position = language.tell(say("Step {step} of {steps}", step=place.step, steps=steps))
    if st.session_state.pop(EDGE, False):
        at_end = say("This is the last step.") if place.step else say("This is the start.")
        said = language.tell(at_end)
        kind = "edge"
    else:
        said = language.tell(title) if title else ""
        kind = "title"
    return f'<p class="where"><strong>{position}</strong> <span class="{kind}">{html.escape(said)}</span></p>'
