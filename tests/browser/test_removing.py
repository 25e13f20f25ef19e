"""Switching checks off: the address says what is off, the matrix follows, a row opens in place, and the focus stays."""

import json

import pytest
from playwright.sync_api import expect

from assistant.events import Proposed
from assistant.explorer import without
from assistant.explorer.run import recordings, replay
from assistant.orders import OrderBook

from . import pages

TOM = "T-80001"
NOT_A_RELOAD = "window.isTheSameDocument = true"


@pytest.fixture
def window(window):
    yield window
    pages.go(window)


def switch(window, name):
    return pages.keyed(window, f"on-{name}", "input")


def opener(window, case, table=0):
    """The link that opens a case, of the proposals (0) or the replies (1)."""
    return window.page.locator(".matrix").nth(table).locator(f"a[data-key$='{case}']")


def in_full(window):
    return window.page.locator(".full-row article")


def row(window, case):
    """The words of a case's row, a cell each."""
    return opener(window, case).locator("xpath=ancestor::tr").locator("td").all_inner_texts()


def leaked_order():
    """Every value of what Tom's proposal is about, his neighbour's order, as the model would read it."""
    run = next(replay(one) for one in recordings()[0] if one.ticket.id == TOM)
    arguments = next(event.arguments for event in run.events if isinstance(event, Proposed))
    order = OrderBook().find(json.loads(arguments)["order_id"])
    del order["customer_id"]
    return [json.dumps(value) for value in scalars(order)]


def scalars(value):
    if not isinstance(value, dict | list):
        return [value]
    return [one for item in (value.values() if isinstance(value, dict) else value) for one in scalars(item)]


def test_a_switch_flipped_by_keyboard_changes_address_and_matrix_and_keeps_the_focus(window):
    pages.go(window, "remove")
    before = row(window, TOM)
    for key in ("on-known_tool", "on-own_order"):
        pages.tab_to(window, key)
    window.key("Space")
    pages.is_at(window, "remove", off="own_order")
    assert window.focus == "on-own_order"
    expect(switch(window, "own_order")).not_to_be_checked()
    after = row(window, TOM)
    assert before != after
    assert "refused: other_customer" in before[-1]
    assert "got through: another's order" in after[-1]
    window.key("Space")
    pages.is_at(window, "remove")
    assert window.focus == "on-own_order"
    assert row(window, TOM) == before


def test_two_quick_flips_both_hold_and_back_takes_one_after_the_other_back(window):
    pages.go(window, "remove")
    window.page.evaluate("""() => {
        for (const name of ["order_exists", "own_order"]) document.querySelector(`.st-key-on-${name} input`).click();
    }""")
    pages.is_at(window, "remove", off="order_exists,own_order")
    for name in ("order_exists", "own_order"):
        expect(switch(window, name)).not_to_be_checked()
    expect(window.page.locator("thead th.off")).to_have_count(2)
    pages.keyed(window, "all-on").click()
    pages.is_at(window, "remove")
    pages.back(window)
    pages.is_at(window, "remove", off="order_exists,own_order")
    expect(switch(window, "own_order")).not_to_be_checked()


def test_a_row_opens_and_closes_in_place_by_its_link_and_the_link_keeps_the_focus(window):
    pages.go(window, "remove", off="own_order")
    window.page.evaluate(NOT_A_RELOAD)
    opener(window, TOM).click()
    pages.is_at(window, "remove", off="own_order", case=TOM)
    expect(in_full(window)).to_contain_text("another's order")
    expect(opener(window, TOM)).to_be_focused()
    expect(opener(window, TOM)).to_have_attribute("aria-expanded", "true")
    expect(opener(window, TOM)).to_be_in_viewport()
    window.key("Enter")
    pages.is_at(window, "remove", off="own_order")
    expect(in_full(window)).to_have_count(0)
    expect(opener(window, TOM)).to_be_focused()
    expect(opener(window, TOM)).to_have_attribute("aria-expanded", "false")
    pages.back(window)
    pages.is_at(window, "remove", off="own_order", case=TOM)
    expect(in_full(window)).to_be_visible()
    assert window.page.evaluate("window.isTheSameDocument"), "the page was loaded anew"


def test_a_reply_of_the_same_name_as_a_proposal_opens_in_its_own_table_and_keeps_the_focus(window):
    pages.go(window, "remove", off="order_not_in_ticket")
    opener(window, "T-80009", table=1).focus()
    window.key("Enter")
    pages.is_at(window, "remove", off="order_not_in_ticket", case="reply-T-80009")
    expect(window.page.locator(".matrix").nth(1).locator(".full-row")).to_have_count(1)
    expect(window.page.locator(".full-row")).to_have_count(1)
    expect(opener(window, "T-80009", table=1)).to_be_focused(timeout=5000)


def test_a_switch_flipped_while_a_row_is_open_leaves_it_open(window):
    pages.go(window, "remove", off="own_order", case=TOM)
    switch(window, "own_order").focus()
    window.key("Space")
    pages.is_at(window, "remove", case=TOM)
    expect(in_full(window)).to_contain_text("refused: other_customer")
    assert window.focus == "on-own_order"


def test_a_link_shows_the_neighbours_order_that_leaks_without_the_last_check(windows, site):
    window = pages.load(windows.new(site), "remove", off="own_order", case=TOM)
    expect(in_full(window).locator("pre .leaked")).to_have_text(leaked_order())
    expect(in_full(window)).to_contain_text("The recorded loop would leave its recording here")


def test_the_short_cut_removes_every_check_and_shows_toms_case(window):
    pages.go(window, "remove")
    pages.keyed(window, "none-on").click()
    every = [check.name for check in without.checks()]
    pages.is_at(window, "remove", off=",".join(every), case=TOM)
    for name in every:
        expect(switch(window, name)).not_to_be_checked()
    expect(in_full(window)).to_contain_text("No check is left")
    assert window.focus == "none-on"
