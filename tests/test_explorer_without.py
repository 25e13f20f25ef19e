"""What comes of a case without some checks or rules is what the same runner gives for the same table less these.

The loop itself cannot be given a shorter table.
"""

import inspect
import json
from dataclasses import replace
from functools import partial
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import decision, loop, tools
from assistant.barriers import BUSINESS_RULES, SCHEMA_RULES, Reply, judge_reply, run_barriers
from assistant.decision import STOPPING, Check, Group, Passed, State, Unanswerable, run_checks
from assistant.events import Decided, Diverged
from assistant.explorer import without
from assistant.explorer.cases import ANOTHERS, EXERCISE, INJECTED, MISSING, ProposalCase, ReplyCase, Source, cases
from assistant.explorer.run import replay
from assistant.explorer.without import SCHEMA, Cell, Fate, divergence, leaked, proposal_row, reply_row, telling
from assistant.sentence import say
from assistant.ticket import Ticket
from assistant.tools import CHECKS, ToolCall, run_tool
from tests import strategies
from tests.books import HALF_ANSWERING, UNANSWERING
from tests.examples import BAD_REPLIES, REFUSALS, TICKET
from tests.scripted import BOOK
from tests.test_barriers import finish_reasons, reply_texts
from tests.test_explorer_run import TICKETS, events, nothing_in_the_environment, recording  # noqa: F401

NAMES = [check.name for check in CHECKS]
CODES = [rule.code for rule in BUSINESS_RULES]
PREPARED = cases()
PROPOSALS = {case.name: case for case in (*PREPARED.proposals, MISSING, ANOTHERS)}
REPLIES = {case.name: case for case in PREPARED.replies}

some_checks = st.sets(st.sampled_from(NAMES))
some_rules = st.sets(st.sampled_from(CODES))


def proposal(tool, arguments, customer_id, text="Where is my order LK-581106?"):
    """A case with a name, arguments and a customer of any kind."""
    return ProposalCase("any", say("any"), Source.WRITTEN, Ticket("any", customer_id, text), tool, arguments)


def reply(content, looked_up=None, ticket=TICKET):
    """A case with a reply of any kind."""
    return ReplyCase("any", say("any"), Source.WRITTEN, ticket, looked_up or {}, content)


def every_subset(names):
    return [set(some) for some in chain.from_iterable(combinations(names, count) for count in range(len(names) + 1))]


any_proposal = st.builds(proposal, strategies.names, strategies.arguments, strategies.customers)
# Proposals that random text seldom is: each stopped by a different check, or by several in turn.
told_proposal = st.sampled_from([*PROPOSALS.values(), *(proposal(*refusal[4:]) for refusal in REFUSALS)])


def call_of(case, book=BOOK):
    return ToolCall(case.tool, case.arguments, case.ticket.customer_id, book)


def directly(off, case, book=BOOK):
    """The decision that the runner itself takes over the filtered table, or the exception that it lets out."""
    try:
        return run_checks([check for check in CHECKS if check.name not in off], call_of(case, book), ToolCall.look_up)
    except Exception as error:
        return error


def asked_in_turn(off, case):
    """What became of each check that is left, asked one after the other without the runner."""
    call, became = call_of(case), {}
    for check in CHECKS:
        if check.name in off:
            continue
        if set(became.values()) & {Cell.STOPPED, Cell.CRASHED}:
            became[check.name] = Cell.NOT_RUN
            continue
        try:
            became[check.name] = Cell.PASSED if isinstance(check.ask(call), Passed) else Cell.STOPPED
        except Unanswerable:
            became[check.name] = Cell.STOPPED
        except Exception:
            became[check.name] = Cell.CRASHED
    return became


def wanted_cells(off, case):
    """The cells that a row has to have."""
    stops = directly((), case).failed_check
    became = asked_in_turn(off, case)
    cells = {}
    for name in NAMES:
        if name in off:
            cells[name] = Cell.MISSED if name == stops else Cell.OFF
        else:
            cells[name] = Cell.LATER if became[name] is Cell.STOPPED and name != stops else became[name]
    return cells


