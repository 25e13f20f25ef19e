"""Deciding again: what is unchanged, what flips, and what cannot be compared."""

import json
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import again, loop, register, tools
from assistant.again import WHY, Again, Compared, Tally, decide_rows, decider, divergence, reply_again
from assistant.orders import OrderBook
from assistant.recording import load, parse
from tests.scripted import BOOK
from tests.synthetic import write_log, write_recordings
from tests.test_recording import RECORDINGS
from tests.test_register import LINE_ROW

OWN = {**LINE_ROW, "customer": "C-81265", "arguments": '{"order_id": "LK-581106"}', "told": None}
ALLOWED = {**OWN, "outcome": "ok", "failed_check": None}
ANOTHERS = {**OWN, "customer": "C-1", "outcome": "refused: other_customer", "failed_check": "own_order"}


def compared(row, book=BOOK):
    return decider(book)(row)


def closed_book():
    book = OrderBook()
    book.close()
    return book


def shortened(monkeypatch, *left_out):
    """Today's validator, without these checks."""
    monkeypatch.setattr(tools, "CHECKS", tuple(check for check in tools.CHECKS if check.name not in left_out))


def rows_at(path):
    rows, problems = register.whole(register.read([path]))
    assert problems == []
    return rows


def tally_of(rows):
    return Counter(again for part in decide_rows(rows, BOOK) for again in part["again"].to_pylist())


# One decision.


@pytest.mark.parametrize("row", [ALLOWED, ANOTHERS, LINE_ROW], ids=lambda row: row["outcome"])
def test_what_is_decided_as_it_was_is_unchanged(row):
    assert compared(row) == Compared(Again.UNCHANGED, row["outcome"], row["failed_check"])


def test_another_outcome_is_a_flip_and_names_both_ends():
    assert compared({**ANOTHERS, "outcome": "ok", "failed_check": None}) == Compared(
        Again.FLIPPED, "refused: other_customer", "own_order"
    )


def test_the_same_code_at_another_check_is_a_flip_too():
    assert compared({**LINE_ROW, "failed_check": "exact_arguments"}).again is Again.FLIPPED


def test_an_unknown_check_alone_is_no_flip():
    assert compared({**LINE_ROW, "failed_check": None}).again is Again.UNCHANGED
    guessed = {**LINE_ROW, "failed_check": "exact_arguments", "reconstructed": "failed_check"}
    assert compared(guessed).again is Again.UNCHANGED


def test_without_the_last_check_the_neighbours_order_flips_to_ok_and_is_not_in_the_comparison(monkeypatch):
    shortened(monkeypatch, "own_order")
    found = compared(ANOTHERS)
    assert found == Compared(Again.FLIPPED, "ok", None)
    assert "shipped" not in repr(found)


def test_a_learners_plain_pair_is_compared_by_its_outcome(monkeypatch):
    monkeypatch.setattr(tools, "run_tool", lambda *_: ({"ok": False}, "refused: other_customer"))
    assert compared(ANOTHERS).again is Again.UNCHANGED
    assert compared(ALLOWED) == Compared(Again.FLIPPED, "refused: other_customer", None)


@pytest.mark.parametrize("raised", [ZeroDivisionError, SystemExit, RecursionError])
def test_code_that_crashes_decides_nothing(monkeypatch, raised):
    def run_tool(*_):
        raise raised("no")

    monkeypatch.setattr(tools, "run_tool", run_tool)
    assert compared(ALLOWED) == Compared(Again.UNDECIDED, None, None, "crashed")


UNDECIDED = {
    "not_recorded": {**ALLOWED, "outcome": None},
    "reconstructed": {**ALLOWED, "reconstructed": "time,arguments"},
    "lost": {**ALLOWED, "arguments": "(not JSON)", "not_text": "arguments"},
    "error_then": {**ALLOWED, "outcome": "error: order_book_unavailable", "failed_check": "order_exists"},
    "error_now": ALLOWED,
    "crashed": ALLOWED,
}


def test_every_reason_has_an_example():
    assert set(UNDECIDED) == set(WHY)


@pytest.mark.parametrize("why", UNDECIDED)
def test_what_cannot_be_compared_says_why_and_is_never_unchanged(monkeypatch, why):
    if why == "crashed":
        monkeypatch.setattr(tools, "run_tool", None)
    found = compared(UNDECIDED[why], closed_book() if why == "error_now" else BOOK)
    assert (found.again, found.why) == (Again.UNDECIDED, why)


@pytest.mark.parametrize("kind", ["tool", "arguments", "customer", "outcome"])
def test_what_was_reconstructed_is_compared_with_nothing(kind):
    assert compared({**ALLOWED, "reconstructed": kind}).why == "reconstructed"


def test_a_refusal_before_the_order_book_needs_none():
    assert compared(LINE_ROW, closed_book()).again is Again.UNCHANGED


def test_equal_proposals_of_two_customers_are_two_decisions():
    again = decider(BOOK)
    assert [again(row).now for row in (ALLOWED, ANOTHERS, ALLOWED)] == ["ok", "refused: other_customer", "ok"]


def test_text_and_json_that_read_alike_are_two_proposals():
    again = decider(BOOK)
    text = {**LINE_ROW, "arguments": "5"}
    number = {**text, "not_text": "arguments"}
    spoken = {again(text).now, again(number).now}
    assert spoken == {"refused: invalid_argument"}
    lost = {**text, "arguments": "(not JSON)", "not_text": "arguments"}
    assert [again({**text, "arguments": "(not JSON)"}).why, again(lost).why] == [None, "lost"]


def test_equal_proposals_are_decided_once(monkeypatch):
    asked = []
    real = loop.decide
    monkeypatch.setattr(again, "decide", lambda *all_: asked.append(all_) or real(*all_))
    decide = decider(BOOK)
    assert {decide(ANOTHERS).now for _ in range(5)} == {"refused: other_customer"}
    assert len(asked) == 1


