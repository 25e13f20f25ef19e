"""The page for one proposal of one's own: the same checks, evidence, words and log line as in the loop."""

import json

import pytest

from assistant.explorer.cases import cases
from assistant.explorer.ladder import STATES
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.proposing import FIELDS, values_of
from assistant.explorer.trying import MAX_TYPED
from assistant.sentence import say
from assistant.tools import CHECKS, decide
from tests.books import write_book
from tests.examples import REFUSALS, SHORT_TOOLS
from tests.scripted import BOOK
from tests.test_explorer_fresh import copied_project, save
from tests.test_explorer_page import HOSTILE, own_environment, page_modules, plain  # noqa: F401
from tests.test_explorer_run import FOLDER
from tests.test_explorer_site import assert_sound, drawn, open_at, says

PREPARED = {case.name: case for case in cases().proposals}
DECIDED = {name: decide(case.tool, case.arguments, case.ticket.customer_id, BOOK) for name, case in PREPARED.items()}
TYPED = [
    refusal
    for refusal in REFUSALS
    if all(isinstance(value, str) for value in refusal[4:])
    and len(refusal.name) < 500
    and len(refusal.arguments) <= MAX_TYPED
    and len(refusal.customer_id) < 500
    and not any("\ud800" <= sign <= "\udfff" for value in refusal[4:] for sign in value)
]
# Before a page loads the modules anew.
TYPED_DECISIONS = {refusal.title: decide(*refusal[4:6], refusal.customer_id or None, BOOK) for refusal in TYPED}


def propose(locale="en-CA", **address):
    page = open_at("proposal", locale, **address)
    assert_sound(page)
    return page


def article(page):
    return drawn(page).one("article")


def assert_shows(shown, decision, language=ENGLISH):
    """The article shows this decision: its outcome, each check's state and evidence, both results."""
    tell = language.tell
    assert shown.one("h2").text == tell(say("Checks the proposal: {outcome}", outcome=decision.outcome))
    rungs = list(shown.all("li", kind="rung"))
    states = [f"{STATES[check.state][0]} {tell(STATES[check.state][1])}" for check in decision.checks]
    assert [rung.one("span", kind="state").text for rung in rungs] == states
    assert [rung.one("p", kind="question").text for rung in rungs] == [
        tell(check.question) for check in decision.checks
    ]
    found = [read_as_shown(tell(check.evidence)) for check in decision.checks if check.evidence]
    assert [rung.one("p", kind="evidence").text for rung in rungs if list(rung.all("p", kind="evidence"))] == found
    assert decision.outcome in shown.texts("pre")


def read_as_shown(text):
    """A text with the invisible made visible, as the page has it."""
    hidden = {"\0": "\\u0000", "\r": "\\u000d", "\u2028": "\\u2028", "\ufeff": "\\ufeff", "\ud800": "\\ud800"}
    return "".join(hidden.get(sign, sign) for sign in text)


@pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)
@pytest.mark.parametrize("name", PREPARED)
def test_every_prepared_case_is_decided_as_by_the_code(name, language):
    assert_shows(article(propose(language.tag, case=name)), DECIDED[name], language)


@pytest.mark.parametrize("refusal", TYPED, ids=lambda refusal: refusal.title)
def test_whatever_is_typed_is_decided_as_by_the_code(refusal):
    page = propose(tool=refusal.name, arguments=refusal.arguments, customer=refusal.customer_id)
    assert_shows(article(page), TYPED_DECISIONS[refusal.title])
    if refusal.customer_id:
        assert TYPED_DECISIONS[refusal.title].failed_check == refusal.check


def test_a_case_is_typed_as_the_model_wrote_it():
    for case in PREPARED.values():
        values = values_of(case)
        assert list(values) == [field.name for field in FIELDS]
        assert (values["tool"], values["arguments"]) == (case.tool, case.arguments)
        assert values["customer"] == (case.ticket.customer_id or "")


def test_what_the_model_reads_and_what_the_log_reads_stand_side_by_side():
    cells = article(propose(case="T-80001")).one("div", kind="cells")
    assert cells.texts("h3") == ["The model reads", "The log reads"]
    result, outcome = cells.texts("pre")
    assert json.loads(result) == {"ok": False, "error": "No order LK-615204 is available for this customer."}
    assert outcome == "refused: other_customer"


def test_the_whole_line_of_the_decision_log_is_there_and_names_no_other_customer():
    line = json.loads(article(propose(case="T-80001")).texts("pre")[-1])
    assert line["outcome"] == "refused: other_customer"
    assert "C-38852" not in article(propose(case="T-80001")).text


