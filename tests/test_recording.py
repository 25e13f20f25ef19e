"""Recordings: the four that ship, the format, and the strict replay."""

import ast
import copy
import hashlib
import inspect
import json
import os
import shutil
import tempfile
import types
from contextlib import contextmanager
from pathlib import Path

import pytest

from assistant import loop, recording
from assistant import replay as replaying
from assistant import tools as real_tools
from assistant.barriers import REPLY_SCHEMA
from assistant.events import (
    Concluded,
    Decided,
    Diverged,
    LimitReached,
    ModelCalled,
    Proposed,
    Replied,
    ResultSent,
    Usage,
)
from assistant.loop import run_loop
from assistant.orders import OrderBook
from assistant.recording import MAX_BYTES, RecordingError, load, load_folder, parse
from assistant.replay import RecordedModel
from assistant.response import usage_of
from assistant.schema import pointer, resolve
from assistant.tools import CHECKS, decide
from tests.examples import TICKET
from tests.scripted import Scripted, asking_for, only, proposing, replying

FOLDER = Path(__file__).parents[1] / "recordings"
RECORDINGS = sorted(FOLDER.glob("*.json"))
DOCUMENTS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in RECORDINGS}
FACTS = json.loads(Path(__file__).with_name("recorded_facts.json").read_text(encoding="utf-8"))
BOOK = OrderBook()
FAILED_CHECK = {f"refused: {check.code}": check.name for check in CHECKS if check.name != "exact_arguments"} | {
    "ok": None
}

every_ticket = pytest.mark.parametrize("ticket_id", DOCUMENTS)


def replay(document, max_model_calls=loop.MAX_MODEL_CALLS):
    """Run the loop over a document that has been written and read again."""
    read = parse(json.dumps(document), "copy.json")
    return list(run_loop(read.ticket, RecordedModel(read), BOOK, max_model_calls))


def copy_of(document):
    return copy.deepcopy(document)


def put(document, place, value):
    """A copy with another value at the place."""
    changed = copy_of(document)
    holder, _, key = place.rpartition("/")
    inner = resolve(changed, holder)
    inner[int(key) if isinstance(inner, list) else key] = value
    return changed


def compared_parts(document):
    """The places of what a replay compares, and what stands there."""
    first = 1 if document is LIVE else 0  # its first request is the front of its second
    for number, call in enumerate(document["calls"][first:], start=first):
        yield f"/calls/{number}/request", call["request"]
    for key in ("decisions", "verdict"):
        yield f"/{key}", document[key]
    counts = [usage_of(call["response"]) for call in document["calls"]]
    if Usage() not in counts:  # a total alone can be compared with nothing
        yield "/usage", document["usage"]


def places_in(value, place):
    """Every place in the value, with what stands there, from the outside in."""
    yield place, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in parts:
        yield from places_in(inner, place + pointer([key]))


def compared_places(document):
    return [pair for part, value in compared_parts(document) for pair in places_in(value, part)]


def another(value):
    """A value of the same type that is not this one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return {"valid": "rejected", "rejected": "valid", None: "something"}.get(value, f"{value} ")


def live_recording():
    """A recording of a live run with whole requests, as a real application's log has them."""
    calls = [asking_for("LK-581106", "call_A"), asking_for("LK-615204", "call_B")]
    model = Scripted(proposing(*calls, content="Let me look."), replying())
    events = list(run_loop(TICKET, model, BOOK))
    decisions = [event.decision for event in only(Decided, events)]
    return {
        "format": 1,
        "ticket": {"id": TICKET.id, "customer_id": TICKET.customer_id, "text": TICKET.text},
        "model": {"name": "chat-small"},
        "recorded_at": "2026-10-09T12:00:00Z",
        "calls": [
            {"request": event.request, "response": event.response, "latency_s": event.latency_s}
            for event in only(ModelCalled, events)
        ],
        "decisions": [
            {"outcome": made.outcome, "failed_check": made.failed_check, "result": made.result} for made in decisions
        ],
        "verdict": {"status": "valid", "broken": []},
        "reconstructed": [],
    }


LIVE = json.loads(json.dumps(live_recording()))
ALL_DOCUMENTS = {**DOCUMENTS, "live": LIVE}
LEAVES = [
    pytest.param(document, place, value, id=f"{name} {place}")
    for name, document in ALL_DOCUMENTS.items()
    for place, value in compared_places(document)
    if not isinstance(value, dict | list)
]
LISTS = [
    pytest.param(document, place, other, id=f"{name} {place} {len(value)} to {len(other)}")
    for name, document in ALL_DOCUMENTS.items()
    for place, value in compared_places(document)
    if isinstance(value, list) and place != "/decisions"
    for other in ([*value, *value[-1:]] if value else ["order_not_in_ticket"], value[:-1])
    if other != value
]
OBJECTS = [
    pytest.param(document, place, value, id=f"{name} {place}")
    for name, document in ALL_DOCUMENTS.items()
    for place, value in compared_places(document)
    if isinstance(value, dict) and ("/request" in place or "/result" in place)
]


