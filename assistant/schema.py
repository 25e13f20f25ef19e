"""Owns the one way in which this project validates against a JSON Schema (draft 2020-12), and JSON Pointers."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import jsonschema
from jsonschema.protocols import Validator


def first_problem(schema: dict[str, Any], value: object) -> jsonschema.ValidationError | None:
    """Return the problem that best tells why `value` does not fit, or None when it fits."""
    problem: jsonschema.ValidationError | None = jsonschema.exceptions.best_match(
        _STRICT_VALIDATOR(schema).iter_errors(value)
    )
    return problem


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
