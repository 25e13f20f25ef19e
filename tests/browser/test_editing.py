"""Editing: what is saved shows in the open page, a broken file is named and mended in the same window."""

import re
import sqlite3

import pytest
from playwright.sync_api import expect

from ..examples import SHORT_TOOLS
from .server import ROOT
from .window import STEPS

TOOLS = "assistant/tools.py"
REFUSAL = 'say("The order ID must be LK- followed by 6 digits.")'
OTHER_REFUSAL = 'say("An order ID is LK- and then 6 digits, please.")'
OWNER_CHECK = "if isinstance(customer, str) and customer and owner == customer:"
NO_OWNER_CHECK = "if True:"
DECIDED = 3


@pytest.fixture
def open_page(windows, workshop):
    """A window of the workshop's page."""

    def open_page(**parameters):
        return windows.new(workshop.server).open(**parameters)

    return open_page


def change_refusal(workshop, into=OTHER_REFUSAL):
    """The passage stands once as what the model gets for a malformed ID."""
    text = workshop.read(TOOLS)
    assert REFUSAL in text
    return text.replace(REFUSAL, into)


def line_of(text, passage):
    return text[: text.index(passage)].count("\n") + 1


def test_a_saved_refusal_text_shows_by_itself(workshop, open_page):
    window = open_page(ticket="T-80009", step=DECIDED).stands_at(DECIDED)
    workshop.save(TOOLS, change_refusal(workshop))
    expect(window.cards.nth(2)).to_contain_text("An order ID is LK- and then 6 digits, please.")
    window.stands_at(DECIDED, "T-80009", steps=4)


def test_a_file_put_in_the_place_of_the_old_one_shows_by_itself(workshop, open_page):
    window = open_page(ticket="T-80009", step=DECIDED).stands_at(DECIDED)
    workshop.replace(TOOLS, change_refusal(workshop))
    expect(window.cards.nth(2)).to_contain_text("An order ID is LK- and then 6 digits, please.")


def test_two_saves_within_a_second_and_of_one_size_show_the_newer_code(workshop, open_page):
    window = open_page(ticket="T-80009", step=DECIDED).stands_at(DECIDED)
    workshop.save(TOOLS, change_refusal(workshop, into='say("An order ID of the 1st save.")'))
    expect(window.cards.nth(2)).to_contain_text("An order ID of the 1st save.")
    workshop.replace_within_the_same_second(TOOLS, workshop.read(TOOLS).replace("1st save", "2nd save"))
    expect(window.cards.nth(2)).to_contain_text("An order ID of the 2nd save.")


def test_code_saved_while_no_window_was_open_runs_in_the_next_one(workshop, open_page):
    window = open_page(ticket="T-80009", step=DECIDED).stands_at(DECIDED)
    window.page.close()
    workshop.save(TOOLS, change_refusal(workshop))
    window = open_page(ticket="T-80009", step=DECIDED).stands_at(DECIDED, steps=4)
    expect(window.cards.nth(2)).to_contain_text("An order ID is LK- and then 6 digits, please.")


def test_a_removed_owner_check_is_noticed_and_leads_to_the_step_that_diverges(workshop, open_page):
    window = open_page(ticket="T-80008").stands_at(0)
    workshop.edit(TOOLS, OWNER_CHECK, NO_OWNER_CHECK)
    expect(window.notice).to_contain_text("The code as it is now leaves the recording in these tickets:")
    lead = window.page.locator(".st-key-divergences button")
    expect(lead).to_have_count(1)
    expect(lead).to_contain_text("T-80001")
    lead.click()
    window.stands_at(4, "T-80001", steps=4)
    card = window.page.locator(".card.divergence")
    expect(card).to_contain_text("/decisions/0/outcome")
    expect(card).to_contain_text("The code decides differently from the recording.")
    expect(card.locator(".cells > div").nth(0)).to_contain_text('"refused: other_customer"')
    expect(card.locator(".cells > div").nth(1)).to_contain_text('"ok"')
    expect(card).to_contain_text("What the model would have said next is not known, so the replay stops here.")
    expect(window.page.locator(".source")).to_contain_text("it leaves the recording at step 4")
    expect(window.cards.nth(2)).to_contain_text("LK-615204")


