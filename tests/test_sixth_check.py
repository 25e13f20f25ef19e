"""A sixth check in the table, and nothing else changed: it decides, is drawn, asked about, and can be switched off."""

import importlib
import itertools

import pytest

from assistant.decision import Group
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.tools import CHECKS
from tests import test_explorer_catalogue
from tests.examples import OWN_ORDER, SHORT_TOOLS
from tests.test_explorer_controls import press
from tests.test_explorer_fresh import copied_project, save
from tests.test_explorer_page import own_environment, page_modules, plain  # noqa: F401
from tests.test_explorer_site import PAGES, ROOT, assert_sound, drawn, open_at, says

QUESTION = "The order is not too old"
YES, NO = "Ordered on {day}.", "Ordered on {day}, which is too long ago."
MESSAGE = "The order {order_id} is too old to be looked up."
FIRST_DAY = "2026-09-20"  # T-80008's order is later, the exercise's earlier
OLD_ORDER = ("get_order", '{"order_id":"LK-428830"}', "C-44702")
NAMES = [*(check.name for check in CHECKS), "not_too_old"]
OLD = 'get_order({"order_id":"LK-428830"})'

# The same check as a learner would write it into tools.py.
WRITTEN = f'''
def the_order_is_not_too_old(call: ToolCall) -> Passed | Failed:
    """An order of long ago is nobody's business here."""
    call.times_asked += 1
    day = (call.book.find(call.order_id) or {{}})["ordered_on"]
    if day >= "{FIRST_DAY}":
        return Passed(say("{YES}", day=day))
    return Failed(say("{NO}", day=day), say("{MESSAGE}", order_id=call.order_id))


'''
ENTRY = f'    Check("not_too_old", "too_old", Group.ALLOWED, say("{QUESTION}"), the_order_is_not_too_old),\n'


def module(name):
    """A module as the page has it now."""
    return importlib.import_module(f"assistant.{name}")


def with_sixth(content):
    """A tools.py with the sixth check at the end of its table."""
    head, table, rest = content.partition("CHECKS: tuple")
    entries, end, after = rest.partition("\n)\n")
    assert head and table and end
    return f"{head}{WRITTEN.lstrip()}{table}{entries}\n{ENTRY}){after and chr(10)}{after}"


def sixth_check(group="ALLOWED"):
    decision, sentence = module("decision"), module("sentence")

    def ask(call):
        call.times_asked += 1
        day = call.book.find(call.order_id)["ordered_on"]
        if day >= FIRST_DAY:
            return decision.Passed(sentence.say(YES, day=day))
        return decision.Failed(sentence.say(NO, day=day), sentence.say(MESSAGE, order_id=call.order_id))

    return decision.Check("not_too_old", "too_old", decision.Group[group], sentence.say(QUESTION), ask)


@pytest.fixture
def sixth(monkeypatch):
    """The table with a sixth check."""
    monkeypatch.setattr(module("tools"), "CHECKS", (*module("tools").CHECKS, sixth_check()))


@pytest.fixture
def project(tmp_path):
    """A project with the sixth check saved into its tools.py."""
    with copied_project(tmp_path) as folder:
        path = folder / "assistant" / "tools.py"
        save(path, with_sixth(path.read_text(encoding="utf-8")))
        yield folder


def look(name, locale="en-CA", root=ROOT, **address):
    page = open_at(name, locale, root=root, **address)
    assert_sound(page)
    return page


def questions(ladder):
    return ladder.texts("p", kind="question")


def rows(page):
    """Each row of the first matrix by its case: what its cells and its outcome say."""
    table = drawn(page).first("table")
    found = {}
    for row in table.one("tbody").all("tr"):
        if list(row.all("a")) and row.attributes.get("class") in (None, "chosen"):
            *cells, outcome = row.all("td")
            key = row.first("a").attributes["data-key"].removeprefix("case-")
            found[key] = [cell.text for cell in cells], outcome.one("span", kind="data").text
    return found


# It decides.


@pytest.mark.usefixtures("sixth")
def test_the_sixth_check_decides():
    tools, book = module("tools"), module("orders").OrderBook()
    assert tools.run_tool(*OWN_ORDER, book)[1] == "ok"
    result, outcome = tools.run_tool(*OLD_ORDER, book)
    assert outcome == "refused: too_old"
    assert result == {"ok": False, "error": MESSAGE.format(order_id="LK-428830")}
    with pytest.raises(tools.ToolRefused) as refused:
        tools.get_order("LK-428830", "C-44702", book)
    assert refused.value.code == "too_old"