def wanted_fate(off, case):
    """What a person would say became of it, from the decisions with and without, and whose the order is."""
    ran, full = directly(off, case), directly((), case)
    if isinstance(ran, Exception):
        return Fate.CRASH
    if (ran.outcome, ran.failed_check) == (full.outcome, full.failed_check):
        return Fate.SAME
    if ran.outcome != "ok":
        return Fate.LATER
    order = ran.result["order"]
    if order is None:
        return Fate.EMPTY
    owner = BOOK.find(order["order_id"])["customer_id"]
    return Fate.THROUGH if owner and owner == case.ticket.customer_id else Fate.LEAK


# Any proposal, any checks.


@strategies.trying(400)
@given(some_checks, any_proposal | told_proposal)
def test_a_row_says_what_a_direct_run_over_the_filtered_table_gives(off, case):
    row, ran = proposal_row(off, case, BOOK), directly(off, case)
    if isinstance(ran, Exception):
        assert row.decision is None
        assert (row.crash.name, row.crash.why) == (type(ran).__name__, str(ran))
        assert row.outcome == f"crash: {type(ran).__name__}"
    else:
        assert row.crash is None
        assert (row.decision, row.outcome) == (ran, ran.outcome)
    assert row.verdict is None


@strategies.trying(400)
@given(some_checks, any_proposal | told_proposal)
def test_the_cells_of_a_row_are_what_became_of_each_check_in_that_run(off, case):
    row, ran = proposal_row(off, case, BOOK), directly(off, case)
    assert row.cells == wanted_cells(off, case)
    assert list(row.cells) == NAMES
    if not isinstance(ran, Exception):
        passed = [check.name for check in ran.checks if check.state is State.PASSED]
        assert [name for name, cell in row.cells.items() if cell is Cell.PASSED] == passed
        stopped = [name for name, cell in row.cells.items() if cell in (Cell.STOPPED, Cell.LATER)]
        assert stopped == [check.name for check in ran.checks if check.state in STOPPING]


@strategies.trying(400)
@given(some_checks, any_proposal | told_proposal)
def test_the_fate_of_a_row_is_what_became_of_the_proposal(off, case):
    assert proposal_row(off, case, BOOK).fate is wanted_fate(off, case)


@strategies.trying(200)
@given(any_proposal | told_proposal)
def test_with_nothing_switched_off_a_row_is_what_run_tool_decides(case):
    row = proposal_row((), case, BOOK)
    result, outcome = run_tool(case.tool, case.arguments, case.ticket.customer_id, BOOK)
    assert (row.decision.result, row.decision.outcome, row.outcome, row.full) == (result, outcome, outcome, outcome)
    assert row.fate is Fate.SAME
    assert set(row.cells.values()) <= {Cell.PASSED, Cell.STOPPED, Cell.NOT_RUN}


@strategies.trying(100)
@given(some_checks, any_proposal | told_proposal)
def test_a_row_also_tells_what_all_checks_together_decide(off, case):
    assert proposal_row(off, case, BOOK).full == run_tool(case.tool, case.arguments, case.ticket.customer_id, BOOK)[1]


@strategies.trying(100)
@given(some_checks, any_proposal | told_proposal)
def test_only_an_order_of_somebody_else_is_set_off_as_leaked(off, case):
    row = proposal_row(off, case, BOOK)
    assert (leaked(row)("/order/status") == "leaked") == (row.fate is Fate.LEAK)
    assert leaked(row)("/ok") == ""


@pytest.mark.parametrize("case", PROPOSALS.values(), ids=PROPOSALS)
def test_every_set_of_checks_gives_a_row_for_every_prepared_case(case):
    for off in every_subset(NAMES):
        row = proposal_row(off, case, BOOK)
        assert (row.cells, row.fate) == (wanted_cells(off, case), wanted_fate(off, case)), off