# The four that ship


def test_there_are_the_four_of_the_lesson():
    recordings, errors = load_folder(FOLDER)
    assert [each.ticket.id for each in recordings] == ["T-65059", "T-80001", "T-80008", "T-80009"]
    assert errors == []
    assert set(DOCUMENTS) == set(FACTS["tickets"])


@every_ticket
def test_each_replays_without_a_divergence_to_the_recorded_end(ticket_id):
    events = replay(DOCUMENTS[ticket_id])
    kinds = [ModelCalled, Proposed, Decided, ResultSent, ModelCalled, Replied, Concluded]
    assert [type(event) for event in events] == kinds


@every_ticket
def test_each_replays_to_the_outcome_the_tokens_and_the_verdict_of_the_facts(ticket_id):
    fact, events = FACTS["tickets"][ticket_id], replay(DOCUMENTS[ticket_id])
    decision, verdict = only(Decided, events)[0].decision, events[-1].verdict
    assert (decision.outcome, decision.result) == (fact["outcome"], fact["tool_result"])
    assert decision.failed_check == FAILED_CHECK[fact["outcome"]]
    assert verdict.status == fact["verdict"]
    assert verdict.broken == ((fact["broken_rule"],) if "broken_rule" in fact else ())
    for called, stated in zip(only(ModelCalled, events), fact["calls"], strict=True):
        assert called.usage == Usage(stated["prompt_tokens"], stated["completion_tokens"])
        assert (called.latency_s, called.finish_reason) == (stated["latency_s"], stated["finish_reason"])
        assert stated["messages"] in (None, len(called.request["messages"]))
    assert load(FOLDER / f"{ticket_id}.json").usage == Usage(*fact["tokens_total"].values())


def facts_as_recording(ticket_id):
    """What a recording with nothing but the facts would hold."""
    fact, places = FACTS["tickets"][ticket_id], {}
    call = "/calls/0/response/choices/0/message/tool_calls/0"
    places |= {
        "/format": 1,
        "/ticket/id": ticket_id,
        "/ticket/customer_id": fact["customer_id"],
        "/ticket/text": fact["ticket_text"],
        "/model/name": FACTS["model"]["name_in_code"],
        **{f"/model/{key}": FACTS["model"][key] for key in ("model", "provider", "request")},
        f"{call}/function/name": fact["proposal"]["name"],
        f"{call}/function/arguments": fact["proposal"]["arguments"],
        f"{call}/id": fact["proposal"]["tool_call_id"],
        "/usage/prompt_tokens": fact["tokens_total"]["prompt"],
        "/usage/completion_tokens": fact["tokens_total"]["completion"],
        "/decisions/0/outcome": fact["outcome"],
        "/decisions/0/failed_check": FAILED_CHECK[fact["outcome"]],
        "/decisions/0/result": fact["tool_result"],
        "/verdict/status": fact["verdict"],
        "/verdict/broken": [fact["broken_rule"]] if "broken_rule" in fact else [],
    }
    for number, stated in enumerate(fact["calls"]):
        places[f"/calls/{number}/latency_s"] = stated["latency_s"]
        places[f"/calls/{number}/response/usage/prompt_tokens"] = stated["prompt_tokens"]
        places[f"/calls/{number}/response/usage/completion_tokens"] = stated["completion_tokens"]
        places[f"/calls/{number}/response/choices/0/finish_reason"] = stated["finish_reason"]
    for field in REPLY_SCHEMA["required"]:
        value = fact["reply"][field]
        places[f"/calls/1/response/choices/0/message/content#/{field}"] = value
    return places


MAY_BE_NULL = ("/decisions/0/failed_check", "/calls/1/response/choices/0/message/content#/order")
FACT_PLACES = [
    pytest.param(ticket_id, place, value, id=f"{ticket_id} {place}")
    for ticket_id in DOCUMENTS
    for place, value in facts_as_recording(ticket_id).items()
]


def stands_at(document, place):
    """What stands at the place, or nothing for a place that is not there."""
    outer, inside, inner = place.partition("#")
    try:
        value = resolve(document, outer)
        return (resolve(json.loads(value), inner),) if inside else (value,)
    except LookupError:
        return ()


@pytest.mark.parametrize(("ticket_id", "place", "value"), FACT_PLACES)
def test_each_fact_stands_in_its_place_and_what_is_not_known_is_absent_or_marked(ticket_id, place, value):
    document = DOCUMENTS[ticket_id]
    found = stands_at(document, place)
    if value is None and place not in MAY_BE_NULL:
        assert found == () or place in document["reconstructed"]
    else:
        if place.endswith("#/order") and value:
            found = ({key: found[0][key] for key in value},)
        assert json.dumps(found) == json.dumps((value,))
        assert not parse(json.dumps(document), "x").is_reconstructed(place)


