"""Owns the one strict way in which this project reads JSON from outside (RFC 8259, and nothing beyond it).

Python's own reader takes NaN, keeps the last of two equal keys, and raises RecursionError on deep input.
"""

import json
import math
import re
from typing import Any

from .sentence import Sentence, say

MAX_DEPTH = 64
MAX_DIGITS = 999

# Possessive, and an unclosed string runs to the end: no text makes the search start over and over.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


class NotJson(ValueError):
    """The text is not JSON that this project reads. `why` is a sentence for people."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(str(why))
        self.why = why


class RepeatedKey:
    """Stands where an object had a key twice. It is no dict, so nothing takes it for an object."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __repr__(self) -> str:
        return f"<an object with the key {self.key!r} twice>"


def read_json(text: str) -> Any:
    """Read one JSON value. Raises NotJson; an object with a key that stands twice reads as RepeatedKey."""
    if too_deep(text):
        raise NotJson(say("Not JSON that is read here: nested deeper than {limit} levels.", limit=MAX_DEPTH))
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = {"line": error.lineno, "column": error.colno, "reason": error.msg}
        raise NotJson(say("Not JSON at line {line}, column {column}: {reason}.", **where)) from None


def too_deep(text: str) -> bool:
    """Tell whether brackets outside strings ever stand open more than MAX_DEPTH deep."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | RepeatedKey:
    read = dict(pairs)
    if len(read) == len(pairs):
        return read
    keys = [key for key, _ in pairs]
    return RepeatedKey(next(key for key in keys if keys.count(key) > 1))


def _whole_number(digits: str) -> int:
    return int(_short(digits))


def _fraction(digits: str) -> float:
    number = float(_short(digits))
    if math.isinf(number):
        raise NotJson(say("Not JSON that is read here: a number too large."))
    return number


def _short(digits: str) -> str:
    if len(digits) > MAX_DIGITS:
        raise NotJson(say("Not JSON that is read here: a number of more than {limit} digits.", limit=MAX_DIGITS))
    return digits


def _constant(name: str) -> Any:
    raise NotJson(say("Not JSON: {name} stands for no JSON value.", name=name))


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole_number, parse_float=_fraction, parse_constant=_constant
)
