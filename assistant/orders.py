"""Owns the order book: a read-only SQLite database of orders, and the only place that speaks SQL.

It decides nothing about who may see an order. One connection serves all threads, one question at a time.
"""

import math
import sqlite3
import threading
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from .files import FileError, read_text
from .sentence import Sentence, say

SAMPLE_ORDERS = Path(__file__).with_name("orders.sql")
LOCK_WAIT_S = 0.2

# Columns by name: a column that somebody adds to their own order book does not reach the model by itself.
_ORDER = """
SELECT order_id, customer_id, status, ordered_on, shipped_on, delivered_on, shipping_fee, total, currency
FROM orders WHERE order_id = ?
"""
_ITEMS = "SELECT product, quantity, unit_price FROM order_items WHERE order_id = ? ORDER BY line"
_OWNER = "SELECT customer_id FROM orders WHERE order_id = ?"


class OrderBookUnavailable(Exception):
    """The order book could not answer: locked, missing, closed or damaged. `why` is a sentence for people."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(str(why))
        self.why = why


class Owner(NamedTuple):
    """Whose an order is. `customer_id` is None for an order without an owner."""

    customer_id: str | None


class OrderBook:
    """Orders by ID. Without a path it is built in memory from `orders.sql`; a file is opened at the first question."""

    def __init__(self, path: str | Path | None = None) -> None:
        self._path = Path(path) if path is not None else None
        self._lock = threading.Lock()
        self._closed = False
        self._connection: sqlite3.Connection | None = None if self._path else _build(SAMPLE_ORDERS)

    def find(self, order_id: str) -> dict[str, Any] | None:
        """Return the order as a fresh dict with its `customer_id`, or None. Raises OrderBookUnavailable."""
        orders = self._ask(_ORDER, order_id)
        if not orders:
            return None
        items = self._ask(_ITEMS, order_id)
        return {**orders[0], "items": items}

    def owner(self, order_id: str) -> Owner | None:
        """Return whose the order is without reading the order, or None when there is none."""
        rows = self._ask(_OWNER, order_id)
        return Owner(rows[0]["customer_id"]) if rows else None

    def close(self) -> None:
        """Close the book for good; later questions raise OrderBookUnavailable."""
        with self._lock:
            self._closed = True
            if self._connection:
                self._connection.close()

    def _ask(self, question: str, order_id: str) -> list[dict[str, Any]]:
        if not isinstance(order_id, str) or not order_id.isascii():
            return []
        with self._lock:
            if self._closed:
                raise OrderBookUnavailable(say("The order book is closed."))
            try:
                if self._connection is None:
                    self._connection = _open(self._path)
                rows = self._connection.execute(question, (order_id,)).fetchall()
            except sqlite3.Error as error:
                raise OrderBookUnavailable(say("The order book could not answer: {reason}.", reason=error)) from error
        answer = [dict(row) for row in rows]
        if not all(_is_plain(value) for row in answer for value in row.values()):
            raise OrderBookUnavailable(say("The order holds a value that is neither text nor a finite number."))
        return answer


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))


def _open(path: Path | None) -> sqlite3.Connection:
    assert path is not None
    address = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=LOCK_WAIT_S, check_same_thread=False)
    return _read_only(connection)


def _build(script: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.deserialize(_image(script.name, read_text(script)))
    return _read_only(connection)


@lru_cache(maxsize=1)
def _image(name: str, script: str) -> bytes:
    """The database that the script makes."""
    statement, first_line = "", 1
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        try:
            for number, line in enumerate(script.splitlines(keepends=True), start=1):
                if not statement:
                    if not line.strip() or line.startswith("--"):
                        continue
                    first_line = number
                statement += line
                if sqlite3.complete_statement(statement):
                    connection.execute(statement)
                    statement = ""
            connection.execute(statement)
            return connection.serialize()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise FileError(name, first_line, say("SQLite does not run this: {reason}.", reason=error)) from error


def _read_only(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("PRAGMA query_only = ON")
    connection.row_factory = sqlite3.Row
    return connection
