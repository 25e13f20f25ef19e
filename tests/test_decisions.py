"""What the five checks guarantee beyond the lesson's cases."""

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.barriers import BUSINESS_RULES
from assistant.decision import Group, State
from assistant.orders import OrderBook
from assistant.strict_json import read_json
from assistant.tools import (
    CHECKS,
    GET_ORDER,
    MAX_ARGUMENTS,
    TOOLS,
    LookupUnavailable,
    ToolRefused,
    decide,
    get_order,
    run_tool,
)
from tests import strategies
from tests.books import HALF_ANSWERING, UNANSWERING, SpyingBook, write_book, writing
from tests.examples import MALFORMED, OWN_ORDER, OWN_ORDER_FOR_THE_MODEL, REFUSALS, UNOWNED_ORDER

BOOK = OrderBook()
STATES = [check.name for check in CHECKS]
UNAVAILABLE = {"ok": False, "error": "The order lookup is unavailable right now."}
OUTCOMES = {"ok", "error: order_book_unavailable"} | {f"refused: {check.code}" for check in CHECKS}

every_refusal = pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.title)
every_malformed = pytest.mark.parametrize("refusal", MALFORMED, ids=lambda refusal: refusal.title)


def decision_on(refusal, book=BOOK):
    return decide(refusal.name, refusal.arguments, refusal.customer_id, book)


def states_of(decision):
    return [check.state for check in decision.checks]


# The table of checks


def test_there_are_five_checks_in_the_designs_order():
    assert [(check.code, check.group) for check in CHECKS] == [
        ("unknown_tool", Group.WELL_FORMED),
        ("invalid_argument", Group.WELL_FORMED),
        ("invalid_argument", Group.WELL_FORMED),
        ("not_found", Group.ALLOWED),
        ("other_customer", Group.ALLOWED),
    ]


def test_every_check_and_every_code_has_an_example():
    assert {(refusal.check, refusal.code) for refusal in REFUSALS} == {(check.name, check.code) for check in CHECKS}


def test_checks_and_business_rules_share_no_code():
    assert not {check.code for check in CHECKS} & {rule.code for rule in BUSINESS_RULES}


def test_the_tool_is_described_in_the_chat_completions_shape():
    assert [GET_ORDER] == TOOLS
    assert set(GET_ORDER) == {"type", "function"}
    function = GET_ORDER["function"]
    assert (GET_ORDER["type"], function["name"], function["strict"]) == ("function", "get_order", True)
    assert function["parameters"]["required"] == ["order_id"]


def test_the_tools_order_id_is_a_plain_string_and_its_form_stands_in_the_description_only():
    order_id = GET_ORDER["function"]["parameters"]["properties"]["order_id"]
    assert set(order_id) == {"type", "description"}
    assert order_id["type"] == "string"
    assert "LK- followed by 6 digits" in order_id["description"]


# What is refused, and how


@every_refusal
def test_each_example_is_refused_by_its_check_with_its_code_in_its_exact_words(refusal):
    decision = decision_on(refusal)
    assert decision.outcome == f"refused: {refusal.code}"
    assert decision.failed_check == refusal.check
    assert decision.result == {"ok": False, "error": refusal.message}


@every_refusal
def test_the_checks_pass_up_to_the_one_that_fails_and_the_rest_is_not_run(refusal):
    place = STATES.index(refusal.check)
    assert states_of(decision_on(refusal)) == [State.PASSED] * place + [State.FAILED] + [State.NOT_RUN] * (4 - place)


@every_refusal
def test_what_was_asked_has_its_evidence_and_what_was_not_has_none(refusal):
    for check in decision_on(refusal).checks:
        assert bool(check.evidence and str(check.evidence)) == (check.state is not State.NOT_RUN)


@every_refusal
def test_run_tool_tells_the_same_decision(refusal):
    decision = decision_on(refusal)
    pair = run_tool(refusal.name, refusal.arguments, refusal.customer_id, BOOK)
    assert pair == (decision.result, decision.outcome)


