"""A live model's decision log."""

import json
import logging
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given

from assistant.decision import Decision
from assistant.events import Concluded, Decided, Proposed
from assistant.loop import MAX_MODEL_CALLS, run_loop
from assistant.model import LOG, log_line
from assistant.orders import OrderBook
from assistant.recording import load
from assistant.replay import RecordedModel
from assistant.ticket import Ticket
from assistant.tools import decide
from tests import strategies
from tests.examples import BAD_REPLIES, OWN_ORDER_FOR_THE_MODEL, REFUSALS, TICKET
from tests.scripted import BOOK, Scripted, asking_for, events_of, only, proposing, replying
from tests.test_recording import RECORDINGS

HEAD = ["time", "run", "ticket", "customer"]
FIELDS = [*HEAD, "tool", "arguments", "not_text", "outcome", "failed_check", "told"]
END_FIELDS = [*HEAD, "verdict", "broken"]
HOSTILE = 'x\n{"outcome": "ok"}\r\n\u2028\u2029\x85\x0b\x0c\x1e"\\"\x00\x1b[2J\ud800 %s %(name)s {0}'


@pytest.fixture
def log(caplog):
    """The lines of the decision log."""
    caplog.set_level(logging.INFO, logger=LOG.name)
    return lambda: [record.getMessage() for record in caplog.records if record.name == LOG.name]


def read(lines):
    """What the lines hold: those of decisions, and those that end a run."""
    found = [json.loads(line) for line in lines]
    return [each for each in found if "outcome" in each], [each for each in found if "outcome" not in each]


def run(model, *, ticket=TICKET, book=BOOK, **options):
    """Run the loop with a model that is kept for further runs."""
    return list(run_loop(ticket, model, book, **options))


def decided(name, arguments, customer_id="C-1"):
    return Decided(Proposed(1, 1, 1, "call_A", False, name, arguments), decide(name, arguments, customer_id, BOOK), 0.0)


def test_a_live_run_logs_each_decision_as_one_json_line(log):
    events_of(proposing(asking_for("LK-581106"), asking_for("LK-615204", "call_B")), replying())
    assert [list(json.loads(line)) for line in log()] == [FIELDS, FIELDS, END_FIELDS]
    lines, _ = read(log())
    assert [line["outcome"] for line in lines] == ["ok", "refused: other_customer"]
    assert [line["failed_check"] for line in lines] == [None, "own_order"]


def test_a_line_says_who_asked_for_what_and_when(log):
    events_of(proposing(asking_for("LK-55190")), replying())
    line = json.loads(log()[0])
    assert abs(datetime.now(UTC) - datetime.fromisoformat(line.pop("time"))) < timedelta(seconds=5)
    assert line.pop("run")
    assert line == {
        "ticket": TICKET.id,
        "customer": "C-81265",
        "tool": "get_order",
        "arguments": '{"order_id": "LK-55190"}',
        "not_text": [],
        "outcome": "refused: invalid_argument",
        "failed_check": "order_id_form",
        "told": "The order ID must be LK- followed by 6 digits.",
    }


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.title)
def test_a_line_says_what_the_model_was_told_in_place_of_an_order(refusal):
    line = json.loads(log_line(TICKET, decided(refusal.name, refusal.arguments, refusal.customer_id)))
    assert (line["outcome"], line["failed_check"]) == (f"refused: {refusal.code}", refusal.check)
    assert line["told"] == refusal.message


def test_a_line_of_an_ok_says_nothing_that_the_model_was_told():
    line = json.loads(log_line(TICKET, decided("get_order", '{"order_id":"LK-581106"}', "C-81265")))
    assert (line["outcome"], line["told"]) == ("ok", None)


def test_no_line_holds_anything_of_an_order(log):
    """But for its ID, which the model proposed."""
    proposal = proposing(asking_for("LK-581106"), asking_for("LK-615204", "call_B"))
    [found, refused] = [event.decision.result for event in only(Decided, events_of(proposal, replying()))]
    assert found["order"] == OWN_ORDER_FOR_THE_MODEL
    assert set(refused) == {"ok", "error"}
    lines = [json.loads(line) for line in log()]
    text = json.dumps([{**line, "time": None, "run": None} for line in lines])
    assert "LK-581106" in text
    for secret in ("shipped", "2026-10-01", "2026-10-05", "899", "CAD", "garden shed", "unit_price", "C-38852"):
        assert secret not in text


def test_what_a_learners_tool_returns_is_no_text_for_the_log_unless_it_is_text():
    made = Decided(Proposed(1, 1, 1, "call_A", False, "get_order", "{}"), Decision("ok", {"error": {"a": 1}}), 0.0)
    assert json.loads(log_line(TICKET, made))["told"] is None


# Runs


def test_the_decisions_and_the_end_of_one_run_have_one_name(log):
    events_of(proposing(asking_for("LK-581106")), proposing(asking_for("LK-615204", "call_B")), replying())
    decisions, ends = read(log())
    assert (len(decisions), len(ends)) == (2, 1)
    assert len({line["run"] for line in [*decisions, *ends]}) == 1


def test_two_runs_of_one_ticket_have_different_names_also_with_one_model(log):
    model = Scripted(*[proposing(asking_for("LK-581106")), replying()] * 2)
    run(model)
    run(model)
    decisions, ends = read(log())
    assert len({line["run"] for line in decisions}) == 2
    assert [line["run"] for line in decisions] == [line["run"] for line in ends]


