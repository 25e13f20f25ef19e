"""Which rows of the register are shown, in which order, and what a row is called."""

import re
from datetime import UTC, date, datetime, timedelta

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import selection
from assistant.counts import OTHER_CODES, Kind, kind_of
from assistant.register import COLUMNS, read, whole
from assistant.selection import SEARCHED, UNDATED, Order, Selection, chosen, key_of, ordered
from tests.strategies import trying
from tests.synthetic import write_log
from tests.test_recording import FOLDER
from tests.test_register import LINE_ROW

WORDS = ["T-1", "T-2", "", "C-1", "ok", ".*", "50 %", "École", "école", "a\nb", "<b>", "refused: not_found", None]
OUTCOMES = ["ok", "refused: not_found", "refused: other_customer", "error: x", "refused:not_found", "OK", "", None]
DAYS = [date(2026, 9, 1), date(2026, 9, 2), date(1, 1, 1), None]
AGAIN = ["unchanged", "flipped", "undecided", None]
names = ("ticket", "customer", "tool", "arguments", "outcome", "failed_check", "told", "day", "again", "file")
row_values = st.tuples(
    *(st.sampled_from(WORDS) for _ in range(4)),
    st.sampled_from(OUTCOMES),
    *(st.sampled_from(WORDS) for _ in range(2)),
    st.sampled_from(DAYS),
    st.sampled_from(AGAIN),
    st.sampled_from(["a.json", "b.jsonl"]),
)
tables = st.lists(row_values, max_size=12).map(lambda rows: [dict(zip(names, row, strict=True)) for row in rows])
wanted_text = st.sampled_from(["", *(word for word in WORDS if word), "LK", "ECOLE", "ÉCOLE", "OT_F"])
selections = st.builds(
    Selection,
    outcome=st.sampled_from(["", *Kind, *(one for one in OUTCOMES if one), f"{Kind.REFUSED}: {OTHER_CODES}"]),
    check=wanted_text,
    ticket=wanted_text,
    customer=wanted_text,
    day=st.sampled_from(["", UNDATED, "2026-09-01", "0001-01-01"]),
    reviewed=st.sampled_from(["", "yes", "no"]),
    text=wanted_text,
    again=st.sampled_from(["", "unchanged", "flipped", "undecided"]),
    diverged=st.booleans(),
)


def table_of(rows):
    """A register with these rows; what they do not hold is as in an ordinary line."""
    whole_rows = [{**LINE_ROW, "time": None, **row, "place": number} for number, row in enumerate(rows, start=1)]
    schema = COLUMNS.append(pa.field("again", pa.string()))
    return pa.Table.from_pylist(whole_rows, schema)


def numbers(rows, wanted, reviewed=None, diverging=(), codes=()):
    """Which rows are let through, counted from 0."""
    mask = chosen(rows, wanted, reviewed or {}, diverging, codes).to_pylist()
    assert len(mask) == rows.num_rows
    assert None not in mask
    return [number for number, is_in in enumerate(mask) if is_in]


def lets_through(row, wanted, reviewed, diverging, codes):
    """The same in plain Python."""
    kind, code = kind_of(row["outcome"])
    is_of_outcome = row["outcome"] == wanted.outcome
    if wanted.outcome in tuple(Kind):
        is_of_outcome = kind is Kind(wanted.outcome)
    elif wanted.outcome == f"{Kind.REFUSED}: {OTHER_CODES}":
        is_of_outcome = kind is Kind.REFUSED and code not in codes
    day = row["day"].isoformat() if row["day"] else UNDATED
    is_reviewed = key_of(row) in reviewed.get(row["ticket"], ())
    texts = [row[name] or "" for name in SEARCHED]
    found = any(re.search(re.escape(wanted.text), text, re.IGNORECASE) for text in texts)
    return all(
        (
            not wanted.outcome or is_of_outcome,
            not wanted.check or row["failed_check"] == wanted.check,
            not wanted.ticket or row["ticket"] == wanted.ticket,
            not wanted.customer or row["customer"] == wanted.customer,
            not wanted.day or day == wanted.day,
            not wanted.reviewed or is_reviewed == (wanted.reviewed == "yes"),
            not wanted.text or found,
            not wanted.again or row["again"] == wanted.again,
            not wanted.diverged or row["file"] in diverging,
        )
    )


@trying(300)
@given(tables, selections, st.sets(st.integers(0, 11)))
def test_any_filters_together_let_through_what_each_of_them_does(rows, wanted, reviewed_rows):
    table = table_of(rows)
    held = table.to_pylist()
    reviewed: dict[str, set[str]] = {}
    for number in reviewed_rows:
        if number < len(held) and held[number]["ticket"] is not None:
            reviewed.setdefault(held[number]["ticket"], set()).add(key_of(held[number]))
    diverging, codes = {"a.json"}, ["not_found"]
    expected = [n for n, row in enumerate(held) if lets_through(row, wanted, reviewed, diverging, codes)]
    assert numbers(table, wanted, reviewed, diverging, codes) == expected


