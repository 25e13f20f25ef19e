"""The order book: read-only, from orders.sql or a file, quick to say that it cannot answer."""

import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from assistant import orders
from assistant.files import FileError
from assistant.orders import SAMPLE_ORDERS, OrderBook, OrderBookUnavailable, Owner
from tests.books import HALF_ANSWERING, UNANSWERING, locked_book, missing_book, write_book, writing
from tests.examples import OWN_ORDER_FOR_THE_MODEL, UNOWNED_ORDER

BOOK = OrderBook()
SCRIPT = SAMPLE_ORDERS.read_text(encoding="utf-8")
ORDER_IDS = re.findall(r"INSERT INTO orders VALUES \('(LK-\d{6})'", SCRIPT)


@pytest.fixture
def book_file(tmp_path):
    return write_book(tmp_path / "orders.db", [("LK-100001", "C-1", "shipped"), ("LK-100002", None, "processing")])


def test_the_order_of_t_80008_has_every_field_that_the_lesson_prints():
    assert BOOK.find("LK-581106") == {**OWN_ORDER_FOR_THE_MODEL, "customer_id": "C-81265"}


def test_the_neighbours_order_is_as_the_lesson_tells_it():
    order = BOOK.find("LK-615204")
    assert order["customer_id"] == "C-38852"
    assert (order["status"], order["shipped_on"], order["delivered_on"]) == ("shipped", "2026-10-02", None)
    assert (order["total"], order["currency"]) == (899.0, "CAD")
    assert [item["product"] for item in order["items"]] == ["garden shed"]


def test_the_exercises_order_is_of_the_customer_that_the_lesson_names():
    assert BOOK.owner("LK-428830") == Owner("C-44702")


def test_the_last_questions_order_is_another_customers_than_any_that_asks():
    assert BOOK.owner("LK-830215").customer_id not in {None, "C-81265", "C-20417", "C-98373", "C-88930", "C-44702"}


@pytest.mark.parametrize("order_id", ["LK-000000", "LK-000001", "LK-551902", "LK-55190"])
def test_an_id_that_the_lesson_calls_wrong_is_in_no_order(order_id):
    assert BOOK.find(order_id) is None
    assert BOOK.owner(order_id) is None


def test_there_are_about_twenty_more_orders_of_various_customers_and_states():
    invented = [BOOK.find(order_id) for order_id in ORDER_IDS[4:]]
    assert 18 <= len(invented) <= 25
    assert len({order["customer_id"] for order in invented}) >= 5
    assert {order["status"] for order in invented} == {"processing", "shipped", "delivered", "cancelled", "returned"}


def test_what_is_invented_is_marked_in_the_file():
    lessons, mark, invented = SCRIPT.partition("-- From here on invented sample data, all of it")
    assert mark
    assert lessons.count("INSERT INTO orders ") == 4
    assert lessons.count("-- Invented:") + lessons.count("Invented: all else.") == 3
    assert invented.count("INSERT INTO orders ") == len(ORDER_IDS) - 4


@pytest.mark.parametrize("order_id", ORDER_IDS)
def test_a_sample_order_makes_sense(order_id):
    order = BOOK.find(order_id)
    items = sum(item["quantity"] * item["unit_price"] for item in order["items"])
    days = [day for day in (order["ordered_on"], order["shipped_on"], order["delivered_on"]) if day]
    assert order["total"] == items + order["shipping_fee"]
    assert days == sorted(days)
    assert bool(order["delivered_on"]) == (order["status"] in {"delivered", "returned"})
    assert bool(order["shipped_on"]) == (order["status"] not in {"processing", "cancelled"})


def test_each_question_gets_a_fresh_order():
    first = BOOK.find("LK-581106")
    first["items"][0]["product"] = "changed"
    first.clear()
    assert BOOK.find("LK-581106")["items"] == OWN_ORDER_FOR_THE_MODEL["items"]


def test_an_order_without_an_owner_is_told_from_a_missing_one():
    assert BOOK.owner(UNOWNED_ORDER) == Owner(None)
    assert BOOK.owner("LK-000000") is None
    assert BOOK.find(UNOWNED_ORDER)["customer_id"] is None


@pytest.mark.parametrize(
    "order_id", [None, 581106, b"LK-581106", ["LK-581106"], "\ud800", "LK-５８１１０６", "LK-581106\0"]
)
def test_what_cannot_be_an_order_id_finds_nothing(order_id):
    assert BOOK.find(order_id) is None
    assert BOOK.owner(order_id) is None


def test_a_question_is_never_read_as_sql():
    assert BOOK.find("x' OR '1'='1") is None
    assert BOOK.owner("'; DROP TABLE orders; --") is None
    assert BOOK.owner("LK-581106")


def test_a_book_is_taken_from_a_file(book_file):
    for path in (book_file, str(book_file)):
        assert OrderBook(path).find("LK-100001")["customer_id"] == "C-1"
        assert OrderBook(path).owner("LK-100002") == Owner(None)
        assert OrderBook(path).find("LK-581106") is None


@pytest.mark.parametrize("name", ["orders 1.db", "a?mode=rwc.db", "a#b%20.db", "été.db"])
def test_a_file_of_any_name_is_opened_and_nothing_beside_it(tmp_path, name):
    write_book(tmp_path / name, [("LK-100001", "C-1", "shipped")])
    assert OrderBook(tmp_path / name).owner("LK-100001") == Owner("C-1")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_column_that_somebody_added_does_not_reach_the_model(book_file):
    with writing(book_file) as connection:
        connection.execute("ALTER TABLE orders ADD COLUMN phone TEXT DEFAULT '555-0100'")
    assert "555-0100" not in repr(OrderBook(book_file).find("LK-100001"))


