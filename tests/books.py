"""Owns order books for tests: one that notes what it is asked, files of invented orders, and books that fail."""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant.orders import SAMPLE_ORDERS, OrderBook

SCHEMA = "".join(
    re.findall(r"^CREATE TABLE.*?;\n", SAMPLE_ORDERS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
)


class SpyingBook(OrderBook):
    """The sample order book, which notes each question to it."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[tuple[str, object]] = []

    def find(self, order_id):
        self.questions.append(("find", order_id))
        return super().find(order_id)

    def owner(self, order_id):
        self.questions.append(("owner", order_id))
        return super().owner(order_id)


def write_book(path: Path, orders: Iterable[tuple[str, object, object]] = ()) -> Path:
    """Write an order book of (order ID, customer ID, status), each with one item, with orders.sql's own schema."""
    path.unlink(missing_ok=True)
    with writing(path) as connection:
        connection.executescript("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;" + SCHEMA)
        for order_id, customer_id, status in orders:
            row = (order_id, customer_id, status, "2026-10-01", None, None, 0.0, 10.0, "CAD")
            connection.execute("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            connection.execute("INSERT INTO order_items VALUES (?, 1, 'leaf rake', 1, 10.0)", (order_id,))
    return path


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection of somebody else's, which may write; committed and closed at the end."""
    connection = sqlite3.connect(path)
    try:
        yield connection
        connection.commit()
    finally:
        connection.close()


@contextmanager
def locked_book(folder: Path) -> Iterator[OrderBook]:
    """Somebody else holds the file for themselves."""
    path = write_book(folder / "locked.db", [("LK-581106", "C-81265", "shipped")])
    with writing(path) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield OrderBook(path)


@contextmanager
def missing_book(folder: Path) -> Iterator[OrderBook]:
    """There is no such file."""
    yield OrderBook(folder / "missing.db")


@contextmanager
def folder_for_a_book(folder: Path) -> Iterator[OrderBook]:
    """The path leads to a folder."""
    yield OrderBook(folder)


@contextmanager
def closed_book(_folder: Path) -> Iterator[OrderBook]:
    """The book has been closed."""
    book = OrderBook()
    book.close()
    yield book


@contextmanager
def closed_file(folder: Path) -> Iterator[OrderBook]:
    """A book from a file has been closed before its first question."""
    book = OrderBook(write_book(folder / "closed.db"))
    book.close()
    yield book


@contextmanager
def text_for_a_book(folder: Path) -> Iterator[OrderBook]:
    """The file is something else."""
    path = folder / "text.db"
    path.write_text("These are no orders. " * 100, encoding="utf-8")
    yield OrderBook(path)


@contextmanager
def book_without_orders(folder: Path) -> Iterator[OrderBook]:
    """The file is a database of something else."""
    path = folder / "other.db"
    with writing(path) as connection:
        connection.execute("CREATE TABLE parcels (id)")
    yield OrderBook(path)


@contextmanager
def book_without_items(folder: Path) -> Iterator[OrderBook]:
    """The owner can be read, the order cannot."""
    path = write_book(folder / "half.db", [("LK-581106", "C-81265", "shipped")])
    with writing(path) as connection:
        connection.execute("DROP TABLE order_items")
    yield OrderBook(path)


@contextmanager
def blob_in_a_book(folder: Path) -> Iterator[OrderBook]:
    """A product is bytes."""
    path = write_book(folder / "blob.db", [("LK-581106", "C-81265", "shipped")])
    with writing(path) as connection:
        connection.execute("UPDATE order_items SET product = x'00ff'")
    yield OrderBook(path)


@contextmanager
def blob_for_an_owner(folder: Path) -> Iterator[OrderBook]:
    """The owner is bytes."""
    yield OrderBook(write_book(folder / "owner.db", [("LK-581106", b"C-81265", "shipped")]))


@contextmanager
def infinity_in_a_book(folder: Path) -> Iterator[OrderBook]:
    """An amount is infinite, which JSON does not know."""
    path = write_book(folder / "infinite.db", [("LK-581106", "C-81265", "shipped")])
    with writing(path) as connection:
        connection.execute("UPDATE orders SET total = 9e999")
    yield OrderBook(path)


@contextmanager
def broken_text_in_a_book(folder: Path) -> Iterator[OrderBook]:
    """A text is not UTF-8."""
    path = write_book(folder / "latin.db", [("LK-581106", "C-81265", "shipped")])
    with writing(path) as connection:
        connection.execute("UPDATE orders SET currency = CAST(x'e9e9' AS TEXT)")
    yield OrderBook(path)


# Books that cannot tell LK-581106's owner, and books that can, but not the order.
UNANSWERING = (
    locked_book,
    missing_book,
    folder_for_a_book,
    closed_book,
    closed_file,
    text_for_a_book,
    book_without_orders,
    blob_for_an_owner,
)
HALF_ANSWERING = (book_without_items, blob_in_a_book, infinity_in_a_book, broken_text_in_a_book)