def test_a_run_that_broke_off_does_not_give_its_name_to_the_next(log):
    model = Scripted(proposing(asking_for("LK-581106")), proposing(asking_for("LK-615204")), replying())
    next(event for event in run_loop(TICKET, model, BOOK) if isinstance(event, Decided))
    run(model)
    decisions, [end] = read(log())
    assert decisions[0]["run"] != decisions[1]["run"] == end["run"]


def test_a_model_that_runs_for_years_remembers_no_run_that_has_ended():
    model = Scripted(proposing(asking_for("LK-581106")), replying(), proposing(asking_for("LK-581106")))
    run(model)
    run(model, max_model_calls=1)
    assert model._runs == {}


def test_runs_of_two_tickets_at_once_with_one_model_are_told_apart(log):
    model = Scripted(*[proposing(asking_for("LK-581106"))] * 2, replying())
    tickets = [TICKET, Ticket("T-2", "C-20417", TICKET.text)]
    loops = [run_loop(ticket, model, BOOK) for ticket in tickets]
    for each in loops:
        next(event for event in each if isinstance(event, Decided))
    for each in loops:
        assert isinstance(list(each)[-1], Concluded)
    decisions, ends = read(log())
    assert [line["ticket"] for line in ends] == ["T-1", "T-2"]
    assert [line["run"] for line in decisions] == [line["run"] for line in ends]
    assert len({line["run"] for line in ends}) == 2


def test_a_runs_end_says_the_verdict_and_when_it_was_given(log):
    events_of(proposing(asking_for("LK-581106")), replying())
    [line], [end] = read(log())
    assert datetime.fromisoformat(line["time"]) <= datetime.fromisoformat(end["time"]) <= datetime.now(UTC)
    assert (end["ticket"], end["customer"]) == (TICKET.id, TICKET.customer_id)
    assert (end["verdict"], end["broken"]) == ("valid", [])


@pytest.mark.parametrize("bad", [bad for bad in BAD_REPLIES if bad.looked_up], ids=lambda bad: bad.title)
def test_a_runs_end_names_the_rules_that_the_reply_broke(log, bad):
    content, refusal, finish_reason = bad.reply
    reply = {"choices": [{"message": {"content": content, "refusal": refusal}, "finish_reason": finish_reason}]}
    asked = [asking_for(order_id, order_id) for order_id in bad.looked_up]
    [*_, end] = events_of(proposing(*asked), reply)
    assert json.loads(log()[-1])["broken"] == list(end.verdict.broken) == [bad.code]
    assert json.loads(log()[-1])["verdict"] == "rejected"


def test_a_run_without_a_reply_ends_without_a_verdict(log):
    events_of(proposing(asking_for("LK-581106")))
    decisions, [end] = read(log())
    assert len(decisions) == MAX_MODEL_CALLS
    assert (end["verdict"], end["broken"]) == (None, [])
    assert {line["run"] for line in decisions} == {end["run"]}


def test_an_error_is_logged_apart_from_refusals(log):
    book = OrderBook()
    book.close()
    events_of(proposing(asking_for("LK-581106")), replying(), book=book)
    [line], _ = read(log())
    assert (line["outcome"], line["told"]) == (
        "error: order_book_unavailable",
        "The order lookup is unavailable right now.",
    )


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
    decisions, [end] = read(lines)
    assert len(decisions) == 2
    for line in decisions:
        assert line["outcome"] == "refused: unknown_tool"
        assert line["tool"] == line["arguments"] == HOSTILE
    for line in [*decisions, end]:
        assert line["ticket"] == line["customer"] == HOSTILE


@strategies.trying(300)
@given(strategies.text | strategies.anything, strategies.text | strategies.anything, strategies.text)
@example(HOSTILE, HOSTILE, HOSTILE)
def test_any_proposal_is_logged_in_one_line_of_ascii(name, arguments, ticket_id):
    line = log_line(Ticket(ticket_id, None, ""), decided(name, arguments))
    assert line.isascii()
    assert line.isprintable()
    found = json.loads(line)
    assert list(found) == FIELDS
    assert (found["ticket"], found["customer"]) == (ticket_id, None)
    for key, sent in (("tool", name), ("arguments", arguments)):
        assert found[key] == sent if isinstance(sent, str) else isinstance(found[key], str | None)
        assert (key in found["not_text"]) is not isinstance(sent, str | None)


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
    line = json.loads(log_line(TICKET, decided("get_order", sent)))
    assert line["arguments"] == logged
    assert line["not_text"] == ([] if isinstance(sent, str | None) else ["arguments"])


def test_text_that_reads_like_json_text_is_told_from_what_was_no_text():
    as_text, as_number = (json.loads(log_line(TICKET, decided(value, value))) for value in ("7", 7))
    assert (as_text["tool"], as_text["arguments"], as_text["not_text"]) == ("7", "7", [])
    assert (as_number["tool"], as_number["arguments"], as_number["not_text"]) == ("7", "7", ["tool", "arguments"])


def test_arguments_nested_without_end_are_logged_too():
    endless = []
    endless.append(endless)
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for sent in (endless, deep):
        assert json.loads(log_line(TICKET, decided("get_order", sent)))["arguments"] == "(not JSON)"