@pytest.mark.parametrize("write", ["DELETE FROM orders", "UPDATE orders SET customer_id = 'C-2'", "CREATE TABLE t (x)"])
@pytest.mark.parametrize("from_file", [True, False])
def test_no_write_gets_through_the_books_connection(book_file, write, from_file):
    book = OrderBook(book_file) if from_file else OrderBook()
    before = book_file.read_bytes(), book.find("LK-581106"), book.find("LK-100001")
    with pytest.raises(Exception, match="readonly database"):
        book._connection.execute(write)
    assert (book_file.read_bytes(), book.find("LK-581106"), book.find("LK-100001")) == before


def test_a_file_is_left_as_it_was_to_the_byte(book_file):
    before = book_file.read_bytes(), book_file.stat().st_mtime_ns, sorted(book_file.parent.iterdir())
    book = OrderBook(book_file)
    book.find("LK-100001")
    book.close()
    assert (book_file.read_bytes(), book_file.stat().st_mtime_ns, sorted(book_file.parent.iterdir())) == before


@pytest.mark.parametrize("from_file", [True, False])
def test_many_threads_may_ask_one_book(tmp_path, from_file):
    wanted = [(order_id, BOOK.owner(order_id).customer_id, "shipped") for order_id in ORDER_IDS]
    book = OrderBook(write_book(tmp_path / "orders.db", wanted)) if from_file else OrderBook()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda order_id: (order_id, book.find(order_id)), ORDER_IDS * 20))
    assert all(order["order_id"] == order_id and order["items"] for order_id, order in found)
    assert {order["order_id"]: order["customer_id"] for _, order in found} == {row[0]: row[1] for row in wanted}


@pytest.mark.parametrize("broken", UNANSWERING)
def test_a_failing_book_says_so_and_quickly(tmp_path, broken):
    with broken(tmp_path) as book:
        started = time.perf_counter()
        with pytest.raises(OrderBookUnavailable, match=r"\w"):
            book.owner("LK-581106")
        with pytest.raises(OrderBookUnavailable, match=r"\w"):
            book.find("LK-581106")
    assert time.perf_counter() - started < 3


@pytest.mark.parametrize("broken", HALF_ANSWERING)
def test_an_order_that_cannot_be_read_is_not_handed_out_in_part(tmp_path, broken):
    with broken(tmp_path) as book:
        assert book.owner("LK-581106") == Owner("C-81265")
        with pytest.raises(OrderBookUnavailable, match=r"\w"):
            book.find("LK-581106")


def test_a_book_answers_again_when_the_lock_is_gone(tmp_path):
    with locked_book(tmp_path) as book, pytest.raises(OrderBookUnavailable, match="locked"):
        book.owner("LK-581106")
    assert book.owner("LK-581106") == Owner("C-81265")


def test_a_missing_file_is_not_made_and_answers_when_it_comes(tmp_path):
    with missing_book(tmp_path) as book, pytest.raises(OrderBookUnavailable):
        book.owner("LK-581106")
    assert not list(tmp_path.iterdir())
    write_book(tmp_path / "missing.db", [("LK-581106", "C-1", "shipped")])
    assert book.owner("LK-581106") == Owner("C-1")


def test_a_closed_book_stays_closed(book_file):
    book = OrderBook(book_file)
    book.owner("LK-100001")
    book.close()
    book.close()
    with pytest.raises(OrderBookUnavailable, match="closed"):
        book.owner("LK-100001")


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        (f"{SCRIPT}\nINSERT INTO orders VALUES ('LK-1');\n", SCRIPT.count("\n") + 2),
        ("-- fine\n\nCREATE TABLE a (x);\nCREATE TABEL b (x);\nCREATE TABLE c (x);\n", 4),
        ("CREATE TABLE a (x);\nINSERT INTO a\nVALUES ('never closed);\nSELECT 1;\n", 2),
        ("CREATE TABLE a (x);\nINSERT INTO a VALUES (1)\n-- no semicolon\nINSERT INTO a VALUES (2);\n", 2),
        ("SELECT 1; SELECT 2;\n", 1),
        ("CREATE TABLE a (x);\nSELECT '\udce9';\n", 2),
        ("CREATE TABLE a (x);\n\nINSERT INTO a VALUES (1, 2", 3),
    ],
)
def test_a_broken_orders_sql_is_named_with_its_line(tmp_path, monkeypatch, broken, line):
    monkeypatch.setattr(orders, "SAMPLE_ORDERS", tmp_path / "orders.sql")
    (tmp_path / "orders.sql").write_bytes(broken.encode("utf-8", "surrogateescape"))
    with pytest.raises(FileError, match=rf"orders\.sql, line {line}: ") as error:
        OrderBook()
    assert (error.value.file, error.value.line) == ("orders.sql", line)


def test_a_missing_orders_sql_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(orders, "SAMPLE_ORDERS", tmp_path / "orders.sql")
    with pytest.raises(FileError, match=r"orders\.sql: This cannot be read: No such file"):
        OrderBook()


def test_a_new_book_reads_orders_sql_again(tmp_path, monkeypatch):
    shutil.copy(SAMPLE_ORDERS, tmp_path)
    monkeypatch.setattr(orders, "SAMPLE_ORDERS", tmp_path / "orders.sql")
    (tmp_path / "orders.sql").write_text(SCRIPT.replace("'C-81265'", "'C-1'"), encoding="utf-8")
    assert OrderBook().owner("LK-581106") == Owner("C-1")
