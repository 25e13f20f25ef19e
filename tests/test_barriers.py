"""The two barriers for a reply."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.barriers import BUSINESS_RULES, SCHEMA_RULES, Finding, Reply, Rule, judge_reply, run_barriers
from assistant.decision import State
from assistant.sentence import say
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


# Other tables.


some_rules = st.sets(st.sampled_from(BUSINESS_CODES)).map(
    lambda codes: tuple(rule for rule in BUSINESS_RULES if rule.code in codes)
)


def rule_results(verdict):
    return [rule for barrier in verdict.barriers for rule in barrier.rules]


@every_bad_reply
def test_judging_a_reply_is_running_both_whole_tables(bad):
    verdict = run_barriers(SCHEMA_RULES, BUSINESS_RULES, bad.reply, TICKET, bad.looked_up)
    assert verdict == judge_reply(bad.reply, TICKET, bad.looked_up)


@every_bad_reply
def test_each_result_names_the_function_that_judged_or_would_have(bad):
    results = rule_results(judge_reply(bad.reply, TICKET, bad.looked_up))
    assert [rule.function for rule in results] == [rule.judge for rule in (*SCHEMA_RULES, *BUSINESS_RULES)]


def test_the_function_is_no_part_of_what_a_result_is():
    reply = reply_with()
    rules = tuple(rule._replace(judge=lambda subject, judge=rule.judge: judge(subject)) for rule in BUSINESS_RULES)
    other = run_barriers(SCHEMA_RULES, rules, reply, TICKET, LOOKED_UP)
    assert other == judge_reply(reply, TICKET, LOOKED_UP)
    assert rule_results(other)[-1].function is not BUSINESS_RULES[-1].judge
    assert "function" not in repr(rule_results(other)[-1])


@pytest.mark.parametrize("missing", BUSINESS_CODES)
def test_without_a_business_rule_what_only_it_rejects_gets_through(missing):
    left = tuple(rule for rule in BUSINESS_RULES if rule.code != missing)
    examples = [bad for bad in BAD_REPLIES if bad.code == missing]
    assert examples
    for bad in examples:
        verdict = run_barriers(SCHEMA_RULES, left, bad.reply, TICKET, bad.looked_up)
        assert (verdict.status, verdict.broken) == ("valid", ())
        assert [rule.code for rule in verdict.barriers[1].rules] == [rule.code for rule in left]


def test_a_barrier_without_rules_has_passed():
    schema, business = run_barriers(SCHEMA_RULES, (), reply_on("LK-123456"), TICKET, {}).barriers
    assert (schema.state, business.state, business.rules) == (State.PASSED, State.PASSED, ())


def test_a_further_rule_is_judged_like_the_others():
    def short(judged):
        return Finding(
            len(judged.reply["reply"]) < 5, say("It has {length} characters.", length=len(judged.reply["reply"]))
        )

    rules = (*BUSINESS_RULES, Rule("reply_too_long", say("The reply is short"), short))
    verdict = run_barriers(SCHEMA_RULES, rules, reply_with(), TICKET, LOOKED_UP)
    assert (verdict.status, verdict.broken) == ("rejected", ("reply_too_long",))
    assert run_barriers(SCHEMA_RULES, rules, reply_with(reply="Yes."), TICKET, LOOKED_UP).status == "valid"
    assert str(rule_results(verdict)[-1].evidence) == "It has 20 characters."


@strategies.trying(100)
@given(some_rules, reply_texts, finish_reasons)
def test_a_shorter_table_changes_nothing_in_the_rules_that_are_left(rules, content, finish_reason):
    reply = Reply(content, None, finish_reason)
    whole, verdict = judge_reply(reply, TICKET, LOOKED_UP), run_barriers(SCHEMA_RULES, rules, reply, TICKET, LOOKED_UP)
    assert verdict.barriers[0] == whole.barriers[0]
    codes = {rule.code for rule in rules}
    assert list(verdict.barriers[1].rules) == [rule for rule in whole.barriers[1].rules if rule.code in codes]
    assert verdict.broken == tuple(code for code in whole.broken if code in SCHEMA_CODES or code in codes)
