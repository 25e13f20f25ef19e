"""Owns strict replay: a model that answers from a recording, and compares all that the loop does with it.

Every request, decision and verdict is compared with the recorded one, except what the file marks as reconstructed. A
replay never asks a live model and writes no log.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from .decision import Decision
from .events import Concluded, Decided, Diverged, Event, LimitReached
from .model import Answer
from .recording import Recording
from .response import usage_of
from .schema import pointer
from .sentence import Sentence, say
from .strict_json import NotJson, read_json
from .ticket import Ticket


@dataclass
class RecordedModel:
    """Answers each request with the recorded response, and says where the run leaves the recording."""

    recording: Recording
    calls_answered: int = field(default=0, init=False)
    decisions_seen: int = field(default=0, init=False)

    def respond(self, request: dict[str, Any]) -> Answer | Diverged:
        """Return the next recorded response if the request is the recorded one, and a divergence if it is not."""
        number = self.calls_answered
        place = f"/calls/{number}"
        if number == len(self.recording.calls):
            what = say("The loop asks the model once more than was recorded.")
            return Diverged(place, what, None, _json(request["messages"][-1:]))
        call = self.recording.calls[number]
        what = say("The request is not the recorded one.")
        for divergence in self._differences(call["request"], request, f"{place}/request", what):
            return divergence
        self.calls_answered += 1
        return Answer(call["response"], call.get("latency_s"))

    def observe(self, ticket: Ticket, event: Event) -> Diverged | None:  # noqa: ARG002
        """Compare a decision, and at the loop's end all that is left, with the recording."""
        match event:
            case Decided():
                self.decisions_seen += 1
                return next(self._decision_differences(event.decision), None)
            case Concluded(verdict):
                found = {"status": verdict.status, "broken": list(verdict.broken)}
                return next(self._end_differences(found), None)
            case LimitReached():
                return next(self._end_differences(None), None)
        return None

    def _decision_differences(self, decision: Decision) -> Iterator[Diverged]:
        recorded = self.recording.decisions
        if recorded is None:
            return
        number = self.decisions_seen - 1
        place = f"/decisions/{number}"
        found: dict[str, Any] = {"outcome": decision.outcome, "result": decision.result}
        if number >= len(recorded):
            what = say("The loop takes a decision that was not recorded.")
            yield Diverged(place, what, None, _json(decision.outcome))
            return
        expected = dict(recorded[number])
        if decision.checks:
            found["failed_check"] = decision.failed_check
        else:
            expected.pop("failed_check", None)
        what = say("The code decides differently from the recording.")
        yield from self._differences(expected, found, place, what)

    def _end_differences(self, verdict: dict[str, Any] | None) -> Iterator[Diverged]:
        recording = self.recording
        if self.calls_answered < len(recording.calls):
            what = say("A recorded response was never asked for.")
            number = self.calls_answered
            yield Diverged(f"/calls/{number}", what, _json(recording.calls[number]["response"]), None)
        if self.decisions_seen < len(recording.decisions or ()):
            what = say("A recorded decision was never taken.")
            number = self.decisions_seen
            yield Diverged(f"/decisions/{number}", what, _json((recording.decisions or ())[number]), None)
        if recording.verdict is not None:
            what = say("The verdict is not the recorded one.")
            yield from self._differences(recording.verdict, verdict, "/verdict", what)
        yield from self._sum_differences()

    def _sum_differences(self) -> Iterator[Diverged]:
        what = say("The recorded calls do not add up to the recorded total.")
        for kind, total in asdict(self.recording.usage).items():
            counts = [
                None
                if self.recording.is_reconstructed(f"/calls/{number}/response/usage/{kind}")
                else getattr(usage_of(call["response"]), kind)
                for number, call in enumerate(self.recording.calls)
            ]
            if total is not None and None not in counts:
                yield from self._differences(total, sum(counts), f"/usage/{kind}", what)

    def _differences(self, recorded: Any, found: Any, place: str, what: Sentence) -> Iterator[Diverged]:
        """Objects by the keys that the recording holds, lists by length and order, all else by its JSON text."""
        if self.recording.is_reconstructed(place):
            return
        if isinstance(recorded, dict) and isinstance(found, dict):
            for key, value in recorded.items():
                inner = place + pointer([key])
                if key in found:
                    yield from self._differences(value, found[key], inner, what)
                elif not self.recording.is_reconstructed(inner):
                    yield Diverged(inner, what, _json(value), None)
        elif isinstance(recorded, list) and isinstance(found, list) and len(recorded) == len(found):
            for index, (value, other) in enumerate(zip(recorded, found, strict=True)):
                yield from self._differences(value, other, f"{place}/{index}", what)
        elif any(mark.startswith(f"{place}#") for mark in self.recording.reconstructed) and isinstance(found, str):
            yield from self._differences(read_json(recorded), _read_or_text(found), f"{place}#", what)
        elif _json(recorded) != _json(found):
            yield Diverged(place, what, _json(recorded), _json(found))


def _read_or_text(text: str) -> Any:
    try:
        return read_json(text)
    except NotJson:
        return text


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
