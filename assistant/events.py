"""Owns the events of the loop: what happened, in the order in which it happened. The page shows one as one step."""

from dataclasses import dataclass
from typing import Any

from .barriers import Reply, Verdict
from .decision import Decision
from .sentence import Sentence


@dataclass(frozen=True)
class Usage:
    """Tokens of one model call or of a whole loop. None: the source does not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True)
class ModelCalled:
    """The application asked the model, and it answered. `latency_s` and `finish_reason` None: not recorded."""

    number: int
    request: dict[str, Any]
    response: dict[str, Any]
    usage: Usage
    latency_s: float | None
    finish_reason: str | None


@dataclass(frozen=True)
class Proposed:
    """The model asks for a tool: proposal `index` of `count` in model call `call_number`, both from 1.

    `call_id` is the one that the messages use; `id_given` is True when the response held no ID of its own for it
    and the application gave one. `text` is what the model wrote beside its proposals.
    """

    call_number: int
    index: int
    count: int
    call_id: str
    id_given: bool
    name: object
    arguments: object
    text: str | None = None


@dataclass(frozen=True)
class Decided:
    """The application put the proposal to its checks, in `seconds`."""

    proposal: Proposed
    decision: Decision
    seconds: float


@dataclass(frozen=True)
class ResultSent:
    """The application answers the proposal: the model's message, repeated, and the tool message to it."""

    proposal: Proposed
    decision: Decision
    assistant_message: dict[str, Any]
    tool_message: dict[str, Any]


@dataclass(frozen=True)
class Replied:
    """The model wrote its final answer, or what stands in its place."""

    call_number: int
    reply: Reply


@dataclass(frozen=True)
class Concluded:
    """Both barriers have judged the reply."""

    verdict: Verdict


@dataclass(frozen=True)
class LimitReached:
    """The loop ended because the model still asked for tools after `model_calls` calls. There is no reply."""

    model_calls: int


@dataclass(frozen=True)
class Diverged:
    """The replay left the recording: at `place` (a JSON Pointer) it has `recorded`, and this run has `found`.

    Both are JSON text, or None for nothing there. The replay stops here.
    """

    place: str
    what: Sentence
    recorded: str | None
    found: str | None


Event = ModelCalled | Proposed | Decided | ResultSent | Replied | Concluded | LimitReached | Diverged