def test_every_row_is_of_exactly_one_kind(tmp_path):
    rows, _ = whole(read([write_log(tmp_path / "log.jsonl", 1, 400), FOLDER]))
    found = [number for kind in Kind for number in numbers(rows, Selection(outcome=str(kind)))]
    assert sorted(found) == list(range(rows.num_rows))


def test_without_a_filter_all_are_let_through_and_of_none_none():
    rows = table_of([{}, {}])
    assert numbers(rows, Selection()) == [0, 1]
    assert numbers(rows.slice(0, 0), Selection()) == numbers(rows.slice(0, 0), Selection(text="x")) == []


@pytest.mark.parametrize("text", [".*", "%", "_x", "LK-55190", "ORDER_ID", "[", "\\", "(?i)"])
def test_a_text_is_looked_for_as_it_is(text):
    rows = table_of([{"arguments": f"before {text} after"}, {"arguments": "something else", "told": None}])
    assert 0 in numbers(rows, Selection(text=text))
    assert 1 not in numbers(rows, Selection(text=f"before {text}"))


@pytest.mark.parametrize("column", SEARCHED)
def test_a_text_is_looked_for_in_all_that_was_proposed_decided_and_told(column):
    rows = table_of([{column: "Needle"}, {}])
    assert numbers(rows, Selection(text="needle")) == [0]


def test_rare_codes_are_found_together():
    outcomes = ["refused: a", "refused: b", "refused: c", "error: c", "ok", None]
    rows = table_of([{"outcome": outcome} for outcome in outcomes])
    rare = Selection(outcome=f"{Kind.REFUSED}: {OTHER_CODES}")
    assert numbers(rows, rare, codes=["a", OTHER_CODES]) == [1, 2]


# The order.

MOMENT = datetime(2026, 9, 1, 12, tzinfo=UTC)
TIMES = [MOMENT, None, MOMENT + timedelta(hours=1), MOMENT, None, MOMENT - timedelta(days=9)]


@pytest.mark.parametrize(
    ("order", "expected"), [(Order.NEWEST, [2, 0, 3, 5, 1, 4]), (Order.OLDEST, [5, 0, 3, 2, 1, 4])]
)
def test_the_undated_come_last_and_equals_as_they_were_read(order, expected):
    assert ordered(table_of([{"time": time} for time in TIMES]), order).to_pylist() == expected


@pytest.mark.parametrize(
    ("order", "column"),
    [
        (Order.TICKET, "ticket"),
        (Order.CUSTOMER, "customer"),
        (Order.OUTCOME, "outcome"),
        (Order.CHECK, "failed_check"),
    ],
)
def test_texts_are_sorted_with_none_last(order, column):
    values = ["b", None, "a", "", "b", "é"]
    assert ordered(table_of([{column: value} for value in values]), order).to_pylist() == [3, 2, 0, 4, 5, 1]


@pytest.mark.parametrize("order", Order)
def test_every_row_has_its_place_in_every_order(order, tmp_path):
    rows, _ = whole(read([write_log(tmp_path / "log.jsonl", 5, 300, undated=4)]))
    assert sorted(ordered(rows, order).to_pylist()) == list(range(rows.num_rows))
    assert ordered(rows.slice(0, 0), order).to_pylist() == []


# What a row is called.

OF_A_LINE = {
    "time": MOMENT,
    "run": "r2",
    "ticket": "T-2",
    "customer": None,
    "tool": "x",
    "arguments": "x",
    "not_text": "tool",
    "outcome": "ok",
    "failed_check": None,
    "told": None,
}


@pytest.mark.parametrize("column", OF_A_LINE)
def test_a_line_with_another_content_is_another_decision(column):
    assert key_of({**LINE_ROW, column: OF_A_LINE[column]}) != key_of(LINE_ROW)


@pytest.mark.parametrize("column", set(COLUMNS.names) - set(OF_A_LINE) - {"digest"})
def test_where_a_line_stands_and_what_came_of_its_run_does_not_matter(column):
    assert key_of({**LINE_ROW, column: "x"}) == key_of(LINE_ROW)


def test_every_column_is_either_content_or_not():
    assert set(OF_A_LINE) | set(selection._OF_A_LINE) == {*selection._OF_A_LINE, "time"}


def test_a_decision_of_a_recording_is_called_by_its_digest_and_place():
    row = {**LINE_ROW, "digest": "d", "place": 2}
    assert key_of(row) == key_of({**row, "outcome": "x", "file": "y", "time": None})
    assert len({key_of(row), key_of({**row, "digest": "e"}), key_of({**row, "place": 3}), key_of(LINE_ROW)}) == 4


def test_a_key_is_the_same_after_the_file_was_moved_and_compressed(tmp_path):
    plain, zipped = (
        whole(read([write_log(tmp_path / name, 7, 60)]))[0].to_pylist() for name in ("a.jsonl", "b.jsonl.gz")
    )
    assert list(map(key_of, plain)) == list(map(key_of, zipped))
    assert len(set(map(key_of, plain))) == len(plain)
    assert all(re.fullmatch("[0-9a-f]{64}", key_of(row)) for row in plain)