def test_no_more_is_remembered_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(again, "MAX_REMEMBERED", 2)
    decide = decider(BOOK)
    for number in range(10):
        assert decide({**ANOTHERS, "customer": f"C-{number}"}).now == "refused: other_customer"


# All of them.


@pytest.mark.parametrize("at_a_time", [1, 7, 1000])
def test_exactly_the_planted_flips_of_a_log_are_found(tmp_path, at_a_time):
    rows = rows_at(write_log(tmp_path / "log.jsonl", 3, 600, flipped=5))
    parts = list(decide_rows(rows, BOOK, at_a_time))
    found = Counter(each for part in parts for each in part["again"].to_pylist())
    errors = sum(outcome.startswith("error:") for outcome in rows["outcome"].to_pylist())
    assert sum(found.values()) == rows.num_rows
    assert found[Again.FLIPPED] == 5
    assert found[Again.UNDECIDED] == errors > 0
    assert [part.num_rows for part in parts[:-1]] == [at_a_time] * (len(parts) - 1)
    assert all(part.schema == again.COLUMNS for part in parts)


def test_exactly_the_planted_flips_of_recordings_are_found_and_diverge(tmp_path):
    folder = write_recordings(tmp_path, 4, 80, flipped=3)
    assert tally_of(rows_at(folder))[Again.FLIPPED] == 3
    recordings = [load(path) for path in sorted(folder.iterdir())]
    assert sum(divergence(one, BOOK) is not None for one in recordings) == 3


def test_no_rows_are_no_parts():
    assert list(decide_rows(register.COLUMNS.empty_table(), BOOK)) == []


texts = st.none() | st.text(st.characters(exclude_categories=["Cs"]))
NOT_TEXT = st.sampled_from(["", "tool", "arguments", "tool,arguments"])
OUTCOME = texts | st.sampled_from(["ok", "refused: not_found", "error: x", "refused: invalid_argument"])


@given(st.lists(st.tuples(texts, texts, texts, NOT_TEXT, OUTCOME, texts), max_size=5))
def test_whatever_a_log_holds_each_row_is_counted_once(values):
    names = ("customer", "tool", "arguments", "not_text", "outcome", "failed_check")
    rows = [{**LINE_ROW, **dict(zip(names, row, strict=True))} for row in values]
    tally = Tally()
    for part in decide_rows(pa.Table.from_pylist(rows, register.COLUMNS), BOOK):
        for found in part.to_pylist():
            tally = tally.plus(Again(found["again"]))
            assert (found["why"] in WHY) == (found["again"] == Again.UNDECIDED)
    assert tally.total == sum(tally) == len(values)


# Replies.


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.stem)
def test_each_recorded_reply_is_judged_as_it_was(file):
    found = reply_again(load(file), BOOK)
    assert found.compared == Compared(Again.UNCHANGED, found.then)
    assert str(found.verdict) == found.then
    assert divergence(load(file), BOOK) is None


def changed(file, change):
    document = json.loads(file.read_text(encoding="utf-8"))
    change(document)
    return parse(json.dumps(document), file.name)


TOM = next(file for file in RECORDINGS if file.stem == "T-80001")


def test_another_verdict_is_a_flip():
    recording = changed(TOM, lambda file: file.update(verdict={"status": "rejected", "broken": ["reply_not_json"]}))
    found = reply_again(recording, BOOK)
    assert found.compared == Compared(Again.FLIPPED, "valid")
    assert found.then == "rejected: reply_not_json"


def test_a_verdict_whose_broken_rules_are_not_recorded_is_compared_by_its_status():
    for status, expected in (("valid", Again.UNCHANGED), ("rejected", Again.FLIPPED)):
        recording = changed(TOM, lambda file, status=status: file.update(verdict={"status": status}))
        assert reply_again(recording, BOOK).compared.again is expected


def test_a_verdict_that_is_not_recorded_or_reconstructed_is_compared_with_nothing():
    found = reply_again(changed(TOM, lambda file: file.pop("verdict")), BOOK)
    assert (found.compared.again, found.compared.why, found.then) == (Again.UNDECIDED, "not_recorded", None)
    for place in ("/verdict", "/calls/1/response/choices/0/message/content"):
        recording = changed(TOM, lambda file, place=place: file.update(reconstructed=[place]))
        assert reply_again(recording, BOOK).compared.why == "reconstructed"


def test_a_reply_is_judged_by_what_todays_decisions_look_up(monkeypatch):
    recording = load(next(file for file in RECORDINGS if file.stem == "T-80008"))
    assert reply_again(recording, BOOK).compared.again is Again.UNCHANGED
    monkeypatch.setattr(tools, "run_tool", lambda *_: ({"ok": False, "error": "no"}, "refused: not_found"))
    found = reply_again(recording, BOOK)
    assert found.compared == Compared(Again.FLIPPED, "rejected: status_not_from_lookup")


def test_code_that_crashes_judges_no_reply(monkeypatch):
    def run_tool(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(tools, "run_tool", run_tool)
    found = reply_again(load(TOM), BOOK)
    assert (found.compared, found.then) == (Compared(Again.UNDECIDED, why="crashed"), "valid")


def test_a_loop_without_a_reply_has_none_to_judge():
    assert reply_again(changed(TOM, lambda file: file["calls"].pop()), BOOK) is None
    assert reply_again(changed(TOM, lambda file: file.update(calls=[])), BOOK) is None


def test_a_divergence_names_its_place(monkeypatch):
    shortened(monkeypatch, "own_order")
    assert divergence(load(TOM), BOOK).place == "/decisions/0/outcome"
