"""Owns the cards: one event of the loop, one card, one block of HTML. It shows what the event holds, nothing else."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from assistant.barriers import stands_in
from assistant.events import (
    Concluded,
    Decided,
    Diverged,
    Event,
    LimitReached,
    ModelCalled,
    Proposed,
    Replied,
    ResultSent,
)
from assistant.response import as_dict, as_list
from assistant.sentence import Sentence, say

from .decided import decision_shown, model_reads, verdict_shown
from .markup import Article, article, block, fold, json_text, shown
from .so_far import asked_for
from .view import View, fact_list, optional, order_facts, raw, reply_text


class Card(NamedTuple):
    """How one kind of event is shown: who acts towards whom, a title, and the body as HTML."""

    actor: str
    who: Sentence
    title: Callable[[Any], Sentence]
    body: Callable[[Any, View], str]


class _Shown:
    """All that a card shows. Two are equal if they are written alike: to Python 1, 1.0 and True are equal, to a reader
    they are not."""

    def __init__(self, event: Event, number: int, view: View, above: str) -> None:
        self.what = (event, number, view, above)
        self._written = repr(self.what)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shown) and self._written == other._written

    def __hash__(self) -> int:
        return hash(self._written)


def drawn(event: Event, number: int, view: View, above: str = "") -> str:
    """`draw`, for a page on which most cards are as they just were, for this visitor or another: it draws only what is
    new. A decision is always new, by the time that it took."""
    if isinstance(event, Decided):
        return draw(event, number, view, above)
    return _drawn(_Shown(event, number, view, above))


@lru_cache(maxsize=500)
def _drawn(shown: _Shown) -> str:
    return draw(*shown.what)


def draw(event: Event, number: int, view: View, above: str = "") -> str:
    """The event as the card of step `number`. `above` is HTML that stands before its body."""
    card = CARDS[type(event)]
    title, body = view.says(card.title(event)), card.body(event, view)
    return article(Article(card.actor, view.says(card.who), title, f"step-{number}", number), above + body)


def title_of(event: Event) -> Sentence:
    """What happened, in one line: the card's title."""
    return CARDS[type(event)].title(event)


def _model_called(event: ModelCalled, view: View) -> str:
    language = view.language
    messages = event.request["messages"]
    roles = ", ".join(str(message["role"]) for message in messages)
    sent = say("{count} messages ({roles}) and no tool", count=len(messages), roles=roles)
    if tools := ", ".join(
        as_dict(as_dict(tool).get("function")).get("name", "?") for tool in as_list(event.request.get("tools"))
    ):
        sent = say(
            "{count} messages ({roles}) and the description of {tools}", count=len(messages), roles=roles, tools=tools
        )
    place = f"/calls/{event.number - 1}"
    facts: list[tuple[Sentence, str | None]] = []
    for label, value, inner in (
        (say("Tokens in"), optional(event.usage.prompt_tokens, language.number), "response/usage/prompt_tokens"),
        (
            say("Tokens out"),
            optional(event.usage.completion_tokens, language.number),
            "response/usage/completion_tokens",
        ),
        (say("Time"), optional(event.latency_s, language.seconds), "latency_s"),
        (say("finish_reason"), optional(event.finish_reason, str), "response/choices/0/finish_reason"),
    ):
        facts.append((label, None if value is None else view.from_recording(shown(value), f"{place}/{inner}")))
    note = say("Built just now by this code; the replay compares it with what the recording holds of it.")
    request = block(view.json(event.request), language, say("The request"))
    whole = fold(view.says(say("The whole request")), f'<p class="note">{view.says(note)}</p>{request}', is_long=True)
    return f"<p>{view.says(sent)}</p>{fact_list(facts, view)}{whole}"


def _proposed(event: Proposed, view: View) -> str:
    notes = []
    if event.count > 1:
        notes.append(say("Proposal {index} of {count} in this response.", index=event.index, count=event.count))
    if event.text:
        notes.append(say("Beside it the model wrote: {text}", text=event.text))
    if event.id_given:
        notes.append(say("No ID of its own is recorded for this call; the application gave it {id}.", id=event.call_id))
    order_id = asked_for(event)
    if order_id and view.tells and view.recording and not stands_in(order_id, view.recording.ticket.text):
        notes.append(say("{order_id} appears nowhere in the ticket.", order_id=order_id))
    place = f"/calls/{event.call_number - 1}/response/choices/0/message/tool_calls/{event.index - 1}/function"
    name = view.from_recording(shown(raw(event.name), view.marks), f"{place}/name")
    arguments = view.from_recording(shown(raw(event.arguments), view.marks), f"{place}/arguments")
    proposal = block(f"{name}({arguments})", view.language, say("The proposal"))
    return proposal + "".join(f'<p class="note">{view.says(note)}</p>' for note in notes)