@every_ticket
def test_each_recording_holds_nothing_but_the_facts_and_what_is_marked(ticket_id):
    document = DOCUMENTS[ticket_id]
    known = {
        place for place, value in facts_as_recording(ticket_id).items() if value is not None or place in MAY_BE_NULL
    }
    known |= {place for place, _ in places_in({"recorded_at": None}, "")}
    known |= set(document["reconstructed"])
    answer = "/calls/1/response/choices/0/message/content"
    written = [pair for pair in places_in({**document, "reconstructed": None}, "") if pair[0] != "/reconstructed"]
    written += [
        (f"{answer}#{place}", value) for place, value in places_in(json.loads(stands_at(document, answer)[0]), "")
    ]
    as_sent = (
        ("/calls/0/response/choices/0/message", "/calls/0/request", "/calls/1/request")
        if ticket_id == "T-80001"
        else ()
    )
    for place, value in written:
        is_held = any(place == each or place.startswith(f"{each}/") for each in (*known, *as_sent))
        holds_only = value in ({}, []) or isinstance(value, dict | list) or place == answer
        assert is_held or holds_only, place


@every_ticket
def test_every_mark_leads_to_something(ticket_id):
    for mark in DOCUMENTS[ticket_id]["reconstructed"]:
        assert stands_at(DOCUMENTS[ticket_id], mark) not in {(), (None,)}


def test_the_messages_of_t_80001_are_recorded_as_they_were_sent():
    fact, document = FACTS["tickets"]["T-80001"], DOCUMENTS["T-80001"]
    messages = document["calls"][1]["request"]["messages"]
    assert messages[2:] == fact["messages_as_sent"]
    assert messages[3]["content"] == fact["tool_message_content_as_sent"]
    for call, stated in zip(document["calls"], fact["calls"], strict=True):
        assert [message["role"] for message in call["request"]["messages"]] == stated["roles"]
    assert document["calls"][0]["response"]["choices"][0]["message"] == fact["messages_as_sent"][0]


def test_the_loop_builds_the_messages_of_t_80001_as_they_were_sent():
    sent = only(ResultSent, replay(DOCUMENTS["T-80001"]))[0]
    assert [sent.assistant_message, sent.tool_message] == FACTS["tickets"]["T-80001"]["messages_as_sent"]


def test_t_80001_holds_nothing_reconstructed():
    assert DOCUMENTS["T-80001"]["reconstructed"] == []
    assert FACTS["tickets"]["T-80001"]["customer_name_in_ticket"] in DOCUMENTS["T-80001"]["ticket"]["text"]


@every_ticket
def test_what_the_model_may_not_see_is_nowhere_in_a_recording(ticket_id):
    assert "C-38852" not in json.dumps(DOCUMENTS[ticket_id])
    assert BOOK.owner("LK-615204").customer_id == FACTS["tickets"]["T-80001"]["not_shown_to_the_model"]["owner"]


def test_t_80009_invents_an_id_with_a_sixth_digit_and_is_rejected_for_it_alone():
    events = replay(DOCUMENTS["T-80009"])
    assert json.loads(events[-2].reply.content)["order"]["order_id"] == "LK-551902"
    assert "LK-55190" in DOCUMENTS["T-80009"]["ticket"]["text"]
    assert "LK-551902" not in DOCUMENTS["T-80009"]["ticket"]["text"]
    assert events[-1].verdict.broken == ("order_not_in_ticket",)


def test_the_reply_of_t_80009_states_no_status_and_asks_for_the_right_id():
    fact, reply = FACTS["tickets"]["T-80009"]["reply"], json.loads(replay(DOCUMENTS["T-80009"])[-2].reply.content)
    assert (reply["order"]["status"] is not None) == fact["order_status_stated"]
    assert "order ID" in reply["reply"]
    assert reply["reply"].endswith("?")


def test_t_65059_names_no_order():
    assert "LK-" not in DOCUMENTS["T-65059"]["ticket"]["text"]


# What a replay compares


def test_a_recording_of_a_live_run_with_whole_requests_replays():
    assert isinstance(replay(LIVE)[-1], Concluded)


@pytest.mark.parametrize(("document", "place", "value"), LEAVES)
def test_any_recorded_value_that_is_changed_is_reported_at_its_place_with_both_values(document, place, value):
    end = replay(put(document, place, another(value)))[-1]
    assert isinstance(end, Diverged)
    assert end.place == place
    assert json.loads(end.recorded) == another(value)
    assert json.loads(end.found) == value
    assert str(end.what)


@pytest.mark.parametrize(("document", "place", "value"), LEAVES)
def test_any_reconstructed_value_may_be_changed(document, place, value):
    changed = put(document, place, another(value))
    changed["reconstructed"].append(place)
    assert isinstance(replay(changed)[-1], Concluded)


@pytest.mark.parametrize(("document", "place", "other"), LISTS)
def test_any_list_of_another_length_is_reported_at_its_place(document, place, other):
    end = replay(put(document, place, other))[-1]
    assert isinstance(end, Diverged)
    assert (end.place, json.loads(end.recorded)) == (place, other)
    assert len(json.loads(end.found)) == len(resolve(document, place))


