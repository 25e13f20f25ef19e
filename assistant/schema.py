"""Owns the one way in which this project validates against a JSON Schema (draft 2020-12), and JSON Pointers."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import jsonschema
from jsonschema.protocols import Validator

from .sentence import Sentence, say

MAX_SHOWN = 80


class Problem(NamedTuple):
    """Why a value does not fit: where (a JSON Pointer), and what was expected there, as a sentence for people."""

    place: str
    why: Sentence


def first_problem(schema: dict[str, Any], value: object) -> Problem | None:
    """Return the problem that best tells why `value` does not fit, or None when it fits."""
    error = jsonschema.exceptions.best_match(_STRICT_VALIDATOR(schema).iter_errors(value))
    if error is None:
        return None
    place = pointer(error.absolute_path)
    return Problem(place, _why(error, place or "/"))


def _why(error: Any, place: str) -> Sentence:
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return say("At {place}: the key {key} is missing.", place=place, key=missing)
    if error.validator == "additionalProperties":
        unknown = next(key for key in error.instance if key not in error.schema["properties"])
        return say("At {place}: the key {key} is not provided for.", place=place, key=_cut(unknown))
    wanted = error.validator_value
    words = ", ".join(map(str, wanted)) if isinstance(wanted, list) else str(wanted)
    if error.validator == "minimum":
        words = f"≥ {wanted}"
    found = _cut(json.dumps(error.instance, ensure_ascii=False, default=str))
    return say("At {place}: expected {wanted}, found {found}.", place=place, wanted=words, found=found)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"


def pointer(parts: Iterable[object]) -> str:
    """Write the place as a JSON Pointer (RFC 6901); the whole document is the empty text."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def resolve(document: object, place: str) -> Any:
    """Return what stands at a JSON Pointer. Raises LookupError when nothing does."""
    if place and not place.startswith("/"):
        raise LookupError(place)
    value: Any = document
    for part in place.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and key in map(str, range(len(value))):
            value = value[int(key)]
        elif isinstance(value, dict):
            value = value[key]
        else:
            raise LookupError(place)
    return value


def _pattern(_validator: Validator, wanted: str, instance: object, _schema: object) -> Iterator[Any]:
    # In ECMA-262 $ is the end; Python's $ also stands before a last line end.
    if isinstance(instance, str) and not re.search(re.sub(r"\$$", r"\\Z", wanted), instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {wanted!r}")


_STRICT_VALIDATOR = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator, {"pattern": _pattern}
)
