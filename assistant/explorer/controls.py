"""Owns what a person operates: the tickets, the language switch, and the bar with Back, Next, Show all and Start over.

What a press does is `navigation`'s. No control is ever disabled, so none loses the focus.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from assistant.sentence import Sentence, say

from .address import Place
from .language import LANGUAGES, Language
from .markup import sentence
from .navigation import go, move
from .notices import notice
from .panel import caption


def tickets(place: Place, ids: Sequence[str], language: Language) -> None:
    """One button a ticket. An ID stands in backticks, where no Markdown works. Which one is chosen, the page's script
    tells (`aria-pressed`): a button whose type changes is drawn anew and loses the focus."""
    with st.container(key="tickets"):
        for ticket_id in ids:
            st.button(
                f"`{ticket_id}` {caption(ticket_id, language)}",
                key=f"ticket {ticket_id}",
                width="stretch",
                on_click=go,
                args=(Place(ticket_id, 0, place.lang),),
            )


def language_switch(place: Place, language: Language) -> None:
    """A button for the other language, named in that language. The place is kept."""
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


def bar(
    where: tuple[Sentence, Sentence | None],
    tickets: Sequence[str],
    steps: int,
    notices: Sequence[Sentence],
    language: Language,
) -> None:
    """The bar that stays: four buttons with their keys, and where one is, with what is said of it. Notices on the
    address stand above."""
    moves: tuple[tuple[Sentence, str, str | None, Callable[[int], int]], ...] = (
        (say("Back"), "Left", None, lambda step: step - 1),
        (say("Next step"), "Right", None, lambda step: step + 1),
        (say("Show all steps"), "End", ":material/last_page:", lambda _step: steps),
        (say("Start over"), "Home", ":material/first_page:", lambda _step: 0),
    )
    with st.bottom.container(key="notices"):
        if notices:
            st.html(notice(language, *notices))
    with st.bottom, st.container(key="bar", horizontal=True, wrap=False, vertical_alignment="center"):
        for label, shortcut, icon, step in moves:
            st.button(
                language.tell(label),
                key=shortcut,
                icon=icon,
                shortcut=shortcut,
                type="primary" if shortcut == "Right" else "secondary",
                on_click=move,
                args=(tickets, steps, step),
            )
        st.html(_where(*where, language))


def _where(position: Sentence, said: Sentence | None, language: Language) -> str:
    more = sentence(said, language) if said else ""
    return f'<p class="where"><strong>{sentence(position, language)}</strong> <span>{more}</span></p>'
