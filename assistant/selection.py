"""Owns which rows of the register are shown, and in which order: the filters, the sorting, and what a row is called.

It knows the register's columns and no code that decides. A filter that is empty lets every row through.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import date
from enum import StrEnum
from functools import reduce
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from .counts import OTHER_CODES, Kind

UNDATED = "none"  # in place of a day
SEARCHED = ("ticket", "customer", "tool", "arguments", "outcome", "failed_check", "told", "run")
# What is the same wherever and however often a line stands. A run's verdict is from another line.
_OF_A_LINE = ("run", "ticket", "customer", "tool", "arguments", "not_text", "outcome", "failed_check", "told")


class Order(StrEnum):
    """What rows are sorted by; equals stand as they were read."""

    NEWEST = "newest"
    OLDEST = "oldest"
    TICKET = "ticket"
    CUSTOMER = "customer"
    OUTCOME = "outcome"
    CHECK = "check"


_SORTED_BY = {
    Order.NEWEST: ("time", "descending"),
    Order.OLDEST: ("time", "ascending"),
    Order.TICKET: ("ticket", "ascending"),
    Order.CUSTOMER: ("customer", "ascending"),
    Order.OUTCOME: ("outcome", "ascending"),
    Order.CHECK: ("failed_check", "ascending"),
}


class Selection(NamedTuple):
    """Which rows: of a kind of outcome or one outcome, a failed check, a ticket, a customer, a day (ISO 8601, or
    UNDATED), reviewed (`yes`, `no`), with a text in them, taken differently today (a value of `again.Again`), of a
    recording that diverges."""

    outcome: str = ""
    check: str = ""
    ticket: str = ""
    customer: str = ""
    day: str = ""
    reviewed: str = ""
    text: str = ""
    again: str = ""
    diverged: bool = False


def chosen(
    rows: pa.Table,
    selection: Selection,
    reviewed: Mapping[str, Collection[str]],
    diverging: Collection[str] = (),
    codes: Collection[str] = (),
) -> pa.Array:
    """Which rows the selection lets through: true or false for each. `reviewed` holds the keys of what was reviewed,
    by ticket, `diverging` the files of the recordings that diverge, and `codes` those that are counted apart."""
    masks = [
        pc.equal(rows[column], wanted)
        for column, wanted in (
            ("failed_check", selection.check),
            ("ticket", selection.ticket),
            ("customer", selection.customer),
        )
        if wanted
    ]
    if selection.outcome:
        masks.append(_of_outcome(rows["outcome"], selection.outcome, codes))
    if selection.day:
        masks.append(_of_day(rows["day"], selection.day))
    if selection.reviewed:
        is_reviewed = _reviewed(rows, reviewed)
        masks.append(is_reviewed if selection.reviewed == "yes" else pc.invert(is_reviewed))
    if selection.text:
        masks.append(_with_text(rows, selection.text))
    if selection.again:
        masks.append(pc.equal(rows["again"], selection.again))
    if selection.diverged:
        masks.append(pc.is_in(rows["file"], value_set=pa.array(sorted(diverging), pa.string())))
    if not masks:
        return pa.array([True]).take(pa.nulls(rows.num_rows, pa.int8()).fill_null(0))
    found = pc.fill_null(reduce(pc.and_kleene, masks), fill_value=False)
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found


def _of_outcome(outcomes: pa.ChunkedArray, wanted: str, codes: Collection[str]) -> pa.ChunkedArray:
    """Of one outcome (`refused: CODE`), of a kind of them, or refused with none of the `codes`."""
    refused, error = (pc.starts_with(outcomes, f"{kind}: ") for kind in (Kind.REFUSED, Kind.ERROR))
    match wanted:
        case Kind.REFUSED:
            return refused
        case Kind.ERROR:
            return error
        case Kind.OTHER:
            known = pc.or_(pc.or_(refused, error), pc.equal(outcomes, Kind.OK))
            return pc.invert(pc.fill_null(known, fill_value=False))
        case _ if wanted == f"{Kind.REFUSED}: {OTHER_CODES}":
            counted = pa.array([f"{Kind.REFUSED}: {code}" for code in codes], pa.string())
            return pc.and_(refused, pc.invert(pc.is_in(outcomes, value_set=counted)))
    return pc.equal(outcomes, wanted)


def _of_day(days: pa.ChunkedArray, wanted: str) -> pa.ChunkedArray:
    return pc.is_null(days) if wanted == UNDATED else pc.equal(days, pa.scalar(date.fromisoformat(wanted)))


def _with_text(rows: pa.Table, text: str) -> pa.ChunkedArray:
    """With the text somewhere in what was proposed, decided and told; small and capital letters are the same."""
    found = (pc.match_substring(rows[column], text, ignore_case=True) for column in SEARCHED)
    return reduce(pc.or_, (pc.fill_null(each, fill_value=False) for each in found))


def _reviewed(rows: pa.Table, reviewed: Mapping[str, Collection[str]]) -> pa.Array:
    candidates = pc.is_in(rows["ticket"], value_set=pa.array(sorted(reviewed), pa.string()))
    numbers = pc.indices_nonzero(candidates)
    mask = bytearray(rows.num_rows)
    for number, row in zip(numbers.to_pylist(), rows.take(numbers).to_pylist(), strict=True):
        mask[number] = key_of(row) in reviewed[row["ticket"]]
    return pc.equal(pa.array(memoryview(mask), pa.uint8()), 1)


def ordered(rows: pa.Table, order: Order) -> pa.Array:
    """The rows' numbers in this order. What has no such value comes last."""
    column, direction = _SORTED_BY[order]
    numbered = pa.table({"by": rows[column], "number": pa.array(range(rows.num_rows), pa.int64())})
    return pc.sort_indices(numbered, sort_keys=[("by", direction), ("number", "ascending")])


def key_of(row: Mapping[str, Any]) -> str:
    """What a row is called for ever: the SHA-256 of its recording's digest and its place there, or of the log line's
    content, in hexadecimal digits. Equal lines are one decision."""
    if row["digest"] is not None:
        content: Any = [row["digest"], row["place"]]
    else:
        time = row["time"]
        content = [time.isoformat(timespec="milliseconds") if time else None, *(row[name] for name in _OF_A_LINE)]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
