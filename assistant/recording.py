"""Owns the recording format, loading it, and the recorded model that replays it strictly.

A recording is a file from outside: it is validated whole before anything of it is used. A replay compares every
request, decision and verdict with the recorded one, except what the file marks as reconstructed.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .decision import Decision
from .events import Concluded, Decided, Diverged, Event, LimitReached, Usage
from .files import FileError, read_text, unreadable
from .model import Answer
from .response import usage_of
from .schema import first_problem, pointer, resolve
from .sentence import Sentence, say
from .strict_json import NotJson, RepeatedKey, read_json
from .ticket import Ticket

MAX_BYTES = 4_000_000

_TOKENS = {"type": ["integer", "null"], "minimum": 0}
_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_OBJECT = {"type": "object"}


def _object(required: Iterable[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


FORMAT: dict[str, Any] = _object(
    ["format", "ticket", "model", "calls", "reconstructed"],
    format={"const": 1},
    ticket=_object(
        ["id", "customer_id", "text"],
        id={"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
        customer_id=_TEXT_OR_NULL,
        text=_TEXT,
    ),
    model=_object([], name=_TEXT_OR_NULL, model=_TEXT_OR_NULL, provider=_TEXT_OR_NULL, request=_TEXT_OR_NULL),
    recorded_at=_TEXT_OR_NULL,
    calls=_list(
        _object(
            ["request", "response"],
            request=_OBJECT,
            response=_OBJECT,
            latency_s={"type": ["number", "null"], "minimum": 0},
        )
    ),
    usage=_object([], prompt_tokens=_TOKENS, completion_tokens=_TOKENS),
    decisions=_list(
        _object(
            ["outcome"],
            outcome=_TEXT,
            failed_check=_TEXT_OR_NULL,
            result=_OBJECT,
        )
    ),
    verdict=_object(
        ["status"],
        status={"enum": ["valid", "rejected"]},
        broken=_list(_TEXT),
    ),
    reconstructed=_list({"type": "string", "pattern": "^/"}),
)


class RecordingError(Exception):
    """A file is no recording: its name, the place (a JSON Pointer, empty for the whole file), and why."""

    def __init__(self, file: str, place: str, why: Sentence) -> None:
        super().__init__(f"{file}: {why}")
        self.file = file
        self.place = place
        self.why = why


@dataclass(frozen=True)
class Recording:
    """A ticket and its recorded model calls. `decisions`, `verdict`: what the source says of them, or None.

    `reconstructed` holds the JSON Pointers of what is not in the source, with `#` and a second pointer for a place
    inside a JSON string.
    """

    file: str
    ticket: Ticket
    model: dict[str, str | None]
    recorded_at: str | None
    calls: tuple[dict[str, Any], ...]
    usage: Usage
    decisions: tuple[dict[str, Any], ...] | None
    verdict: dict[str, Any] | None
    reconstructed: tuple[str, ...]

    def is_reconstructed(self, place: str) -> bool:
        """Tell whether the place, or one that holds it, is marked as reconstructed."""
        return any(place == mark or place.startswith((f"{mark}/", f"{mark}#")) for mark in self.reconstructed)


def load_folder(folder: Path) -> tuple[list[Recording], list[RecordingError]]:
    """Load every recording in the folder, by file name; what is no recording is told and harms no other."""
    recordings: dict[str, Recording] = {}
    errors: list[RecordingError] = []
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        return [], [RecordingError(folder.name, "", unreadable(error))]
    for path in paths:
        try:
            recording = load(path)
            if earlier := recordings.get(recording.ticket.id):
                place, known = "/ticket/id", {"id": recording.ticket.id, "file": earlier.file}
                why = say("At {place}: the ticket {id} is already in {file}.", place=place, **known)
                raise RecordingError(path.name, place, why)
            recordings[recording.ticket.id] = recording
        except RecordingError as error:
            errors.append(error)
    return list(recordings.values()), errors


def load(path: Path) -> Recording:
    """Load one recording. Raises RecordingError, which names the file and the place, for anything else."""
    return parse(_read(path), path.name)


def parse(text: str, file: str) -> Recording:
    """Read a recording from its text; `file` is its name in messages. Raises RecordingError."""
    try:
        document = read_json(text)
    except NotJson as error:
        raise RecordingError(file, "", error.why) from None
    for place, repeated in _repeated_keys(document, ""):
        why = say("At {place}: the key {key} stands twice.", place=place or "/", key=repeated.key[:64])
        raise RecordingError(file, place, why)
    if problem := first_problem(FORMAT, document):
        raise RecordingError(file, problem.place, problem.why)
    for number, mark in enumerate(document["reconstructed"]):
        try:
            _at(document, mark)
        except (LookupError, NotJson):
            place = f"/reconstructed/{number}"
            why = say("At {place}: {mark} is no place in this file.", place=place, mark=mark)
            raise RecordingError(file, place, why) from None
    decisions = document.get("decisions")
    return Recording(
        file=file,
        ticket=Ticket(**document["ticket"]),
        model=document["model"],
        recorded_at=document.get("recorded_at"),
        calls=tuple(document["calls"]),
        usage=Usage(**document.get("usage", {})),
        decisions=None if decisions is None else tuple(decisions),
        verdict=document.get("verdict"),
        reconstructed=tuple(document["reconstructed"]),
    )


def _read(path: Path) -> str:
    try:
        if path.suffix != ".json" or not path.is_file():
            raise RecordingError(path.name, "", say("A recording is a file whose name ends in .json."))
        if path.stat().st_size > MAX_BYTES:
            raise RecordingError(path.name, "", say("The file is larger than {limit} bytes.", limit=MAX_BYTES))
        return read_text(path)
    except OSError as error:
        raise RecordingError(path.name, "", unreadable(error)) from None
    except FileError as error:
        raise RecordingError(path.name, "", error.why) from None


def _repeated_keys(value: object, place: str) -> Iterator[tuple[str, RepeatedKey]]:
    if isinstance(value, RepeatedKey):
        yield place, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, inner in parts:
        yield from _repeated_keys(inner, place + pointer([part]))


def _at(document: object, place: str) -> Any:
    outer, inside, inner = place.partition("#")
    value = resolve(document, outer)
    if not inside:
        return value
    if not isinstance(value, str):
        raise LookupError(place)
    return resolve(read_json(value), inner)


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
        what = say("The code decides otherwise than was recorded.")
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
