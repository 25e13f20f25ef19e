"""Owns what the revealed steps tell so far: tokens, the order IDs under question, how long a model call took.

Nothing here looks at a step that is not revealed, but for the ticket's own language, which the recorded reply names.
"""

from assistant.barriers import stands_in
from assistant.events import Decided, Event, ModelCalled, Proposed, Replied, Usage
from assistant.recording import Recording
from assistant.response import message_of
from assistant.strict_json import NotJson, read_json


def usage_so_far(recording: Recording, revealed: tuple[Event, ...]) -> Usage:
    """Tokens of the revealed model calls. Where single calls are not recorded, the recording's total serves as soon
    as all its calls are revealed; before that they are not known."""
    calls = [event for event in revealed if isinstance(event, ModelCalled)]
    all_revealed = len(calls) == len(recording.calls)

    def total(counts: list[int | None], recorded: int | None) -> int | None:
        known = [count for count in counts if count is not None]
        return sum(known) if len(known) == len(counts) else recorded if all_revealed else None

    return Usage(
        total([call.usage.prompt_tokens for call in calls], recording.usage.prompt_tokens),
        total([call.usage.completion_tokens for call in calls], recording.usage.completion_tokens),
    )


def order_ids(revealed: tuple[Event, ...], ticket_text: str) -> dict[str, int]:
    """The order IDs under question so far, each with how many of its first characters somebody wrote.

    A proposed ID counts as written whole: it is what the checks judge. A reply's ID that begins with a proposed one,
    is longer, and does not stand in the ticket, goes on with characters that nobody wrote.
    """
    ids: dict[str, int] = {}
    for event in revealed:
        if isinstance(event, Proposed) and (order_id := asked_for(event)):
            ids[order_id] = len(order_id)
        if isinstance(event, Replied) and (order_id := _order_id(event.reply.content, "order", "order_id")):
            begun = [len(known) for known in ids if order_id.startswith(known)]
            is_written = stands_in(order_id, ticket_text)
            ids.setdefault(order_id, len(order_id) if is_written else max(begun, default=len(order_id)))
    return ids


def asked_for(event: Proposed) -> str | None:
    """The order ID that the model asks for, whatever its form, or None where its arguments hold none."""
    return _order_id(event.arguments, "order_id")


def _order_id(text: object, *keys: str) -> str | None:
    try:
        value = read_json(text) if isinstance(text, str) else None
    except NotJson:
        return None
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) and 0 < len(value) <= 64 else None


def model_call_s(events: tuple[Event, ...], decided: Decided) -> float | None:
    """How long the model call that made this proposal took, in seconds, or None if that is not recorded."""
    number = decided.proposal.call_number
    return next((e.latency_s for e in events if isinstance(e, ModelCalled) and e.number == number), None)


def reply_language(recording: Recording) -> str | None:
    """The language that the recorded reply says the ticket is in (BCP 47), or None."""
    for call in recording.calls:
        try:
            reply = read_json(str(message_of(call["response"]).get("content")))
        except NotJson:
            continue
        if isinstance(reply, dict) and isinstance(reply.get("language"), str):
            return str(reply["language"])
    return None
