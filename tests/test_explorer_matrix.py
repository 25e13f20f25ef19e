"""The matrix: a row a case, a cell a check, each in a sign and a word; one case in full, its leak set off."""

import json
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.barriers import BUSINESS_RULES, Reply
from assistant.explorer import matrix
from assistant.explorer.cases import SOURCES, ProposalCase, ReplyCase, Source, cases
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.matrix import CELLS, FATES, Shown, in_full
from assistant.explorer.view import View
from assistant.explorer.without import SCHEMA, Cell, Crash, Fate, Row, proposal_row, reply_row
from assistant.sentence import say
from assistant.ticket import Ticket
from assistant.tools import CHECKS
from tests import strategies
from tests.scripted import BOOK
from tests.test_explorer_markup import read
from tests.test_explorer_run import nothing_in_the_environment  # noqa: F401

NAMES = [check.name for check in CHECKS]
CODES = [rule.code for rule in BUSINESS_RULES]
PREPARED = cases()
PROPOSALS = {case.name: case for case in PREPARED.proposals}
REPLIES = {case.name: case for case in PREPARED.replies}
LANGUAGE = pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)
LIVE = {"img", "script", "a", "iframe", "form", "input", "svg", "style", "b", "i"}
HOSTILE = "<b>x</b> <img src=x onerror=alert(1)> \" ' & </td></table> \u202e\0"


def rows_without(*off):
    return [proposal_row(off, case, BOOK) for case in PREPARED.proposals]


def drawn(rows, off=(), open_case="", language=ENGLISH):
    def link(case):
        return f"remove?{urlencode({'case': case})}"

    html = matrix.matrix(rows, say("The matrix"), Shown(off, open_case, link), BOOK, language)
    return read(html.replace("<wbr>", ""))


def full(row, off=(), language=ENGLISH):
    """A case in full, read."""
    return read(in_full(row, off, View(language, row.case.recording, {}), BOOK))


def word(cell, language=ENGLISH):
    icon, words, _ = CELLS[cell]
    return f"{icon} {language.tell(words)}"


def case_rows(page):
    """The rows of the cases: without heads and what stands in full."""
    return [row for row in page.one("tbody").all("tr") if row.attributes.get("class") in (None, "chosen")]


# Words.


@LANGUAGE
def test_every_cell_and_every_fate_has_words_of_its_own(language):
    assert set(CELLS) == set(Cell)
    assert set(FATES) == set(Fate)
    assert len({language.tell(words) for _, words, _ in CELLS.values()}) == len(Cell)
    assert len({language.tell(words) for words in FATES.values()}) == len(Fate)


def test_what_stopped_a_case_and_what_missed_it_are_told_in_words_and_not_by_a_mark_alone():
    assert {cell for cell, (_, _, is_told) in CELLS.items() if is_told} >= {
        Cell.STOPPED,
        Cell.LATER,
        Cell.MISSED,
        Cell.CRASHED,
    }


# The matrix.


@LANGUAGE
@pytest.mark.parametrize("off", [(), ("own_order",), ("exact_arguments", "order_id_form"), tuple(NAMES)])
def test_each_row_says_in_words_what_became_of_its_case(off, language):
    rows = rows_without(*off)
    page = drawn(rows, off, language=language)
    for row, shown in zip(rows, case_rows(page), strict=True):
        *cells, outcome = shown.all("td")
        assert [cell.text for cell in cells] == [word(cell, language) for cell in row.cells.values()]
        assert outcome.one("span", kind="data").text == row.outcome
        fate = [] if row.fate is Fate.SAME else [language.tell(FATES[row.fate])]
        assert outcome.texts("strong") == fate
        assert language.tell(row.case.title) in shown.one("th").text


def test_a_recorded_case_is_named_by_its_ticket():
    named = [row.one("th").texts(kind="data") for row in case_rows(drawn(rows_without()))]
    assert named[:5] == [["T-80008"], ["T-80001"], ["T-65059"], ["T-80009"], []]


@pytest.mark.parametrize("off", [(), ("own_order",), tuple(NAMES)])
def test_the_columns_are_the_checks_and_those_that_are_off_are_marked(off):
    heads = list(drawn(rows_without(*off), off).one("thead").all("th"))
    numbered = [f"{number}\N{NO-BREAK SPACE}{name}" for number, name in enumerate(NAMES, start=1)]
    assert [head.text for head in heads] == ["Case", *numbered, "What comes of it"]
    marked = [head.text for head in heads if head.attributes.get("class") == "off"]
    assert [name.partition("\N{NO-BREAK SPACE}")[2] for name in marked] == list(off)
    assert {head.attributes["scope"] for head in heads} == {"col"}


