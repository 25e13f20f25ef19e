"""Owns work that takes longer than a click: done in pieces, with progress and a way to stop, and kept for everybody.

What is kept outlives the code that made it, so it is plain data and Arrow tables only.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple

import streamlit as st

from assistant.sentence import Sentence, say

from .language import Language
from .markup import label

MAX_KEPT = 8


class Job(NamedTuple):
    """Something to be worked out. `key` names it with all that it depends on; `start` gives pieces, each with the part
    that is done after it (0 to 1); `finish` makes one thing of the pieces so far."""

    name: str
    key: Hashable
    start: Callable[[], Iterator[tuple[float, Any]]]
    finish: Callable[[list[Any]], Any]
    title: Sentence


class Outcome(NamedTuple):
    """What came of a job so far, and the part that is done: 1 is all of it."""

    result: Any
    done: float

    @property
    def is_whole(self) -> bool:
        """Whether all is done."""
        return self.done >= 1


@st.cache_resource(show_spinner=False)
def _kept() -> dict[Hashable, Any]:
    return {}


def outcome(job: Job, language: Language, starts_itself: bool = True) -> Outcome | None:
    """Do the job, or go on with it, where it is not done yet; None while nobody has asked for it. Draws progress and
    what one may press."""
    kept, key = _kept(), (job.name, job.key)
    if key in kept:
        return Outcome(kept[key], 1)
    state = st.session_state.get(f"job {job.name}")
    if state is None or state["key"] != job.key:
        state = {"key": job.key, "pieces": [], "done": 0.0, "runs": starts_itself, "steps": None}
        st.session_state[f"job {job.name}"] = state
    if state["runs"]:
        _work(job, state, language)
    if state["done"] >= 1:
        result = job.finish(state["pieces"])
        while len(kept) >= MAX_KEPT:
            kept.pop(next(iter(kept)), None)
        kept[key] = result
        del st.session_state[f"job {job.name}"]
        return Outcome(result, 1)
    words = say("Go on: {what}", what=language.tell(job.title)) if state["pieces"] else job.title
    st.button(label(words, language), key=f"start {job.name}", on_click=_set, args=(state, True))
    return Outcome(job.finish(state["pieces"]), state["done"]) if state["pieces"] else None


def forget(job: Job) -> None:
    """Let the job be done anew."""
    _kept().pop((job.name, job.key), None)
    st.session_state.pop(f"job {job.name}", None)


def _work(job: Job, state: dict[str, Any], language: Language) -> None:
    """Work until it is done, or until this run is cut off by a press; the pieces so far stay."""
    if state["steps"] is None:
        state["steps"] = job.start()
    place = st.empty()
    with place.container(key=f"working-{job.name}", horizontal=True, vertical_alignment="center"):
        bar = st.progress(state["done"], text=_said(job, state["done"], language))
        st.button(label(say("Stop"), language), key=f"stop {job.name}", on_click=_set, args=(state, False))
    for done, piece in state["steps"]:
        state["pieces"].append(piece)
        state["done"] = min(done, 0.99)
        bar.progress(state["done"], text=_said(job, state["done"], language))
    state["done"] = 1.0
    place.empty()


def _said(job: Job, done: float, language: Language) -> str:
    return label(say("{what}: {percent} %", what=language.tell(job.title), percent=int(done * 100)), language)


def _set(state: dict[str, Any], runs: bool) -> None:
    state["runs"] = runs
