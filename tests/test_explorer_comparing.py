"""The page on which two to four loops stand side by side, and the lesson's own figures."""

import json
import shutil

import pytest

from assistant.explorer.comparing import LESSON_RUN, MOST
from assistant.explorer.language import ENGLISH, FRENCH
from tests.books import write_book
from tests.examples import SHORT_TOOLS
from tests.test_explorer_fresh import copied_project, save
from tests.test_explorer_page import HOSTILE, own_environment, page_modules  # noqa: F401
from tests.test_explorer_run import FOLDER, TICKETS, recording
from tests.test_explorer_site import assert_sound, drawn, go_on, link_to, open_at, says

# What the source states of its own run; nothing here can compute it.
SOURCE_RUN = {"Tickets": 69, "with a tool call": 23, "asked for the right order": 20, "did not": 3}


def compare(locale="en-CA", **address):
    page = open_at("compare", locale, **address)
    assert_sound(page)
    return page


def columns(page):
    """The tickets of the table's heads, and those of the ladders."""
    table = [head.one("span", kind="data").text for head in drawn(page).one("thead").all("th")]
    return table, [column.one("h2").text for column in drawn(page).all("section", kind="column")]


def cells(page):
    return [cell for row in drawn(page).one("tbody").all("tr") for cell in row.all("td")]


def choice(page):
    return page.multiselect(key="compared")


# The lesson's figures.


def test_the_lessons_figures_are_the_sources_and_add_up():
    assert {str(words): count for words, count in LESSON_RUN} == SOURCE_RUN
    assert SOURCE_RUN["asked for the right order"] + SOURCE_RUN["did not"] == SOURCE_RUN["with a tool call"]


@pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)
def test_the_lessons_figures_stand_on_the_page_marked_as_the_sources(language):
    section = drawn(compare(language.tag)).one("section", kind="lesson-run")
    facts = list(zip(section.texts("dt"), section.texts("dd"), strict=True))
    assert facts == [(language.tell(words), language.number(count)) for words, count in LESSON_RUN]
    assert len(section.texts("p", kind="note")) == 1


# Which loops.


def test_without_an_address_all_four_loops_stand_side_by_side():
    page = compare()
    assert columns(page) == (list(TICKETS), list(TICKETS))
    assert choice(page).value == list(TICKETS)
    assert not says(page)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_any_loops_can_be_chosen_in_the_address(count):
    wanted = list(TICKETS)[-count:]
    page = compare(tickets=",".join(wanted))
    assert columns(page) == (wanted, wanted)
    assert choice(page).value == wanted
    assert drawn(page).one("div", kind="columns").attributes["data-count"] == str(count)


def test_the_loops_stand_in_the_lessons_order_however_they_are_asked_for_and_each_once():
    page = compare(tickets="T-80009,T-80008,T-80009")
    assert columns(page)[0] == ["T-80008", "T-80009"]
    assert not says(page)


def test_the_choice_writes_the_address():
    page = compare(lang="fr")
    choice(page).set_value(["T-80008", "T-80001"]).run()
    assert_sound(page)
    assert page.query_params == {"tickets": "T-80008,T-80001", "lang": "fr"}
    assert columns(page)[0] == ["T-80008", "T-80001"]


def test_who_takes_every_loop_away_has_all_of_them_again():
    page = compare(tickets="T-80008,T-80001")
    choice(page).set_value([]).run()
    assert_sound(page)
    assert columns(page)[0] == list(TICKETS)


def test_the_choice_follows_the_browsers_back():
    page = compare(tickets="T-80008,T-80001")
    go_on(page, tickets="T-65059,T-80009")
    assert choice(page).value == ["T-65059", "T-80009"]


@pytest.mark.parametrize("asked", ["T-9", HOSTILE])
def test_a_ticket_that_there_is_not_is_told_and_the_others_are_there(asked):
    page = compare(tickets=f"T-80001,{asked}")
    shown = asked if len(asked) <= 40 else asked[:40] + "…"
    assert says(page) == [f"There is no {shown} to choose for tickets."]
    assert columns(page)[0] == ["T-80001"]


# The cells.


@pytest.mark.parametrize("asked", ["T-80008,T-80001", "T-80001,T-65059,T-80009", ",".join(TICKETS)])
def test_each_cell_leads_to_a_step_that_says_the_same(asked):
    page = compare(tickets=asked, lang="en")
    data = [cell for cell in cells(page) if list(cell.all("span", kind="data"))]
    assert len(data) >= 3 * len(asked.split(","))
    steps = {}
    for cell in data:
        path, address = link_to(cell.one("a").attributes["href"])
        assert (path, address["lang"]) == ("", "en")
        place = (address["ticket"], address["step"])
        if place not in steps:
            steps[place] = drawn(open_at("", **address))
        shown = list(steps[place].all("article"))[-1]
        assert cell.text in shown.text
        assert shown.attributes["data-step"] == address["step"]


def test_every_cell_of_the_four_loops_leads_somewhere():
    assert all(len(list(cell.all("a"))) == 1 for cell in cells(compare()))


def test_the_setting_goes_along_with_a_cells_link():
    page = compare("en-CA", lang="fr", present=1)
    addresses = [link_to(cell.one("a").attributes["href"])[1] for cell in cells(page)]
    assert {(address["lang"], address["present"]) for address in addresses} == {("fr", "1")}


