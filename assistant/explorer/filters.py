"""Owns what a person chooses the register's rows with. The address holds what is chosen; a widget only changes it."""

from collections.abc import Callable, Sequence
from html import escape

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from assistant.again import Again
from assistant.counts import OTHER_CODES, Kind
from assistant.selection import UNDATED, Order
from assistant.sentence import Sentence, say

from .language import Language
from .markup import label, sentence, shown
from .navigation import go
from .reviewed_place import MAX_TEXT, Reviewed
from .site import link

PAGE = "review"
MAX_OPTIONS = 60
KINDS: dict[str, Sentence] = {
    Kind.OK: say("ok"),
    Kind.REFUSED: say("any refusal"),
    Kind.ERROR: say("any error of ours"),
    Kind.OTHER: say("other or not recorded"),
}
AGAIN: dict[str, Sentence] = {
    Again.UNCHANGED: say("the same"),
    Again.FLIPPED: say("different"),
    Again.UNDECIDED: say("could not be decided"),
}
REVIEWED: dict[str, Sentence] = {"yes": say("reviewed"), "no": say("not reviewed")}
ORDERS: dict[str, Sentence] = {
    Order.NEWEST: say("newest first"),
    Order.OLDEST: say("oldest first"),
    Order.TICKET: say("by ticket"),
    Order.CUSTOMER: say("by customer"),
    Order.OUTCOME: say("by outcome"),
    Order.CHECK: say("by failed check"),
}
CHIPS: dict[str, Sentence] = {
    "outcome": say("Outcome"),
    "check": say("Failed check"),
    "ticket": say("Ticket"),
    "customer": say("Customer"),
    "day": say("Day"),
    "reviewed": say("Review"),
    "again": say("Decided today"),
    "text": say("Text"),
    "diverged": say("Diverges"),
}


def values_in(column: pa.ChunkedArray) -> list[str]:
    """The values of a column that may be chosen, the most frequent first. One that is too long fits into no address."""
    counted = pc.value_counts(column).to_pylist()
    most = sorted(
        (one for one in counted if one["values"] is not None and len(one["values"]) <= MAX_TEXT),
        key=lambda one: (-one["counts"], one["values"]),
    )
    return [one["values"] for one in most[:MAX_OPTIONS]]


def draw(
    place: Reviewed, outcomes: Sequence[str], checks: Sequence[str], is_decided_again: bool, language: Language
) -> None:
    """The filters, in rows that wrap."""
    chosen = place.selection
    with st.container(key="filters", horizontal=True, vertical_alignment="bottom"):
        every = language.tell(say("all"))
        kinds = {str(kind): language.tell(words) for kind, words in KINDS.items()}
        others = [one for one in outcomes if one not in kinds]
        _select("outcome", chosen.outcome, {"": every, **kinds, **{one: one for one in others}}, place, language)
        _select("check", chosen.check, {"": every, **{one: one for one in checks}}, place, language)
        if is_decided_again:
            words = {str(one): language.tell(said) for one, said in AGAIN.items()}
            _select("again", chosen.again, {"": every, **words}, place, language)
        words = {one: language.tell(said) for one, said in REVIEWED.items()}
        _select("reviewed", chosen.reviewed, {"": every, **words}, place, language)
        for name in ("ticket", "customer", "day", "text"):
            _field(name, getattr(chosen, name), place, language)
        orders = {str(one): language.tell(said) for one, said in ORDERS.items()}
        _choice(
            "sort", say("Sorted"), str(place.sort), orders, lambda to: place._replace(sort=Order(to), page=1), language
        )


def _select(name: str, value: str, options: dict[str, str], place: Reviewed, language: Language) -> None:
    _choice(name, CHIPS[name], value, options, lambda to: place.where(**{name: to}), language)


def _choice(
    name: str,
    words: Sentence,
    value: str,
    options: dict[str, str],
    there: Callable[[str], Reviewed],
    language: Language,
) -> None:
    """A choice whose options are plain text, of which outcomes and checks come from outside."""
    names = list(options) if value in options else [*options, value]
    key = f"filter {name}"
    st.session_state[key] = value
    st.selectbox(
        label(words, language),
        names,
        format_func=lambda one: options.get(one, one),
        key=key,
        width=170,
        on_change=lambda: go(there(st.session_state[key])),
    )


def _field(name: str, value: str, place: Reviewed, language: Language) -> None:
    key = f"filter {name}"
    st.session_state[key] = value
    hint = {"day": "2026-09-01"}.get(name)
    st.text_input(
        label(CHIPS[name], language),
        key=key,
        max_chars=MAX_TEXT,
        width=150,
        placeholder=hint,
        autocomplete="off",
        on_change=lambda: go(place.where(**{name: st.session_state[key].strip()})),
    )


def chips(place: Reviewed, language: Language) -> str:
    """What is chosen, each with a link that takes it back, as HTML."""
    items = []
    for name, value in place.selection._asdict().items():
        if not value:
            continue
        words = language.tell(CHIPS[name])
        said = _said(name, value, language)
        there = escape(link(PAGE, place.where(**{name: type(value)()})))
        off = language.tell(say("Show all again, not only {what}", what=f"{words} {said}"))
        items.append(
            f'<li><span>{shown(words)}</span> <span class="data">{shown(said)}</span> '
            f'<a href="{there}" data-here data-key="off-{name}" aria-label="{escape(off)}">×</a></li>'
        )
    if not items:
        return ""
    every = sentence(say("Show all"), language)
    nothing = f'<a href="{escape(link(PAGE, place.only()))}" data-here data-key="off">{every}</a>'
    return f'<ul class="chips">{"".join(items)}<li>{nothing}</li></ul>'


def _said(name: str, value: object, language: Language) -> str:
    table = {"outcome": KINDS, "again": AGAIN, "reviewed": REVIEWED}.get(name, {})
    if value is True:
        return language.tell(say("yes"))
    if name == "day" and value == UNDATED:
        return language.tell(say("undated"))
    if value == f"{Kind.REFUSED}: {OTHER_CODES}":
        return language.tell(say("other codes"))
    return language.tell(table[str(value)]) if str(value) in table else str(value)
