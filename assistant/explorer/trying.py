"""Owns the two pages on which one puts a proposal, or a reply, to the code: what is asked, and where it is kept.

What is asked stands in the address as long as it is short enough for one; else in this visit, and the page says so.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

import streamlit as st

from assistant.explorer.address import Setting, cut, read_setting
from assistant.explorer.cases import SOURCES, ProposalCase, ReplyCase
from assistant.explorer.language import Language
from assistant.explorer.markup import label
from assistant.explorer.navigation import go
from assistant.sentence import Sentence, say

MAX_LINK = 2000  # characters of the query: mail programs and chats cut longer links
MAX_TYPED = 20_000
KEPT = "kept"


class Field(NamedTuple):
    """One thing that can be typed: its name in the address, its label, and its height in pixels (None: one line)."""

    name: str
    label: Sentence
    height: int | None = None


class Tried(NamedTuple):
    """What is put to the code: a prepared case by its name, or what was typed, by field."""

    case: str
    typed: tuple[tuple[str, str], ...] = ()
    setting: Setting = Setting()

    def parameters(self) -> dict[str, str]:
        """The whole address, as query parameters; what is too long for it is only named there."""
        asked = {"case": self.case} if self.case else dict(self.typed)
        if self.is_too_long:
            asked = {KEPT: self.digest}
        return {**asked, **self.setting.parameters()}

    def with_setting(self, setting: Setting) -> "Tried":
        """The same place in another setting."""
        return self._replace(setting=setting)

    @property
    def is_too_long(self) -> bool:
        """Whether what was typed is too long for an address."""
        return not self.case and len(urlencode(dict(self.typed), errors="replace")) > MAX_LINK

    @property
    def digest(self) -> str:
        """A name for what was typed."""
        return hashlib.sha256(repr(self.typed).encode(errors="replace")).hexdigest()[:12]


Values = dict[str, str]


def read(cases: Mapping[str, Values]) -> tuple[Tried, Values, list[Sentence]]:
    """Return what the address asks for, its values by field, and what was wrong with it. `cases` holds the prepared
    ones, the first of which is asked when the address asks nothing."""
    setting, notices = read_setting(st.query_params)
    fields = list(next(iter(cases.values())))
    first = next(iter(cases))
    if KEPT in st.query_params:
        kept = st.session_state.get(KEPT, {}).get(st.query_params[KEPT])
        if kept and [name for name, _ in kept] == fields:
            notices.append(
                say("What you typed is too long for an address. A link to this page does not bring it back.")
            )
            return Tried("", kept, setting), dict(kept), notices
        notices.append(say("This link stands for a text that was too long for it, and that is not here."))
        return Tried(first, (), setting), cases[first], notices
    if any(field in st.query_params for field in fields):
        typed = tuple((field, st.query_params.get(field, "")[:MAX_TYPED]) for field in fields)
        return _kept(Tried("", typed, setting)), dict(typed), notices
    case = st.query_params.get("case", first)
    if case not in cases:
        notices.append(say("There is no case {asked} here.", asked=cut(case)))
        case = first
    return Tried(case, (), setting), cases[case], notices


def form(
    page: str,
    place: Tried,
    values: Values,
    fields: Sequence[Field],
    prepared: Mapping[str, ProposalCase | ReplyCase],
    cases: Mapping[str, Values],
    language: Language,
) -> None:
    """The prepared cases to choose from, and the fields to type in. They follow the address when it changes."""
    keys = {field.name: f"{page} {field.name}" for field in fields}
    # Streamlit drops a field's value with the page that it stands on.
    if st.session_state.get(f"{page} applied") != values or not all(key in st.session_state for key in keys.values()):
        st.session_state[f"{page} applied"] = values
        for name, key in keys.items():
            st.session_state[key] = values[name]
    own = language.tell(say("Your own"))
    names = ["", *prepared]
    choice = f"{page} case"
    st.session_state[choice] = place.case
    st.selectbox(
        label(say("A prepared case"), language),
        names,
        format_func=lambda name: _named(prepared[name], language) if name else own,
        key=choice,
        on_change=lambda: go(_chosen(st.session_state[choice], place, cases)),
    )
    with st.form(f"{page} form", border=False):
        for field in fields:
            words, key = label(field.label, language), keys[field.name]
            if field.height is None:
                st.text_input(words, key=key, max_chars=MAX_TYPED, autocomplete="off")
            else:
                st.text_area(words, key=key, height=field.height, max_chars=MAX_TYPED)
        st.form_submit_button(
            label(say("Put it to the code"), language),
            type="primary",
            key=f"{page} submit",
            on_click=lambda: submit(place, {name: st.session_state[key] for name, key in keys.items()}, cases),
        )


def submit(place: Tried, values: Values, cases: Mapping[str, Values]) -> None:
    """Go to what was typed, by the name of a prepared case where it is one."""
    case = next((name for name, known in cases.items() if known == values), "")
    go(_kept(Tried(case, () if case else tuple(values.items()), place.setting)))


def _chosen(case: str, place: Tried, cases: Mapping[str, Values]) -> Tried:
    """A case that was chosen; who chooses to write their own goes on from what is there."""
    if case:
        return Tried(case, (), place.setting)
    return _kept(Tried("", tuple(cases[place.case].items()) if place.case else place.typed, place.setting))


def typable(text: str) -> str:
    """Text as a field can hold it: half a surrogate pair is none, and cannot be sent to a browser."""
    return text.encode(errors="replace").decode()


def _kept(place: Tried) -> Tried:
    """The place, and in this visit what is too long for its address."""
    if place.is_too_long:
        st.session_state.setdefault(KEPT, {})[place.digest] = place.typed
    return place


def _named(case: ProposalCase | ReplyCase, language: Language) -> str:
    source, title = language.tell(SOURCES[case.source]), language.tell(case.title)
    return language.tell(say("{first}: {second}", first=source, second=title))