def test_the_short_cut_in_run_tool_is_what_decides_then_and_the_page_says_so_at_once(workshop, open_page):
    window = open_page(ticket="T-80001", step=DECIDED).stands_at(DECIDED)
    shortcut = 'return {"ok": True, "order": book.find(json.loads(arguments)["order_id"])}, "ok"'
    workshop.edit(TOOLS, "return ToolAnswer(decide(name, arguments, customer_id, book))", shortcut)
    expect(window.cards.nth(2)).to_contain_text("This tools.py does not list its checks")
    expect(window.cards.nth(2)).to_contain_text('"customer_id": "C-38852"')
    expect(window.page.locator(".source .diverged")).to_contain_text("it leaves the recording at step 4")


def test_a_press_while_the_code_is_broken_keeps_the_place(workshop, open_page):
    window = open_page(ticket="T-80001", step=4).stands_at(4)
    good = workshop.read(TOOLS)
    workshop.save(TOOLS, "def broken(:\n" + good)
    expect(window.notice).to_contain_text("assistant/tools.py, line 1 stops the loop.")
    window.page.keyboard.press("ArrowRight")
    window.page.keyboard.press("End")
    expect(window.page.locator(".where")).to_contain_text("Step 4 The code stopped the loop here.")
    window.page.wait_for_function("() => !window.toolLoop.isBusy && !window.toolLoop.late.length")  # both were made
    workshop.save(TOOLS, good)
    window.stands_at(4, "T-80001")


def test_a_syntax_error_names_file_and_line_and_leaves_the_tickets_operable(workshop, open_page):
    window = open_page(ticket="T-80008", step=2).stands_at(2)
    good = workshop.read(TOOLS)
    bad = good.replace("CHECKS: tuple[Check[ToolCall], ...] = (", "CHECKS: tuple[Check[ToolCall], ...] = ((", 1)
    bad = bad.replace("def decide(name", "def decide(:name", 1)
    workshop.save(TOOLS, bad)
    expect(window.notice).to_contain_text(re.compile(rf"{TOOLS}, line \d+ stops the loop\."))
    expect(window.notice).to_contain_text("SyntaxError")
    window.choose("T-80001")
    expect(window.ticket("T-80001")).to_have_attribute("aria-pressed", "true")
    expect(window.page.locator(".ticket")).to_contain_text("my neighbour Mrs Okafor")
    expect(window.notice).to_contain_text(TOOLS)
    workshop.save(TOOLS, good)
    expect(window.notice).to_have_count(0)
    window.press("Next").stands_at(1, "T-80001")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("def broken(:", "SyntaxError"),
        ("from .orders import NoSuchThing", "ImportError"),
        ("import no_such_module", "ModuleNotFoundError"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise SystemExit(3)", "SystemExit"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_named_with_its_line_and_mended_in_the_same_window(
    workshop, open_page, line, told
):
    window = open_page(ticket="T-80008", step=1).stands_at(1)
    good = workshop.read(TOOLS)
    bad = good.replace("MAX_ARGUMENTS = 4096", f"{line}\nMAX_ARGUMENTS = 4096")
    workshop.save(TOOLS, bad)
    expect(window.notice).to_contain_text(f"{TOOLS}, line {line_of(bad, line)} stops the loop.")
    expect(window.notice).to_contain_text(told)
    workshop.save(TOOLS, good)
    expect(window.notice).to_have_count(0)
    window.stands_at(1, "T-80008")


def test_windows_opened_while_the_file_was_broken_follow_its_repair(workshop, open_page):
    good = workshop.read(TOOLS)
    before = open_page(ticket="T-80008", step=1).stands_at(1)
    workshop.save(TOOLS, good.replace("MAX_ARGUMENTS = 4096", "MAX_ARGUMENTS = = 4096"))
    expect(before.notice).to_contain_text(TOOLS)
    meanwhile = open_page(ticket="T-80009", step=2)
    expect(meanwhile.notice).to_contain_text(f"{TOOLS}, line {line_of(good, 'MAX_ARGUMENTS = 4096')} stops the loop.")
    workshop.save(TOOLS, good)
    for window, step, ticket in ((before, 1, "T-80008"), (meanwhile, 2, "T-80009")):
        expect(window.notice).to_have_count(0)
        window.stands_at(step, ticket).press("Next").stands_at(step + 1, ticket)