def test_the_columns_of_replies_are_the_schema_and_the_rules():
    rows = [reply_row((), case) for case in PREPARED.replies]
    assert drawn(rows).one("thead").texts("th") == [
        "Case",
        SCHEMA,
        *(f"{number}\N{NO-BREAK SPACE}{code}" for number, code in enumerate(CODES, start=1)),
        "What comes of it",
    ]


def test_the_cases_stand_under_where_they_come_from():
    page = drawn(rows_without())
    heads = [row.text for row in page.all("tr", kind="source-row")]
    assert heads == [str(SOURCES[source]) for source in Source]
    width = str(len(NAMES) + 2)
    assert {head.attributes["colspan"] for row in page.all("tr", kind="source-row") for head in row.all("th")} == {
        width
    }


def test_every_row_opens_its_case_and_the_open_one_closes():
    links = [row.one("a") for row in case_rows(drawn(rows_without(), open_case="T-80001"))]
    expanded = {link.attributes["data-key"].removeprefix("case-"): link.attributes for link in links}
    assert [name for name, each in expanded.items() if each["aria-expanded"] == "true"] == ["T-80001"]
    assert list(expanded) == list(PROPOSALS)
    for name, each in expanded.items():
        assert each["href"] == f"remove?case={'' if name == 'T-80001' else name}"


def test_the_open_case_stands_in_full_below_its_row():
    rows = list(drawn(rows_without("own_order"), ["own_order"], "T-80001").one("tbody").all("tr"))
    place = next(index for index, row in enumerate(rows) if row.attributes.get("class") == "chosen")
    assert rows[place + 1].attributes["class"] == "full-row"
    assert [row.attributes.get("class") for row in rows].count("full-row") == 1
    assert "garden shed" in rows[place + 1].text


def test_without_an_open_case_none_stands_in_full():
    assert not list(drawn(rows_without()).all("tr", kind="full-row"))


def test_a_matrix_without_cases_is_a_table_without_rows():
    assert not list(drawn([]).one("tbody").all("tr"))


def test_the_matrix_can_be_scrolled_with_the_keyboard_and_has_a_name():
    region = drawn(rows_without()).one("div", kind="matrix").attributes
    assert (region["tabindex"], region["role"], region["aria-label"]) == ("0", "region", "The matrix")


# One case in full.


def scalars(value):
    """Every value in a JSON value that is no object and no list, as it is drawn."""
    if isinstance(value, dict):
        return [one for item in value.values() for one in scalars(item)]
    if isinstance(value, list):
        return [one for item in value for one in scalars(item)]
    return [json.dumps(value)]


@LANGUAGE
@pytest.mark.parametrize("name", ["T-80001", "injected", "exercise-2", "nobody"])
@pytest.mark.parametrize("off", [("own_order",), tuple(NAMES)], ids=["the last check", "all checks"])
def test_a_leak_is_set_off_value_by_value(name, off, language):
    row = proposal_row(off, PROPOSALS[name], BOOK)
    page = full(row, off, language)
    *leaked, legend = page.texts("span", kind="leaked")
    assert leaked == scalars(row.decision.result["order"])
    underlined = say("Underlined twice: another's order, which the model now knows and may tell.")
    assert legend == language.tell(underlined)


@pytest.mark.parametrize(
    ("name", "off"), [("T-80008", ("own_order",)), ("refund", ("known_tool",)), ("T-65059", tuple(NAMES))]
)
def test_what_is_no_leak_is_not_set_off(name, off):
    row = proposal_row(off, PROPOSALS[name], BOOK)
    assert row.outcome == "ok"
    assert not list(full(row, off).all(kind="leaked"))


def test_without_any_check_there_is_no_ladder_but_what_was_looked_up():
    page = full(proposal_row(NAMES, PROPOSALS["T-80001"], BOOK), NAMES)
    assert not {str(check.question) for check in CHECKS} & set(page.texts(kind="question"))
    assert "No check is left: whatever the model asks for is looked up." in page.texts("p")
    assert "garden shed" in page.text


def test_with_some_checks_left_the_ladder_is_of_these():
    page = full(proposal_row(["own_order"], PROPOSALS["T-80001"], BOOK), ["own_order"])
    questions = [str(check.question) for check in CHECKS if check.name != "own_order"]
    assert page.first("ol", kind="ladder").texts(kind="question") == questions


def test_what_is_switched_off_is_said():
    off = ["order_exists", "own_order"]
    notes = full(proposal_row(off, PROPOSALS["T-80001"], BOOK), off).texts("p", kind="note")
    assert "Switched off: order_exists, own_order" in notes
    assert not [
        note
        for note in full(proposal_row((), PROPOSALS["T-80001"], BOOK)).texts("p", kind="note")
        if "Switched off" in note
    ]


