"""Owns the way to the reviews' database: from its address to one transaction, and what to say when it fails.

It knows no table. The address, with its host, user and password, is in no message that leaves here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, ProgrammingError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from .sentence import Sentence, say

CONNECT_S = 3
WAIT_S = 4  # for a statement, for a lock, for an answer from the network
WAIT_FOR_FILE_S = 8  # while others write
DRIVERS = {
    "sqlite": "sqlite+pysqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}

BAD_ADDRESS = say("The address of the reviews’ database cannot be used. One begins with sqlite:/// or postgresql://.")
NO_DRIVER = say("The driver for the reviews’ database is not installed.")
UNREACHABLE = say("The reviews’ database cannot be reached, or it does not let the page in.")
NO_FILE = say("The file of the reviews can be neither opened nor made.")
DAMAGED = say("The file of the reviews is no SQLite database, or it is damaged.")
BUSY = say("The reviews’ database is busy. Try again in a moment.")
OTHER_TABLE = say("The reviews’ database holds a table of reviews of another kind.")
NO_ANSWER = say("The reviews’ database did not answer.")
NOT_TAKEN = say("The reviews’ database did not take this. Nothing was saved.")
UNCONFIRMED = say("The connection to the reviews’ database broke. See whether this was saved before you try again.")

# SQLite's result codes (the low byte) and PostgreSQL's SQLSTATEs that tell more than that something failed.
_BY_CODE = {1: OTHER_TABLE, 5: BUSY, 6: BUSY, 11: DAMAGED, 26: DAMAGED}
_BY_STATE = {
    "42501": UNREACHABLE,
    **dict.fromkeys(("40001", "40P01", "53300", "55P03", "57014"), BUSY),
    **dict.fromkeys(("42703", "42804", "42809", "42883", "42P01"), OTHER_TABLE),
}
# Each question opens a connection of its own: one that is kept to a file would go on in a file that was moved away or
# deleted, and save a review where nobody finds it; one that is kept to a server that hangs would hang the page.
_FILE: dict[str, Any] = {"connect_args": {"timeout": WAIT_FOR_FILE_S}}
_SERVER: dict[str, Any] = {
    "use_native_hstore": False,
    "connect_args": {
        "connect_timeout": CONNECT_S,
        "tcp_user_timeout": WAIT_S * 1000,
        "prepare_threshold": None,  # a pooler on the way may give each transaction another session
        "application_name": "tool-loop explorer",
    },
}


class ReviewsUnavailable(Exception):
    """The reviews' database did not do what was asked. `why` is a sentence for people, without address or password."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(str(why))
        self.why = why


@contextmanager
def transaction(url: str, *, writes: bool) -> Iterator[sql.Connection]:
    """One transaction, committed at the end. Raises ReviewsUnavailable within seconds for whatever fails in it."""
    engine = _engine(url)
    is_open = False
    try:
        with engine.begin() as connection:
            is_open = True
            if engine.dialect.name == "postgresql":
                connection.execute(sql.text(f"SET LOCAL statement_timeout = {WAIT_S * 1000}"))
            yield connection
    except SQLAlchemyError as error:
        why = _why_asked(error, writes) if is_open else _why_closed(error, engine.dialect.name)
        raise ReviewsUnavailable(why) from None
    except (ValueError, TypeError):  # what cannot be an address at all, or be read as a value of its column
        raise ReviewsUnavailable(OTHER_TABLE if is_open else BAD_ADDRESS) from None


@lru_cache(maxsize=8)
def _engine(url: str) -> sql.Engine:
    """The way to one address. It is kept here because the page is run, and its values made, again and again."""
    if "\0" in url or "%00" in url:  # the driver would stop reading there, and go to another server or port
        raise ReviewsUnavailable(BAD_ADDRESS)
    try:
        parsed = sql.make_url(url)
        driver = DRIVERS.get(parsed.drivername, "")
        is_file = driver.startswith("sqlite")
        if not driver or (is_file and not _names_a_file(parsed)):
            raise ReviewsUnavailable(BAD_ADDRESS)
        options = _FILE if is_file else _SERVER
        engine = sql.create_engine(parsed.set(drivername=driver), hide_parameters=True, poolclass=NullPool, **options)
    except (ImportError, NoSuchModuleError):
        raise ReviewsUnavailable(NO_DRIVER) from None
    except (SQLAlchemyError, ValueError, TypeError):
        raise ReviewsUnavailable(BAD_ADDRESS) from None
    if is_file:
        sql.event.listen(engine, "connect", _prepare_file)
    return engine


def _names_a_file(url: sql.URL) -> bool:
    """SQLite takes more than a file's name: `:memory:` forgets every review, and options undo ours."""
    name = url.database or ""
    return bool(name) and not url.host and not url.query and not name.startswith((":", "file:"))


def _prepare_file(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:  # noqa: ARG001
    """SQLite's own journal stays: with it the one file is whole at each commit. What is erased is overwritten."""
    cursor = connection.cursor()
    for setting in ("synchronous = FULL", "secure_delete = ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _why_closed(error: SQLAlchemyError, dialect: str) -> Sentence:
    """Why there is no connection."""
    if isinstance(error, ProgrammingError):
        return BAD_ADDRESS  # with an option that the driver does not know
    return _BY_CODE.get(_code(error), NO_FILE) if dialect == "sqlite" else UNREACHABLE


def _why_asked(error: SQLAlchemyError, writes: bool) -> Sentence:
    """Why a question was not answered, or a change not made."""
    why = _BY_CODE.get(_code(error)) or _BY_STATE.get(_state(error))
    if why is None and writes and isinstance(error, DBAPIError) and error.connection_invalidated:
        return UNCONFIRMED
    return why or (NOT_TAKEN if writes else NO_ANSWER)


def _code(error: SQLAlchemyError) -> int:
    return getattr(getattr(error, "orig", None), "sqlite_errorcode", 0) & 0xFF


def _state(error: SQLAlchemyError) -> str:
    return getattr(getattr(error, "orig", None), "sqlstate", None) or ""
