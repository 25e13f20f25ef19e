"""The loop: whatever the model answers, every proposal is decided, answered, and the loop ends."""

import json
import re
import types
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import loop, request
from assistant import tools as real_tools
from assistant.decision import Decision
from assistant.events import Concluded, Decided, LimitReached, ModelCalled, Proposed, Replied, ResultSent, Usage
from assistant.files import FileError
from assistant.loop import MAX_MODEL_CALLS, run_loop, status_looked_up
from assistant.orders import OrderBook
from assistant.ticket import Ticket
from tests import strategies
from tests.examples import GOOD_REPLY, OWN_ORDER_FOR_THE_MODEL, REFUSALS, SHORT_TOOLS, TICKET
from tests.scripted import BOOK, REPLY, Scripted, asking_for, events_of, only, proposing, replying
from tests.test_response import AWKWARD


class Patient(Scripted):
    """Keeps no copy of a request, which may hold what is not JSON."""

    def send(self, _request):
        return self.responses.pop(0)


@pytest.fixture
def tools_from(monkeypatch):
    """Put a tools.py made from this source in the place of the project's."""

    def put(source):
        module = types.ModuleType("assistant.tools")
        module.__package__ = "assistant"
        exec(compile(source, "assistant/tools.py", "exec"), module.__dict__)
        monkeypatch.setattr(loop, "tools", module)
        monkeypatch.setattr(request, "tools", module)

    return put


def verdict_of(*responses, **options):
    verdict = events_of(*responses, **options)[-1].verdict
    return verdict.status, verdict.broken


def test_a_lookup_and_a_reply_are_seven_events_and_the_verdict():
    events = events_of(proposing(asking_for("LK-581106")), replying())
    kinds = [ModelCalled, Proposed, Decided, ResultSent, ModelCalled, Replied, Concluded]
    assert [type(event) for event in events] == kinds
    assert events[-1].verdict.status == "valid"


def test_a_reply_without_a_proposal_is_judged_at_once():
    events = events_of(replying(order=None))
    assert [type(event) for event in events] == [ModelCalled, Replied, Concluded]


def test_the_order_goes_back_to_the_model_as_the_json_of_the_result():
    sent = only(ResultSent, events_of(proposing(asking_for("LK-581106")), replying()))[0]
    content = json.dumps({"ok": True, "order": OWN_ORDER_FOR_THE_MODEL})
    assert sent.tool_message == {"role": "tool", "tool_call_id": "call_A", "content": content}


def test_the_models_message_is_repeated_before_the_tool_message():
    call = asking_for("LK-581106")
    events = events_of(proposing(call), replying())
    sent = only(ResultSent, events)[0]
    assert sent.assistant_message == {"role": "assistant", "content": None, "tool_calls": [call]}
    assert only(ModelCalled, events)[1].request["messages"][2:] == [sent.assistant_message, sent.tool_message]


def test_a_refusal_does_not_stop_the_loop():
    events = events_of(proposing(asking_for("LK-615204")), replying(order=None))
    assert only(Decided, events)[0].decision.outcome == "refused: other_customer"
    assert events[-1].verdict.status == "valid"


def test_a_failing_order_book_does_not_stop_the_loop():
    book = OrderBook()
    book.close()
    events = events_of(proposing(asking_for("LK-581106")), replying(order=None), book=book)
    assert only(Decided, events)[0].decision.outcome == "error: order_book_unavailable"
    assert "unavailable" in only(ResultSent, events)[0].tool_message["content"]
    assert events[-1].verdict.status == "valid"


def test_every_proposal_of_a_response_gets_its_own_tool_message_in_order():
    calls = [asking_for(order_id, f"call_{n}") for n, order_id in enumerate(["LK-581106", "LK-615204", "LK-55190"])]
    events = events_of(proposing(*calls, {"id": "call_3"}), replying())
    outcomes = [event.decision.outcome for event in only(Decided, events)]
    assert outcomes == ["ok", "refused: other_customer", "refused: invalid_argument", "refused: unknown_tool"]
    messages = only(ModelCalled, events)[1].request["messages"]
    assert [message["role"] for message in messages[2:]] == ["assistant", "tool", "tool", "tool", "tool"]
    assert [message["tool_call_id"] for message in messages[3:]] == ["call_0", "call_1", "call_2", "call_3"]
    assert [(event.index, event.count) for event in only(Proposed, events)] == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_each_example_of_a_refusal_is_answered_and_the_loop_goes_on():
    for refusal in REFUSALS:
        call = {"id": "call_A", "function": {"name": refusal.name, "arguments": refusal.arguments}}
        ticket = Ticket("T-1", refusal.customer_id, TICKET.text)
        events = list(run_loop(ticket, Patient(proposing(call), replying(order=None)), BOOK))
        assert only(Decided, events)[0].decision.outcome == f"refused: {refusal.code}"
        assert json.loads(only(ResultSent, events)[0].tool_message["content"])["error"] == refusal.message
        assert isinstance(events[-1], Concluded)


