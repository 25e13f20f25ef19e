"""Owns deciding the whole register again for the page: when it happens, and what of it is kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from assistant import again
from assistant.again import Again, Tally
from assistant.orders import OrderBook
from assistant.recording import RecordingError, load
from assistant.register import files_of
from assistant.sentence import say

from .language import Language
from .run import orders_file, stamp
from .sources import Register, paths
from .validator import validator
from .work import Job, outcome

BY_ITSELF = 2000  # decisions that are decided again without being asked


class Reply(NamedTuple):
    """A recording's reply, judged again: its file and ticket, what became of it, and both verdicts in one line."""

    file: str
    ticket: str
    again: Again
    then: str | None
    now: str | None


class Divergence(NamedTuple):
    """A recording that a replay leaves, and where."""

    file: str
    ticket: str
    place: str


class DecidedAgain(NamedTuple):
    """What today's code makes of the register. `columns` stand beside its rows (`again.COLUMNS`)."""

    columns: pa.Table
    decisions: Tally
    replies: list[Reply]
    divergences: list[Divergence]

    @property
    def replies_tally(self) -> Tally:
        """The replies counted."""
        tally = Tally()
        for reply in self.replies:
            tally = tally.plus(reply.again)
        return tally

    @property
    def diverging(self) -> set[str]:
        """The files of the recordings that a replay leaves."""
        return {one.file for one in self.divergences}


def decided_again(register: Register, language: Language) -> DecidedAgain | None:
    """Decide all again, at once where it is quick, else when somebody asks; None as long as it is not done."""
    orders = orders_file()
    key = (register.key, validator(), orders, stamp(Path(orders)) if orders else None)
    job = Job(
        "deciding",
        key,
        lambda: _start(register),
        _finish,
        say("Decide all of them again by today's code"),
    )
    came = outcome(job, language, starts_itself=register.rows.num_rows <= BY_ITSELF)
    if came is None or not came.is_whole:
        return None
    columns = came.result["columns"]
    counted = {each["values"]: each["counts"] for each in pc.value_counts(columns["again"]).to_pylist()}
    return DecidedAgain(
        columns,
        Tally(*(counted.get(str(one), 0) for one in (Again.UNCHANGED, Again.FLIPPED, Again.UNDECIDED))),
        [Reply(file, ticket, Again(how), then, now) for file, ticket, how, then, now in came.result["replies"]],
        [Divergence(*one) for one in came.result["divergences"]],
    )


def _start(register: Register) -> Iterator[tuple[float, tuple[str, Any]]]:
    book, rows = OrderBook(orders_file()), register.rows
    unread = {problem.file for problem in register.problems}
    recordings = [(path, name) for path, name, _ in files_of(paths())[0] if path.suffix == ".json"]
    total, done = max(rows.num_rows + len(recordings), 1), 0
    for part in again.decide_rows(rows, book):
        done += part.num_rows
        yield done / total, ("columns", part)
    for path, name in recordings:
        done += 1
        if name in unread:
            continue
        try:
            recording = load(path)
        except RecordingError:  # changed since it was read, which the page tells
            continue
        if reply := again.reply_again(recording, book):
            found = (name, recording.ticket.id, str(reply.compared.again), reply.then, reply.compared.now)
            yield done / total, ("replies", found)
        try:
            place = again.divergence(recording, book)
        except (Exception, SystemExit):  # a crash is told with each decision
            continue
        if place:
            yield done / total, ("divergences", (name, recording.ticket.id, place.place))


def _finish(pieces: list[tuple[str, Any]]) -> dict[str, Any]:
    """Plain data only: it is kept for everybody, and longer than the code that made it."""
    found: dict[str, list[Any]] = {"columns": [], "replies": [], "divergences": []}
    for kind, piece in pieces:
        found[kind].append(piece)
    columns = pa.concat_tables(found["columns"]) if found["columns"] else again.COLUMNS.empty_table()
    return {**found, "columns": columns}