def test_the_prepared_cases_come_to_every_fate_and_every_cell():
    rows = [proposal_row(off, case, BOOK) for off in every_subset(NAMES) for case in PROPOSALS.values()]
    assert {row.fate for row in rows} == set(Fate)
    assert {cell for row in rows for cell in row.cells.values()} == set(Cell)


@pytest.mark.parametrize("made", [*UNANSWERING, *HALF_ANSWERING], ids=lambda made: made.__doc__)
def test_an_order_book_that_cannot_answer_is_no_crash(made, tmp_path):
    case = PROPOSALS["T-80008"]
    with made(tmp_path) as book:
        row = proposal_row((), case, book)
        assert (row.crash, row.outcome, row.fate) == (None, "error: order_book_unavailable", Fate.SAME)
        assert row.cells["order_exists"] is (Cell.STOPPED if made in UNANSWERING else Cell.PASSED)
        assert proposal_row(NAMES, case, book).outcome == "error: order_book_unavailable"


# What each check is for.


def test_without_the_last_check_tom_gets_his_neighbours_order():
    row = proposal_row(["own_order"], PROPOSALS["T-80001"], BOOK)
    order = BOOK.find("LK-615204")
    assert order.pop("customer_id") == "C-38852" != PROPOSALS["T-80001"].ticket.customer_id
    assert (row.outcome, row.fate) == ("ok", Fate.LEAK)
    assert row.decision.result == {"ok": True, "order": order}
    assert row.cells == {**dict.fromkeys(NAMES[:-1], Cell.PASSED), "own_order": Cell.MISSED}
    assert row.full == "refused: other_customer"


@pytest.mark.parametrize(
    ("name", "outcome", "fate"),
    [
        ("T-80008", "ok", Fate.SAME),
        ("T-80001", "ok", Fate.LEAK),
        ("T-65059", "ok", Fate.EMPTY),
        ("T-80009", "ok", Fate.EMPTY),
        ("injected", "ok", Fate.LEAK),
        ("exercise-2", "ok", Fate.LEAK),
        ("exercise-4", "ok", Fate.LEAK),
        ("identity", "ok", Fate.LEAK),
        ("nobody", "ok", Fate.LEAK),
        ("refund", "ok", Fate.THROUGH),
        ("quote", "ok", Fate.EMPTY),
        ("sql", "ok", Fate.EMPTY),
        ("digits", "ok", Fate.EMPTY),
        ("list", "ok", Fate.EMPTY),
        ("line-end", "ok", Fate.EMPTY),
        ("words", "crash: NotJson", Fate.CRASH),
        ("no-key", "crash: KeyError", Fate.CRASH),
        ("twice", "crash: TypeError", Fate.CRASH),
    ],
)
def test_without_any_check_whatever_the_model_asks_for_is_looked_up(name, outcome, fate):
    row = proposal_row(NAMES, PROPOSALS[name], BOOK)
    assert (row.outcome, row.fate) == (outcome, fate)
    assert set(row.cells.values()) <= {Cell.OFF, Cell.MISSED}


def test_an_empty_lookup_gives_the_model_nothing():
    assert proposal_row(NAMES, PROPOSALS["T-65059"], BOOK).decision.result == {"ok": True, "order": None}


def test_an_order_of_nobodys_for_nobody_is_a_leak():
    row = proposal_row(["own_order"], PROPOSALS["nobody"], BOOK)
    assert row.case.ticket.customer_id is None
    assert row.fate is Fate.LEAK


def test_a_check_may_be_missed_without_harm_because_a_later_one_stops_the_case():
    row = proposal_row(["order_exists"], PROPOSALS["T-65059"], BOOK)
    assert row.fate is Fate.LATER
    assert (row.cells["order_exists"], row.cells["own_order"]) == (Cell.MISSED, Cell.LATER)
    assert row.decision.result == proposal_row((), PROPOSALS["T-65059"], BOOK).decision.result