def test_the_order_id_under_question_is_marked_wherever_it_stands():
    marked = article(propose(case="T-80001")).texts("mark")
    assert set(marked) == {"LK-615204"}
    assert len(marked) >= 4


@pytest.mark.parametrize("customer", ["", None])
def test_without_a_customer_no_order_is_anybodys(customer):
    address = {} if customer is None else {"customer": customer}
    page = propose(tool="get_order", arguments='{"order_id":"LK-581106"}', **address)
    assert "The ticket names no customer, so no order is theirs." in article(page).text
    assert json.loads(article(page).texts("pre")[-1])["customer"] is None


def test_the_question_about_a_missing_order_and_anothers_is_answered_on_the_page():
    page = drawn(propose(case="words"))
    assert "Can the model tell a missing order from somebody else's?" in page.texts("h2")
    assert page.one("div", kind="told-apart").one("strong").text.startswith("No: ")


def test_the_page_runs_over_the_sample_orders_only(tmp_path, monkeypatch):
    before = article(propose(case="T-80008")).texts("li")
    book = write_book(tmp_path / "book.db", [("LK-581106", "C-1", "returned"), ("LK-615204", "C-20417", "shipped")])
    monkeypatch.setenv("EXPLORER_ORDERS", str(book))
    monkeypatch.setenv("EXPLORER_RECORDINGS", str(tmp_path))
    page = propose(case="T-80008")
    assert article(page).texts("li") == before
    assert not says(page)
    assert_shows(article(propose(case="T-80001")), DECIDED["T-80001"])


def test_the_code_that_decided_is_folded_under_the_check_that_decided():
    (fold,) = article(propose(case="T-80001")).one("ol", kind="ladder").all("details")
    assert fold.one("summary").text.startswith("The code that decided: assistant/tools.py, line ")
    assert "def the_order_is_the_customers(call: ToolCall)" in fold.one("pre").text


def test_nothing_of_a_proposal_takes_effect():
    page = propose(tool=HOSTILE, arguments=HOSTILE, customer=HOSTILE)
    assert article(page).text.count(HOSTILE) >= 2
    assert [each.label for each in page.button if "example" in plain(each.label)] == []


# A tools.py of one's own, and recordings.


def test_a_tools_file_without_a_table_decides_and_the_page_says_that_it_lists_no_checks(tmp_path):
    with copied_project(tmp_path) as project:
        save(project / "assistant" / "tools.py", SHORT_TOOLS)
        page = open_at("proposal", root=project, case="T-80001")
        assert_sound(page)
        assert article(page).one("h2").text == "Checks the proposal: refused: my_own_code"
        assert "This tools.py does not list its checks, only their outcome." in article(page).texts("p")
        assert "def run_tool(name, arguments, customer_id, book)" in article(page).text


def test_a_run_tool_that_stops_is_named_with_its_line_and_not_with_an_exception(tmp_path):
    with copied_project(tmp_path) as project:
        save(project / "assistant" / "tools.py", SHORT_TOOLS)
        page = open_at("proposal", root=project, case="words")
        assert not page.exception
        assert "assistant/tools.py, line 10 stops the loop." in drawn(page).one(kind="failure").text
        assert page.text_area(key="proposal arguments").value == PREPARED["words"].arguments


@pytest.mark.parametrize(
    "hostile", [HOSTILE, "\ud800", "a\0b", "x" * 30_000], ids=["markup", "half a pair", "NUL", "long"]
)
def test_a_recorded_proposal_of_any_text_can_be_chosen(tmp_path, hostile):
    document = json.loads((FOLDER / "T-80001.json").read_text(encoding="utf-8"))
    document["ticket"]["id"] = "T-1"
    (call,) = document["calls"][0]["response"]["choices"][0]["message"]["tool_calls"]
    call["function"] = {"name": "get_order", "arguments": hostile}
    with copied_project(tmp_path) as project:
        (project / "recordings" / "T-1.json").write_text(json.dumps(document), encoding="utf-8")
        page = open_at("proposal", root=project, case="T-1")
        assert_sound(page)
        assert article(page).one("h2").text == "Checks the proposal: refused: invalid_argument"


def test_the_checks_on_the_page_are_the_tables():
    questions = article(propose()).one("ol", kind="ladder").texts(kind="question")
    assert questions == [str(check.question) for check in CHECKS]
