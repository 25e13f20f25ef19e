"""Owns taking the register away: its rows with their reviews, as CSV for a spreadsheet or as JSON Lines.

A spreadsheet runs what begins like a formula, and all text here comes from outside: in CSV such a cell begins with an
apostrophe. JSON Lines hold every text as it is.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from .selection import key_of

# OWASP, "CSV injection"; the full-width forms are taken for the others in some locales.
_FORMULA = re.compile(
    r"[\t\r\n]|\s*[=+\-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}"
    r"\N{FULLWIDTH COMMERCIAL AT}]"
)
COLUMNS = (
    "time", "day", "ticket", "customer", "tool", "arguments", "outcome", "failed_check", "told", "verdict", "broken",
    "again", "now", "now_check", "file", "place", "run", "not_text", "reconstructed",
)  # fmt: skip
LATEST = ("reviewed_at", "opinion", "note", "name", "validator")

Row = Mapping[str, Any]
ReviewsOf = Callable[[str], Sequence[Mapping[str, Any]] | None]


def csv_of(rows: Iterator[Row], reviews_of: ReviewsOf) -> bytes:
    """CSV in UTF-8 with a byte order mark: a line a row, with its key, how many reviews it has, and the latest one.
    `reviews_of` gives the reviews of a key, oldest first, each with LATEST; None where they are not known, which is not
    the same as none."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*COLUMNS, "key", "reviews", *LATEST])
    for row in rows:
        key = key_of(row)
        reviews = reviews_of(key)
        latest = reviews[-1] if reviews else {}
        number = None if reviews is None else len(reviews)
        values = [*(row.get(name) for name in COLUMNS), key, number, *(latest.get(name) for name in LATEST)]
        writer.writerow([cell(value) for value in values])
    return text.getvalue().encode("utf-8-sig")


def cell(value: object) -> object:
    """A value as a spreadsheet can hold it: numbers as they are, text that would run as text."""
    if value is None or isinstance(value, int | float):
        return value
    text = _plain(value)
    return f"'{text}" if _FORMULA.match(str(text)) else text


def json_lines_of(rows: Iterator[Row], reviews_of: ReviewsOf) -> bytes:
    """JSON Lines: an object a row, with its key and all its reviews, oldest first, or null where they are not known.
    ASCII: no text can end a line."""
    lines = []
    for row in rows:
        key = key_of(row)
        held = {name: _plain(row.get(name)) for name in COLUMNS}
        reviews = reviews_of(key)
        told = None if reviews is None else [*map(dict, reviews)]
        lines.append(json.dumps({**held, "key": key, "reviews": told}, default=_plain) + "\n")
    return "".join(lines).encode("ascii")


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date | datetime) else value