# Other recordings and orders.


def folder_of(tmp_path, monkeypatch, **contents):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, content in contents.items():
        (folder / f"{name}.json").write_text(content, encoding="utf-8")
    monkeypatch.setenv("EXPLORER_RECORDINGS", str(folder))
    return folder


def recorded(ticket_id, as_ticket):
    return (FOLDER / f"{ticket_id}.json").read_text(encoding="utf-8").replace(ticket_id, as_ticket)


def test_without_any_recording_there_is_a_page(tmp_path, monkeypatch):
    folder_of(tmp_path, monkeypatch)
    page = compare(tickets="T-80001")
    assert says(page) == ["There is no T-80001 to choose for tickets."]
    assert columns(page) == ([], [])
    assert list(drawn(page).all("section", kind="lesson-run"))


def test_without_a_folder_of_recordings_the_reason_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPLORER_RECORDINGS", str(tmp_path / "nowhere"))
    (reason,) = says(compare())
    assert reason.startswith("nowhere is left out.")


def test_a_file_that_is_no_recording_is_named_and_the_rest_is_compared(tmp_path, monkeypatch):
    folder = folder_of(tmp_path, monkeypatch, broken="{")
    shutil.copy(FOLDER / "T-80001.json", folder)
    page = compare()
    assert columns(page)[0] == ["T-80001"]
    assert says(page)[0].startswith("broken.json is left out.")


def test_of_many_recordings_four_stand_side_by_side_and_any_can_be_chosen(tmp_path, monkeypatch):
    names = [f"T-{number}" for number in range(1, 7)]
    folder_of(tmp_path, monkeypatch, **{name: recorded("T-80001", name) for name in names})
    assert columns(compare())[0] == names[:MOST]
    assert columns(compare(tickets="T-6,T-5"))[0] == ["T-5", "T-6"]


def test_more_loops_than_can_stand_side_by_side_are_told(tmp_path, monkeypatch):
    names = [f"T-{number}" for number in range(1, 7)]
    folder_of(tmp_path, monkeypatch, **{name: recorded("T-80001", name) for name in names})
    page = compare(tickets=",".join(names))
    assert says(page) == ["At most 4 loops stand side by side."]
    assert len(columns(page)[0]) == MOST == 4


def test_hostile_text_in_a_recording_takes_no_effect(tmp_path, monkeypatch):
    document = json.loads(recorded("T-80001", "T-1"))
    document["ticket"].update(customer_id=HOSTILE, text=HOSTILE)
    (call,) = document["calls"][0]["response"]["choices"][0]["message"]["tool_calls"]
    call["function"] = {"name": HOSTILE, "arguments": HOSTILE}
    document["calls"][1]["response"]["choices"][0]["message"] = {"content": HOSTILE, "refusal": HOSTILE}
    document["calls"][1]["request"] = {}
    del document["decisions"], document["verdict"]
    folder_of(tmp_path, monkeypatch, x=json.dumps(document))
    page = compare()
    assert drawn(page).text.count(HOSTILE) >= 3
    assert "example" not in str(choice(page).proto)


def test_the_loops_run_over_the_order_book_that_the_page_is_pointed_at(tmp_path, monkeypatch):
    book = write_book(tmp_path / "book.db", [("LK-615204", "C-20417", "shipped"), ("LK-581106", "C-81265", "shipped")])
    monkeypatch.setenv("EXPLORER_ORDERS", str(book))
    outcomes = [cell.text for cell in cells(compare()) if cell.text.startswith(("ok", "refused", "error"))]
    assert outcomes == ["ok", "ok", "refused: not_found", "refused: invalid_argument"]
    assert "not reached" in [cell.text for cell in cells(compare())]
    assert recording("T-80001").decisions[0]["outcome"] == "refused: other_customer"


def test_an_order_book_that_cannot_answer_is_an_error_in_every_loop_that_asks_it(monkeypatch):
    monkeypatch.setenv("EXPLORER_ORDERS", "nowhere.db")
    outcomes = [cell.text for cell in cells(compare()) if cell.text.startswith(("ok", "refused", "error"))]
    assert outcomes == [*["error: order_book_unavailable"] * 3, "refused: invalid_argument"]


# A tools.py of one's own.


def test_a_tools_file_without_a_table_is_compared_and_said_not_to_tell_its_checks(tmp_path):
    with copied_project(tmp_path) as project:
        save(project / "assistant" / "tools.py", SHORT_TOOLS)
        page = open_at("compare", root=project)
        assert_sound(page)
        assert [cell.text for cell in cells(page)].count("?this tools.py does not tell") == 8
        assert not list(drawn(page).all(kind="differs"))


def test_a_tools_file_that_stops_the_loops_leaves_the_page_and_is_named_with_its_line(tmp_path):
    with copied_project(tmp_path) as project:
        save(project / "assistant" / "tools.py", "TOOLS = []\n\ndef run_tool(*_):\n    return 1 / 0\n")
        page = open_at("compare", root=project)
        assert not page.exception
        assert [cell.text for cell in cells(page)].count("not reached") == 24
        assert "assistant/tools.py, line 4 stops the loop." in drawn(page).text
