"""The filters: widgets that follow the address and change it, and what is chosen told with a way back."""

import pytest

from assistant.explorer.filters import CHIPS, MAX_OPTIONS
from assistant.explorer.reviewed_place import MAX_TEXT
from assistant.selection import Selection
from tests.test_explorer_page import own_environment, page_modules  # noqa: F401
from tests.test_explorer_reviewing import log_of, review, rows_found
from tests.test_explorer_site import drawn, go_on, link_to
from tests.test_register import line

ASKED = {
    "outcome": "refused",
    "check": "order_id_form",
    "ticket": "S-1",
    "customer": "C-1",
    "day": "2026-10-09",
    "reviewed": "no",
    "text": "lk-55190",
    "again": "unchanged",
}


@pytest.fixture(autouse=True)
def log(monkeypatch, tmp_path):
    return log_of(monkeypatch, tmp_path, line(), line(ticket="S-2", outcome="ok", failed_check=None, told=None))


def widget(page, name):
    kind = page.text_input if name in ("ticket", "customer", "day", "text") else page.selectbox
    return kind(key=f"filter {name}")


def test_every_filter_has_its_words():
    assert set(CHIPS) == set(Selection._fields)


@pytest.mark.parametrize("name", ASKED)
def test_each_filter_shows_what_the_address_holds_and_writes_what_is_chosen(name):
    page = review(**{name: ASKED[name]})
    assert widget(page, name).value == ASKED[name]
    assert rows_found(page) in (1, 2)
    page = review(page=1, open="1:log.jsonl", lang="fr")
    page = widget(page, name).set_value(ASKED[name]).run()
    assert not page.exception
    assert dict(page.query_params) == {name: ASKED[name], "lang": "fr"}
    page = widget(page, name).set_value("").run()
    assert dict(page.query_params) == {"lang": "fr"}


def test_all_of_them_together_are_chips_and_each_takes_itself_back():
    page = review(**ASKED)
    items = list(drawn(page).one("ul", kind="chips").all("li"))
    assert len(items) == len(ASKED) + 1
    for item, name in zip(items[:-1], ASKED, strict=True):
        anchor = item.one("a")
        _, there = link_to(anchor.attributes["href"])
        assert there == {other: value for other, value in ASKED.items() if other != name}
        assert anchor.attributes["aria-label"].startswith("Show all again, not only ")
    assert link_to(items[-1].one("a").attributes["href"]) == ("review", {})


def test_the_sorting_is_in_the_address_and_keeps_the_filters():
    page = review(outcome="refused", page=1)
    page = page.selectbox(key="filter sort").set_value("ticket").run()
    assert dict(page.query_params) == {"outcome": "refused", "sort": "ticket"}
    assert page.selectbox(key="filter sort").value == "ticket"


def test_the_widgets_follow_the_address_when_it_changes():
    page = review(text="first")
    page = go_on(page, text="second", check="order_id_form")
    assert (widget(page, "text").value, widget(page, "check").value) == ("second", "order_id_form")
    assert widget(go_on(page), "text").value == ""


def test_an_outcome_that_nothing_has_stays_chosen_and_finds_nothing():
    page = review(outcome="refused: nowhere")
    assert widget(page, "outcome").value == "refused: nowhere"
    assert rows_found(page) == 0


def test_no_more_is_offered_than_can_be_looked_through(monkeypatch, tmp_path):
    path = tmp_path / "many.jsonl"
    path.write_text("".join(line(outcome=f"refused: {n}") + "\n" for n in range(MAX_OPTIONS * 2)), encoding="utf-8")
    monkeypatch.setenv("EXPLORER_LOGS", str(path))
    page = review()
    assert len(widget(page, "outcome").options) <= MAX_OPTIONS + 5
    rare = drawn(page).one("div", kind="days").one("tbody").first("tr").all("td")
    figures = [cell.one("a") for cell in rare if list(cell.all("a"))]
    for anchor in figures:
        _, asked = link_to(anchor.attributes["href"])
        assert rows_found(go_on(page, **asked)) == int(anchor.text.replace(",", ""))


def test_what_is_typed_is_cut_to_what_an_address_holds():
    assert widget(review(), "text").proto.max_chars == MAX_TEXT
