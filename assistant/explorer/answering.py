"""Owns how a question is put and what came of it: the ladder as a form, then guess and truth side by side.

The form's buttons carry our own words only. The block that takes its place is where the focus goes (`page.js`).
"""

from collections.abc import Callable
from itertools import groupby

import streamlit as st

from assistant.sentence import say

from . import put
from .address import Located
from .ladder import GROUPS
from .language import Language
from .markup import label, sentence
from .navigation import go
from .predict import NONE, OTHER_ANSWERS, SKIPPED, UNSURE, Answer, Question


def form(question: Question, language: Language, key: str, then: Callable[[str], Located]) -> None:
    """One button an answer, in the groups of the ladder; `then` gives the place that an answer leads to."""
    with st.container(key=f"answers-{key}"):
        for number, (group, answers) in enumerate(groupby(question.answers, key=lambda answer: answer.group)):
            head = f"<h3>{language.tell(GROUPS[group])}</h3>" if group else ""
            put.html(f'<div class="group-head">{head}</div>')
            with st.container(key=f"rungs-{key}-{number if group else 'none'}"):
                for answer in answers:
                    _button(answer, language, key, then)
        with st.container(key=f"others-{key}", horizontal=True):
            for answer in OTHER_ANSWERS:
                _button(answer, language, key, then)


def outcome(question: Question, guess: str, language: Language) -> str:
    """Guess and truth side by side, and why, as HTML."""
    if guess in (UNSURE, SKIPPED):
        kind, verdict = "open", say("Now you know.")
    elif guess == question.truth:
        kind, verdict = "right", say("You saw it.")
    else:
        kind, verdict = "wrong", say("Not what you thought.")
    icon = {"open": "○", "right": "✓", "wrong": "✗"}[kind]
    cells = "".join(
        f"<div><dt>{sentence(words, language)}</dt><dd>{sentence(question.words_of(code), language)}</dd></div>"
        for words, code in ((say("You said"), guess), (say("It is"), question.truth))
    )
    return (
        f'<div class="guess {kind}"><p class="guess-verdict"><span class="icon" aria-hidden="true">{icon}</span> '
        f"<span>{sentence(verdict, language)}</span></p><dl>{cells}</dl>"
        f'<p class="why">{sentence(say("Why:"), language)} {sentence(question.why, language)}</p></div>'
    )


def _button(answer: Answer, language: Language, key: str, then: Callable[[str], Located]) -> None:
    icon = {NONE: ":material/check:", UNSURE: None, SKIPPED: None}.get(answer.code, ":material/block:")
    st.button(
        label(answer.words, language),
        key=f"answer-{key}-{answer.code}",
        icon=icon,
        type="tertiary" if answer in OTHER_ANSWERS else "secondary",
        on_click=_say,
        args=(then, answer.code),
    )


def _say(then: Callable[[str], Located], code: str) -> None:
    go(then(code))
