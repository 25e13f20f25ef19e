"""Owns the page on which one steps through a loop: what stands where."""

from dataclasses import replace
from functools import lru_cache, partial

import streamlit as st

from assistant.events import Decided, Event
from assistant.explorer import address, answering, controls, frame, fresh, handout, notices, panel, predict, put, run
from assistant.explorer.address import Place
from assistant.explorer.cards import drawn, title_of
from assistant.explorer.language import Language
from assistant.explorer.markup import Article, article, sentence
from assistant.explorer.navigation import times_at_an_end, was_at_an_end
from assistant.explorer.predict import Asked
from assistant.explorer.run import Run
from assistant.explorer.so_far import model_call_s, order_ids
from assistant.explorer.view import View
from assistant.recording import RecordingError
from assistant.sentence import Sentence, say

MAX_REPLAYED = 200  # recordings that are all replayed here; of more, the page Review tells


@lru_cache(maxsize=4)
def divergences(_files: tuple[tuple[str, int, int], ...]) -> list[tuple[str, int]]:
    """The tickets in which the code leaves the recording, with the step; computed anew when one of the files that a run
    depends on has changed (`run.fingerprint`).

    An order book that could not answer is not the code's doing, and may answer the next time.
    """
    runs = [run.replay(recording) for recording in run.recordings()[0]]
    return [(one.recording.ticket.id, one.divergence_step) for one in runs if one.divergence_step and not one.has_error]


def page() -> None:
    """Draw the page for the address as it is."""
    recordings, errors = run.recordings()
    ids = [recording.ticket.id for recording in recordings]
    place, wrong = address.read(st.query_params, ids)
    language = frame.language_of(place)
    recording = next((one for one in recordings if one.ticket.id == place.ticket), None)
    if recording is None:
        no_recordings(place, errors, language)
        return
    now = run.replay(recording)
    if now.failure and fresh.is_outdated():
        st.rerun()
    # Code that stops takes no step away: the place is there again once the code is mended.
    steps = max(len(now.events), place.step) if now.failure else len(now.events)
    place, beyond = address.clamp(place, steps)
    asked = predict.asked_in(now.events, place.guesses or ())
    place, waiting, held = hold(place, asked)
    steps = waiting.step if waiting else steps
    standing_at = waiting if waiting and waiting.step == place.step else None
    revealed = now.events[: place.step - 1 if standing_at else place.step]
    frame.top("", place, language)
    at_an_end = was_at_an_end()
    view = view_of(now, revealed, waiting is None, place, language)
    is_presented = place.setting.presenting
    left, right = (st.container(), st.container()) if is_presented else st.columns([5, 8], gap="large")
    # What a press reveals comes first, so that it is not kept waiting for what stays.
    with right, st.container(key="steps"):
        if not place.step and not now.failure and not is_presented:
            put.html(f'<div class="intro">{introduction(language)}</div>')
        for number, event in enumerate(revealed, start=1):
            if number == place.step or not is_presented:
                above = answered(asked, number, place, language)
                put.html(drawn(event, number, timed(view, now.events, event), above))
        if standing_at:
            ask(standing_at, place, language)
        if now.failure and not waiting:
            put.html(notices.failure(now.failure, language))
    with left, st.container(key="panel"):
        frame.title(say("Step through a tool loop"), language)
        controls.tickets(place, ids, language)
        if is_presented:
            put.html(panel.ticket(recording, view) if not place.step else '<p class="nothing"></p>')
        else:
            controls.asking(place, asked[0].step if asked else None, language)
            is_few = len(recordings) <= MAX_REPLAYED
            leaving = [] if waiting or not is_few else divergences(run.fingerprint())
            controls.divergences(leaving, place, language)
            put.html(panel.draw(now, revealed, view))
            if errors:
                put.html(notices.left_out(errors, language))
            if waiting is None:
                handout.button(now, language)
    said = where(now, place, steps, waiting, at_an_end)
    controls.bar(said, ids, steps, [*wrong, *beyond, *held], language, partial(predict.valid, now.events))
    guessed = sum(one.guess is not None for one in asked if one.step <= place.step) if place.guesses is not None else 0
    frame.script(language, "", ids.index(place.ticket), place.step, guessed, times_at_an_end())


def hold(place: Place, asked: list[Asked]) -> tuple[Place, Asked | None, list[Sentence]]:
    """Keep the place before what an open question's answer would tell. Return the place, that question, and what is
    to be said of it."""
    if place.guesses is None:
        return place, None, []
    guesses = tuple(one.guess for one in asked if one.guess)
    said: list[Sentence] = []
    if len(guesses) < len(place.guesses):
        wrong = place.guesses[len(guesses)]
        said.append(
            say("{asked} is no answer to question {number}.", asked=address.cut(wrong), number=len(guesses) + 1)
        )
    waiting = predict.first_open(asked)
    if waiting and place.step > waiting.step:
        said.append(say("Step {step} waits behind the question at step {first}.", step=place.step, first=waiting.step))
        place = place._replace(step=waiting.step)
    return place._replace(guesses=guesses), waiting, said


def ask(waiting: Asked, place: Place, language: Language) -> None:
    """The open question, in place of the card that answers it."""
    with st.container(key="question"):
        title = sentence(waiting.question.words, language)
        put.html(article(Article("question", "", title, f"step-{waiting.step}", waiting.step), ""))
        guesses = place.guesses or ()
        answering.form(waiting.question, language, "step", lambda code: place._replace(guesses=(*guesses, code)))


def answered(asked: list[Asked], step: int, place: Place, language: Language) -> str:
    """Guess and truth at a step that was asked about, as HTML."""
    if place.guesses is None:
        return ""
    one = next((one for one in asked if one.step == step and one.guess), None)
    return answering.outcome(one.question, one.guess, language) if one and one.guess else ""


def where(
    now: Run, place: Place, steps: int, waiting: Asked | None, at_an_end: bool
) -> tuple[Sentence, Sentence | None]:
    """Where one is, and what is said of it."""
    if waiting and waiting.step == place.step:
        said = say("Answer first, or skip.") if at_an_end else waiting.question.words
        return say("Step {step}", step=place.step), said
    position = say("Step {step} of {steps}", step=place.step, steps=steps)
    if waiting:
        position = say("Step {step}", step=place.step)
    if now.failure and place.step >= len(now.events):
        return say("Step {step}", step=place.step), say("The code stopped the loop here.")
    if at_an_end:
        return position, say("This is the last step.") if place.step else say("This is the start.")
    return position, title_of(now.events[place.step - 1]) if place.step else None


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
    frame.top("", place, language)
    with st.container(key="panel"):
        frame.title(say("Step through a tool loop"), language)
        said = say("There is no recording in the folder {folder}.", folder=run.recordings_folder().name)
        put.html(notices.notice(language, said))
        if errors:
            put.html(notices.left_out(errors, language))
    frame.script(language, "", step=place.step)


def view_of(now: Run, revealed: tuple[Event, ...], tells: bool, place: Place, language: Language) -> View:
    """How the revealed steps are drawn. While a question is open, nothing shows that an ID was made up."""
    marks = order_ids(revealed, now.recording.ticket.text)
    shown_whole = marks if tells else {one: len(one) for one in marks}
    return View(language, now.recording, shown_whole, tells=tells, brief=place.setting.presenting)


def timed(view: View, events: tuple[Event, ...], event: Event) -> View:
    """The view with the time of the model call that a decision belongs to."""
    return replace(view, model_call_s=model_call_s(events, event)) if isinstance(event, Decided) else view