@every_refusal
def test_a_refusal_stays_short_also_in_its_evidence(refusal):
    decision = decision_on(refusal)
    assert len(json.dumps(decision.result)) < 2000
    assert all(len(str(check.evidence or "")) < 300 for check in decision.checks)


@every_malformed
def test_what_is_malformed_never_reaches_the_order_book(refusal):
    book = SpyingBook()
    decision = decision_on(refusal, book)
    assert book.questions == []
    assert not decision.order_book_asked


@every_malformed
def test_what_is_malformed_is_refused_in_the_same_words_to_anyone(refusal):
    results = [decide(refusal.name, refusal.arguments, who, BOOK).result for who in ("C-38852", "C-81265", None)]
    assert results == [decision_on(refusal).result] * 3


def test_an_order_that_exists_and_one_that_does_not_are_refused_in_the_same_bytes():
    book = OrderBook()
    other, outcome_of_other = run_tool("get_order", '{"order_id":"LK-615204"}', "C-20417", book)
    book._connection.execute("PRAGMA query_only = OFF")
    book._connection.execute("DELETE FROM orders WHERE order_id = 'LK-615204'")
    missing, outcome_of_missing = run_tool("get_order", '{"order_id":"LK-615204"}', "C-20417", book)
    assert json.dumps(other) == json.dumps(missing)
    assert (outcome_of_other, outcome_of_missing) == ("refused: other_customer", "refused: not_found")


def test_evidence_does_not_say_whose_another_customers_order_is():
    decision = decide("get_order", '{"order_id":"LK-615204"}', "C-20417", BOOK)
    assert "another customer" in str(decision.checks[4].evidence)
    assert "C-38852" not in repr(decision)
    assert "garden shed" not in repr(decision)


@pytest.mark.parametrize("customer_id", [None, "", "C-20417", "None", "null"])
def test_an_order_without_an_owner_is_given_to_nobody(customer_id):
    result, outcome = run_tool("get_order", json.dumps({"order_id": UNOWNED_ORDER}), customer_id, BOOK)
    assert outcome == "refused: other_customer"
    assert result["ok"] is False


@pytest.mark.parametrize("owner", [None, "", 0, 81265])
@pytest.mark.parametrize("customer_id", [None, "", 0, 81265, False])
def test_no_customer_and_no_owner_match_nobody(tmp_path, owner, customer_id):
    book = OrderBook(write_book(tmp_path / "orders.db", [("LK-581106", owner, "shipped")]))
    assert decide("get_order", '{"order_id":"LK-581106"}', customer_id, book).outcome == "refused: other_customer"


def test_a_further_key_is_refused_even_when_it_names_the_right_customer():
    arguments = '{"order_id":"LK-428830","customer_id":"C-44702"}'
    assert run_tool("get_order", arguments, "C-81265", BOOK)[1] == "refused: invalid_argument"
    assert run_tool("get_order", arguments, "C-44702", BOOK)[1] == "refused: invalid_argument"


def test_arguments_up_to_the_limit_are_read():
    arguments = '{"order_id":"LK-581106"}'
    padded = arguments + " " * (MAX_ARGUMENTS - len(arguments))
    assert MAX_ARGUMENTS == 4096
    assert run_tool("get_order", padded, "C-81265", BOOK)[1] == "ok"
    assert run_tool("get_order", padded + " ", "C-81265", BOOK)[1] == "refused: invalid_argument"


def test_arguments_are_refused_for_their_length_before_they_are_parsed():
    brackets = "[" * 50_000_000
    started = time.process_time()
    run_tool("get_order", brackets, "C-81265", BOOK)
    assert time.process_time() - started < 0.01


@pytest.mark.parametrize("arguments", ['{ "order_id" :\n"LK-581106" }', '{"\\u006frder_id":"\\u004cK-581106"}'])
def test_another_spelling_of_the_same_json_is_not_refused(arguments):
    assert run_tool("get_order", arguments, "C-81265", BOOK) == (
        {"ok": True, "order": OWN_ORDER_FOR_THE_MODEL},
        "ok",
    )


# What is granted


