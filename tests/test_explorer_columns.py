"""Loops side by side: each cell says what a step of its loop tells and leads there; the first difference is marked."""

import json
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.barriers import Reply
from assistant.decision import CheckResult, Group, State
from assistant.events import Concluded, Decided, Diverged, Proposed, Replied
from assistant.explorer.address import Setting
from assistant.explorer.cards import draw
from assistant.explorer.columns import LINES, first_difference, ladders, table
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.run import Run, caption
from assistant.explorer.view import View
from assistant.sentence import say
from assistant.ticket import Ticket
from assistant.tools import CHECKS
from tests.examples import GOOD_REPLY
from tests.scripted import asking_for, events_of, proposing, replying
from tests.strategies import trying
from tests.test_explorer_markup import read
from tests.test_explorer_run import TICKETS, events, nothing_in_the_environment, recording  # noqa: F401
from tests.test_explorer_site import link_to

HOSTILE = "<img src=x onerror=alert(1)> </td></table> \" ' & \u202e\0"
RUNS = {ticket_id: Run(recording(ticket_id), events(ticket_id)) for ticket_id in TICKETS}
SOME = [*combinations(TICKETS, 2), *combinations(TICKETS, 3), TICKETS]
LANGUAGE = pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)


def runs(ticket_ids=TICKETS):
    return [RUNS[ticket_id] for ticket_id in ticket_ids]


def run_of(all_events, **ticket):
    """A run of other events over a recording with these parts of a ticket."""
    one = recording("T-80008")
    return Run(replace(one, ticket=replace(one.ticket, **ticket)), tuple(all_events))


def drawn(some, setting=Setting(), language=ENGLISH):  # noqa: B008
    return read(table(some, setting, language))


def lines(page):
    """Each line of the table: its heading and its cells."""
    return {row.one("th").text: list(row.all("td")) for row in page.one("tbody").all("tr")}


def texts(some, language=ENGLISH):
    return {heading: [cell.text for cell in cells] for heading, cells in lines(drawn(some, language=language)).items()}


# The table.


def test_the_table_says_at_a_glance_what_became_of_the_four_proposals():
    told = texts(runs())
    assert list(told) == [str(line.heading) for line in LINES]
    assert told["The log reads"] == [
        "ok",
        "refused: other_customer",
        "refused: not_found",
        "refused: invalid_argument",
    ]
    assert told["Well formed?"] == ["✓yes", "✓yes", "✓yes", "✗no"]
    assert told["Allowed?"] == ["✓yes", "✗no", "✗no", "–not asked"]
    assert told["The reply says"] == [
        "LK-581106, status shipped",
        "LK-615204, status null",
        "names no order",
        "LK-551902, status null",
    ]
    assert told["Verdict"] == ["valid", "valid", "valid", "rejected: order_not_in_ticket"]
    assert told["The model asks for"][0] == 'get_order({"order_id":"LK-581106"})'
    assert told["The model reads"][:2] == ["the order", "No order LK-615204 is available for this customer."]


@LANGUAGE
def test_each_column_is_headed_by_its_ticket_and_what_that_is_about(language):
    heads = drawn(runs(), language=language).one("thead").texts("th")
    assert heads == [f"{ticket_id}{language.tell(caption(ticket_id))}" for ticket_id in TICKETS]


@pytest.mark.parametrize("ticket_ids", SOME, ids=",".join)
def test_each_cell_leads_to_the_step_whose_event_it_is_from(ticket_ids):
    setting = Setting("fr", True)
    found = lines(drawn(runs(ticket_ids), setting))
    for line in LINES:
        for ticket_id, cell in zip(ticket_ids, found[str(line.heading)], strict=True):
            path, address = link_to(cell.one("a").attributes["href"])
            assert (path, address["ticket"], address["lang"], address["present"]) == ("", ticket_id, "fr", "1")
            event = events(ticket_id)[int(address["step"]) - 1]
            assert type(event) is line.kind
            assert read(line.says(event, ENGLISH)).text == cell.text
            assert "data-here" in cell.one("a").attributes


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_what_a_cell_says_stands_on_the_card_of_its_step(ticket_id):
    found = lines(drawn([RUNS[ticket_id]]))
    for heading in ("The model asks for", "The log reads", "Verdict"):
        (cell,) = found[heading]
        step = int(link_to(cell.one("a").attributes["href"])[1]["step"])
        view = View(ENGLISH, recording(ticket_id), {})
        assert cell.text in read(draw(events(ticket_id)[step - 1], step, view)).text


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 6])
def test_a_loop_that_ended_before_says_so_and_leads_nowhere(count):
    (cells,) = zip(*lines(drawn([run_of(events("T-80001")[:count])])).values(), strict=True)
    kinds = {type(event) for event in events("T-80001")[:count]}
    for line, cell in zip(LINES, cells, strict=True):
        assert (cell.text == "not reached") == (line.kind not in kinds)
        assert bool(list(cell.all("a"))) == (line.kind in kinds)