@pytest.mark.parametrize(("document", "place", "value"), OBJECTS)
def test_a_recorded_key_that_is_not_found_is_reported_at_its_place(document, place, value):
    end = replay(put(document, place, {**value, "a/b~": [1]}))[-1]
    assert (end.place, end.recorded, end.found) == (f"{place}/a~1b~0", "[1]", None)


@pytest.mark.parametrize(("document", "place", "value"), OBJECTS)
def test_an_object_constrains_only_the_keys_that_it_holds(document, place, value):
    for key in value:
        less = {other: inner for other, inner in value.items() if other != key}
        assert isinstance(replay(put(document, place, less))[-1], Concluded)


@pytest.mark.parametrize("wrong", ["{}", [], 5, None], ids=repr)
def test_an_object_is_not_taken_for_anything_else(wrong):
    end = replay(put(DOCUMENTS["T-80001"], "/calls/1/request/messages/2", wrong))[-1]
    assert (end.place, json.loads(end.recorded)) == ("/calls/1/request/messages/2", wrong)


@pytest.mark.parametrize(("recorded", "found"), [(1, True), (0, False), (0, None), (899, 899.0), ("899.0", 899.0)])
def test_values_of_two_types_are_never_equal(recorded, found):
    model = RecordedModel(parse(json.dumps(DOCUMENTS["T-80008"]), "x"))
    assert len(list(model._differences({"a": recorded}, {"a": found}, "", None))) == 1


@pytest.mark.parametrize(
    "content",
    [
        '{"ok":false,"error":"No order LK-615204 is available for this customer."}',
        '{"ok": false, "error": "No order LK-615204 is available for this customer."} ',
        '{"error": "No order LK-615204 is available for this customer.", "ok": false}',
        '{"ok": false, "error": "No order LK-615204 is available for this customer!"}',
        '{"ok": false, "error": "No order LK-61520\\u0034 is available for this customer."}',
    ],
)
def test_a_tool_messages_content_is_compared_by_its_bytes(content):
    place = "/calls/1/request/messages/3/content"
    end = replay(put(DOCUMENTS["T-80001"], place, content))[-1]
    assert (end.place, json.loads(end.recorded)) == (place, content)


def test_inside_a_json_string_only_the_marked_place_is_not_compared():
    place = "/calls/1/request/messages/3/content"
    other_words = put(DOCUMENTS["T-80001"], place, '{"ok":false,"error":"Other words."}')
    other_words["reconstructed"] = [f"{place}#/error"]
    assert isinstance(replay(other_words)[-1], Concluded)
    other_answer = put(other_words, place, '{"ok":true,"error":"Other words."}')
    end = replay(other_answer)[-1]
    assert (end.place, end.recorded, end.found) == (f"{place}#/ok", "true", "false")


def test_a_mark_covers_its_place_and_what_stands_in_it_and_nothing_else():
    document = copy_of(DOCUMENTS["T-80001"])
    document["reconstructed"] = ["/ticket", "/calls/0", "/calls/1/response/choices/0/message/content#/order"]
    read = parse(json.dumps(document), "x")
    for place in ("/ticket", "/ticket/text", "/calls/0/request/messages"):
        assert read.is_reconstructed(place)
    assert read.is_reconstructed("/calls/1/response/choices/0/message/content#/order/status")
    for place in (
        "",
        "/tickets",
        "/ticket2/text",
        "/calls",
        "/calls/01",
        "/calls/1/response/choices/0/message/content",
    ):
        assert not read.is_reconstructed(place)


def test_tokens_of_a_call_that_are_reconstructed_are_not_added_up():
    place = "/calls/0/response/usage/prompt_tokens"
    changed = put(DOCUMENTS["T-80001"], place, 1)
    assert replay(changed)[-1].place == "/usage/prompt_tokens"
    changed["reconstructed"] = [place]
    assert isinstance(replay(changed)[-1], Concluded)


def test_decisions_a_verdict_and_a_total_that_are_not_recorded_are_not_compared():
    document = {key: DOCUMENTS["T-80001"][key] for key in ("format", "ticket", "model", "calls", "reconstructed")}
    assert isinstance(replay(document)[-1], Concluded)


def more_calls(document):
    document["calls"].append({"request": {}, "response": {}})


def fewer_calls(document):
    document["calls"].pop()


def more_decisions(document):
    document["decisions"].append({"outcome": "ok"})


def fewer_decisions(document):
    document["decisions"].pop()


def another_request(document):
    document["calls"][1]["request"]["messages"][0]["role"] = "developer"


def another_outcome(document):
    document["decisions"][0]["outcome"] = "refused: not_found"


def another_verdict(document):
    document["verdict"]["broken"] = ["order_not_in_ticket"]


def another_total(document):
    document["usage"]["completion_tokens"] = 115