@pytest.mark.parametrize("call_id", [None, "", 5, ["call_A"], {}, True])
def test_a_call_id_that_is_missing_or_no_text_is_given_by_the_application(call_id):
    events = events_of(proposing({**asking_for("LK-581106"), "id": call_id}), replying())
    proposed, sent = only(Proposed, events)[0], only(ResultSent, events)[0]
    assert (proposed.id_given, proposed.call_id) == (True, "call_1_1")
    assert sent.assistant_message["tool_calls"][0]["id"] == sent.tool_message["tool_call_id"] == "call_1_1"


def test_a_call_id_of_the_models_own_is_kept():
    proposed = only(Proposed, events_of(proposing(asking_for("LK-581106")), replying()))[0]
    assert (proposed.id_given, proposed.call_id) == (False, "call_A")


def test_a_call_id_that_stands_twice_in_a_response_is_given_anew():
    events = events_of(proposing(asking_for("LK-581106"), asking_for("LK-615204")), replying())
    assert [proposed.call_id for proposed in only(Proposed, events)] == ["call_A", "call_1_2"]
    messages = only(ModelCalled, events)[1].request["messages"]
    assert [call["id"] for call in messages[2]["tool_calls"]] == ["call_A", "call_1_2"]
    assert [message["tool_call_id"] for message in messages[3:]] == ["call_A", "call_1_2"]


def test_a_call_id_from_an_earlier_response_is_given_anew():
    events = events_of(proposing(asking_for("LK-581106")), proposing(asking_for("LK-581106")), replying())
    assert [(event.call_id, event.id_given) for event in only(Proposed, events)] == [
        ("call_A", False),
        ("call_2_1", True),
    ]


def test_an_id_that_the_application_gives_is_nobody_elses():
    calls = [asking_for("LK-581106", call_id) for call_id in ("call_1_2", None, "call_1_2_", "call_1_2", None)]
    ids = [event.call_id for event in only(Proposed, events_of(proposing(*calls), replying()))]
    assert len(set(ids)) == 5
    assert ids[0] == "call_1_2"


def test_text_beside_proposals_is_told_once_and_repeated():
    calls = [asking_for("LK-581106", "call_A"), asking_for("LK-581106", "call_B")]
    events = events_of(proposing(*calls, content="Let me look."), replying())
    assert [proposed.text for proposed in only(Proposed, events)] == ["Let me look.", None]
    assert only(ResultSent, events)[0].assistant_message["content"] == "Let me look."
    assert len(only(Replied, events)) == 1


@pytest.mark.parametrize("response", AWKWARD, ids=repr)
def test_a_response_that_holds_nothing_is_an_empty_reply(response):
    assert verdict_of(response) == ("rejected", ("reply_empty",))


@pytest.mark.parametrize("tool_calls", [None, [], {}, "x", 5, False])
def test_no_calls_at_all_is_a_reply(tool_calls):
    response = replying(order=None)
    response["choices"][0]["message"]["tool_calls"] = tool_calls
    assert verdict_of(response) == ("valid", ())


@pytest.mark.parametrize(
    "call", [None, {}, "x", 5, [], {"function": None}, {"function": "get_order"}, {"function": {}}]
)
def test_a_call_of_another_shape_is_an_unknown_tool(call):
    events = events_of(proposing(call), replying(order=None))
    assert only(Decided, events)[0].decision.outcome == "refused: unknown_tool"
    assert events[-1].verdict.status == "valid"


@pytest.mark.parametrize(
    ("message", "finish_reason", "code"),
    [
        ({"content": '{"language": "en"'}, "length", "reply_cut_off"),
        ({"content": None, "refusal": "No."}, "stop", "reply_refused"),
        ({"content": None}, "content_filter", "reply_refused"),
        ({"content": ""}, "stop", "reply_empty"),
        ({"content": "Shipped."}, "stop", "reply_not_json"),
        ({"content": "{}"}, "stop", "reply_not_in_schema"),
    ],
)
def test_a_reply_is_judged_with_its_refusal_and_its_finish_reason(message, finish_reason, code):
    response = {"choices": [{"message": message, "finish_reason": finish_reason}]}
    assert verdict_of(response) == ("rejected", (code,))