def test_of_several_proposals_the_first_is_told():
    several = events_of(proposing(asking_for("LK-581106"), asking_for("LK-615204", "call_B")), replying(order=None))
    told = texts([run_of(several)])
    assert told["The log reads"] == ["ok"]
    assert "LK-581106" in told["The model asks for"][0]


def test_code_that_tells_no_checks_is_said_not_to_tell():
    decided = events("T-80001")[2]
    silent = replace(decided, decision=replace(decided.decision, checks=()))
    told = texts([run_of([*events("T-80001")[:2], silent])])
    assert (told["Well formed?"], told["Allowed?"]) == (
        ["?this tools.py does not tell"],
        ["?this tools.py does not tell"],
    )


def test_a_check_that_could_not_be_answered_is_no_yes():
    decided = events("T-80008")[2]
    checks = (*decided.decision.checks[:3], replace(decided.decision.checks[3], state=State.UNANSWERED))
    told = texts([run_of([replace(decided, decision=replace(decided.decision, checks=checks))])])
    assert (told["Well formed?"], told["Allowed?"]) == (["✓yes"], ["✗no"])


def test_the_table_of_no_loops_is_a_table():
    assert list(lines(drawn([]))) == [str(line.heading) for line in LINES]


@LANGUAGE
def test_each_line_has_a_heading_of_its_own(language):
    assert len({language.tell(line.heading) for line in LINES}) == len(LINES)
    assert {line.kind for line in LINES} == {Proposed, Decided, Replied, Concluded}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (json.dumps({**GOOD_REPLY, "order": None}), "names no order"),
        ("words", "names no order"),
        ("[]", "names no order"),
        ('{"order": []}', "names no order"),
        ('{"order": {}}', "names no order"),
        ('{"order": "LK-1"}', "names no order"),
        ('{"order": {"order_id": "LK-1"}}', "LK-1, status null"),
        ('{"order": {"order_id": 7, "status": {"a": 1}}}', '7, status {"a": 1}'),
        ('{"order": {"order_id": "LK-1", "order_id": "LK-2"}}', "names no order"),
        (None, "names no order"),
        ([{"type": "text"}], "names no order"),
        ("[" * 10_000, "names no order"),
    ],
)
def test_a_reply_of_any_kind_is_told(content, said):
    assert texts([run_of([Replied(2, Reply(content))])])["The reply says"] == [said]


# The first difference.


def rung(name, state):
    return CheckResult(name, Group.ALLOWED, say("?"), state)


P, F, N, U = State.PASSED, State.FAILED, State.NOT_RUN, State.UNANSWERED


@pytest.mark.parametrize(
    ("states", "name"),
    [
        ([[P, P, P], [P, P, P]], None),
        ([[P, P, P], [P, P, F]], "c"),
        ([[P, P, P], [P, F, N]], "b"),
        ([[F, N, N], [P, F, N]], "a"),
        ([[P, F, N], [P, U, N]], "b"),
        ([[P, P, P], [P, P, P], [P, F, N], [P, P, F]], "b"),
        ([[P, F, N]] * 4, None),
        ([[P, P, P]], None),
        ([[], [P, P, P]], None),
        ([], None),
    ],
)
def test_the_first_difference_is_the_first_check_that_is_not_in_the_same_state_in_all(states, name):
    found = [[rung(each, state) for each, state in zip("abc", some, strict=False)] for some in states]
    assert first_difference(found) == name