def test_a_learners_short_file_works_and_the_card_says_that_it_does_not_tell_its_checks(workshop, open_page):
    window = open_page(ticket="T-80001", step=DECIDED).stands_at(DECIDED)
    workshop.save(TOOLS, SHORT_TOOLS)
    card = window.cards.nth(2)
    expect(card).to_contain_text("This tools.py does not list its checks, only their outcome.")
    expect(card).to_contain_text("refused: my_own_code")
    expect(card).to_contain_text("Nothing for you here.")
    window.choose("T-80008").stands_at(0, "T-80008").press("Show all").stands_at(STEPS)
    expect(window.cards.nth(2)).to_contain_text("garden shed")
    expect(window.page.locator(".source")).to_contain_text("it matches the recording so far")


def test_a_tool_that_raises_is_named_with_its_line_and_the_earlier_steps_stay(workshop, open_page):
    window = open_page(ticket="T-80001", step=DECIDED).stands_at(DECIDED)
    raising = SHORT_TOOLS.replace(
        "    order = book.find(", '    raise LookupError("no **luck** <b>")\n    order = book.find('
    )
    workshop.save(TOOLS, raising)
    expect(window.notice).to_contain_text(f"{TOOLS}, line {line_of(raising, 'raise LookupError')} stops the loop.")
    expect(window.notice).to_contain_text("no **luck** <b>")
    expect(window.cards).to_have_count(2)
    window.choose("T-80009")
    expect(window.ticket("T-80009")).to_have_attribute("aria-pressed", "true")


def test_a_saved_prompt_shows_at_the_next_press(workshop, open_page):
    window = open_page(ticket="T-80001").stands_at(0)
    workshop.save("assistant/prompt.md", "You sort tickets with great care.\n")
    window.press("Next").stands_at(1)
    assert "You sort tickets with great care." in window.cards.first.locator("details pre").inner_html()


def test_saved_orders_show_at_the_next_press(workshop, open_page):
    window = open_page(ticket="T-80008", step=2).stands_at(2)
    sql = workshop.read("assistant/orders.sql")
    workshop.save("assistant/orders.sql", sql.replace("LK-581106", "LK-999999"))
    window.press("Next")
    expect(window.cards.nth(2)).to_contain_text("refused: not_found")


def test_broken_orders_are_named_with_file_and_line(workshop, open_page):
    window = open_page(ticket="T-80008", step=2).stands_at(2)
    workshop.save("assistant/orders.sql", "-- one\nCREATE TABLE;\n")
    window.press("Next")
    expect(window.notice).to_contain_text(re.compile(r"orders\.sql, line \d stops the loop\."))


def test_a_saved_recording_shows_at_the_next_press(workshop, open_page):
    window = open_page(ticket="T-80001", step=1).stands_at(1)
    workshop.edit("recordings/T-80001.json", "Thanks, Tom", "Many thanks, Thomas")
    window.press("Next").stands_at(2)
    expect(window.page.locator(".ticket")).to_contain_text("Many thanks, Thomas")


def test_a_recording_put_in_or_broken_shows_at_the_next_press(workshop, open_page):
    window = open_page(ticket="T-80001").stands_at(0)
    recording = workshop.read("recordings/T-80009.json")
    workshop.save("recordings/T-90000.json", recording.replace("T-80009", "T-90000"))
    workshop.save("recordings/T-65059.json", "{")
    window.press("Next").stands_at(1)
    expect(window.notice).to_contain_text("T-65059.json is left out.")
    expect(window.ticket("T-65059")).to_have_count(0)
    window.choose("T-90000").stands_at(0, "T-90000")


def test_another_order_book_is_asked_when_the_environment_names_one(served, windows, tmp_path):
    orders = tmp_path / "orders.db"
    with sqlite3.connect(orders) as book:
        book.executescript(
            (ROOT / "assistant" / "orders.sql").read_text(encoding="utf-8").replace("LK-615204", "LK-615205")
        )
    book.close()
    window = windows.new(served(EXPLORER_ORDERS=str(orders))).open(ticket="T-80001", step=DECIDED)
    expect(window.cards.nth(2)).to_contain_text("refused: not_found")


def test_a_press_at_the_moment_of_a_save_is_not_lost(workshop, open_page):
    window = open_page(ticket="T-80001", step=1).stands_at(1)
    for step in (2, 3, 4):
        workshop.save("assistant/prompt.md", f"You sort tickets with great care, and for the {step}th time.\n")
        window.press("Next").stands_at(step)