def test_after_five_yeses_the_customer_gets_the_order_without_its_owner():
    decision = decide(*OWN_ORDER, BOOK)
    assert decision.outcome == "ok"
    assert decision.failed_check is None
    assert states_of(decision) == [State.PASSED] * 5
    assert decision.result == {"ok": True, "order": OWN_ORDER_FOR_THE_MODEL}


def test_the_order_book_is_asked_for_the_owner_first_and_for_the_order_last():
    book = SpyingBook()
    decision = decide(*OWN_ORDER, book)
    assert book.questions == [("owner", "LK-581106"), ("find", "LK-581106")]
    assert [check.order_book_asked for check in decision.checks] == [False, False, False, True, False]


@every_refusal
def test_an_order_is_never_read_for_a_refusal(refusal):
    book = SpyingBook()
    decision_on(refusal, book)
    assert [question for question, _ in book.questions] == (["owner"] if refusal not in MALFORMED else [])


@pytest.mark.parametrize("change", ["DELETE FROM orders", "UPDATE orders SET customer_id = 'C-38852'"])
def test_an_order_that_changes_hands_between_both_questions_is_not_handed_out(tmp_path, change):
    path = write_book(tmp_path / "orders.db", [("LK-581106", "C-81265", "shipped")])

    class ChangingBook(OrderBook):
        def owner(self, order_id):
            owner = super().owner(order_id)
            with writing(path) as connection:
                connection.execute(change)
            return owner

    decision = decide(*OWN_ORDER, ChangingBook(path))
    assert (decision.outcome, decision.result) == ("error: order_book_unavailable", UNAVAILABLE)


# get_order


def test_get_order_returns_the_order_without_its_owner():
    assert get_order("LK-581106", "C-81265", BOOK) == OWN_ORDER_FOR_THE_MODEL


@pytest.mark.parametrize("refusal", REFUSALS[-20:], ids=lambda refusal: refusal.title)
def test_get_order_raises_the_refusal_with_code_and_words(refusal):
    with pytest.raises(ToolRefused) as refused:
        get_order(json.loads(refusal.arguments)["order_id"], refusal.customer_id, BOOK)
    assert (refused.value.code, str(refused.value)) == (refusal.code, refusal.message)


@pytest.mark.parametrize(
    "order_id", ["LK-55190", "LK-581106\n", "x" * 5000, "\ud800", "", None, 581106, b"LK-581106", {}]
)
def test_get_order_refuses_a_malformed_id_in_the_words_of_the_third_check(order_id):
    with pytest.raises(ToolRefused, match=r"^The order ID must be LK- followed by 6 digits\.$") as refused:
        get_order(order_id, "C-81265", BOOK)
    assert refused.value.code == "invalid_argument"


def test_get_order_raises_when_the_order_book_cannot_answer():
    book = OrderBook()
    book.close()
    with pytest.raises(ToolRefused, match="unavailable") as refused:
        get_order("LK-581106", "C-81265", book)
    assert refused.value.code == "order_book_unavailable"


# A failing order book


@pytest.mark.parametrize("broken", UNANSWERING)
def test_a_failing_order_book_is_an_error_and_never_a_missing_order(tmp_path, broken):
    with broken(tmp_path) as book:
        started = time.perf_counter()
        decision = decide(*OWN_ORDER, book)
        assert time.perf_counter() - started < 2
    assert decision.outcome == f"error: {LookupUnavailable.code}" == "error: order_book_unavailable"
    assert decision.result == UNAVAILABLE
    assert states_of(decision) == [State.PASSED] * 3 + [State.UNANSWERED, State.NOT_RUN]
    assert decision.failed_check == "order_exists"
    assert decision.checks[3].order_book_asked


@pytest.mark.parametrize("broken", HALF_ANSWERING)
def test_a_book_that_fails_after_the_checks_is_an_error_too(tmp_path, broken):
    with broken(tmp_path) as book:
        decision = decide(*OWN_ORDER, book)
    assert (decision.outcome, decision.result) == ("error: order_book_unavailable", UNAVAILABLE)
    assert states_of(decision) == [State.PASSED] * 5
    assert decision.failed_check is None