@pytest.mark.usefixtures("sixth")
def test_the_shorter_tables_are_shorter_by_a_choice_of_six():
    without, cases = module("explorer.without"), module("explorer.cases")
    tools, decision, book = module("tools"), module("decision"), module("orders").OrderBook()
    prepared = cases.cases().proposals
    for count in range(7):
        for off in itertools.islice(itertools.combinations(NAMES, count), 8):
            left = [check for check in tools.CHECKS if check.name not in off]
            for case in prepared:
                row = without.proposal_row(off, case, book)
                assert list(row.cells) == NAMES
                call = tools.ToolCall(case.tool, case.arguments, case.ticket.customer_id, book)
                try:
                    direct = decision.run_checks(left, call, tools.ToolCall.look_up)
                except Exception as error:
                    assert row.outcome == f"crash: {type(error).__name__}"
                else:
                    assert row.decision == direct
                if not off:
                    answer = tools.run_tool(case.tool, case.arguments, case.ticket.customer_id, book)
                    assert (row.decision.result, row.outcome) == tuple(answer)


# It is on every page.


@pytest.mark.parametrize("locale", ["en-CA", "fr-CA"])
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.usefixtures("sixth")
def test_every_page_opens(name, locale):
    assert not says(look(name, locale))


@pytest.mark.usefixtures("sixth")
def test_the_ladder_of_the_step_has_a_sixth_rung_in_its_group():
    page = drawn(look("", ticket="T-80008", step=3))
    groups = {group.one("h3").text: questions(group) for group in page.all("li", kind="group")}
    by_group = {
        str(words): [str(check.question) for check in CHECKS if check.group is group]
        for group, words in ((Group.WELL_FORMED, "Well formed?"), (Group.ALLOWED, "Allowed?"))
    }
    assert groups == {**by_group, "Allowed?": [*by_group["Allowed?"], QUESTION]}
    assert YES.format(day="2026-10-01") in page.texts("p", kind="evidence")


@pytest.mark.usefixtures("sixth")
def test_the_matrix_has_a_sixth_column_and_its_switches_a_sixth_check():
    page = look("remove")
    heads = drawn(page).first("thead").texts("th")
    numbered = [f"{number}\N{NO-BREAK SPACE}{name}" for number, name in enumerate(NAMES, start=1)]
    assert heads == ["Case", *numbered, "What comes of it"]
    assert [toggle.key for toggle in page.toggle][:6] == [f"on {name}" for name in NAMES]
    assert plain(page.toggle(key="on not_too_old").label) == f"{len(NAMES)} · {QUESTION}"
    cells, outcome = rows(page)["exercise-1"]
    assert (cells, outcome) == ([*["✓ passed"] * 5, "✗ stops it"], "refused: too_old")
    page.toggle(key="on not_too_old").set_value(False).run()
    assert page.query_params == {"off": "not_too_old"}
    cells, outcome = rows(page)["exercise-1"]
    assert (cells, outcome) == ([*["✓ passed"] * 5, "○ missed"], "ok")


@pytest.mark.usefixtures("sixth")
def test_to_remove_all_checks_is_to_remove_all_six():
    page = press(look("remove"), "none-on")
    assert page.query_params["off"] == ",".join(NAMES)


@pytest.mark.usefixtures("sixth")
def test_what_only_the_sixth_check_stops_is_named_where_it_crashes_without_the_ones_before():
    page = look("remove", off="order_exists,own_order", case="T-65059")
    assert rows(page)["T-65059"][1] == "crash: TypeError"
    assert "It happened in the check not_too_old" in drawn(page).text


@pytest.mark.usefixtures("sixth")
def test_the_prediction_offers_the_sixth_check():
    page = look("", predict=1, ticket="T-80008", step=3)
    keys = [button.key for button in page.button if button.key.startswith("answer-")]
    assert keys == [f"answer-step-{code}" for code in [*NAMES, "none", "unsure", "skip"]]
    assert plain(page.button(key="answer-step-not_too_old").label) == QUESTION
    press(page, "answer-step-not_too_old")
    assert page.query_params["guess"] == "not_too_old"
    assert drawn(page).one("div", kind="guess").texts("dd") == [QUESTION, "None: the order is looked up"]


@pytest.mark.usefixtures("sixth")
def test_the_exercise_asks_for_the_sixth_check_and_its_truth_is_computed():
    page = press(look("exercise"), "answer-1-not_too_old")
    guess = drawn(page).one("div", kind="guess")
    assert guess.texts("dd") == [QUESTION, QUESTION]
    assert guess.one("p", kind="why").text == f"Why: {NO.format(day='2026-09-14')}"


@pytest.mark.usefixtures("sixth")
def test_the_loops_side_by_side_have_a_sixth_rung():
    columns = list(drawn(look("compare")).all("section", kind="column"))
    assert {questions(column)[-1] for column in columns} == {QUESTION}


