"""What the revealed steps tell so far, and nothing from a step that is not revealed."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

from assistant.barriers import Reply
from assistant.events import Decided, ModelCalled, Proposed, Replied, Usage
from assistant.explorer.so_far import model_call_s, order_ids, reply_language, usage_so_far
from tests.scripted import REPLY, asking_for, events_of, only, proposing
from tests.strategies import anything
from tests.test_explorer_run import TICKETS, events, recording


def proposed(order_id):
    return Proposed(1, 1, 1, "call_A", False, "get_order", json.dumps({"order_id": order_id}))


def replied(order_id):
    return Replied(2, Reply(json.dumps({"order": {"order_id": order_id, "status": None}})))


# Order IDs.

ID_UNDER_QUESTION = {"T-80008": "LK-581106", "T-80001": "LK-615204", "T-65059": "LK-000000", "T-80009": "LK-55190"}


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_no_id_is_under_question_before_the_proposal(ticket_id):
    text = recording(ticket_id).ticket.text
    assert order_ids((), text) == order_ids(events(ticket_id)[:1], text) == {}
    known = ID_UNDER_QUESTION[ticket_id]
    assert order_ids(events(ticket_id)[:2], text) == {known: len(known)}


def test_the_digit_that_nobody_wrote_is_known_only_with_the_reply():
    text = recording("T-80009").ticket.text
    assert order_ids(events("T-80009")[:5], text) == {"LK-55190": 8}
    assert order_ids(events("T-80009")[:6], text) == {"LK-55190": 8, "LK-551902": 8}


REPLIES = (
    ("LK-551902", "My order LK-55190.", 8),
    ("LK-551902", "My order LK-551902.", 9),  # the customer wrote it
    ("LK-551902", "My order LK-5519023.", 8),  # the customer wrote another one
    ("LK-615204", "My order LK-55190.", 9),  # nothing says that it is LK-55190 gone on with
    ("LK-55190", "My order.", 8),
    ("LK-5519", "My order.", 7),
)


@pytest.mark.parametrize(("order_id", "text", "written"), REPLIES)
def test_a_replys_id_counts_as_invented_from_where_the_proposed_one_ends_unless_the_ticket_has_it(
    order_id, text, written
):
    assert order_ids((proposed("LK-55190"), replied(order_id)), text)[order_id] == written


def test_the_longest_proposed_id_counts():
    told = order_ids((proposed("LK-5"), proposed("LK-55190"), replied("LK-551902")), "My order LK-55190.")
    assert told == {"LK-5": 4, "LK-55190": 8, "LK-551902": 8}


@pytest.mark.parametrize(
    "arguments", ["", "x", "{}", "[]", "null", '{"order_id":7}', '{"order_id":""}', '{"order_id":null}', "[" * 9999]
)
def test_arguments_without_an_id_put_none_under_question(arguments):
    assert order_ids((replace(proposed("x"), arguments=arguments),), "x") == {}


def test_an_id_of_sixty_five_characters_is_none():
    assert order_ids((proposed("x" * 64), proposed("y" * 65), replied("z" * 65)), "") == {"x" * 64: 64}


@given(anything, anything)
def test_arguments_and_replies_of_any_kind_are_read(arguments, content):
    ids = order_ids((replace(proposed("x"), arguments=arguments), Replied(1, Reply(content))), "x")
    assert all(isinstance(each, str) and each for each in ids)


# Tokens.


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_the_tokens_of_all_calls_are_the_recorded_total(ticket_id):
    one = recording(ticket_id)
    assert usage_so_far(one, ()) == Usage(0, 0)
    assert usage_so_far(one, events(ticket_id)) == one.usage
    assert one.usage.prompt_tokens


def test_tokens_grow_with_each_revealed_call():
    one, all_events = recording("T-80001"), events("T-80001")
    told = [usage_so_far(one, all_events[:step]).prompt_tokens for step in range(len(all_events) + 1)]
    assert told == [0, 2066, 2066, 2066, 2066, 4186, 4186, 4186]


@pytest.mark.parametrize("ticket_id", ["T-65059", "T-80009"])
def test_tokens_that_only_the_total_tells_are_unknown_before_the_last_call(ticket_id):
    one, all_events = recording(ticket_id), events(ticket_id)
    told = [usage_so_far(one, all_events[:step]) for step in range(len(all_events) + 1)]
    assert told == [Usage(0, 0)] + [Usage()] * 4 + [one.usage] * 3


def test_one_kind_of_tokens_may_be_known_without_the_other():
    one = replace(recording("T-80001"), usage=Usage())
    calls = [ModelCalled(number, {}, {}, Usage(5, None), None, None) for number in (1, 2)]
    assert usage_so_far(one, tuple(calls)) == Usage(10, None)


# Times and the reply's language.


def test_a_decision_finds_the_time_of_its_own_model_call():
    run = events_of(proposing(asking_for("LK-581106", "a")), proposing(asking_for("LK-615204", "b")), REPLY)
    timed = [replace(each, latency_s=float(each.number)) if isinstance(each, ModelCalled) else each for each in run]
    assert [model_call_s(tuple(timed), each) for each in only(Decided, timed)] == [1.0, 2.0]


def test_a_time_that_is_not_recorded_is_none():
    (decided,) = only(Decided, events("T-80009"))
    assert model_call_s(events("T-80009"), decided) is None


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_the_lessons_tickets_are_answered_in_english(ticket_id):
    assert reply_language(recording(ticket_id)) == "en"


@pytest.mark.parametrize("content", [None, 7, "", "words", "[]", '{"language":7}', "[" * 9999])
def test_a_reply_that_says_no_language_has_none(content):
    calls = ({"request": {}, "response": {"choices": [{"message": {"content": content}}]}},)
    assert reply_language(replace(recording("T-80001"), calls=calls)) is None
