"""Loops side by side: every cell leads to its step without a new load, and two loops can be chosen by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from . import pages
from .walk import TICKETS
from .window import STEPS

CELLS = """() => [...document.querySelectorAll(".glance tbody tr")].map(row =>
    [...row.querySelectorAll("td")].map(cell => ({
        href: cell.querySelector("a")?.getAttribute("href") ?? null,
        data: [...cell.querySelectorAll(".data")].map(one => one.textContent),
    })))"""
# The columns' boxes; one below the other where there is no room.
COLUMNS = """() => [...document.querySelectorAll(".columns > .column")].map(one => {
    const { left, right, top } = one.getBoundingClientRect();
    return { left, right, top };
})"""


@pytest.fixture
def window(window):
    yield window
    pages.go(window)


def tickets_of(window):
    return window.page.locator(".columns > .column > h2").all_inner_texts()


def test_every_cell_leads_to_its_step_and_the_step_shows_what_the_cell_said(window):
    pages.go(window, "compare")
    window.page.evaluate("window.isTheSameDocument = true")
    rows = window.page.evaluate(CELLS)
    links = {}
    for row in rows:
        assert len(row) == len(TICKETS)
        for ticket, cell in zip(TICKETS, row, strict=True):
            assert re.fullmatch(rf"\./\?ticket={ticket}&step=[1-{STEPS}]", cell["href"])
            links.setdefault(cell["href"], []).extend(cell["data"])
    assert len({href.rpartition("=")[2] for href in links}) > 2, "the rows come from several steps"
    for href, said in links.items():
        pages.go(window, "compare")
        window.page.locator(f".glance a[href='{href}']").first.click()
        ticket, step = re.findall(r"=([^&]+)", href)
        pages.is_at(window, "", ticket=ticket, step=step).stands_at(int(step), ticket)
        for one in said:
            assert one in window.cards.last.text_content()
    pages.back(window)
    pages.is_at(window, "compare")
    assert window.page.evaluate("window.isTheSameDocument"), "the page was loaded anew"


def test_two_loops_are_chosen_by_keyboard_and_the_first_difference_is_marked_in_both(window):
    pages.go(window, "compare")
    chosen = pages.keyed(window, "compared", "input")
    chosen.focus()
    window.key("Backspace")
    pages.is_at(window, "compare", tickets=",".join(TICKETS[:3]))
    window.key("Backspace")
    pages.is_at(window, "compare", tickets=",".join(TICKETS[:2]))
    expect(chosen).to_be_focused()
    assert tickets_of(window) == list(TICKETS[:2])
    marked = window.page.locator(".rung.differs")
    expect(marked).to_have_count(2)
    assert marked.locator(".state").all_inner_texts() != [marked.first.locator(".state").inner_text()] * 2
    pages.back(window)
    pages.is_at(window, "compare", tickets=",".join(TICKETS[:3]))
    assert tickets_of(window) == list(TICKETS[:3])


def test_a_link_opens_with_two_loops(windows, site):
    window = pages.load(windows.new(site), "compare", tickets="T-80009,T-80001")
    assert tickets_of(window) == ["T-80001", "T-80009"]
    expect(window.page.locator(".glance thead th")).to_have_count(2)


def test_the_columns_stand_side_by_side_where_there_is_room_and_below_each_other_where_not(window):
    pages.go(window, "compare")
    wide = window.page.evaluate(COLUMNS)
    assert len({column["top"] for column in wide}) == 1
    assert len({round(column["right"] - column["left"]) for column in wide}) == 1
    window.page.set_viewport_size({"width": 390, "height": 844})
    narrow = window.page.evaluate(COLUMNS)
    assert len({column["top"] for column in narrow}) == len(TICKETS)
    assert all(column["left"] >= 0 and column["right"] <= 390 for column in narrow)
    assert pages.overflow(window) <= 0