def test_a_check_that_relies_on_one_that_is_switched_off_crashes_and_is_named():
    row = proposal_row(["exact_arguments"], PROPOSALS["words"], BOOK)
    assert (row.crash.name, row.crash.check) == ("NotJson", "order_id_form")
    assert [row.cells[name] for name in NAMES] == [
        Cell.PASSED,
        Cell.MISSED,
        Cell.CRASHED,
        Cell.NOT_RUN,
        Cell.NOT_RUN,
    ]


def test_a_crash_in_the_look_up_is_laid_on_no_check():
    assert proposal_row(NAMES, PROPOSALS["words"], BOOK).crash.check is None


# A table of one's own.


def raises(call):
    """A learner's check with a mistake in it."""
    return {}[call.name]


BROKEN = Check("broken", "broken", Group.WELL_FORMED, say("Is it broken?"), raises)


def test_a_check_that_crashes_by_itself_is_told_and_raises_nothing(monkeypatch):
    monkeypatch.setattr(tools, "CHECKS", (CHECKS[0], BROKEN, *CHECKS[1:]))
    case = PROPOSALS["T-80001"]
    row = proposal_row((), case, BOOK)
    assert (row.outcome, row.full, row.fate) == ("crash: KeyError", "crash: KeyError", Fate.SAME)
    assert (row.crash.check, row.cells["broken"]) == ("broken", Cell.CRASHED)
    row = proposal_row(["broken"], case, BOOK)
    assert (row.outcome, row.full, row.cells["broken"]) == ("refused: other_customer", "crash: KeyError", Cell.MISSED)
    assert row.fate is Fate.LATER
    assert proposal_row(["broken", "own_order"], case, BOOK).fate is Fate.LEAK


def made_for(key):
    """Two checks from one mould share their code."""

    def ask(call):
        return Passed(say("There is {key}.", key={"name": call.name}[key]))

    return ask


class Asking:
    """A check need be no function."""

    def __call__(self, call):
        return raises(call)


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        ("from one mould", [BROKEN._replace(name="sound", ask=made_for("name")), BROKEN._replace(ask=made_for("x"))]),
        ("an object", [BROKEN._replace(ask=Asking())]),
        ("a function with its first values", [BROKEN._replace(ask=partial(raises))]),
    ],
)
def test_a_crash_is_laid_on_the_check_that_was_asked_however_it_is_written(kind, table, monkeypatch):
    monkeypatch.setattr(tools, "CHECKS", (*table, *CHECKS))
    row = proposal_row((), PROPOSALS["T-80001"], BOOK)
    assert (row.crash.check, row.cells["broken"]) == ("broken", Cell.CRASHED), kind


@pytest.mark.parametrize("missing", ["CHECKS", "ToolCall"])
def test_a_tools_file_that_lists_no_checks_for_a_runner_has_none(missing, monkeypatch):
    monkeypatch.delattr(tools, missing)
    assert without.checks() == ()


# Replies.


@strategies.trying(300)
@given(
    some_rules,
    st.builds(
        reply,
        st.builds(Reply, reply_texts | strategies.json_values, strategies.json_values, finish_reasons),
        st.dictionaries(strategies.order_ids, st.sampled_from(["shipped", "delivered"])),
    )
    | st.sampled_from([*REPLIES.values(), *(reply(bad.reply, bad.looked_up) for bad in BAD_REPLIES)]),
)
def test_a_replys_row_says_what_the_barriers_give_without_the_rules(off, case):
    row = reply_row(off, case)
    left = tuple(rule for rule in BUSINESS_RULES if rule.code not in off)
    verdict = run_barriers(SCHEMA_RULES, left, case.reply, case.ticket, case.looked_up)
    full = judge_reply(case.reply, case.ticket, case.looked_up)
    assert (row.verdict, row.outcome, row.full) == (verdict, str(verdict), str(full))
    assert (row.decision, row.crash) == (None, None)
    states = {SCHEMA: verdict.barriers[0].state, **{rule.code: rule.state for rule in verdict.barriers[1].rules}}
    words = {State.PASSED: Cell.PASSED, State.FAILED: Cell.STOPPED, State.NOT_RUN: Cell.NOT_RUN}
    wanted = {name: words[state] for name, state in states.items()}
    switched = {code: Cell.MISSED if code in full.broken else Cell.OFF for code in off}
    assert row.cells == {**wanted, **switched}
    if verdict.broken == full.broken:
        assert row.fate is Fate.SAME
    else:
        assert row.fate is (Fate.LATER if verdict.broken else Fate.THROUGH)
    if not off:
        assert (row.verdict, row.fate) == (full, Fate.SAME)


