"""Owns the reviews: what people say of decisions, kept in a SQLite file or a PostgreSQL.

Reviews are only added: a second one of the same decision leaves the first as it is. Erasing blanks a note and a name,
and nothing else. How the database is reached is `database`'s.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sql
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.schema import CreateTable

from . import database
from .database import ReviewsUnavailable as ReviewsUnavailable
from .sentence import Sentence, say

DEFAULT_FILE = ".reviews.db"
MAX_NOTE = 4000  # characters
MAX_NAME = 100
MAX_ID = 2**31 - 1
# One copy of the page makes the table and the others wait: PostgreSQL's IF NOT EXISTS fails when two make it at once.
MAKING_THE_TABLE = 80001

_Read = TypeVar("_Read")


class Opinion(StrEnum):
    """What a reviewer says of a decision. POLICY: the policy should change."""

    AGREE = "agree"
    DISAGREE = "disagree"
    POLICY = "policy"


@dataclass(frozen=True)
class Subject:
    """What a review is about: `key` is the content hash, in hexadecimal digits, of the recording or log line, `outcome`
    the decision's, and `validator` the hash of the validator's source at the time."""

    key: str
    ticket: str
    outcome: str | None
    validator: str


@dataclass(frozen=True)
class Review:
    """What somebody said of a decision. `at` and `erased_at` are in UTC; once erased, note and name are empty."""

    id: int
    at: datetime
    subject: Subject
    opinion: Opinion
    note: str
    name: str
    erased_at: datetime | None


class TooLong(ValueError):
    """A note or a name is longer than it may be; nothing was saved. `why` is a sentence for people."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(str(why))
        self.why = why


class _Moment(sql.TypeDecorator[datetime]):
    """A moment in UTC, to the microsecond. SQLite keeps no zone, and PostgreSQL answers in its own."""

    impl = sql.DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if not isinstance(value, datetime):
            raise TypeError("a column of moments holds something else")
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


REVIEWS = sql.Table(
    "reviews",
    sql.MetaData(),
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("at", _Moment, nullable=False),
    sql.Column("key", sql.Text, nullable=False),
    sql.Column("ticket", sql.Text, nullable=False),
    sql.Column("outcome", sql.Text),
    sql.Column("validator", sql.Text, nullable=False),
    sql.Column("opinion", sql.Text, nullable=False),
    sql.Column("note", sql.Text, nullable=False),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("erased_at", _Moment),
    sql.UniqueConstraint("key", "id"),  # an index by key that is made in one statement with the table
    sqlite_autoincrement=True,
)


def default_url(folder: Path) -> str:
    """The address of the SQLite file of reviews in a folder."""
    return sql.URL.create("sqlite", database=str(folder / DEFAULT_FILE)).render_as_string(hide_password=False)


class Reviews:
    """The reviews in the database at `sqlite:///FILE` or `postgresql://…`. Every method raises ReviewsUnavailable.

    It is cheap to make and may be used by many threads. Nothing is opened before the first question, and the table is
    made with the first review.
    """

    def __init__(self, url: str) -> None:
        self._url = url

    def add(self, subject: Subject, opinion: Opinion, note: str, name: str) -> Review:
        """Keep a review, and return it as kept once it is committed: without NULs and lone surrogates, which are no
        text to a database. Raises TooLong for more than MAX_NOTE or MAX_NAME characters."""
        outcome = None if subject.outcome is None else _clean(subject.outcome)
        about = Subject(_clean(subject.key), _clean(subject.ticket), outcome, _clean(subject.validator))
        note, name = _clean(note), _clean(name)
        if len(note) > MAX_NOTE:
            raise TooLong(say("A note has at most {limit} characters, not {length}.", limit=MAX_NOTE, length=len(note)))
        if len(name) > MAX_NAME:
            raise TooLong(say("A name has at most {limit} characters, not {length}.", limit=MAX_NAME, length=len(name)))
        said = {"at": datetime.now(UTC), "opinion": Opinion(opinion), "note": note, "name": name}
        with database.transaction(self._url, writes=True) as connection:
            _make_table(connection)
            row = connection.execute(REVIEWS.insert().values(**vars(about), **said).returning(*REVIEWS.c)).one()
            return _review(row)

    def of(self, key: str) -> tuple[Review, ...]:
        """The reviews of one recording or log line, oldest first."""
        return self._read(REVIEWS.select().where(REVIEWS.c.key == _clean(key)).order_by(REVIEWS.c.id), _review)

    def all(self) -> tuple[Review, ...]:
        """Every review, oldest first."""
        return self._read(REVIEWS.select().order_by(REVIEWS.c.id), _review)

    def reviewed(self) -> dict[str, frozenset[str]]:
        """The keys of what was reviewed, by ticket."""
        keys: dict[str, set[str]] = {}
        for ticket, key in self._read(sql.select(REVIEWS.c.ticket, REVIEWS.c.key).distinct(), tuple):
            keys.setdefault(ticket, set()).add(key)
        return {ticket: frozenset(found) for ticket, found in keys.items()}

    def erase(self, number: int) -> Review | None:
        """Blank the note and the name of the review with this ID, and keep the rest. Returns it as it is now, or None
        when there is none. Erasing it again changes nothing."""
        if not 0 < number <= MAX_ID:
            return None
        when = sql.func.coalesce(REVIEWS.c.erased_at, sql.literal(datetime.now(UTC), _Moment))
        change = REVIEWS.update().where(REVIEWS.c.id == number).values(note="", name="", erased_at=when)
        with database.transaction(self._url, writes=True) as connection:
            if not _has_table(connection):
                return None
            row = connection.execute(change.returning(*REVIEWS.c)).one_or_none()
            return None if row is None else _review(row)

    def _read(self, question: sql.Select[Any], read: Callable[[sql.Row[Any]], _Read]) -> tuple[_Read, ...]:
        with database.transaction(self._url, writes=False) as connection:
            return tuple(map(read, connection.execute(question))) if _has_table(connection) else ()


def _has_table(connection: sql.Connection) -> bool:
    return sql.inspect(connection).has_table(REVIEWS.name)


def _make_table(connection: sql.Connection) -> None:
    if _has_table(connection):
        return
    if connection.dialect.name == "postgresql":
        connection.execute(sql.select(sql.func.pg_advisory_xact_lock(MAKING_THE_TABLE)))
    connection.execute(CreateTable(REVIEWS, if_not_exists=True))


def _review(row: sql.Row[Any]) -> Review:
    subject = Subject(row.key, row.ticket, row.outcome, row.validator)
    return Review(row.id, row.at, subject, Opinion(row.opinion), row.note, row.name, row.erased_at)


def _clean(text: str) -> str:
    return re.sub("[\0\ud800-\udfff]", "", text)
