"""Owns what reviewers say of a decision on the page: the form, what was said before, and erasing it.

The page says "saved" only after the database did. A database that is down is told, and nothing typed is lost.
"""

import os
from collections.abc import Mapping
from typing import Any

import streamlit as st

from assistant.reviews import (
    MAX_NAME,
    MAX_NOTE,
    Opinion,
    Review,
    Reviews,
    ReviewsUnavailable,
    Subject,
    TooLong,
    default_url,
)
from assistant.selection import key_of
from assistant.sentence import Sentence, say

from . import put
from .failure import PROJECT
from .language import Language
from .markup import label, sentence, shown
from .notices import notice
from .rows_shown import moment
from .validator import validator

REVIEWS_VARIABLE = "EXPLORER_REVIEWS"
OPINIONS: dict[Opinion, Sentence] = {
    Opinion.AGREE: say("I agree"),
    Opinion.DISAGREE: say("I disagree"),
    Opinion.POLICY: say("The policy should change"),
}
SAID = "said of a review"
PROBLEM = "not saved"


def reviews() -> Reviews:
    """The database that the environment names, or the project's own file. Raises ReviewsUnavailable."""
    return Reviews(os.environ.get(REVIEWS_VARIABLE) or default_url(PROJECT))


def draw(row: Mapping[str, Any], language: Language) -> None:
    """The reviews of a row, and the form for one more."""
    key = key_of(row)
    with st.container(key="opinions"):
        put.html(f"<h2>{sentence(say('Reviews of this decision'), language)}</h2>")
        said = st.session_state.pop(SAID, None)
        if said:
            put.html(f'<p class="saved" role="status">{sentence(Sentence(said), language)}</p>')
        try:
            given = reviews().of(key)
        except ReviewsUnavailable as error:
            put.html(notice(language, error.why, say("The reviews are not shown. All else on this page goes on.")))
        else:
            _history(given, language)
        _form(key, row, language)


def _history(given: tuple[Review, ...], language: Language) -> None:
    if not given:
        put.html(f'<p class="lead">{sentence(say("Nobody has reviewed it yet."), language)}</p>')
    rules = validator()
    for review in reversed(given):
        put.html(_review(review, rules, language))
        if review.erased_at is None and (review.note or review.name):
            with st.popover(label(say("Erase note and name…"), language), key=f"erasing {review.id}"):
                words = say("The opinion and its time stay; note and name are gone for good.")
                put.html(f"<p>{sentence(words, language)}</p>")
                st.button(
                    label(say("Erase note and name"), language),
                    key=f"erase {review.id}",
                    on_click=_erase,
                    args=(review.id,),
                )


def _review(review: Review, rules: str, language: Language) -> str:
    opinion = sentence(OPINIONS[review.opinion], language)
    who = shown(review.name) if review.name else sentence(say("no name"), language)
    when = shown(moment(review.at))
    lines = [f'<p><strong>{opinion}</strong> <span class="note">{who} · {when}</span></p>']
    if review.note:
        lines.append(f'<blockquote class="note-text">{shown(review.note)}</blockquote>')
    if review.erased_at:
        words = say("Note and name were erased on {when}.", when=moment(review.erased_at))
        lines.append(f'<p class="note">{sentence(words, language)}</p>')
    if review.subject.validator != rules:
        lines.append(
            f'<p class="earlier"><span aria-hidden="true">↺</span>'
            f" {sentence(say('Given under earlier rules: the validator has changed since.'), language)}</p>"
        )
    return f'<div class="review">{"".join(lines)}</div>'


def _form(key: str, row: Mapping[str, Any], language: Language) -> None:
    with st.form(f"opinion {key}", border=False):
        st.radio(
            label(say("What do you say to this decision?"), language),
            list(Opinion),
            index=None,
            format_func=lambda one: label(OPINIONS[one], language),
            horizontal=True,
            key=f"opinion-{key}",
        )
        st.text_area(label(say("Note"), language), key=f"note-{key}", max_chars=MAX_NOTE, height=80)
        st.text_input(label(say("Your name"), language), key="reviewer", max_chars=MAX_NAME, autocomplete="name")
        st.form_submit_button(
            label(say("Save the review"), language), type="primary", on_click=_save, args=(key, dict(row))
        )
    if problem := st.session_state.pop(PROBLEM, None):
        put.html(notice(language, *(Sentence(*one) for one in problem)))


def _save(key: str, row: Mapping[str, Any]) -> None:
    state = st.session_state
    opinion = state.get(f"opinion-{key}")
    if opinion is None:
        _not_saved(say("Not saved: choose one of the three opinions first."))
        return
    subject = Subject(key, row["ticket"] or "", row["outcome"], validator())
    try:
        reviews().add(subject, Opinion(str(opinion)), state.get(f"note-{key}", ""), state.get("reviewer", ""))
    except (ReviewsUnavailable, TooLong) as error:
        _not_saved(say("Not saved."), error.why)
        return
    state[SAID] = say("Saved.").template
    state[f"opinion-{key}"] = None
    state[f"note-{key}"] = ""


def _erase(number: int) -> None:
    try:
        reviews().erase(number)
    except ReviewsUnavailable as error:
        _not_saved(say("Not erased."), error.why)
        return
    st.session_state[SAID] = say("Note and name are erased.").template


def _not_saved(*why: Sentence) -> None:
    st.session_state[PROBLEM] = [(one.template, one.values) for one in why]
