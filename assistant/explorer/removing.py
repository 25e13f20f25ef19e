"""Owns the page on which one switches checks and business rules off, and sees what each was for."""

from collections.abc import Collection
from itertools import groupby
from typing import NamedTuple

import streamlit as st

from assistant.barriers import BUSINESS_RULES
from assistant.explorer import address, frame, matrix, notices, put, without
from assistant.explorer.address import Setting
from assistant.explorer.cases import cases
from assistant.explorer.ladder import GROUPS
from assistant.explorer.language import Language
from assistant.explorer.markup import label, sentence
from assistant.explorer.matrix import Shown
from assistant.explorer.navigation import go
from assistant.explorer.site import link
from assistant.explorer.without import Fate, Row
from assistant.orders import OrderBook
from assistant.sentence import Sentence, say

PAGE = "remove"
REPLY = "reply-"
TOM = "T-80001"  # the neighbour's order: what the last check is for


class Removed(NamedTuple):
    """What is switched off, and the case that is shown in full."""

    off: tuple[str, ...]
    case: str
    setting: Setting = Setting()

    def parameters(self) -> dict[str, str]:
        """The whole address, as query parameters."""
        off = {"off": ",".join(self.off)} if self.off else {}
        return {**off, **({"case": self.case} if self.case else {}), **self.setting.parameters()}

    def with_setting(self, setting: Setting) -> "Removed":
        """The same place in another setting."""
        return self._replace(setting=setting)


def page() -> None:
    """Draw the page for the address as it is."""
    prepared = cases()
    setting, wrong = address.read_setting(st.query_params)
    names = [*(case.name for case in prepared.proposals), *(REPLY + case.name for case in prepared.replies)]
    known = [*(check.name for check in without.checks()), *(rule.code for rule in BUSINESS_RULES)]
    off = address.known_items(st.query_params, "off", known, wrong)
    place = Removed(off, _open(names, wrong), setting)
    language = frame.language_of(place)
    frame.top(PAGE, place, language)
    left, right = st.columns([3, 9], gap="large")
    book = OrderBook()
    proposals = [without.proposal_row(off, case, book) for case in prepared.proposals] if without.checks() else []
    replies = [without.reply_row(off, case) for case in prepared.replies]
    with left, st.container(key="panel"):
        frame.title(say("What is each check for?"), language)
        said = say(
            "Switch one off. The same code runs without it, over prepared cases and the sample orders. The real loop"
            " cannot be given fewer checks."
        )
        put.html(f'<p class="lead">{sentence(said, language)}</p>')
        summary = " ".join(sentence(words, language) for words in _summary(place, proposals, replies))
        put.html(f'<p class="summary" data-announce>{summary}</p>')
        _switches(place, language)
        if prepared.unreadable:
            put.html(notices.left_out(prepared.unreadable, language))
    with right, st.container(key="result"):
        frame.notices(wrong, language)
        _result(place, proposals, replies, book, language)
    frame.script(language, PAGE, answered=len(off))


def _open(names: Collection[str], wrong: list[Sentence]) -> str:
    """The case that the address opens. A recorded reply has its ticket's name, as the proposal has."""
    asked = st.query_params.get("case", "")
    if asked in names or not asked:
        return asked
    wrong.append(say("There is no case {asked} here.", asked=address.cut(asked)))
    return ""


def _switches(place: Removed, language: Language) -> None:
    numbered = enumerate(without.checks(), start=1)
    for group, checks in groupby(numbered, key=lambda one: one[1].group):
        put.html(f"<h2>{language.tell(GROUPS[group])}</h2>")
        for number, check in checks:
            _switch(number, check.name, check.question, place, language)
    if not without.checks():
        put.html(notices.notice(language, say("This tools.py does not list its checks, so none can be switched off.")))
    put.html(f"<h2>{sentence(say('Business rules'), language)}</h2>")
    for number, rule in enumerate(BUSINESS_RULES, start=1):
        _switch(number, rule.code, rule.question, place, language)
    every = tuple(check.name for check in without.checks())
    with st.container(key="all-switches", horizontal=True):
        for words, key, there in (
            (say("Remove all checks: the short-cut"), "none-on", place._replace(off=every, case=TOM)),
            (say("Switch everything on"), "all-on", place._replace(off=())),
        ):
            st.button(label(words, language), key=key, on_click=go, args=(there,))


def _switch(number: int, name: str, question: Sentence, place: Removed, language: Language) -> None:
    """A switch, with the number that its column of the matrix has."""
    key = f"on {name}"
    st.session_state[key] = name not in place.off
    st.toggle(f"{number} · {label(question, language)}", key=key, on_change=_flip, args=(name, place))


def _flip(name: str, place: Removed) -> None:
    """Switch from what the address says now: a quick second switch must not undo the first."""
    off = [one for one in address.items(st.query_params, "off") if one != name]
    if not st.session_state[f"on {name}"]:
        off.append(name)
    go(place._replace(off=tuple(off)))


def _result(place: Removed, proposals: list[Row], replies: list[Row], book: OrderBook, language: Language) -> None:
    for rows, prefix, name in (
        (proposals, "", say("Proposals against checks")),
        (replies, REPLY, say("Replies against barriers")),
    ):

        def there(case: str, prefix: str = prefix) -> str:
            return link(PAGE, place._replace(case=case and prefix + case))

        is_here = place.case.startswith(REPLY) == bool(prefix)
        now = Shown(place.off, place.case.removeprefix(REPLY) if is_here else "", there, prefix)
        heading = f"<h2>{sentence(name, language)}</h2>"
        put.html(heading + matrix.matrix(rows, name, now, book, language) if rows else "<p></p>")


def _summary(place: Removed, proposals: list[Row], replies: list[Row]) -> list[Sentence]:
    if not place.off:
        return [say("Nothing is switched off: this is what the code decides.")]
    rows = [*proposals, *replies]
    through = sum(row.fate in (Fate.THROUGH, Fate.LEAK, Fate.EMPTY) for row in rows)
    crashed = sum(row.fate is Fate.CRASH for row in rows)
    later = sum(row.fate is Fate.LATER for row in rows)
    said = (
        (through, say("{count} of {all} cases now get through.", count=through, all=len(rows))),
        (later, say("{count} of {all} cases are stopped later.", count=later, all=len(rows))),
        (crashed, say("{count} of {all} cases crash the code.", count=crashed, all=len(rows))),
    )
    return [words for count, words in said if count] or [say("No prepared case needed what is switched off.")]