DIVERGENCES = [
    (more_calls, "/calls/2", "A recorded response was never asked for."),
    (fewer_calls, "/calls/1", "The loop asks the model once more than was recorded."),
    (more_decisions, "/decisions/1", "A recorded decision was never taken."),
    (fewer_decisions, "/decisions/0", "The loop takes a decision that was not recorded."),
    (another_request, "/calls/1/request/messages/0/role", "The request is not the recorded one."),
    (another_outcome, "/decisions/0/outcome", "The code decides differently from the recording."),
    (another_verdict, "/verdict/broken", "The verdict is not the recorded one."),
    (another_total, "/usage/completion_tokens", "The recorded calls do not add up to the recorded total."),
]


@pytest.mark.parametrize(("change", "place", "what"), DIVERGENCES)
def test_each_kind_of_divergence_is_told_in_words_with_its_place(change, place, what):
    document = copy_of(DOCUMENTS["T-80001"])
    change(document)
    end = replay(document)[-1]
    assert (end.place, str(end.what)) == (place, what)
    assert end.recorded != end.found


def sentences_of_recording():
    """The templates in recording.py and replay.py: those for divergences, and those for bad files."""
    tree = ast.parse(inspect.getsource(recording) + inspect.getsource(replaying))
    divergences = {
        id(node.value): node.value.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "what"
    }
    said = {
        id(node): node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say"
    }
    return set(divergences.values()), {template for key, template in said.items() if key not in divergences}


def test_every_kind_of_divergence_has_an_example():
    assert {what for _, _, what in DIVERGENCES} == sentences_of_recording()[0]


def test_not_found_and_other_customer_are_told_apart_by_the_recorded_decision():
    document = copy_of(DOCUMENTS["T-80001"])
    another_outcome(document)
    events = replay(document)
    assert (events[-1].recorded, events[-1].found) == ('"refused: not_found"', '"refused: other_customer"')


def test_a_replay_stops_where_it_diverges():
    document = copy_of(DOCUMENTS["T-80001"])
    another_outcome(document)
    assert [type(event) for event in replay(document)] == [ModelCalled, Proposed, Decided, Diverged]
    document = put(DOCUMENTS["T-80001"], "/calls/0/request/messages/0/role", "developer")
    assert [type(event) for event in replay(document)] == [Diverged]


def test_a_replay_that_reaches_the_limit_says_so_and_what_was_never_asked_for():
    events = replay(DOCUMENTS["T-80001"], max_model_calls=1)
    assert isinstance(events[-2], LimitReached)
    assert events[-1].place == "/calls/1"


def test_a_recorded_limit_without_a_verdict_matches():
    document = {**copy_of(DOCUMENTS["T-80001"]), "usage": {}}
    document["calls"].pop()
    del document["verdict"]
    assert isinstance(replay(document, max_model_calls=1)[-1], LimitReached)
    assert replay({**document, "verdict": {"status": "valid"}}, max_model_calls=1)[-1].place == "/verdict"


def test_a_changed_order_book_is_a_divergence():
    empty = OrderBook()
    empty._connection.execute("PRAGMA query_only = OFF")
    empty._connection.execute("DELETE FROM orders")
    read = load(FOLDER / "T-80008.json")
    end = list(run_loop(read.ticket, RecordedModel(read), empty))[-1]
    assert (end.place, end.found) == ("/decisions/0/outcome", '"refused: not_found"')


def tools_with(run_tool):
    return types.SimpleNamespace(run_tool=run_tool, TOOLS=real_tools.TOOLS)


@every_ticket
def test_a_learners_run_tool_that_decides_alike_matches_without_telling_checks(ticket_id, monkeypatch):
    monkeypatch.setattr(loop, "tools", tools_with(lambda *proposal: tuple(real_tools.run_tool(*proposal))))
    events = replay(DOCUMENTS[ticket_id])
    assert isinstance(events[-1], Concluded)
    assert only(Decided, events)[0].decision.checks == ()


def test_a_learners_run_tool_that_decides_otherwise_diverges_at_the_decision(monkeypatch):
    def trusting(_name, arguments, _customer_id, book):
        return {"ok": True, "order": book.find(json.loads(arguments)["order_id"])}, "ok"

    monkeypatch.setattr(loop, "tools", tools_with(trusting))
    end = replay(DOCUMENTS["T-80001"])[-1]
    assert (end.place, end.recorded, end.found) == ("/decisions/0/outcome", '"refused: other_customer"', '"ok"')


def test_other_words_for_the_model_are_a_divergence_though_the_outcome_is_the_recorded(monkeypatch):
    def telling(*proposal):
        return {"ok": False, "error": "That is your neighbour's."}, decide(*proposal).outcome

    monkeypatch.setattr(loop, "tools", tools_with(telling))
    end = replay(DOCUMENTS["T-80001"])[-1]
    assert (end.place, end.found) == ("/decisions/0/result/error", '"That is your neighbour\'s."')


# Files


SMALL = {
    "format": 1,
    "ticket": {"id": "T-1", "customer_id": "C-1", "text": "Hello"},
    "model": {},
    "calls": [{"request": {}, "response": {}}],
    "reconstructed": [],
}
ID = "expected "
OBJECT = "expected object, found "
TEXT = "expected string, found "
TOKENS = "expected "
SECONDS = "expected "