@pytest.mark.usefixtures("sixth")
def test_a_proposal_of_ones_own_is_put_to_the_sixth_check():
    name, arguments, customer = OLD_ORDER
    page = drawn(look("proposal", tool=name, arguments=arguments, customer=customer))
    assert page.one("article").one("h2").text == "Checks the proposal: refused: too_old"
    assert MESSAGE.format(order_id="LK-428830") in page.one("article").text


@pytest.mark.usefixtures("sixth")
def test_a_sixth_check_without_french_words_is_asked_in_english_on_the_french_page():
    page = look("", "fr-CA", ticket="T-80008", step=3)
    assert questions(drawn(page))[-1] == QUESTION
    assert questions(drawn(page))[0] == FRENCH.tell(CHECKS[0].question) != ENGLISH.tell(CHECKS[0].question)


ASKING = (("", {"predict": 1, "ticket": "T-80008", "step": 3}), ("exercise", {}), ("remove", {}))


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("group", [group.name for group in Group])
def test_a_check_of_either_group_may_stand_anywhere(group, place, monkeypatch):
    tools, check = module("tools"), sixth_check(group)
    passing = check._replace(ask=lambda _call: module("decision").Passed(check.question))
    monkeypatch.setattr(tools, "CHECKS", (*tools.CHECKS[:place], passing, *tools.CHECKS[place:]))
    for name, address in ASKING:
        page = look(name, **address)
        operated = [plain(each.label).rpartition(" · ")[2] for each in (*page.button, *page.toggle)]
        assert operated.count(QUESTION) == 1


# Saved into the file.


def test_a_sixth_check_that_is_saved_into_the_file_is_on_the_pages_with_its_source(project):
    page = drawn(look("proposal", root=project, tool=OLD_ORDER[0], arguments=OLD_ORDER[1], customer=OLD_ORDER[2]))
    (fold,) = page.one("article").one("ol", kind="ladder").all("details")
    assert fold.one("summary").text.startswith("The code that decided: assistant/tools.py, line ")
    assert fold.one("pre").text == WRITTEN.strip()
    assert rows(look("remove", root=project))["exercise-1"][1] == "refused: too_old"


def test_a_sixth_check_shows_on_a_page_that_was_open_when_it_was_saved(tmp_path):
    with copied_project(tmp_path) as folder:
        page = look("remove", root=folder)
        assert "on not_too_old" not in {toggle.key for toggle in page.toggle}
        path = folder / "assistant" / "tools.py"
        save(path, with_sixth(path.read_text(encoding="utf-8")))
        assert_sound(page.run())
        assert "on not_too_old" in {toggle.key for toggle in page.toggle}


def untranslated():
    return {each for each in test_explorer_catalogue.templates() if not test_explorer_catalogue.FRENCH_WORDS.get(each)}


def test_the_catalogue_check_reports_the_sixth_checks_sentences(project, monkeypatch):
    before = untranslated()
    files = [
        path.relative_to(project).as_posix() for path in [*project.glob("*.py"), *project.glob("assistant/**/*.py")]
    ]
    monkeypatch.setattr(test_explorer_catalogue, "ROOT", project)
    monkeypatch.setattr(test_explorer_catalogue, "FILES", files)
    assert untranslated() - before == {QUESTION, YES, NO, MESSAGE}
    with pytest.raises(AssertionError, match="which is too long ago"):
        test_explorer_catalogue.test_no_sentence_is_without_its_french_words()


# No table at all.


NO_CHECKS = {
    "": ({"ticket": "T-80001", "step": 3}, "This tools.py does not list its checks, only their outcome."),
    "exercise": ({}, "This tools.py does not list its checks, so there is no ladder to ask with."),
    "remove": ({}, "This tools.py does not list its checks, so none can be switched off."),
    "proposal": ({"case": "T-80001"}, "This tools.py does not list its checks, only their outcome."),
    "reply": ({}, None),  # asks no check
    "compare": ({}, "this tools.py does not tell"),
    "review": ({"open": "1:T-80001.json"}, "This tools.py does not list its checks, only their outcome."),
}


def test_what_a_page_says_without_a_table_is_looked_for_on_every_page():
    assert set(NO_CHECKS) == set(PAGES)


@pytest.mark.parametrize("locale", ["en-CA", "fr-CA"])
@pytest.mark.parametrize("name", NO_CHECKS)
def test_a_learners_short_file_leaves_every_page_and_each_says_that_it_lists_no_checks(name, locale, tmp_path):
    address, said = NO_CHECKS[name]
    with copied_project(tmp_path) as folder:
        save(folder / "assistant" / "tools.py", SHORT_TOOLS)
        page = look(name, locale, root=folder, **address)
        if said:
            assert module("explorer.language").of_browser(locale).tell(module("sentence").say(said)) in drawn(page).text
        for predict in ({}, {"predict": 1}):
            look("", locale, root=folder, ticket="T-80001", step=7, **predict)
