"""The page on which checks are switched off: its switches, its matrices, and the address that holds both."""

import pytest

from assistant.barriers import BUSINESS_RULES
from assistant.explorer.cases import cases
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.matrix import CELLS, FATES
from assistant.explorer.removing import REPLY
from assistant.explorer.without import Fate, proposal_row, reply_row
from assistant.tools import CHECKS
from tests.books import write_book
from tests.examples import SHORT_TOOLS
from tests.scripted import BOOK
from tests.test_explorer_fresh import copied_project, save
from tests.test_explorer_page import own_environment, page_modules, plain  # noqa: F401
from tests.test_explorer_run import FOLDER
from tests.test_explorer_site import assert_sound, controls, drawn, go_on, link_to, open_at, says

NAMES = [check.name for check in CHECKS]
CODES = [rule.code for rule in BUSINESS_RULES]
PREPARED = cases()
NOTHING_OFF = "Nothing is switched off: this is what the code decides."


def remove(locale="en-CA", **address):
    page = open_at("remove", locale, **address)
    assert_sound(page)
    return page


def switches(page):
    """Each check and rule with whether it is on."""
    return {toggle.key.removeprefix("on "): toggle.value for toggle in page.toggle}


def summary(page):
    return drawn(page).one("p", kind="summary").text


def tables(page):
    """The rows of both matrices: name of the case, the words of its cells, its outcome and its fate."""
    found = []
    for table in drawn(page).all("table"):
        rows = [row for row in table.one("tbody").all("tr") if row.attributes.get("class") in (None, "chosen")]
        found.append([read_row(row) for row in rows])
    return found


def read_row(row):
    name = row.one("th").one("a").attributes["data-key"].removeprefix("case-")
    *cells, outcome = row.all("td")
    return (
        name.removeprefix(REPLY),
        [cell.text for cell in cells],
        outcome.one("span", kind="data").text,
        outcome.texts("strong"),
    )


def wanted(row, language=ENGLISH):
    """What a row of the page has to say."""
    cells = [f"{CELLS[cell][0]} {language.tell(CELLS[cell][1])}" for cell in row.cells.values()]
    return row.case.name, cells, row.outcome, [] if row.fate is Fate.SAME else [language.tell(FATES[row.fate])]


SOME_OFF = ((), ("own_order",), ("exact_arguments", "order_id_form", "order_not_in_ticket"), (*NAMES, *CODES))
# Before a page loads the modules anew.
ROWS = {
    off: (
        [proposal_row(off, case, BOOK) for case in PREPARED.proposals],
        [reply_row(off, case) for case in PREPARED.replies],
    )
    for off in SOME_OFF
}


def opened(page):
    """The case that stands in full."""
    return drawn(page).one("tr", kind="full-row")


# The switches.


def test_there_is_a_switch_on_every_check_and_every_business_rule_in_their_order_and_all_are_on():
    page = remove()
    assert switches(page) == dict.fromkeys([*NAMES, *CODES], True)
    questions = [
        f"{number} · {one.question}" for table in (CHECKS, BUSINESS_RULES) for number, one in enumerate(table, start=1)
    ]
    assert [plain(toggle.label) for toggle in page.toggle] == questions
    assert summary(page) == NOTHING_OFF


@pytest.mark.parametrize("name", [*NAMES, *CODES])
def test_a_switch_writes_itself_into_the_address_and_takes_itself_out(name):
    page = remove(lang="en")
    page.toggle(key=f"on {name}").set_value(False).run()
    assert page.query_params == {"off": name, "lang": "en"}
    assert switches(page) == {**dict.fromkeys([*NAMES, *CODES], True), name: False}
    assert summary(page) != NOTHING_OFF
    page.toggle(key=f"on {name}").set_value(True).run()
    assert page.query_params == {"lang": "en"}
    assert summary(page) == NOTHING_OFF


def test_a_second_switch_goes_on_from_the_first():
    page = remove(case="T-80001")
    page.toggle(key="on own_order").set_value(False).run()
    page.toggle(key="on order_exists").set_value(False).run()
    assert set(page.query_params["off"].split(",")) == {"own_order", "order_exists"}
    assert page.query_params["case"] == "T-80001"
    page.toggle(key="on own_order").set_value(True).run()
    assert page.query_params["off"] == "order_exists"


def test_the_switches_follow_the_address():
    page = remove(off="own_order,status_not_from_lookup")
    off = [name for name, on in switches(page).items() if not on]
    assert off == ["own_order", "status_not_from_lookup"]
    go_on(page, off="known_tool")
    assert [name for name, on in switches(page).items() if not on] == ["known_tool"]
    go_on(page)
    assert all(switches(page).values())


def test_all_checks_can_be_removed_at_once_which_opens_toms_case_and_put_back():
    page = remove(off=CODES[0])
    page.button(key="none-on").click().run()
    assert page.query_params == {"off": ",".join(NAMES), "case": "T-80001"}
    assert "garden shed" in opened(page).text
    page.button(key="all-on").click().run()
    assert page.query_params == {"case": "T-80001"}
    assert summary(page) == NOTHING_OFF


# The matrices.


@pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)
@pytest.mark.parametrize("off", SOME_OFF)
def test_the_page_says_what_a_run_without_them_gives(off, language):
    page = remove(language.tag, off=",".join(off))
    proposals, replies = ROWS[off]
    assert tables(page) == [[wanted(row, language) for row in proposals], [wanted(row, language) for row in replies]]


