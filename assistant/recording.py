"""Owns the recording format and loading it. What is done with a recording is `replay`'s.

A recording is a file from outside: it is validated whole before anything of it is used.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .events import Usage
from .files import FileError, read_text, unreadable
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


VERSION: dict[str, Any] = {"type": "object", "properties": {"format": {"const": 1}}}
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
    inside a JSON string. `digest` is the SHA-256 of the file's text, in hexadecimal digits.
    """

    file: str
    ticket: Ticket
    model: dict[str, str | None]
    recorded_at: str | None
    calls: tuple[dict[str, Any], ...] = field(repr=False)
    usage: Usage
    decisions: tuple[dict[str, Any], ...] | None = field(repr=False)
    verdict: dict[str, Any] | None
    reconstructed: tuple[str, ...]
    digest: str = ""

    def is_reconstructed(self, place: str) -> bool:
        """Tell whether the place, or one that holds it, is marked as reconstructed."""
        return any(place == mark or place.startswith((f"{mark}/", f"{mark}#")) for mark in self.reconstructed)


def load_folder(
    folder: Path, load_one: Callable[[Path], Recording] | None = None
) -> tuple[list[Recording], list[RecordingError]]:
    """Load every recording in the folder, by file name; what is no recording is told and harms no other. `load_one` is
    `load`, or one that remembers."""
    recordings: dict[str, Recording] = {}
    errors: list[RecordingError] = []
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        return [], [RecordingError(folder.name, "", unreadable(error))]
    for path in paths:
        try:
            recording = (load_one or load)(path)
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
    if problem := first_problem(VERSION, document) or first_problem(FORMAT, document):
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
        digest=hashlib.sha256(text.encode()).hexdigest(),
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
