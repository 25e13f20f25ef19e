"""Owns what a person operates in a loop: the tickets, the switch for being asked first, and the bar with Back, Next,
Show all and Start over.

What a press does is `navigation`'s. No control is ever disabled, so none loses the focus.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from assistant.sentence import Sentence, say

from . import frame, put
from .address import Place
from .language import Language
from .markup import label, sentence
from .navigation import go, move
from .notices import notice
from .run import caption

MAX_BUTTONS = 24  # more tickets than that stand in a list


def tickets(place: Place, ids: Sequence[str], language: Language) -> None:
    """One button a ticket. An ID stands in backticks, where no Markdown works. Which one is chosen, the page's script
    tells (`aria-pressed`): a button whose type changes is drawn anew and loses the focus."""
    with st.container(key="tickets"):
        if len(ids) > MAX_BUTTONS:
            _choice(place, ids, language)
            return
        for ticket_id in ids:
            st.button(
                _named(ticket_id, place, language),
                key=f"ticket {ticket_id}",
                width="stretch",
                on_click=go,
                args=(place.at_ticket(ticket_id),),
            )


def _choice(place: Place, ids: Sequence[str], language: Language) -> None:
    """Many tickets: one list to choose from, in which one may type."""
    key = "chosen ticket"
    st.session_state[key] = place.ticket
    words = label(say("Ticket"), language)
    st.selectbox(words, ids, key=key, on_change=lambda: go(place.at_ticket(st.session_state[key])))


def _named(ticket_id: str, place: Place, language: Language) -> str:
    """A ticket's button. Its caption could give an answer away, and takes room on a projector."""
    about = None if place.guesses is not None or place.setting.presenting else caption(ticket_id)
    return f"`{ticket_id}` {label(about, language)}" if about else f"`{ticket_id}`"


def asking(place: Place, first: int | None, language: Language) -> None:
    """The switch for asking before telling. Who switches it on is asked from the start, or at `first`, the step of
    the first question, if they are not there yet."""
    key = "asking"
    st.session_state[key] = place.guesses is not None
    asked = place._replace(guesses=(), step=place.step if first is None or place.step < first else 0)
    st.toggle(
        label(say("Ask me before you tell"), language),
        key=key,
        on_change=go,
        args=(asked if place.guesses is None else place._replace(guesses=None),),
    )


def divergences(found: Sequence[tuple[str, int]], place: Place, language: Language) -> None:
    """Where the code as it is now leaves a recording: a notice, and a button to each such step."""
    if not found:
        return
    with st.container(key="divergences"):
        put.html(notice(language, say("The code as it is now leaves the recording in these tickets:")))
        for ticket_id, step in found:
            st.button(
                f"`{ticket_id}` {language.tell(say('step {step}', step=step))}",
                key=f"divergence {ticket_id}",
                on_click=go,
                args=(place.at_ticket(ticket_id)._replace(step=step),),
            )


def bar(
    where: tuple[Sentence, Sentence | None],
    tickets: Sequence[str],
    steps: int,
    notices: list[Sentence],
    language: Language,
    valid: Callable[[tuple[str, ...]], tuple[str, ...]] = tuple,
) -> None:
    """The bar that stays: four buttons with their keys, and where one is, with what is said of it. Notices on the
    address stand above. Up to step `steps` one may go; `valid` gives those guesses that are answers."""
    moves: tuple[tuple[Sentence, str, str | None, Callable[[int], int]], ...] = (
        (say("Back"), "Left", None, lambda step: step - 1),
        (say("Next step"), "Right", None, lambda step: step + 1),
        (say("Show all steps"), "End", ":material/last_page:", lambda _step: steps),
        (say("Start over"), "Home", ":material/first_page:", lambda _step: 0),
    )
    with st.bottom:
        frame.notices(notices, language)
    with st.bottom, st.container(key="bar", horizontal=True, wrap=False, vertical_alignment="center"):
        for label, shortcut, icon, step in moves:
            st.button(
                language.tell(label),
                key=shortcut,
                icon=icon,
                shortcut=shortcut,
                type="primary" if shortcut == "Right" else "secondary",
                on_click=move,
                args=(tickets, steps, step, valid),
            )
        put.html(_where(*where, language))


def _where(position: Sentence, said: Sentence | None, language: Language) -> str:
    more = sentence(said, language) if said else ""
    return f'<p class="where" data-announce><strong>{sentence(position, language)}</strong> <span>{more}</span></p>'
