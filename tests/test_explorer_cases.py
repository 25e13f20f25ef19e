"""The prepared cases: for every check and every rule one that it stops, under names that fit an address."""

import importlib
import json
import re
from itertools import groupby

import pytest

from assistant.barriers import BUSINESS_RULES, SCHEMA_RULES, judge_reply
from assistant.explorer.cases import ANOTHERS, EXERCISE, INJECTED, MISSING, SOURCES, Source, cases, reply_with
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.removing import REPLY
from assistant.explorer.run import RECORDINGS_VARIABLE
from assistant.tools import CHECKS, decide
from tests.books import write_book
from tests.examples import SHORT_TOOLS
from tests.scripted import BOOK
from tests.test_explorer_fresh import copied_project, save
from tests.test_explorer_run import FOLDER, TICKETS, nothing_in_the_environment, recording  # noqa: F401

PREPARED = cases()


def decided(case):
    return decide(case.tool, case.arguments, case.ticket.customer_id, BOOK)


def judged(case):
    return judge_reply(case.reply, case.ticket, case.looked_up)


def test_every_check_stops_a_prepared_proposal():
    assert {decided(case).failed_check for case in PREPARED.proposals} == {None, *(check.name for check in CHECKS)}


def test_every_rule_rejects_a_prepared_reply():
    rules = {rule.code for rule in (*SCHEMA_RULES, *BUSINESS_RULES)}
    assert {code for case in PREPARED.replies for code in judged(case).broken} == rules
    assert any(judged(case).status == "valid" for case in PREPARED.replies)


@pytest.mark.parametrize("rule", BUSINESS_RULES, ids=lambda rule: rule.code)
def test_every_business_rule_is_the_only_one_to_reject_some_reply(rule):
    assert any(judged(case).broken == (rule.code,) for case in PREPARED.replies)


@pytest.mark.parametrize("prepared", [PREPARED.proposals, PREPARED.replies], ids=["proposals", "replies"])
def test_every_name_is_there_once_and_fits_an_address(prepared):
    names = [case.name for case in prepared]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]{1,64}", name) for name in names)


def test_no_proposal_has_a_replys_name():
    assert not [case.name for case in PREPARED.proposals if case.name.startswith(REPLY)]


@pytest.mark.parametrize("prepared", [PREPARED.proposals, PREPARED.replies], ids=["proposals", "replies"])
def test_every_case_has_a_title_and_cases_of_one_source_stand_together(prepared):
    assert all(str(case.title) for case in prepared)
    sources = [source for source, _ in groupby(prepared, key=lambda case: case.source)]
    assert len(set(sources)) == len(sources)
    assert sources[0] is Source.RECORDED


def test_every_source_has_words_of_its_own_in_both_languages():
    assert set(SOURCES) == set(Source)
    for language in (ENGLISH, FRENCH):
        assert len({language.tell(words) for words in SOURCES.values()}) == len(Source)


def test_the_recorded_cases_are_the_four_recordings_in_the_lessons_order():
    for prepared in (PREPARED.proposals, PREPARED.replies):
        recorded = [case for case in prepared if case.source is Source.RECORDED]
        assert [case.name for case in recorded] == list(TICKETS)
        assert [case.recording for case in recorded] == [recording(name) for name in TICKETS]
        assert [case.ticket for case in recorded] == [recording(name).ticket for name in TICKETS]


@pytest.mark.parametrize("name", TICKETS)
def test_a_recorded_case_is_what_the_recording_holds(name):
    first, last = (call["response"]["choices"][0]["message"] for call in recording(name).calls)
    (call,) = first["tool_calls"]
    (proposal,) = (case for case in PREPARED.proposals if case.name == name)
    (reply,) = (case for case in PREPARED.replies if case.name == name)
    assert (proposal.tool, proposal.arguments) == (call["function"]["name"], call["function"]["arguments"])
    assert reply.reply.content == last["content"]
    assert reply.looked_up == ({"LK-581106": "shipped"} if name == "T-80008" else {})


@pytest.mark.parametrize("name", TICKETS)
def test_a_recorded_case_comes_to_what_was_recorded(name):
    one = recording(name)
    (proposal,) = (case for case in PREPARED.proposals if case.name == name)
    (reply,) = (case for case in PREPARED.replies if case.name == name)
    assert decided(proposal).outcome == one.decisions[0]["outcome"]
    assert judged(reply).status == one.verdict["status"]
    assert list(judged(reply).broken) == one.verdict.get("broken", [])