def test_without_its_rule_the_reply_with_the_invented_order_gets_through():
    row = reply_row(["order_not_in_ticket"], REPLIES["T-80009"])
    assert (row.outcome, row.full, row.fate) == ("valid", "rejected: order_not_in_ticket", Fate.THROUGH)
    assert row.cells == {
        SCHEMA: Cell.PASSED,
        "order_not_in_ticket": Cell.MISSED,
        "status_not_from_lookup": Cell.PASSED,
    }


def test_the_other_rule_may_still_catch_a_reply():
    row = reply_row(["order_not_in_ticket"], REPLIES["other-status"])
    assert (row.outcome, row.fate) == ("rejected: status_not_from_lookup", Fate.LATER)


def test_the_schema_cannot_be_switched_off():
    assert reply_row([SCHEMA, *CODES], REPLIES["fence"]).outcome == "rejected: reply_not_json"


# What would follow.


def test_a_leak_may_be_told_and_no_barrier_catches_it_where_the_ticket_names_the_order():
    off = ["own_order"]
    made_up, verdict = telling(off, proposal_row(off, PROPOSALS["T-80001"], BOOK))
    assert json.loads(made_up.content)["order"] == {"order_id": "LK-615204", "status": "shipped"}
    ticket = PROPOSALS["T-80001"].ticket
    assert verdict == judge_reply(made_up, ticket, {"LK-615204": "shipped"})
    assert str(verdict) == "valid"


def test_a_leak_is_caught_later_where_the_ticket_does_not_name_the_order():
    off = ["own_order"]
    row = proposal_row(off, PROPOSALS["nobody"], BOOK)
    assert str(telling(off, row)[1]) == "rejected: order_not_in_ticket"
    off = ["own_order", "order_not_in_ticket"]
    assert str(telling(off, row)[1]) == "valid"


@strategies.trying(200)
@given(st.sets(st.sampled_from([*NAMES, *CODES])), any_proposal | told_proposal)
def test_a_reply_is_made_up_exactly_where_an_order_got_through_and_it_states_that_order(off, case):
    row = proposal_row(off, case, BOOK)
    told = telling(off, row)
    assert (told is not None) == (row.fate in (Fate.LEAK, Fate.THROUGH))
    if told:
        order = row.decision.result["order"]
        stated = {"order_id": order["order_id"], "status": order["status"]}
        assert json.loads(told[0].content)["order"] == stated
        assert not set(told[1].broken) & set(off)


@pytest.mark.parametrize("name", TICKETS)
def test_nothing_switched_off_leaves_no_recording(name):
    assert divergence(proposal_row((), PROPOSALS[name], BOOK), BOOK) is None
    assert divergence(reply_row((), REPLIES[name]), BOOK) is None


