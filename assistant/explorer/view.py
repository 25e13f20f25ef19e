"""Owns what the cards are made of: the view, and the small pieces that several cards show."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from assistant.decision import Decision
from assistant.recording import Recording
from assistant.sentence import Sentence, say
from assistant.strict_json import NotJson, read_json

from .language import Language
from .markup import Marks, block, json_text, sentence, shown

MESSAGES = "en"  # the language of the tool's fixed messages, which the model reads


@dataclass(frozen=True)
class View:
    """How cards are drawn: in which language, with what marked, from which recording, after how long a model call."""

    language: Language
    recording: Recording
    marks: Marks
    model_call_s: float | None = None

    def says(self, said: Sentence) -> str:
        """The sentence as HTML in the page's language."""
        return sentence(said, self.language, self.marks)

    def from_recording(self, shown_value: str, place: str) -> str:
        """HTML of a value that stands at this place of the recording, underlined if it is reconstructed."""
        if not self.recording.is_reconstructed(place):
            return shown_value
        return f'<span class="reconstructed">{shown_value}</span>'


def raw(value: object) -> str:
    """Text as it is, anything else as JSON."""
    return value if isinstance(value, str) else f"{json.dumps(value, default=repr):.200}"


def optional(value: Any, words: Callable[[Any], str]) -> str | None:
    """The value in words, or None for what is not recorded."""
    return None if value is None else words(value)


def fact_list(facts: Iterable[tuple[Sentence, str | None]], view: View) -> str:
    """Facts with their labels, in one row; a value is HTML made here, and None is not recorded."""
    unknown = f'<span class="unknown">{view.says(say("not recorded"))}</span>'
    pairs = "".join(f"<div><dt>{view.says(label)}</dt><dd>{value or unknown}</dd></div>" for label, value in facts)
    return f'<dl class="facts">{pairs}</dl>'


def model_reads(decision: Decision, view: View) -> str:
    """What the model reads: the result as JSON, and in other languages than the message's its meaning beside it."""
    result = block(json_text(decision.result, view.marks), view.language, say("The result for the model"), MESSAGES)
    if decision.message is None or view.language.code == MESSAGES:
        return result
    return f'{result}<p class="note">{view.says(say("It means:"))} {view.says(decision.message)}</p>'


def order_facts(order: dict[str, Any], view: View) -> str:
    """An order in the page's words: only fields that are there, and as they are where they can't be formatted."""
    language = view.language
    facts: list[tuple[Sentence, str | None]] = [(say("Status"), shown(str(order.get("status"))))]
    for label, key in (
        (say("Ordered on"), "ordered_on"),
        (say("Shipped on"), "shipped_on"),
        (say("Delivered on"), "delivered_on"),
    ):
        if isinstance(order.get(key), str):
            facts.append((label, shown(_day(order[key], language))))
    total, currency = order.get("total"), order.get("currency")
    if isinstance(total, int | float) and not isinstance(total, bool) and isinstance(currency, str):
        facts.append((say("Total"), shown(language.money(total, currency))))
    return fact_list(facts, view)


def _day(iso: str, language: Language) -> str:
    try:
        return language.day(iso)
    except ValueError:
        return iso


def reply_text(content: str, place: str, view: View) -> tuple[str, str | None]:
    """The reply's text as HTML, indented where it is a JSON object, and the language that it says it is in."""
    try:
        reply = read_json(content)
    except NotJson:
        reply = None
    if not isinstance(reply, dict):
        return view.from_recording(shown(content, view.marks), place), None
    own = reply.get("language")
    is_reconstructed = view.recording.is_reconstructed
    html = json_text(reply, view.marks, lambda inner: is_reconstructed(f"{place}#{inner}"))
    return html, own if isinstance(own, str) else None