@pytest.mark.parametrize("off", SOME_OFF[1:])
def test_the_summary_counts_what_the_matrices_hold(off):
    fates = [row.fate for rows in ROWS[off] for row in rows]
    through = sum(fate in (Fate.THROUGH, Fate.LEAK, Fate.EMPTY) for fate in fates)
    counted = (
        (through, "now get through."),
        (fates.count(Fate.LATER), "are stopped later."),
        (fates.count(Fate.CRASH), "crash the code."),
    )
    wanted = [f"{count} of {len(fates)} cases {words}" for count, words in counted if count]
    assert summary(remove(off=",".join(off))) == " ".join(wanted)


def test_each_row_leads_to_its_case_with_the_same_switches():
    page = remove(off="own_order", lang="fr")
    links = [link_to(each.attributes["href"]) for each in drawn(page).all("a") if "aria-expanded" in each.attributes]
    names = [*(case.name for case in PREPARED.proposals), *(REPLY + case.name for case in PREPARED.replies)]
    assert links == [("remove", {"off": "own_order", "case": name, "lang": "fr"}) for name in names]


@pytest.mark.parametrize("name", ["T-80001", f"{REPLY}T-80009", "twice", f"{REPLY}made-up"])
def test_a_case_in_the_address_stands_in_full_and_its_row_closes_it(name):
    page = drawn(remove(case=name))
    (chosen,) = page.all("tr", kind="chosen")
    assert chosen.one("a").attributes["data-key"] == f"case-{name}"
    assert link_to(chosen.one("a").attributes["href"]) == ("remove", {})
    assert len(list(page.all("tr", kind="full-row"))) == 1


def test_a_proposal_and_a_reply_of_the_same_ticket_are_told_apart():
    assert opened(remove(case="T-80009")).first("pre").text == 'get_order({"order_id":"LK-55190"})'
    assert "LK-551902" in opened(remove(case=f"{REPLY}T-80009")).first("pre").text


def test_a_link_to_the_removed_last_check_shows_the_leak():
    full = opened(remove(off="own_order", case="T-80001"))
    *leaked, _ = full.texts("span", kind="leaked")
    assert '"garden shed"' in leaked
    assert "C-38852" not in full.text


def test_a_link_to_the_removed_rule_shows_the_reply_that_gets_through():
    full = opened(remove(off="order_not_in_ticket", case=f"{REPLY}T-80009"))
    assert "got through" in full.one("h2").text


# The address.


@pytest.mark.parametrize(
    ("address", "notice"),
    [
        ({"off": "sixth"}, "There is no sixth to choose for off."),
        ({"off": "own_order,,"}, 'There is no "" to choose for off.'),
        ({"off": "schema"}, "There is no schema to choose for off."),
        ({"case": "T-9"}, "There is no case T-9 here."),
        ({"case": f"{REPLY}identity"}, f"There is no case {REPLY}identity here."),
    ],
)
def test_what_the_address_asks_in_vain_is_told(address, notice):
    page = remove(**address)
    assert says(page) == [notice]
    assert not list(drawn(page).all("tr", kind="full-row"))


def test_what_is_asked_twice_is_switched_off_once():
    page = remove(off="own_order,own_order,known_tool")
    assert [name for name, on in switches(page).items() if not on] == ["known_tool", "own_order"]
    assert not says(page)


# Over the sample orders only.


def test_the_page_runs_over_the_sample_orders_and_recordings_whatever_it_is_pointed_at(tmp_path, monkeypatch):
    address = {"off": "own_order", "case": "T-80001"}
    before = tables(remove(**address)), opened(remove(**address)).text
    book = write_book(
        tmp_path / "book.db", [("LK-615204", "C-20417", "cancelled"), ("LK-000000", "C-98373", "shipped")]
    )
    (tmp_path / "recordings").mkdir()
    content = (FOLDER / "T-80001.json").read_text(encoding="utf-8").replace("T-80001", "T-90000")
    (tmp_path / "recordings" / "T-90000.json").write_text(content, encoding="utf-8")
    monkeypatch.setenv("EXPLORER_ORDERS", str(book))
    monkeypatch.setenv("EXPLORER_RECORDINGS", str(tmp_path / "recordings"))
    page = remove(**address)
    assert (tables(page), opened(page).text) == before
    assert "T-90000" not in drawn(page).text


def test_a_book_that_does_not_exist_is_of_no_concern_here(monkeypatch):
    monkeypatch.setenv("EXPLORER_ORDERS", "nowhere.db")
    monkeypatch.setenv("EXPLORER_RECORDINGS", "nowhere")
    assert summary(remove()) == NOTHING_OFF


def test_switching_off_here_changes_nothing_on_the_page_of_the_loop():
    page = remove(off=",".join([*NAMES, *CODES]))
    assert "ok" in {outcome for _, _, outcome, _ in tables(page)[0]}
    page.switch_page("assistant/explorer/pages/step.py")
    go_on(page, ticket="T-80001", step=7)
    assert_sound(page)
    assert "Checks the proposal: refused: other_customer" in drawn(page).texts("h2")


# A tools.py of one's own.


def test_a_tools_file_without_a_table_has_no_switch_for_a_check_and_the_page_says_so(tmp_path):
    with copied_project(tmp_path) as project:
        save(project / "assistant" / "tools.py", SHORT_TOOLS)
        page = open_at("remove", root=project)
        assert_sound(page)
        assert says(page) == ["This tools.py does not list its checks, so none can be switched off."]
        assert list(switches(page)) == CODES
        (replies,) = tables(page)
        assert {name for name, *_ in replies} >= {"made-up", "other-order"}


def test_a_recording_of_the_projects_own_that_cannot_be_read_is_named(tmp_path):
    with copied_project(tmp_path) as project:
        (project / "recordings" / "broken.json").write_text("{", encoding="utf-8")
        (notice,) = says(open_at("remove", root=project))
        assert notice.startswith("broken.json is left out.")


def test_no_control_of_the_page_is_dead():
    assert not [control.key for control in controls(remove(off=",".join(NAMES))) if control.disabled]