def with_id(ticket_id):
    return put(SMALL, "/ticket/id", ticket_id)


def marking(mark):
    return {**SMALL, "reconstructed": [mark]}


def without(key):
    return {other: value for other, value in SMALL.items() if other != key}


# What stands in the file, the place, and what was expected there.
BAD_FILES = [
    ("no text", b"", "", "Not JSON at line 1, column 1: Expecting value."),
    ("not JSON", b'{"format": 1,\n}', "", "Not JSON at line 2, column 1: "),
    ("NaN", b'{"format": NaN}', "", "Not JSON: NaN stands for no JSON value."),
    ("nested deep", b"[" * 100_000, "", "Not JSON that is read here: nested deeper than 64 levels."),
    ("a long number", b"9" * 5000, "", "Not JSON that is read here: a number of more than 999 digits."),
    ("two documents", b"{} {}", "", "Not JSON at line 1, column 4: Extra data."),
    ("not UTF-8", b'{"format": "\xe9"}', "", "This is not text in UTF-8."),
    ("UTF-16", json.dumps(SMALL).encode("utf-16"), "", "This is not text in UTF-8."),
    ("a picture", b"\x89PNG\r\n\x1a\n\0\0", "", "This is not text in UTF-8."),
    ("too large", b" " * (MAX_BYTES + 1), "", f"The file is larger than {MAX_BYTES} bytes."),
    ("a megabyte of quotes", b"[" * 65 + b'"' + b'\\"' * 500_000, "", "Not JSON that is read here: nested deeper"),
    ("a key twice", b'{"format": 1, "format": 1}', "", "the key format stands twice."),
    (
        "a key twice inside",
        b'{"calls": [{"a~/": {"b": 1, "\\u0062": 1}}]}',
        "/calls/0/a~0~1",
        "the key b stands twice.",
    ),
    ("a list", [SMALL], "", OBJECT),
    ("null", None, "", OBJECT),
    ("no format", without("format"), "", "the key format is missing."),
    ("no marks", without("reconstructed"), "", "the key reconstructed is missing."),
    ("no ticket", without("ticket"), "", "the key ticket is missing."),
    ("no calls", without("calls"), "", "the key calls is missing."),
    ("the next format", {**SMALL, "format": 2}, "/format", "expected 1, found "),
    ("the format as text", {**SMALL, "format": "1"}, "/format", "expected 1, found "),
    ("true for the format", {**SMALL, "format": True}, "/format", "expected 1, found "),
    ("an unknown key", {**SMALL, "note": "x"}, "", "the key note is not provided for."),
    (
        "an unknown key of a call",
        put(SMALL, "/calls/0/tokens", 5),
        "/calls/0",
        "the key tokens is not provided for.",
    ),
    (
        "an unknown key of a ticket",
        put(SMALL, "/ticket/name", "Tom"),
        "/ticket",
        "the key name is not provided for.",
    ),
    ("a slash in the ID", with_id("../T-1"), "/ticket/id", ID),
    ("a backslash in the ID", with_id("..\\T-1"), "/ticket/id", ID),
    ("markup in the ID", with_id("<img>"), "/ticket/id", ID),
    ("a space in the ID", with_id("T 1"), "/ticket/id", ID),
    ("a line end after the ID", with_id("T-1\n"), "/ticket/id", ID),
    ("a letter with an accent in the ID", with_id("Té-1"), "/ticket/id", ID),
    ("full-width digits in the ID", with_id("T-１"), "/ticket/id", ID),
    ("NUL in the ID", with_id("T-1\0"), "/ticket/id", ID),
    ("no characters in the ID", with_id(""), "/ticket/id", ID),
    ("65 characters in the ID", with_id("T" * 65), "/ticket/id", ID),
    ("a number for the ID", with_id(80001), "/ticket/id", ID),
    ("null for the ID", with_id(None), "/ticket/id", ID),
    (
        "a number for a customer",
        put(SMALL, "/ticket/customer_id", 5),
        "/ticket/customer_id",
        "expected string, null, found 5.",
    ),
    ("null for the ticket's text", put(SMALL, "/ticket/text", None), "/ticket/text", TEXT),
    ("an object for calls", {**SMALL, "calls": {}}, "/calls", "expected array, found "),
    ("a call that is text", {**SMALL, "calls": ["x"]}, "/calls/0", OBJECT),
    (
        "a call without a response",
        {**SMALL, "calls": [{"request": {}}]},
        "/calls/0",
        "the key response is missing.",
    ),
    ("a response that is null", put(SMALL, "/calls/0/response", None), "/calls/0/response", OBJECT),
    ("a request that is a list", put(SMALL, "/calls/0/request", []), "/calls/0/request", OBJECT),
    ("time as text", put(SMALL, "/calls/0/latency_s", "1.3"), "/calls/0/latency_s", SECONDS),
    ("time below zero", put(SMALL, "/calls/0/latency_s", -1), "/calls/0/latency_s", SECONDS),
    ("tokens below zero", {**SMALL, "usage": {"prompt_tokens": -1}}, "/usage/prompt_tokens", TOKENS),
    ("half a token", {**SMALL, "usage": {"prompt_tokens": 0.5}}, "/usage/prompt_tokens", TOKENS),
    ("true for tokens", {**SMALL, "usage": {"prompt_tokens": True}}, "/usage/prompt_tokens", TOKENS),
    ("a decision without outcome", {**SMALL, "decisions": [{}]}, "/decisions/0", "the key outcome is missing."),
    ("null for decisions", {**SMALL, "decisions": None}, "/decisions", "expected array, found "),
    (
        "another verdict",
        {**SMALL, "verdict": {"status": "ok"}},
        "/verdict/status",
        'expected valid, rejected, found "ok".',
    ),
    ("a mark on the whole file", marking(""), "/reconstructed/0", "expected ^/, found "),
    ("a mark that is a number", marking(5), "/reconstructed/0", TEXT),
    ("a mark to nothing", marking("/calls/1"), "/reconstructed/0", "/calls/1 is no place in this file."),
    ("a mark that is no pointer", marking("ticket"), "/reconstructed/0", "expected ^/, found "),
    ("a mark with a zero", marking("/calls/00"), "/reconstructed/0", "/calls/00 is no place in this file."),
    ("a mark of 5,000 digits", marking("/calls/" + "9" * 5000), "/reconstructed/0", "/calls/999"),
    (
        "a mark inside an object",
        marking("/ticket#/text"),
        "/reconstructed/0",
        "/ticket#/text is no place in this file.",
    ),
    (
        "a mark inside plain text",
        marking("/ticket/text#/a"),
        "/reconstructed/0",
        "/ticket/text#/a is no place in this file.",
    ),
    (
        "a mark in a fragment",
        marking("#/ticket/text"),
        "/reconstructed/0",
        "expected ^/, found ",
    ),
]