def test_a_crash_is_named_with_where_it_happened():
    page = full(proposal_row(["exact_arguments"], PROPOSALS["twice"], BOOK), ["exact_arguments"])
    assert page.one("p", kind="crash").text.startswith("The code crashes: TypeError: ")
    assert page.texts("p", kind="note")[-1] == (
        "It happened in the check order_id_form, which relies on one that is switched off."
    )
    page = full(proposal_row(NAMES, PROPOSALS["words"], BOOK), NAMES)
    assert page.one("p", kind="crash").text.startswith("The code crashes: NotJson: ")
    assert page.texts("p", kind="note")[-1] == "It happened in the look-up, after the last check that is left."


def test_a_later_barriers_verdict_on_the_leak_is_told():
    page = full(proposal_row(["own_order"], PROPOSALS["T-80001"], BOOK), ["own_order"])
    assert "A later barrier? A reply that states this order would be valid." in page.texts("h3")
    assert '"order_id": "LK-615204", "status": "shipped"' in page.text
    page = full(proposal_row(["own_order"], PROPOSALS["nobody"], BOOK), ["own_order"])
    said = "A later barrier? A reply that states this order would be rejected: order_not_in_ticket."
    assert said in page.texts("h3")


def test_where_the_recorded_loop_would_leave_its_recording_is_told_with_both_values():
    page = full(proposal_row(["own_order"], PROPOSALS["T-80001"], BOOK), ["own_order"])
    assert "The recorded loop would leave its recording here" in page.texts("h3")
    assert {"/decisions/0/outcome"} <= set(page.texts("span", kind="data"))
    assert {'"refused: other_customer"', '"ok"'} <= set(page.texts("pre"))
    page = full(proposal_row((), PROPOSALS["T-80001"], BOOK))
    assert "The recorded loop would leave its recording here" not in page.texts("h3")


def test_after_a_reply_that_got_through_there_is_no_code_left():
    row = reply_row(["order_not_in_ticket"], REPLIES["T-80009"])
    page = full(row, ["order_not_in_ticket"])
    assert "No code follows. Only the agent who reads it before it is sent is left." in page.texts("p")
    assert "LK-551902" in page.first("pre").text
    assert "/verdict/status" in page.text


@LANGUAGE
@pytest.mark.parametrize("off", [(), ("own_order",), ("known_tool", "exact_arguments"), tuple(NAMES)])
def test_every_prepared_case_can_be_shown_in_full(off, language):
    for case in PREPARED.proposals:
        row = proposal_row(off, case, BOOK)
        assert language.tell(FATES[row.fate]) in full(row, off, language).one("h2").text
    for case in PREPARED.replies:
        row = reply_row(CODES if off else (), case)
        assert language.tell(FATES[row.fate]) in full(row, CODES if off else (), language).one("h2").text


# Text from outside.


def hostile_proposal(tool, arguments, customer_id=HOSTILE, text=HOSTILE):
    return ProposalCase("any", say("{x}", x=HOSTILE), Source.WRITTEN, Ticket("any", customer_id, text), tool, arguments)


texts = strategies.text | st.just(HOSTILE)


@strategies.trying(200)
@given(
    st.sets(st.sampled_from(NAMES)), st.sampled_from(["get_order", HOSTILE]) | texts, strategies.nearly_right() | texts
)
def test_nothing_in_a_proposal_takes_effect(off, tool, arguments):
    row = proposal_row(off, hostile_proposal(tool, arguments), BOOK)
    page = full(row, sorted(off))
    assert not LIVE & {each.tag for each in page.all()}
    assert "onerror" not in {name for each in page.all() for name in each.attributes}


@strategies.trying(100)
@given(st.sets(st.sampled_from(CODES)), texts, texts, texts)
def test_nothing_in_a_reply_takes_effect(off, content, refusal, finish_reason):
    ticket = Ticket("any", None, HOSTILE)
    case = ReplyCase("any", say("any"), Source.WRITTEN, ticket, {}, Reply(content, refusal or None, finish_reason))
    assert not LIVE & {each.tag for each in full(reply_row(off, case), sorted(off), FRENCH).all()}


def test_nothing_in_a_crash_takes_effect_and_it_is_cut():
    row = Row(PROPOSALS["T-80001"], {}, Fate.CRASH, "ok", crash=Crash(HOSTILE, HOSTILE + "x" * 10_000, HOSTILE))
    page = full(row)
    assert not LIVE & {each.tag for each in page.all()}
    assert "<img src=x onerror=alert(1)>" in page.one("p", kind="crash").text
    assert len(page.one("p", kind="crash").text) < 1_000


def test_nothing_in_a_table_takes_effect():
    case = hostile_proposal("get_order", HOSTILE)
    row = Row(case, {HOSTILE: Cell.CRASHED}, Fate.CRASH, "ok", crash=Crash(HOSTILE, HOSTILE, HOSTILE))
    page = drawn([row], [HOSTILE], "any")
    assert not (LIVE - {"a"}) & {each.tag for each in page.all()}
    assert [link.attributes["href"] for link in page.all("a")] == ["remove?case="]
