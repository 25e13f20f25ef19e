"""Owns what the cards are made of: the view, and the small pieces that several cards show."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from assistant.recording import Recording
from assistant.sentence import Sentence, say
from assistant.strict_json import NotJson, read_json
from assistant.ticket import Ticket

from .language import Language
from .markup import Marks, json_text, sentence, shown

MESSAGES = "en"  # the language of the tool's fixed messages, which the model reads


@dataclass(frozen=True)
class View:
    """How cards are drawn: in which language, from which recording if from one, with what marked, after how long a
    model call. `tells` is False while the page asks before it tells: then nothing hints at an answer.
    `brief` is for a projector: JSON on as few lines as it needs."""

    language: Language
    recording: Recording | None
    marks: Marks
    model_call_s: float | None = None
    tells: bool = True
    brief: bool = False

    def says(self, said: Sentence) -> str:
        """The sentence as HTML in the page's language."""
        return sentence(said, self.language, self.marks)

    def json(self, value: object, kind: Callable[[str], str] = lambda _place: "") -> str:
        """JSON as HTML, what `kind` names set off."""
        return json_text(value, self.marks, kind, indent=None if self.brief else 0)

    def from_recording(self, shown_value: str, place: str) -> str:
        """HTML of a value that stands at this place of the recording, underlined if it is reconstructed."""
        return f'<span class="{self.kind(place)}">{shown_value}</span>' if self.kind(place) else shown_value

    def kind(self, place: str) -> str:
        """What sets off the value at this place of the recording: `reconstructed`, or nothing."""
        return "reconstructed" if self.recording and self.recording.is_reconstructed(place) else ""


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


def written_by(ticket: Ticket, view: View, written_in: str | None = None) -> str:
    """What the customer wrote, verbatim, and who they are. `written_in` is the text's own language (BCP 47)."""
    customer = say("No customer is known; the ticket says:")
    if ticket.customer_id:
        customer = say("Customer {customer_id} writes:", customer_id=ticket.customer_id)
    lang = f' lang="{shown(written_in)}"' if written_in else ""
    text = view.from_recording(shown(ticket.text, view.marks), "/ticket/text")
    name = view.language.tell(say("The ticket's text"))
    return (
        f'<div class="ticket"><p>{view.says(customer)}</p>'
        f'<blockquote tabindex="0" role="group" aria-label="{name}"{lang}>{text}</blockquote></div>'
    )


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
    html = view.json(reply, lambda inner: view.kind(f"{place}#{inner}"))
    return html, own if isinstance(own, str) else None
