"""Owns what the loop asks of a model, and what a live model's run leaves behind: the decision log.

A live model and a recorded one differ in where a response comes from, and in what `observe` does with an event.
"""

import json
import logging
import time
import uuid
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Protocol

from .events import Concluded, Decided, Diverged, Event, LimitReached, ModelCalled
from .ticket import Ticket

LOG = logging.getLogger("assistant.decisions")
NOT_JSON = "(not JSON)"


@dataclass(frozen=True)
class Answer:
    """A model's response in the Chat Completions shape, and how long it took in seconds (None: not recorded)."""

    response: dict[str, Any]
    latency_s: float | None


class Model(Protocol):
    """What the loop needs: an answer to each request, and an eye on each event."""

    def respond(self, request: dict[str, Any]) -> Answer | Diverged:
        """Answer the request, or say where a replay left its recording."""

    def observe(self, ticket: Ticket, event: Event) -> Diverged | None:
        """See an event before anyone else; a replay answers with the divergence that it finds in it."""


class LiveModel(ABC):
    """A model that is really asked. Give `send`; every decision of its run is logged, and what its reply came to."""

    @abstractmethod
    def send(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send the request to the provider and return its response as it came."""

    def respond(self, request: dict[str, Any]) -> Answer:
        """Ask the model and time it."""
        started = time.perf_counter()
        response = self.send(request)
        return Answer(response, time.perf_counter() - started)

    def observe(self, ticket: Ticket, event: Event) -> None:
        """Log a decision, and after one the run's end, as one JSON line each; leave other events alone."""
        match event:
            case ModelCalled(number=1):
                self._runs.pop(ticket.id, "")
            case Decided():
                run = self._runs.setdefault(ticket.id, uuid.uuid4().hex)
                LOG.info("%s", log_line(ticket, event, run))
            case Concluded() | LimitReached() if run := self._runs.pop(ticket.id, ""):
                LOG.info("%s", end_line(ticket, event, run))

    @cached_property
    def _runs(self) -> dict[str, str]:
        """The name of each run under way that has taken a decision, by its ticket's ID."""
        return {}


def log_line(ticket: Ticket, event: Decided, run: str | None = None) -> str:
    """One line of the decision log. JSON in ASCII: text from outside can neither end the line nor forge one.

    `run` tells the runs of one ticket apart. `told` is what the model was told in place of an order: no order is ever
    logged. `not_text` names what was no text and is logged as JSON text.
    """
    proposed = {"tool": event.proposal.name, "arguments": event.proposal.arguments}
    told = event.decision.result.get("error")
    return json.dumps(
        {
            **_head(ticket, run),
            **{name: as_text(value) for name, value in proposed.items()},
            "not_text": [name for name, value in proposed.items() if value is not None and not isinstance(value, str)],
            "outcome": event.decision.outcome,
            "failed_check": event.decision.failed_check,
            "told": told if isinstance(told, str) else None,
        }
    )


def end_line(ticket: Ticket, event: Concluded | LimitReached, run: str) -> str:
    """The line of the decision log that ends a run: the verdict on its reply, or None where there was none."""
    verdict = event.verdict if isinstance(event, Concluded) else None
    status, broken = (verdict.status, list(verdict.broken)) if verdict else (None, [])
    return json.dumps({**_head(ticket, run), "verdict": status, "broken": broken})


def _head(ticket: Ticket, run: str | None) -> dict[str, str | None]:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return {"time": now, "run": run, "ticket": as_text(ticket.id), "customer": as_text(ticket.customer_id)}


def as_text(value: object) -> str | None:
    """What came from outside, as the log holds it: whole when it is text, and as JSON text when it is not."""
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return NOT_JSON