@pytest.mark.parametrize("limit", [1, 2, MAX_MODEL_CALLS])
def test_a_model_that_only_proposes_is_stopped_at_the_limit(limit):
    model = Scripted(proposing(asking_for("LK-581106", None)))
    events = list(run_loop(TICKET, model, BOOK, limit))
    assert events[-1] == LimitReached(limit)
    assert len(only(ModelCalled, events)) == len(model.requests) == len(only(ResultSent, events)) == limit
    assert not only(Replied, events)


def test_the_loop_is_limited_without_being_told():
    assert events_of(proposing(asking_for("LK-581106", None)))[-1] == LimitReached(MAX_MODEL_CALLS)


def test_a_reply_in_the_last_call_is_no_limit():
    assert verdict_of(proposing(asking_for("LK-581106")), replying(), max_model_calls=2) == ("valid", ())


def test_a_model_call_is_told_with_its_number_tokens_and_time():
    events = events_of(proposing(asking_for("LK-581106")), {**replying(), "usage": {"prompt_tokens": 9}})
    first, second = only(ModelCalled, events)
    assert (first.number, first.finish_reason, first.usage) == (1, "tool_calls", Usage())
    assert (second.number, second.finish_reason, second.usage) == (2, "stop", Usage(9, None))
    assert 0 <= first.latency_s < 60
    assert 0 < only(Decided, events)[0].seconds < 60


def test_events_come_as_they_happen():
    model = Scripted(proposing(asking_for("LK-581106")), replying())
    events = run_loop(TICKET, model, BOOK)
    assert model.requests == []
    next(events)
    assert len(model.requests) == 1
    assert isinstance(next(events), Proposed)
    assert len(model.requests) == 1


def test_a_request_that_was_told_does_not_change_afterwards():
    events = events_of(proposing(asking_for("LK-581106")), replying())
    assert [len(event.request["messages"]) for event in only(ModelCalled, events)] == [2, 4]


# The status in a reply


def test_a_status_must_come_from_a_lookup_of_this_run():
    assert verdict_of(replying()) == ("rejected", ("status_not_from_lookup",))
    assert verdict_of(proposing(asking_for("LK-581106")), replying()) == ("valid", ())
    assert verdict_of(replying()) == ("rejected", ("status_not_from_lookup",))


def test_a_status_must_come_from_the_lookup_of_that_order():
    ticket = Ticket("T-1", "C-81265", "LK-581106 and LK-328807")
    order = {"order_id": "LK-581106", "status": "shipped"}
    assert verdict_of(proposing(asking_for("LK-702326")), replying(order=order), ticket=ticket)[0] == "rejected"
    order = {"order_id": "LK-581106", "status": "delivered"}
    both = proposing(asking_for("LK-581106", "call_A"), asking_for("LK-328807", "call_B"))
    assert verdict_of(both, replying(order=order), ticket=ticket) == ("rejected", ("status_not_from_lookup",))


def test_a_refused_lookup_returns_no_status():
    ticket = Ticket("T-80001", "C-20417", "My neighbour's order is LK-615204.")
    order = {"order_id": "LK-615204", "status": "shipped"}
    found = verdict_of(proposing(asking_for("LK-615204")), replying(order=order), ticket=ticket)
    assert found == ("rejected", ("status_not_from_lookup",))


def test_an_order_beside_a_refusal_is_no_lookup(tools_from):
    order = {"order_id": "LK-581106", "status": "shipped"}
    tools_from(f"TOOLS = []\ndef run_tool(*proposal):\n    return {{'ok': False, 'order': {order}}}, 'refused: mine'\n")
    assert verdict_of(proposing(asking_for("LK-581106")), replying()) == ("rejected", ("status_not_from_lookup",))


@pytest.mark.parametrize(
    ("outcome", "order", "looked_up"),
    [
        ("ok", {"order_id": "LK-581106", "status": "shipped"}, {"LK-581106": "shipped"}),
        ("ok", {}, {}),
        ("ok", "LK-581106", {}),
        ("ok", None, {}),
        ("refused: mine", {"order_id": "LK-581106", "status": "shipped"}, {}),
        ("error: mine", {"order_id": "LK-581106", "status": "shipped"}, {}),
    ],
)
def test_only_a_granted_order_tells_a_status(outcome, order, looked_up):
    assert status_looked_up(Decision(outcome, {"ok": True, "order": order})) == looked_up
    assert status_looked_up(Decision(outcome, {})) == {}


# A learner's own tools.py