@pytest.mark.parametrize(
    ("name", "off", "place", "recorded", "found"),
    [
        ("T-80001", {"own_order"}, "/decisions/0/outcome", '"refused: other_customer"', '"ok"'),
        ("T-65059", {"order_exists"}, "/decisions/0/outcome", '"refused: not_found"', '"refused: other_customer"'),
        ("T-65059", {"order_exists", "own_order"}, "/decisions/0/outcome", '"refused: not_found"', '"ok"'),
        ("T-80009", {"order_id_form"}, "/decisions/0/outcome", '"refused: invalid_argument"', '"refused: not_found"'),
        ("T-80009", set(NAMES), "/decisions/0/outcome", '"refused: invalid_argument"', '"ok"'),
    ],
)
def test_the_recorded_loop_would_leave_its_recording_at_the_decision(name, off, place, recorded, found):
    left = divergence(proposal_row(off, PROPOSALS[name], BOOK), BOOK)
    assert (left.place, left.recorded, left.found) == (place, recorded, found)


@strategies.trying(60)
@given(some_checks, st.sampled_from(TICKETS))
def test_a_recording_is_left_exactly_where_the_decision_is_not_the_recorded_one(off, name):
    row = proposal_row(off, PROPOSALS[name], BOOK)
    (recorded,) = recording(name).decisions
    same = (row.decision.outcome, row.decision.result) == (recorded["outcome"], recorded["result"])
    left = divergence(row, BOOK)
    assert (left is None) == same
    assert left is None or left.place.startswith("/decisions/0")


def test_a_crash_leaves_the_recording_at_the_decision():
    crashed = without.Crash("KeyError", "'order_id'", None)
    row = without.Row(PROPOSALS["T-80001"], {}, Fate.CRASH, "refused: other_customer", crash=crashed)
    left = divergence(row, BOOK)
    assert (left.place, left.recorded, left.found) == ("/decisions/0", "refused: other_customer", "crash: KeyError")


def test_the_recorded_loop_would_leave_its_recording_at_the_verdict():
    left = divergence(reply_row(["order_not_in_ticket"], REPLIES["T-80009"]), BOOK)
    assert isinstance(left, Diverged)
    assert left.place == "/verdict/status"
    assert divergence(reply_row(["status_not_from_lookup"], REPLIES["T-80009"]), BOOK) is None


@pytest.mark.parametrize("case", [INJECTED, *EXERCISE], ids=lambda case: case.name)
def test_a_case_that_nobody_recorded_leaves_no_recording(case):
    assert divergence(proposal_row(NAMES, case, BOOK), BOOK) is None


# The loop is never concerned.


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        (loop.run_loop, ["ticket", "model", "book", "max_model_calls"]),
        (loop.decide, ["proposal", "ticket", "book"]),
        (tools.run_tool, ["name", "arguments", "customer_id", "book"]),
        (tools.decide, ["name", "arguments", "customer_id", "book"]),
        (tools.get_order, ["order_id", "customer_id", "book"]),
        (judge_reply, ["reply", "ticket", "looked_up"]),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_nothing_that_the_loop_goes_through_takes_a_table(function, parameters):
    assert list(inspect.signature(function).parameters) == parameters


def untimed(all_events):
    return [replace(event, seconds=0.0) if isinstance(event, Decided) else event for event in all_events]


@pytest.mark.parametrize("name", TICKETS)
def test_switching_off_changes_nothing_in_the_loops_own_run(name):
    tables = (tools.CHECKS, BUSINESS_RULES, SCHEMA_RULES, decision.run_checks)
    for off in every_subset(NAMES):
        proposal_row(off, PROPOSALS[name], BOOK)
    reply_row(CODES, REPLIES[name])
    assert (tools.CHECKS, BUSINESS_RULES, SCHEMA_RULES, decision.run_checks) == tables
    assert untimed(replay(recording(name)).events) == untimed(events(name))


def test_a_look_up_that_the_shorter_table_allows_asks_a_check_that_is_switched_off_nothing():
    def never(_call):
        raise AssertionError("asked")

    watched = [replaced._replace(ask=never) if replaced.name == "own_order" else replaced for replaced in CHECKS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tools, "CHECKS", tuple(watched))
        assert without.run_proposal(["own_order"], PROPOSALS["T-80001"], BOOK).outcome == "ok"
