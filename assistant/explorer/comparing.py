"""Owns the page on which two to four loops stand side by side."""

from typing import NamedTuple

import streamlit as st

from assistant.explorer import address, columns, frame, notices, put, run
from assistant.explorer.address import Setting
from assistant.explorer.language import Language
from assistant.explorer.markup import label, sentence
from assistant.explorer.navigation import go
from assistant.sentence import Sentence, say

PAGE = "compare"
MOST = 4
# The lesson, "the model asks for the wrong things": its own run over all tickets, of which four are recorded here.
LESSON_RUN: tuple[tuple[Sentence, int], ...] = (
    (say("Tickets"), 69),
    (say("with a tool call"), 23),
    (say("asked for the right order"), 20),
    (say("did not"), 3),
)


class Compared(NamedTuple):
    """Which tickets' loops are compared."""

    tickets: tuple[str, ...]
    setting: Setting = Setting()

    def parameters(self) -> dict[str, str]:
        """The whole address, as query parameters."""
        return {"tickets": ",".join(self.tickets), **self.setting.parameters()}

    def with_setting(self, setting: Setting) -> "Compared":
        """The same place in another setting."""
        return self._replace(setting=setting)


def page() -> None:
    """Draw the page for the address as it is."""
    recordings, errors = run.recordings()
    ids = [recording.ticket.id for recording in recordings]
    setting, wrong = address.read_setting(st.query_params)
    tickets = address.known_items(st.query_params, "tickets", ids, wrong)
    if len(tickets) > MOST:
        wrong.append(say("At most {most} loops stand side by side.", most=MOST))
    place = Compared((tickets or tuple(ids))[:MOST], setting)
    language = frame.language_of(place)
    runs = [run.replay(recording) for recording in recordings if recording.ticket.id in place.tickets]
    frame.top(PAGE, place, language)
    with st.container(key="result"):
        frame.title(say("Side by side"), language)
        said = say("Two questions to every proposal: is it well formed? Is it allowed? Each cell leads to its step.")
        put.html(f'<p class="lead">{sentence(said, language)}</p>')
        frame.notices(wrong, language)
        _choice(place, ids, language)
        put.html(columns.table(runs, setting, language))
        put.html(columns.ladders(runs, language))
        for failure in {one.failure for one in runs if one.failure}:
            put.html(notices.failure(failure, language))
        put.html(_lesson_run(language))
        if errors:
            put.html(notices.left_out(errors, language))
    frame.script(language, PAGE)


def _choice(place: Compared, ids: list[str], language: Language) -> None:
    key = "compared"
    st.session_state[key] = list(place.tickets)
    st.multiselect(
        label(say("Loops to compare"), language),
        ids,
        key=key,
        max_selections=MOST,
        on_change=lambda: go(place._replace(tickets=tuple(st.session_state[key]))),
    )


def _lesson_run(language: Language) -> str:
    figures = "".join(
        f"<div><dt>{sentence(words, language)}</dt><dd>{language.number(count)}</dd></div>"
        for words, count in LESSON_RUN
    )
    title = sentence(say("How often the model asks wrongly"), language)
    source = say("The lesson's own figures of one run. Nothing computes them here: four of its loops are recorded.")
    return (
        f'<section class="card lesson-run"><h2>{title}</h2><dl class="facts">{figures}</dl>'
        f'<p class="note">{sentence(source, language)}</p></section>'
    )
