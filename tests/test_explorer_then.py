"""What is known of a past decision: no more than the record tells, and never an order."""

import pytest

from assistant.decision import Decision, State
from assistant.explorer.then import WITHHELD, ladder_then, without_order
from assistant.tools import CHECKS, decide
from tests.scripted import BOOK
from tests.test_register import LINE_ROW

NOW = decide("get_order", '{"order_id": "LK-581106"}', "C-81265", BOOK).checks
NAMES = [check.name for check in CHECKS]


def states(outcome, failed_check):
    return [check.state for check in ladder_then({**LINE_ROW, "outcome": outcome, "failed_check": failed_check}, NOW)]


def test_an_allowed_proposal_passed_every_check():
    assert states("ok", None) == [State.PASSED] * len(NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("outcome", "stopped"), [("refused: x", State.FAILED), ("error: x", State.UNANSWERED)])
def test_those_before_the_failed_check_passed_and_none_after_it_was_run(name, outcome, stopped):
    at = NAMES.index(name)
    assert states(outcome, name) == [State.PASSED] * at + [stopped] + [State.NOT_RUN] * (len(NAMES) - at - 1)


@pytest.mark.parametrize(
    ("outcome", "check"), [("refused: x", None), ("refused: x", "gone"), (None, "own_order"), ("x", "own_order")]
)
def test_where_the_record_does_not_tell_there_is_no_ladder(outcome, check):
    assert states(outcome, check) == []


def test_no_evidence_of_today_stands_in_a_ladder_of_the_past():
    ladder = ladder_then({**LINE_ROW, "outcome": "ok", "failed_check": None}, NOW)
    assert {check.evidence for check in ladder} == {None}
    assert not any(check.order_book_asked for check in ladder)


def test_an_order_is_withheld_and_the_fixed_words_are_not():
    allowed = decide("get_order", '{"order_id": "LK-581106"}', "C-81265", BOOK)
    assert without_order(allowed).result == {"ok": True, "order": WITHHELD}
    refused = decide("get_order", '{"order_id": "LK-581106"}', "C-1", BOOK)
    assert without_order(refused) == refused


def test_whatever_else_a_learners_file_returns_is_withheld_too():
    result = {"ok": {"status": "shipped"}, "error": ["shipped"], "status": "shipped", "x": 1}
    assert "shipped" not in repr(without_order(Decision("ok", result)))
