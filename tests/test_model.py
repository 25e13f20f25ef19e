"""A live model's decision log."""

import json
import logging
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given

from assistant.events import Concluded, Decided, Proposed
from assistant.loop import run_loop
from assistant.model import LOG, log_line
from assistant.orders import OrderBook
from assistant.recording import load
from assistant.replay import RecordedModel
from assistant.ticket import Ticket
from assistant.tools import decide
from tests import strategies
from tests.examples import TICKET
from tests.scripted import BOOK, Scripted, asking_for, events_of, proposing, replying
from tests.test_recording import RECORDINGS

FIELDS = ["time", "ticket", "customer", "tool", "arguments", "outcome", "failed_check"]
HOSTILE = 'x\n{"outcome": "ok"}\r\n\u2028\u2029\x85\x0b\x0c\x1e"\\"\x00\x1b[2J\ud800 %s %(name)s {0}'


@pytest.fixture
def log(caplog):
    """The lines of the decision log."""
    caplog.set_level(logging.INFO, logger=LOG.name)
    return lambda: [record.getMessage() for record in caplog.records if record.name == LOG.name]


def decided(name, arguments, customer_id="C-1"):
    return Decided(Proposed(1, 1, 1, "call_A", False, name, arguments), decide(name, arguments, customer_id, BOOK), 0.0)


def test_a_live_run_logs_each_decision_as_one_json_line(log):
    events_of(proposing(asking_for("LK-581106"), asking_for("LK-615204", "call_B")), replying())
    lines = [json.loads(line) for line in log()]
    assert [list(line) for line in lines] == [FIELDS, FIELDS]
    assert [line["outcome"] for line in lines] == ["ok", "refused: other_customer"]
    assert [line["failed_check"] for line in lines] == [None, "own_order"]


def test_a_line_says_who_asked_for_what_and_when(log):
    events_of(proposing(asking_for("LK-55190")), replying())
    line = json.loads(log()[0])
    assert abs(datetime.now(UTC) - datetime.fromisoformat(line.pop("time"))) < timedelta(seconds=5)
    assert line == {
        "ticket": TICKET.id,
        "customer": "C-81265",
        "tool": "get_order",
        "arguments": '{"order_id": "LK-55190"}',
        "outcome": "refused: invalid_argument",
        "failed_check": "order_id_form",
    }


def test_an_error_is_logged_apart_from_refusals(log):
    book = OrderBook()
    book.close()
    events_of(proposing(asking_for("LK-581106")), replying(), book=book)
    assert json.loads(log()[0])["outcome"] == "error: order_book_unavailable"


def test_a_decision_is_logged_before_the_model_hears_of_it(log):
    for event in run_loop(TICKET, Scripted(proposing(asking_for("LK-581106")), replying()), BOOK):
        if isinstance(event, Decided):
            break
    assert len(log()) == 1


def test_a_run_without_a_proposal_logs_nothing(log):
    events_of(replying(order=None))
    assert log() == []


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.stem)
def test_a_replay_logs_nothing(log, file):
    recording = load(file)
    events = list(run_loop(recording.ticket, RecordedModel(recording), BOOK))
    assert isinstance(events[-1], Concluded)
    assert log() == []


def test_hostile_text_cannot_end_a_line_or_forge_one(tmp_path):
    handler = logging.FileHandler(tmp_path / "decisions.log", encoding="utf-8")
    level = LOG.level
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        calls = [{"id": "a", "function": {"name": HOSTILE, "arguments": HOSTILE}}] * 2
        events_of(proposing(*calls), replying(order=None), ticket=Ticket(HOSTILE, HOSTILE, HOSTILE))
    finally:
        LOG.setLevel(level)
        LOG.removeHandler(handler)
        handler.close()
    lines = (tmp_path / "decisions.log").read_bytes().decode("ascii").splitlines()
    assert len(lines) == 2
    for line in map(json.loads, lines):
        assert line["outcome"] == "refused: unknown_tool"
        assert line["ticket"] == line["customer"] == line["tool"] == line["arguments"] == HOSTILE


@strategies.trying(300)
@given(strategies.text | strategies.anything, strategies.text | strategies.anything, strategies.text)
@example(HOSTILE, HOSTILE, HOSTILE)
def test_any_proposal_is_logged_in_one_line_of_ascii(name, arguments, ticket_id):
    line = log_line(Ticket(ticket_id, None, ""), decided(name, arguments))
    assert line.isascii()
    assert line.isprintable()
    read = json.loads(line)
    assert list(read) == FIELDS
    assert (read["ticket"], read["customer"]) == (ticket_id, None)
    for logged, sent in ((read["tool"], name), (read["arguments"], arguments)):
        assert logged == sent if isinstance(sent, str) else isinstance(logged, str | None)


@pytest.mark.parametrize(
    ("sent", "logged"),
    [
        (None, None),
        ("", ""),
        ({"order_id": "LK-581106"}, '{"order_id": "LK-581106"}'),
        (5, "5"),
        ([None], "[null]"),
        (b"LK-581106", "(not JSON)"),
        ({(1, 2): 3}, "(not JSON)"),
        ({1, 2}, "(not JSON)"),
    ],
)
def test_arguments_that_are_not_text_are_logged_as_json_text(sent, logged):
    assert json.loads(log_line(TICKET, decided("get_order", sent)))["arguments"] == logged


def test_arguments_nested_without_end_are_logged_too():
    endless = []
    endless.append(endless)
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for sent in (endless, deep):
        assert json.loads(log_line(TICKET, decided("get_order", sent)))["arguments"] == "(not JSON)"
