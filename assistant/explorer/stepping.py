"""Owns the page on which one steps through a loop: what stands where."""

import json
from pathlib import Path

import streamlit as st

from assistant.events import Decided, Event
from assistant.explorer import address, controls, fresh, notices, panel, run
from assistant.explorer.address import Place
from assistant.explorer.cards import draw, title_of
from assistant.explorer.language import LANGUAGES, Language, of_browser
from assistant.explorer.markup import sentence
from assistant.explorer.navigation import was_at_an_end
from assistant.explorer.so_far import model_call_s, order_ids
from assistant.explorer.view import View
from assistant.recording import Recording, RecordingError
from assistant.sentence import Sentence, say

STYLE = Path(__file__).with_name("style.css")
SCRIPT = Path(__file__).with_name("page.js")


@st.cache_data(max_entries=4, show_spinner=False)
def divergences(_recordings: list[Recording], files: tuple[tuple[str, int, int], ...]) -> list[tuple[str, int]]:  # noqa: ARG001
    """The tickets in which the code leaves the recording, with the step; computed anew when one of `files` has changed.

    An order book that could not answer is not the code's doing, and may answer the next time.
    """
    runs = [run.replay(recording) for recording in _recordings]
    return [(one.recording.ticket.id, one.divergence_step) for one in runs if one.divergence_step and not one.has_error]


def page() -> None:
    """Draw the page for the address as it is."""
    recordings, errors = run.recordings()
    ids = [recording.ticket.id for recording in recordings]
    asked, wrong = address.read(st.query_params, ids)
    language = LANGUAGES[asked.lang] if asked.lang else of_browser(st.context.locale)
    st.set_page_config(page_title=language.tell(say("Tool-loop explorer")))
    st.html(STYLE)
    recording = next((one for one in recordings if one.ticket.id == asked.ticket), None)
    if recording is None:
        no_recordings(asked, errors, language)
        return
    now = run.replay(recording)
    if now.failure and fresh.is_outdated():
        st.rerun()
    # Code that stops takes no step away: the place is there again once the code is mended.
    steps = max(len(now.events), asked.step) if now.failure else len(now.events)
    place, beyond = address.clamp(asked, steps)
    at_an_end = was_at_an_end()
    revealed = now.events[: place.step]
    view = View(language, recording, order_ids(revealed, recording.ticket.text))
    left, right = st.columns([5, 8], gap="large")
    with left, st.container(key="panel"):
        heading(place, language)
        controls.tickets(place, ids, language)
        controls.divergences(divergences(recordings, run.fingerprint()), place, language)
        st.html(panel.draw(now, revealed, view))
        if errors:
            st.html(notices.left_out(errors, language))
    with right, st.container(key="steps"):
        if not revealed and not now.failure:
            st.html(f'<div class="intro">{introduction(language)}</div>')
        for number, event in enumerate(revealed, start=1):
            st.html(draw(event, number, timed(view, now.events, event)))
        if now.failure:
            st.html(notices.failure(now.failure, language))
    where, said = say("Step {step} of {steps}", step=place.step, steps=steps), None
    if revealed:
        said = title_of(revealed[-1])
    if now.failure and place.step >= len(now.events):
        where, said = say("Step {step}", step=place.step), say("The code stopped the loop here.")
    elif at_an_end:
        said = say("This is the last step.") if place.step else say("This is the start.")
    controls.bar((where, said), ids, steps, [*wrong, *beyond], language)
    script(place, ids, language, asked.step)


def heading(place: Place, language: Language) -> None:
    """The page's name and the language switch."""
    with st.container(key="head", horizontal=True, wrap=False, vertical_alignment="center"):
        st.html(f"<h1>{sentence(say('Step through a tool loop'), language)}</h1>")
        controls.language_switch(place, language)


def introduction(language: Language) -> str:
    """What this page shows, before the first step."""
    said: tuple[Sentence, ...] = (
        say(
            "A language model is about to answer this ticket. Step by step, this page shows what it asks for and what"
            " the application makes of that: every step is computed now by the real code, over recorded responses."
        ),
        say("A tool call is a proposal from outside, and only code decides."),
    )
    return "".join(f"<p>{sentence(one, language)}</p>" for one in said)


def no_recordings(place: Place, errors: list[RecordingError], language: Language) -> None:
    """The page without any ticket to show."""
    with st.container(key="panel"):
        heading(place, language)
        said = say("There is no recording in the folder {folder}.", folder=run.recordings_folder().name)
        st.html(notices.notice(language, said))
        if errors:
            st.html(notices.left_out(errors, language))
    script(place, [], language, place.step)


def timed(view: View, events: tuple[Event, ...], event: Event) -> View:
    """The view with the time of the model call that a decision belongs to."""
    if not isinstance(event, Decided):
        return view
    return View(view.language, view.recording, view.marks, model_call_s(events, event))


def script(place: Place, ids: list[str], language: Language, asked: int) -> None:
    """Tell the browser the language, which ticket is chosen, the step, and the one asked for: nothing from outside."""
    chosen = ids.index(place.ticket) if ids else -1
    call = f"toolLoopPage({json.dumps(language.tag)}, {chosen}, {place.step}, {asked})"
    st.html(f"<script>{SCRIPT.read_text(encoding='utf-8')}{call}</script>", unsafe_allow_javascript=True)