@pytest.mark.parametrize("broken", UNANSWERING)
def test_a_failing_order_book_changes_nothing_for_a_malformed_proposal(tmp_path, broken):
    with broken(tmp_path) as book:
        assert run_tool("get_order", '{"order_id":"LK-55190"}', "C-88930", book)[1] == "refused: invalid_argument"


def test_another_customers_broken_order_is_refused_like_any_other(tmp_path):
    path = write_book(tmp_path / "orders.db", [("LK-581106", "C-81265", "shipped")])
    with writing(path) as connection:
        connection.execute("UPDATE order_items SET product = x'00ff'")
    assert run_tool("get_order", '{"order_id":"LK-581106"}', "C-20417", OrderBook(path))[1] == "refused: other_customer"


# Whatever is proposed


@strategies.trying(600)
@given(strategies.names, strategies.arguments, strategies.customers | strategies.anything)
def test_no_input_raises_and_every_decision_is_whole(name, arguments, customer_id):
    decision = decide(name, arguments, customer_id, BOOK)
    assert decision.outcome in OUTCOMES - {"error: order_book_unavailable"}
    assert run_tool(name, arguments, customer_id, BOOK) == (decision.result, decision.outcome)
    assert [check.name for check in decision.checks] == STATES
    assert re.fullmatch("(passed )*(failed )?(not run )*", "".join(f"{state} " for state in states_of(decision)))
    assert decision.result["ok"] == (decision.outcome == "ok") == (states_of(decision) == [State.PASSED] * 5)
    assert len(json.dumps(decision.result)) < 2000
    if isinstance(name, str) and len(name) > 64:
        assert name not in decision.result["error"]
    if decision.checks[3].state is State.NOT_RUN:
        assert not decision.order_book_asked


@strategies.trying(600)
@given(strategies.nearly_right(), strategies.customers)
def test_only_the_exact_proposal_of_the_orders_owner_gets_an_order(arguments, customer_id):
    result, outcome = run_tool("get_order", arguments, customer_id, BOOK)
    if outcome == "ok":
        order_id = result["order"]["order_id"]
        assert read_json(arguments) == {"order_id": order_id}
        assert customer_id
        assert BOOK.owner(order_id).customer_id == customer_id
        assert "customer_id" not in result["order"]


POOL = [f"LK-10000{digit}" for digit in range(8)]
others_orders = st.dictionaries(
    st.sampled_from(POOL),
    st.tuples(st.sampled_from(["C-2", "C-3", "C-11", "c-1", "", None]), st.sampled_from(["shipped", "delivered"])),
)
own_orders = st.sets(st.sampled_from(POOL), max_size=3)
pool_proposals = st.lists(
    st.builds(lambda order_id: json.dumps({"order_id": order_id}), st.sampled_from(POOL))
    | strategies.nearly_right()
    | st.builds(lambda one, two: f'{{"order_id":"{one}","order_id":"{two}"}}', *[st.sampled_from(POOL)] * 2)
    | st.builds(lambda one: f'{{"order_id":"{one}","customer_id":"C-2"}}', st.sampled_from(POOL)),
    min_size=1,
    max_size=4,
)


@strategies.trying(120)
@given(own_orders, others_orders, others_orders, pool_proposals)
def test_the_model_learns_nothing_of_other_customers(tmp_path_factory, own, some, others, proposals):
    folder = tmp_path_factory.getbasetemp()
    mine = [(order_id, "C-1", "shipped") for order_id in sorted(own)]
    books = []
    for name, theirs in (("some.db", some), ("others.db", others)):
        rows = [(order_id, *row) for order_id, row in theirs.items() if order_id not in own]
        books.append(OrderBook(write_book(folder / name, mine + rows)))
    for arguments in [*proposals, *(json.dumps({"order_id": order_id}) for order_id in POOL)]:
        results = [run_tool("get_order", arguments, "C-1", book)[0] for book in books]
        assert json.dumps(results[0]) == json.dumps(results[1])
    for book in books:
        book.close()