def _decided(event: Decided, view: View) -> str:
    at_most = view.language.milliseconds_at_most(event.seconds)
    if view.model_call_s is None:
        time = say(
            "The decision took less than {decision}; the time of the model call is not recorded.", decision=at_most
        )
    else:
        call = view.language.seconds(view.model_call_s)
        time = say("The decision took less than {decision}, the model call {call}.", decision=at_most, call=call)
    return f'{decision_shown(event.decision, view)}<p class="note">{view.says(time)}</p>'


def _result_sent(event: ResultSent, view: View) -> str:
    order = event.decision.result.get("order")
    summary = order_facts(order, view) if event.decision.outcome == "ok" and isinstance(order, dict) else ""
    messages = (
        (say("The model's message, repeated"), event.assistant_message),
        (say("The tool message to it"), event.tool_message),
    )
    marks = {**view.marks, event.proposal.call_id: len(event.proposal.call_id)}
    wire = "".join(
        f"<h3>{view.says(label)}</h3>{block(json_text(message, marks), view.language, label)}"
        for label, message in messages
    )
    reads = model_reads(event.decision, view, is_whole=True)
    return f"{reads}{summary}{fold(view.says(say('Both messages as sent')), wire)}"


def _replied(event: Replied, view: View) -> str:
    reply = event.reply
    notes = []
    if reply.refusal:
        notes.append(say("The model refused: {words}", words=reply.refusal))
    if isinstance(reply.content, str) and reply.content:
        place = f"/calls/{event.call_number - 1}/response/choices/0/message/content"
        content, recorded_in = reply_text(reply.content, place, view)
        notes.extend(
            say(
                "Nobody wrote the end of {order_id}: {invented} is the model's own.",
                order_id=order_id,
                invented=order_id[written:],
            )
            for order_id, written in view.marks.items()
            if written < len(order_id)
        )
    else:
        content, recorded_in = shown(raw(reply.content)), None
    text = block(content, view.language, say("The reply"), recorded_in)
    if content.startswith("{"):
        as_recorded = block(shown(raw(reply.content), view.marks), view.language, say("As recorded"), recorded_in)
        text += fold(view.says(say("As recorded")), as_recorded, is_long=True)
    return text + "".join(f'<p class="note">{view.says(note)}</p>' for note in notes)


def _concluded(event: Concluded, view: View) -> str:
    return verdict_shown(event.verdict, view)


def _limit_reached(event: LimitReached, view: View) -> str:
    said = say(
        "After {count} model calls the model still asked for a tool, so the loop ended without a reply.",
        count=event.model_calls,
    )
    return f"<p>{view.says(said)}</p>"


def diverged(event: Diverged, view: View) -> str:
    """Where a replay leaves its recording, with both values."""
    nothing = f'<p class="note">{view.says(say("nothing"))}</p>'
    cells = "".join(
        f"<div><h3>{view.says(label)}</h3>"
        f"{nothing if value is None else block(shown(value, view.marks), view.language, label)}</div>"
        for label, value in ((say("Recorded"), event.recorded), (say("Now"), event.found))
    )
    where = f'{view.says(_in_words(event.place))} <span class="data">{shown(event.place)}</span>'
    end = say("What the model would have said next is not known, so the replay stops here.")
    said = f"<p>{view.says(event.what)}</p><p>{where}</p>"
    return f'{said}<div class="cells">{cells}</div><p>{view.says(end)}</p>'


CARDS: dict[type, Card] = {
    ModelCalled: Card(
        "application",
        say("application → model"),
        lambda event: say("Model call {number}", number=event.number),
        _model_called,
    ),
    Proposed: Card("model", say("model"), lambda _: say("Proposes a call"), _proposed),
    Decided: Card(
        "application",
        say("application"),
        lambda event: say("Checks the proposal: {outcome}", outcome=event.decision.outcome),
        _decided,
    ),
    ResultSent: Card(
        "application", say("application → model"), lambda _: say("Sends back the tool result"), _result_sent
    ),
    Replied: Card("model", say("model"), lambda _: say("Writes the final reply"), _replied),
    Concluded: Card(
        "application",
        say("application"),
        lambda event: say("Two barriers: {verdict}", verdict=event.verdict),
        _concluded,
    ),
    LimitReached: Card("application", say("application"), lambda _: say("Ends the loop at its limit"), _limit_reached),
    Diverged: Card("divergence", say("replay"), lambda _: say("The replay leaves the recording"), diverged),
}


def _in_words(place: str) -> Sentence:
    """What stands at a JSON Pointer of a recording, in plain words."""
    part, number = [*place.split("/"), "", ""][1:3]
    match part:
        case "calls" if place.startswith(f"/calls/{number}/request"):
            return say("In the recording, the request of model call {number}:", number=int(number) + 1)
        case "calls":
            return say("In the recording, model call {number}:", number=int(number) + 1)
        case "decisions":
            return say("In the recording, decision {number}:", number=int(number) + 1)
        case "verdict":
            return say("In the recording, the verdict:")
        case _:
            return say("In the recording, the total of tokens:")