@trying(200)
@given(st.lists(st.lists(st.sampled_from([P, F, N]), min_size=3, max_size=3), max_size=4))
def test_all_ladders_are_the_same_before_the_first_difference_and_differ_at_it(states):
    found = first_difference([[rung(each, state) for each, state in zip("abc", some, strict=True)] for some in states])
    differing = [index for index in range(3) if len({some[index] for some in states}) > 1]
    assert found == ("abc"[differing[0]] if differing else None)


DIFFERENCES = {
    ("T-80008", "T-80001"): "own_order",
    ("T-80001", "T-65059"): "order_exists",
    ("T-80008", "T-65059"): "order_exists",
    ("T-80008", "T-80009"): "order_id_form",
    TICKETS: "order_id_form",
}


@LANGUAGE
@pytest.mark.parametrize(("ticket_ids", "name"), DIFFERENCES.items(), ids=[",".join(each) for each in DIFFERENCES])
def test_the_first_difference_is_marked_once_in_each_ladder_in_words(ticket_ids, name, language):
    page = read(ladders(runs(ticket_ids), language))
    (question,) = (language.tell(check.question) for check in CHECKS if check.name == name)
    columns = list(page.all("section", kind="column"))
    assert len(columns) == len(ticket_ids)
    for column in columns:
        (marked,) = column.all("li", kind="differs")
        assert marked.one("p", kind="question").text == question
        assert marked.one("p", kind="first-difference").text == language.tell(say("first difference"))


def test_loops_that_do_not_differ_have_no_mark():
    page = read(ladders([RUNS["T-80001"], RUNS["T-80001"]], ENGLISH))
    assert not list(page.all(kind="differs"))
    assert not list(page.all(kind="first-difference"))


# The ladders.


@LANGUAGE
def test_each_column_has_its_ticket_its_ladder_its_reply_and_its_verdict(language):
    page = read(ladders(runs(), language))
    for ticket_id, column in zip(TICKETS, page.all("section", kind="column"), strict=True):
        assert column.one("h2").text == ticket_id
        decided, replied, concluded = (events(ticket_id)[index] for index in (2, 5, 6))
        assert len(list(column.all("li", kind="rung"))) == len(decided.decision.checks)
        assert json.loads(column.texts("pre")[-1]) == json.loads(replied.reply.content)
        assert column.texts("h3")[-1] == language.tell(say("Two barriers: {verdict}", verdict=concluded.verdict))


def test_why_a_reply_was_rejected_is_said():
    column = list(read(ladders(runs(), ENGLISH)).all("section", kind="column"))[3]
    assert "LK-551902 does not appear in the ticket." in column.texts("p", kind="note")


def test_a_loop_that_left_its_recording_has_the_ladder_and_no_reply():
    left = [*events("T-80001")[:3], Diverged("/decisions/0", say("x"), "1", "2")]
    (column,) = read(ladders([run_of(left)], ENGLISH)).all("section", kind="column")
    assert list(column.all("ol", kind="ladder"))
    assert "The reply" not in column.texts("h3")


@pytest.mark.parametrize("count", [0, 1, 2])
def test_loops_without_a_decision_are_drawn_beside_one_with(count):
    page = read(ladders([RUNS["T-80001"], run_of(events("T-80008")[:count], id="T-1")], ENGLISH))
    assert page.texts("h2") == ["T-80001", "T-1"]


# Text from outside.


@LANGUAGE
def test_nothing_in_a_loop_takes_effect(language):
    hostile = {"order_id": HOSTILE, "status": HOSTILE}
    call = {"id": HOSTILE, "type": "function", "function": {"name": HOSTILE, "arguments": HOSTILE}}
    ticket = Ticket("T-1", HOSTILE, HOSTILE)
    for response in (replying(order=hostile), {"choices": [{"message": {"content": HOSTILE, "refusal": HOSTILE}}]}):
        some = [run_of(events_of(proposing(call), response, ticket=ticket), customer_id=HOSTILE, text=HOSTILE)] * 2
        page = read(table(some, Setting(), language) + ladders(some, language))
        assert not {"img", "script", "b"} & {each.tag for each in page.all()}
        assert "<img src=x onerror=alert(1)>" in page.text
        assert all(link.attributes["href"].startswith("./?ticket=") for link in page.all("a"))