def test_a_short_tools_py_decides_by_its_pair_and_tells_no_checks(tools_from):
    tools_from(SHORT_TOOLS)
    events = events_of(proposing(asking_for("LK-581106"), asking_for("LK-615204", "call_B")), replying())
    granted, refused = [event.decision for event in only(Decided, events)]
    assert (granted.outcome, granted.result["order"]) == ("ok", OWN_ORDER_FOR_THE_MODEL)
    assert (refused.outcome, refused.result["error"]) == ("refused: my_own_code", "Nothing for you here.")
    assert granted.checks == refused.checks == ()
    assert refused.failed_check is None


def test_a_run_tool_that_is_edited_decides_though_the_table_of_checks_still_stands_there(tools_from):
    source = Path(real_tools.__file__).read_text(encoding="utf-8")
    shortcut = 'return {"ok": True, "order": book.find(json.loads(arguments)["order_id"])}, "ok"'
    assert source.count("return ToolAnswer(decide(") == 1
    tools_from(source.replace("return ToolAnswer(decide(name, arguments, customer_id, book))", shortcut))
    (decided,) = only(Decided, events_of(proposing(asking_for("LK-615204")), replying()))
    assert decided.decision.outcome == "ok"
    assert decided.decision.result["order"]["customer_id"] == "C-38852"
    assert decided.decision.checks == ()


def test_a_short_tools_py_answers_the_model_and_its_status_counts(tools_from):
    tools_from(SHORT_TOOLS)
    events = events_of(proposing(asking_for("LK-615204"), asking_for("LK-581106", "call_B")), replying())
    content = '{"ok": false, "error": "Nothing for you here."}'
    assert only(ResultSent, events)[0].tool_message["content"] == content
    assert events[-1].verdict.status == "valid"


def test_a_short_tools_py_describes_its_own_tools(tools_from):
    tools_from(SHORT_TOOLS)
    assert events_of(REPLY)[0].request["tools"][0]["function"]["parameters"] == {"type": "object"}


@pytest.mark.parametrize(
    "returned",
    [
        "None",
        "'ok'",
        "({'ok': True},)",
        "('ok', {'ok': True})",
        "({'ok': True}, None)",
        "({}, 'ok', 1)",
        "{'a': 1, 'b': 2}",
    ],
)
def test_a_run_tool_that_returns_something_else_is_told_what_was_expected(tools_from, returned):
    tools_from(f"TOOLS = []\ndef run_tool(name, arguments, customer_id, book):\n    return {returned}\n")
    with pytest.raises(FileError, match=r"^tools\.py, line 2: run_tool must return a dict for the model and text"):
        events_of(proposing(asking_for("LK-581106")), replying())


def test_an_exception_of_a_learners_own_is_not_hidden(tools_from):
    tools_from(SHORT_TOOLS)
    call = {"id": "call_A", "function": {"name": "get_order", "arguments": "not json"}}
    with pytest.raises(json.JSONDecodeError) as error:
        events_of(proposing(call), replying())
    assert any(entry.path.match("assistant/tools.py") for entry in error.traceback)


# Whatever the model answers

calls = st.lists(
    strategies.json_values
    | st.fixed_dictionaries(
        {"id": st.sampled_from(["call_A", "call_1_1", "call_2_1", "", None])},
        optional={
            "function": strategies.json_values
            | st.fixed_dictionaries({"name": strategies.names, "arguments": strategies.arguments})
        },
    ),
    max_size=4,
)
messages = strategies.json_values | st.fixed_dictionaries(
    {}, optional={"content": st.just(json.dumps(GOOD_REPLY)) | strategies.json_values, "tool_calls": calls}
)
choices = st.lists(st.fixed_dictionaries({"message": messages}, optional={"finish_reason": strategies.json_values}))
responses = strategies.json_values | st.fixed_dictionaries(
    {"choices": choices}, optional={"usage": strategies.json_values}
)
LETTERS = {
    ModelCalled: "m",
    Proposed: "p",
    Decided: "d",
    ResultSent: "s",
    Replied: "r",
    Concluded: "c",
    LimitReached: "l",
}


@strategies.trying(250)
@given(st.lists(responses, min_size=3, max_size=3), strategies.customers)
def test_whatever_the_model_answers_the_loop_answers_every_proposal_and_ends(answers, customer_id):
    events = list(run_loop(Ticket("T-1", customer_id, TICKET.text), Patient(*answers), BOOK, 3))
    assert re.fullmatch("(m(pds)+)*(mrc|l)", "".join(LETTERS[type(event)] for event in events))
    ids = [event.call_id for event in only(Proposed, events)]
    assert len(ids) == len(set(ids))
    assert all(ids)
    assert ids == [event.tool_message["tool_call_id"] for event in only(ResultSent, events)]