def content_of(written):
    return written if isinstance(written, bytes) else json.dumps(written).encode()


@pytest.fixture
def folder(tmp_path):
    """A folder with one good recording, T-80001, first by name."""
    shutil.copy(FOLDER / "T-80001.json", tmp_path / "0.json")
    return tmp_path


def errors_in(folder):
    """What is wrong in the folder; the good recording loads all the same."""
    recordings, errors = load_folder(folder)
    assert "T-80001" in [each.ticket.id for each in recordings]
    return [(error.file, error.place, str(error.why)) for error in errors]


@pytest.mark.parametrize(("title", "written", "place", "expected"), BAD_FILES, ids=[bad[0] for bad in BAD_FILES])
def test_a_bad_file_is_named_with_place_and_expectation_and_the_rest_loads(folder, title, written, place, expected):
    (folder / "bad.json").write_bytes(content_of(written))
    (folder / "good.json").write_text(json.dumps(SMALL), encoding="utf-8")
    [(file, told_place, told)] = errors_in(folder)
    assert (file, told_place) == ("bad.json", place), title
    assert told.removeprefix(f"At {place or '/'}: ").startswith(expected)
    assert len(load_folder(folder)[0]) == 2


@pytest.mark.parametrize("name", ["notes.txt", "T-1.JSON", "T-1.json.bak", "README", "json"])
def test_a_foreign_file_is_named_and_harms_nothing(folder, name):
    (folder / name).write_text(json.dumps(SMALL), encoding="utf-8")
    assert errors_in(folder) == [(name, "", "A recording is a file whose name ends in .json.")]


def test_a_folder_with_the_name_of_a_recording_is_named(folder):
    (folder / "x.json").mkdir()
    assert errors_in(folder) == [("x.json", "", "A recording is a file whose name ends in .json.")]


def test_a_link_to_nothing_is_named(folder):
    (folder / "x.json").symlink_to(folder / "gone")
    (folder / "y.json").symlink_to(folder / "y.json")
    assert [file for file, _, _ in errors_in(folder)] == ["x.json", "y.json"]


def test_a_hidden_file_is_none_of_ours(folder):
    (folder / ".DS_Store").write_bytes(b"\0")
    assert errors_in(folder) == []


def test_two_files_with_one_ticket_are_named_and_the_first_counts(folder):
    (folder / "9.json").write_text(json.dumps(put(SMALL, "/ticket/id", "T-80001")), encoding="utf-8")
    assert errors_in(folder) == [("9.json", "/ticket/id", "At /ticket/id: the ticket T-80001 is already in 0.json.")]
    assert load_folder(folder)[0][0].ticket.customer_id == "C-20417"


def test_every_kind_of_bad_file_has_an_example(folder):
    templates = set()
    for number, (_, written, _, _) in enumerate(BAD_FILES):
        (folder / f"bad{number}.json").write_bytes(content_of(written))
    (folder / "9.json").write_text(json.dumps(put(SMALL, "/ticket/id", "T-80001")), encoding="utf-8")
    (folder / "foreign").write_bytes(b"")
    templates |= {error.why.template for error in load_folder(folder)[1]}
    assert templates >= sentences_of_recording()[1]


