"""Owns what the loop asks of a model, and what a live model's run leaves behind: the decision log.

A live model and a recorded one differ in where a response comes from, and in what `observe` does with an event.
"""

import json
import logging
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from .events import Decided, Diverged, Event
from .ticket import Ticket

LOG = logging.getLogger("assistant.decisions")


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
    """A model that is really asked. Give `send`; every decision of its run is logged."""

    @abstractmethod
    def send(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send the request to the provider and return its response as it came."""

    def respond(self, request: dict[str, Any]) -> Answer:
        """Ask the model and time it."""
        started = time.perf_counter()
        response = self.send(request)
        return Answer(response, time.perf_counter() - started)

    def observe(self, ticket: Ticket, event: Event) -> None:
        """Log a decision as one JSON line; leave other events alone."""
        if isinstance(event, Decided):
            LOG.info("%s", log_line(ticket, event))


def log_line(ticket: Ticket, event: Decided) -> str:
    """One line of the decision log. JSON in ASCII: text from outside can neither end the line nor forge one."""
    return json.dumps(
        {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "ticket": _text(ticket.id),
            "customer": _text(ticket.customer_id),
            "tool": _text(event.proposal.name),
            "arguments": _text(event.proposal.arguments),
            "outcome": event.decision.outcome,
            "failed_check": event.decision.failed_check,
        }
    )


def _text(value: object) -> str | None:
    """What came from outside, as text: it is logged whole when it is text, and as JSON when it is not."""
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return "(not JSON)"
