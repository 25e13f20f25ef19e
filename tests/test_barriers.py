"""The two barriers for a reply."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.barriers import BUSINESS_RULES, SCHEMA_RULES, Reply, judge_reply
from assistant.decision import State
from assistant.ticket import Ticket
from tests import strategies
from tests.examples import BAD_REPLIES, GOOD_REPLY, LOOKED_UP, TICKET, reply_on, reply_with

SCHEMA_CODES = [rule.code for rule in SCHEMA_RULES]
BUSINESS_CODES = [rule.code for rule in BUSINESS_RULES]

every_bad_reply = pytest.mark.parametrize("bad", BAD_REPLIES, ids=lambda bad: bad.title)


def states_of(verdict):
    return [[rule.state for rule in barrier.rules] for barrier in verdict.barriers]


def verdict_in(text, order_id):
    """The verdict on a reply that names the order, to a ticket with this text."""
    return judge_reply(reply_on(order_id), Ticket("T-1", "C-1", text), {})


def test_there_are_the_designs_rules_in_order():
    assert SCHEMA_CODES == ["reply_cut_off", "reply_refused", "reply_empty", "reply_not_json", "reply_not_in_schema"]
    assert BUSINESS_CODES == ["order_not_in_ticket", "status_not_from_lookup"]


def test_every_rule_of_both_barriers_has_an_example():
    assert {bad.code for bad in BAD_REPLIES} == {*SCHEMA_CODES, *BUSINESS_CODES}


@every_bad_reply
def test_each_example_is_rejected_by_its_one_rule(bad):
    verdict = judge_reply(bad.reply, TICKET, bad.looked_up)
    assert (verdict.status, verdict.broken) == ("rejected", (bad.code,))


@every_bad_reply
def test_the_second_barrier_is_run_only_after_the_first_has_passed(bad):
    schema, business = judge_reply(bad.reply, TICKET, bad.looked_up).barriers
    if bad.code in SCHEMA_CODES:
        assert (schema.state, business.state) == (State.FAILED, State.NOT_RUN)
        assert {rule.state for rule in business.rules} == {State.NOT_RUN}
    else:
        assert (schema.state, business.state) == (State.PASSED, State.FAILED)


@every_bad_reply
def test_the_first_barrier_stops_at_its_first_broken_rule(bad):
    states = states_of(judge_reply(bad.reply, TICKET, bad.looked_up))[0]
    place = SCHEMA_CODES.index(bad.code) if bad.code in SCHEMA_CODES else 5
    assert states == [State.PASSED] * place + [State.FAILED] * (place < 5) + [State.NOT_RUN] * (4 - place)


@every_bad_reply
def test_what_a_rule_found_is_told_and_what_was_not_run_is_not(bad):
    for barrier in judge_reply(bad.reply, TICKET, bad.looked_up).barriers:
        for rule in barrier.rules:
            assert bool(rule.evidence and str(rule.evidence)) == (rule.state is not State.NOT_RUN)


@pytest.mark.parametrize(
    "reply",
    [
        reply_with(),
        reply_with(order=None),
        reply_on("LK-581106", None),
        reply_with(language="fr", team="other", confidence="low", needs_human=True, reason="", reply=""),
        Reply(json.dumps(GOOD_REPLY), "", "stop"),
        Reply(json.dumps(GOOD_REPLY), None, None),
        Reply(json.dumps(GOOD_REPLY, indent=2) + "\n", None, "tool_calls"),
    ],
)
def test_a_good_reply_passes_every_rule_of_both_barriers(reply):
    verdict = judge_reply(reply, TICKET, LOOKED_UP)
    assert (verdict.status, verdict.broken) == ("valid", ())
    assert states_of(verdict) == [[State.PASSED] * 5, [State.PASSED] * 2]
    assert [barrier.state for barrier in verdict.barriers] == [State.PASSED] * 2


def test_both_business_rules_are_judged_even_when_the_first_is_broken():
    verdict = judge_reply(reply_on("LK-123456", "shipped"), TICKET, {})
    assert verdict.broken == ("order_not_in_ticket", "status_not_from_lookup")


@pytest.mark.parametrize(
    "text",
    [
        "LK-551902",
        "(LK-551902)",
        "Order LK-551902.",
        "LK-551902, LK-551903",
        "no. LK-551902\nThanks",
        "LK-5519023 or LK-551902?",
        "«LK-551902»",
        "n°LK-551902",
    ],
)
def test_a_whole_id_stands_in_the_ticket(text):
    assert verdict_in(text, "LK-551902").status == "valid"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "LK-5519023",
        "LK-55190",
        "XLK-551902",
        "1LK-551902",
        "LK-551902x",
        "LK-551902_1",
        "LK-551902-1",
        "X-LK-551902",
        "éLK-551902",
        "LK-551902３",
        "lk-551902",
        "LK-551 902",
        "LK- 551902",
        "LK-５５１９０２",
        "551902",
    ],
)
def test_part_of_an_id_does_not_stand_in_the_ticket(text):
    assert verdict_in(text, "LK-551902").broken == ("order_not_in_ticket",)


def test_a_status_counts_only_for_the_order_that_was_looked_up():
    looked_up = {"LK-328807": "delivered"}
    assert judge_reply(reply_on("LK-581106", "delivered"), TICKET, looked_up).broken == ("status_not_from_lookup",)
    assert judge_reply(reply_on("LK-581106", "delivered"), TICKET, {"LK-581106": "delivered"}).broken == ()


def test_evidence_names_the_place_in_the_reply_that_does_not_fit():
    verdict = judge_reply(reply_with(needs_human="yes"), TICKET, LOOKED_UP)
    assert str(verdict.barriers[0].rules[4].evidence).startswith("At /needs_human: ")


reply_texts = (
    strategies.text
    | st.builds(json.dumps, strategies.json_values)
    | st.builds(
        lambda field, value: json.dumps({**GOOD_REPLY, field: value}),
        st.sampled_from([*GOOD_REPLY, "x"]),
        strategies.json_values | st.fixed_dictionaries({"order_id": strategies.order_ids, "status": st.text()}),
    )
)
finish_reasons = st.sampled_from(["stop", "length", "content_filter", "tool_calls", None]) | strategies.text


@strategies.trying(200)
@given(reply_texts | strategies.json_values, strategies.json_values, finish_reasons, strategies.text)
def test_any_reply_gets_a_verdict(content, refusal, finish_reason, ticket_text):
    verdict = judge_reply(Reply(content, refusal, finish_reason), Ticket("T-1", None, ticket_text), LOOKED_UP)
    assert (verdict.status == "valid") == (verdict.broken == ())
    assert set(verdict.broken) <= {*SCHEMA_CODES, *BUSINESS_CODES}
    assert [[rule.code for rule in barrier.rules] for barrier in verdict.barriers] == [SCHEMA_CODES, BUSINESS_CODES]


@strategies.trying(200)
@given(reply_texts)
def test_a_reply_that_passes_says_nothing_of_an_order_but_what_ticket_and_lookup_do(content):
    if judge_reply(Reply(content, None, "stop"), TICKET, LOOKED_UP).status == "valid":
        order = json.loads(content)["order"]
        assert order in (
            None,
            {"order_id": "LK-581106", "status": None},
            {"order_id": "LK-581106", "status": "shipped"},
        )
