"""Keys do what the buttons do, except while a person types; and no press takes the focus away."""

import pytest
from playwright.sync_api import expect

from .walk import TICKETS
from .window import STEPS

TEXT_FIELDS = {
    "a text field": '<input id="typing" value="abc">',
    "a large text field": '<textarea id="typing">abc</textarea>',
    "text that can be edited": '<div id="typing" contenteditable="true">abc</div>',
}
PUT_IN = """html => document.querySelector(".st-key-panel").insertAdjacentHTML("afterbegin", html)"""


def test_the_keys_do_what_the_buttons_do(window):
    window.at("T-80008").key("ArrowRight").stands_at(1).key("ArrowRight").stands_at(2)
    window.key("ArrowLeft").stands_at(1).key("End").stands_at(STEPS).key("Home").stands_at(0)


def test_the_keys_work_right_after_a_ticket_was_clicked(window):
    window.at("T-80008", 3).choose("T-80001").stands_at(0, "T-80001")
    window.key("ArrowRight").stands_at(1, "T-80001").key("End").stands_at(STEPS, "T-80001")


def test_a_key_pressed_while_a_clicked_ticket_is_not_drawn_yet_steps_in_the_new_ticket(window):
    window.at("T-80008", 3).choose("T-80001").key("ArrowRight").stands_at(1, "T-80001")


def test_five_quick_presses_of_a_key_go_five_steps(window):
    window.at("T-80009").key(*["ArrowRight"] * 5).stands_at(5)
    window.key(*["ArrowLeft"] * 4).stands_at(1)
    window.key(*["ArrowRight"] * 3, "ArrowLeft").stands_at(3)


def test_five_quick_clicks_go_five_steps(window):
    window.at("T-65059")
    window.page.evaluate("""() => {
        for (let press = 0; press < 5; press++) document.querySelector(".st-key-Right button").click();
    }""")
    window.stands_at(5)


def test_more_quick_presses_than_there_are_steps_end_at_the_last(window):
    window.at("T-80001").key(*["ArrowRight"] * 10).stands_at(STEPS)
    expect(window.where).to_contain_text("This is the last step.")
    window.page.wait_for_function("!toolLoop.isBusy")


def test_presses_that_are_still_waiting_are_forgotten_when_one_chooses_another_ticket(window):
    window.at("T-80001").key(*["ArrowRight"] * 7).choose("T-80009")
    window.page.wait_for_function("!toolLoop.isBusy")
    expect(window.ticket("T-80009")).to_have_attribute("aria-pressed", "true")
    window.is_drawn()
    assert int(window.address["step"]) <= 1  # the one that was on its way


@pytest.mark.parametrize("html", TEXT_FIELDS.values(), ids=TEXT_FIELDS.keys())
def test_the_keys_do_not_step_while_a_person_types(window, html):
    window.at("T-80008", 2)
    window.page.evaluate(PUT_IN, html)
    try:
        field = window.page.locator("#typing")
        field.click()
        window.key("ArrowLeft", "ArrowRight", "Home", "ArrowRight", "X", "End", "Y")
        assert field.evaluate("field => field.value ?? field.textContent") == "aXbcY"
        window.page.locator("h1").first.click()
    finally:
        window.page.evaluate("document.querySelector('#typing').remove()")
    window.key("ArrowRight").stands_at(3)  # had a key stepped before, this would stand elsewhere


@pytest.mark.parametrize("held", ["Alt", "Control", "Shift", "Meta"])
def test_a_key_with_a_modifier_does_not_step(window, held):
    window.at("T-80008", 3)
    window.key(f"{held}+ArrowRight", f"{held}+ArrowLeft", f"{held}+Home", f"{held}+End", "ArrowRight").stands_at(4)


@pytest.mark.parametrize("ticket", TICKETS)
def test_the_focus_stays_on_next_throughout_a_run(walks, ticket):
    assert {stop.focus for stop in walks[ticket][1:]} == {"Right"}


def test_the_focus_stays_on_next_at_the_last_step_and_the_press_says_so(window):
    window.at("T-80001", STEPS - 1).press("Next").stands_at(STEPS).key("Enter")
    expect(window.where).to_contain_text("This is the last step.")
    assert window.stands_at(STEPS).focus == "Right"
    expect(window.button("Next")).to_be_enabled()


def test_the_focus_stays_on_back_at_the_start_and_the_press_says_so(window):
    window.at("T-80001", 1).press("Back").stands_at(0).key("Enter")
    expect(window.where).to_contain_text("This is the start.")
    assert window.stands_at(0).focus == "Left"
    expect(window.button("Back")).to_be_enabled()


def test_the_focus_stays_on_the_language_switch(window):
    window.at("T-80001", 3).press("Language")
    expect(window.button("Language")).to_have_text("translateEnglish")
    assert window.stands_at(3).focus == "language"
    window.key("Enter")
    expect(window.button("Language")).to_have_text("translateFrançais")
    assert window.stands_at(3).focus == "language"


def test_the_focus_stays_on_the_chosen_ticket(window):
    window.at("T-80001", 3).choose("T-80009").stands_at(0, "T-80009")
    assert window.focus.startswith("ticket")
    assert window.page.evaluate("document.activeElement.textContent").startswith("T-80009")