@contextmanager
def without_rights():
    """Read as somebody who owns nothing: root may read everything."""
    if not hasattr(os, "geteuid"):
        pytest.skip("this system has no such rights")
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.fixture
def open_folder():
    """A folder that anyone may look into, as pytest's own is not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        shutil.copy(FOLDER / "T-80001.json", Path(name, "0.json"))
        Path(name, "0.json").chmod(0o644)
        yield Path(name)
        Path(name).chmod(0o755)


def test_a_file_that_may_not_be_read_is_named_and_the_rest_loads(open_folder):
    (open_folder / "secret.json").write_text(json.dumps(SMALL), encoding="utf-8")
    (open_folder / "secret.json").chmod(0)
    with without_rights():
        assert errors_in(open_folder) == [("secret.json", "", "This cannot be read: Permission denied.")]


def test_a_folder_that_may_be_listed_only_has_its_files_named(open_folder):
    open_folder.chmod(0o444)
    with without_rights():
        recordings, errors = load_folder(open_folder)
    assert recordings == []
    assert [(error.file, str(error.why)) for error in errors] == [("0.json", "This cannot be read: Permission denied.")]


def test_a_folder_that_may_not_be_listed_is_named(open_folder):
    open_folder.chmod(0)
    with without_rights():
        recordings, [error] = load_folder(open_folder)
    assert recordings == []
    assert (error.file, str(error.why)) == (open_folder.name, "This cannot be read: Permission denied.")


def test_a_missing_folder_is_named(tmp_path):
    recordings, [error] = load_folder(tmp_path / "gone")
    assert recordings == []
    assert (error.file, error.place) == ("gone", "")
    assert str(error.why) == "This cannot be read: No such file or directory."


def test_a_file_for_a_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert str(load_folder(tmp_path / "file")[1][0].why) == "This cannot be read: Not a directory."


def test_an_empty_folder_has_neither_recordings_nor_errors(tmp_path):
    assert load_folder(tmp_path) == ([], [])


def test_an_error_says_file_and_place_in_one_line():
    with pytest.raises(RecordingError, match=r"^a\.json: At /ticket/text: expected string, found 5\.$"):
        parse(json.dumps(put(SMALL, "/ticket/text", 5)), "a.json")


@pytest.mark.parametrize("ticket_id", ["T-80001", "a", "A.b_c-9", "T" * 64])
def test_a_ticket_id_of_the_allowed_characters_is_read(ticket_id):
    assert parse(json.dumps(with_id(ticket_id)), "x").ticket.id == ticket_id


def test_a_byte_order_mark_does_no_harm(folder):
    (folder / "bom.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(SMALL).encode())
    assert errors_in(folder) == []
    assert len(load_folder(folder)[0]) == 2


def test_what_is_not_recorded_is_none():
    read = parse(json.dumps(SMALL), "x")
    assert (read.recorded_at, read.usage, read.decisions, read.verdict) == (None, Usage(), None, None)


def test_what_is_recorded_is_read_as_it_stands():
    read = load(FOLDER / "T-80001.json")
    document = DOCUMENTS["T-80001"]
    assert (read.file, read.ticket.text, read.model) == ("T-80001.json", document["ticket"]["text"], document["model"])
    assert list(read.calls) == document["calls"]
    assert list(read.decisions) == document["decisions"]
    assert (read.verdict, read.usage) == (document["verdict"], Usage(4186, 114))


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.stem)
def test_the_digest_is_the_sha_256_of_the_files_text(file):
    assert load(file).digest == hashlib.sha256(file.read_bytes()).hexdigest()


def test_the_digest_is_another_when_a_byte_is():
    text = (FOLDER / "T-80001.json").read_text(encoding="utf-8")
    texts = [text, text + "\n", text.replace('"format": 1', '"format":  1'), text.replace("Mrs Okafor", "Mrs okafor")]
    assert len({parse(each, "x").digest for each in texts}) == len(set(texts)) == 4


def test_the_digest_tells_nothing_of_the_files_name_or_its_byte_order_mark(folder):
    (folder / "bom.json").write_bytes(b"\xef\xbb\xbf" + (folder / "0.json").read_bytes())
    assert load(folder / "bom.json").digest == load(folder / "0.json").digest


def test_one_recording_can_be_replayed_many_times():
    read = load(FOLDER / "T-80001.json")
    first, second = (list(run_loop(read.ticket, RecordedModel(read), BOOK)) for _ in range(2))
    assert [type(event) for event in first] == [type(event) for event in second]
    assert read == load(FOLDER / "T-80001.json")


def test_a_ticket_without_a_customer_can_be_replayed_and_gets_nothing():
    document = put(DOCUMENTS["T-80008"], "/ticket/customer_id", None)
    end = replay(document)[-1]
    assert (end.place, end.found) == ("/decisions/0/outcome", '"refused: other_customer"')