def test_only_recorded_cases_have_a_recording():
    for case in (*PREPARED.proposals, *PREPARED.replies):
        assert (case.recording is not None) == (case.source is Source.RECORDED)


def test_the_exercise_and_the_injected_instruction_are_the_lessons():
    lesson = [case for case in PREPARED.proposals if case.source is Source.LESSON]
    assert lesson == [*EXERCISE, INJECTED]
    assert [(case.arguments, case.ticket.customer_id) for case in EXERCISE] == [
        ('{"order_id":"LK-428830"}', "C-44702"),
        ('{"order_id":"LK-428830"}', "C-81265"),
        ('{"order_id":"lk-428830"}', "C-44702"),
        ('{"order_id":"LK-428830","customer_id":"C-44702"}', "C-81265"),
    ]
    assert "LK-830215" in INJECTED.ticket.text
    assert decided(INJECTED).outcome == "refused: other_customer"


def test_a_missing_order_and_anothers_differ_in_nothing_but_the_order():
    assert (decided(MISSING).outcome, decided(ANOTHERS).outcome) == ("refused: not_found", "refused: other_customer")
    assert MISSING.ticket.customer_id == ANOTHERS.ticket.customer_id
    assert MISSING.ticket.text == ANOTHERS.ticket.text


def test_a_made_up_reply_fits_the_schema():
    assert judge_reply(reply_with(), PREPARED.replies[0].ticket, {}).status == "valid"
    assert json.loads(reply_with(team="other").content)["team"] == "other"


# Whatever the page is pointed at.


def test_the_cases_are_the_same_whatever_folder_and_order_book_the_page_is_pointed_at(tmp_path, monkeypatch):
    content = (FOLDER / "T-80001.json").read_text(encoding="utf-8").replace("T-80001", "T-1")
    (tmp_path / "T-1.json").write_text(content, encoding="utf-8")
    book = write_book(tmp_path / "book.db", [("LK-581106", "C-81265", "returned"), ("LK-615204", "C-20417", "shipped")])
    monkeypatch.setenv(RECORDINGS_VARIABLE, str(tmp_path))
    monkeypatch.setenv("EXPLORER_ORDERS", str(book))
    assert cases() == PREPARED


@pytest.fixture
def project(tmp_path):
    with copied_project(tmp_path) as folder:
        yield folder


def cases_of_the_copy():
    return importlib.import_module("assistant.explorer.cases").cases()


def test_the_shipped_recordings_can_all_be_read():
    assert PREPARED.unreadable == ()


def test_a_file_of_the_projects_own_that_is_no_recording_is_told_and_the_rest_is_there(project):
    (project / "recordings" / "broken.json").write_text("{", encoding="utf-8")
    prepared = cases_of_the_copy()
    assert [error.file for error in prepared.unreadable] == ["broken.json"]
    assert [case.name for case in prepared.proposals] == [case.name for case in PREPARED.proposals]


def test_a_recording_that_somebody_adds_is_a_case_after_the_lessons(project):
    content = (FOLDER / "T-80001.json").read_text(encoding="utf-8").replace("T-80001", "T-1")
    (project / "recordings" / "more.json").write_text(content, encoding="utf-8")
    prepared = cases_of_the_copy()
    assert [case.name for case in prepared.proposals][:5] == [*TICKETS, "T-1"]
    assert [case.name for case in prepared.replies][:5] == [*TICKETS, "T-1"]


@pytest.mark.parametrize("arguments", [None, {"order_id": "LK-1"}, 7])
def test_a_recorded_proposal_that_is_no_text_is_no_case(project, arguments):
    document = json.loads((FOLDER / "T-80001.json").read_text(encoding="utf-8"))
    call = document["calls"][0]["response"]["choices"][0]["message"]["tool_calls"][0]
    call["function"]["arguments"] = arguments
    document["ticket"]["id"] = "T-1"
    (project / "recordings" / "more.json").write_text(json.dumps(document), encoding="utf-8")
    assert "T-1" not in [case.name for case in cases_of_the_copy().proposals]


STOPPING_TOOLS = "TOOLS = []\n\ndef run_tool(*_):\n    return 1 / 0\n"


@pytest.mark.parametrize("content", [SHORT_TOOLS, STOPPING_TOOLS], ids=["a short one", "one that stops the loop"])
def test_a_tools_file_of_ones_own_leaves_every_proposal(project, content):
    save(project / "assistant" / "tools.py", content)
    prepared = cases_of_the_copy()
    assert [case.name for case in prepared.proposals] == [case.name for case in PREPARED.proposals]
