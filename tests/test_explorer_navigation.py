"""Moving: a press writes the whole address, from where the person really is."""

import pytest

from tests.test_explorer_page import bar, open_page, own_environment, page_modules  # noqa: F401


def press(page, key):
    return page.button(key=key).click().run()


@pytest.mark.parametrize(
    ("key", "step", "to"),
    [("Right", 0, 1), ("Right", 6, 7), ("Left", 7, 6), ("Left", 1, 0), ("End", 2, 7), ("Home", 5, 0)],
)
def test_each_button_moves_and_writes_the_whole_address(key, step, to):
    page = press(open_page(ticket="T-80001", step=step, lang="fr"), key)
    assert page.query_params == {"ticket": "T-80001", "step": str(to), "lang": "fr"}
    assert bar(page).startswith(f"Étape {to} sur 7 ")


@pytest.mark.parametrize(
    ("key", "step", "said"),
    [
        ("Left", 0, "Step 0 of 7 This is the start."),
        ("Home", 0, "Step 0 of 7 This is the start."),
        ("Right", 7, "Step 7 of 7 This is the last step."),
        ("End", 7, "Step 7 of 7 This is the last step."),
    ],
)
def test_a_press_at_either_end_says_where_one_is(key, step, said):
    page = press(open_page(ticket="T-80001", step=step), key)
    assert bar(page) == said
    assert page.query_params["step"] == str(step)


def test_what_was_said_at_an_end_is_gone_after_the_next_press():
    page = press(press(open_page(ticket="T-80001", step=7), "Right"), "Left")
    assert bar(page) == "Step 6 of 7 Writes the final reply"
    assert bar(press(page, "Right")) == "Step 7 of 7 Two barriers: valid"


def test_a_press_leads_on_from_the_nearest_place_of_a_wrong_address():
    assert press(open_page(ticket="T-80001", step=99), "Left").query_params["step"] == "6"
    assert press(open_page(ticket="T-9", step=5), "Right").query_params == {"ticket": "T-80008", "step": "1"}


def test_without_a_chosen_language_a_press_chooses_none():
    assert press(open_page("fr-CA"), "Right").query_params == {"ticket": "T-80008", "step": "1"}


def test_a_ticket_opens_at_its_start_in_the_chosen_language():
    page = press(open_page(ticket="T-80001", step=5, lang="fr"), "ticket T-80009")
    assert page.query_params == {"ticket": "T-80009", "step": "0", "lang": "fr"}


def test_a_press_right_after_a_ticket_was_chosen_moves_in_that_ticket():
    page = press(press(open_page(ticket="T-80001", step=5), "ticket T-80009"), "Right")
    assert page.query_params == {"ticket": "T-80009", "step": "1"}


def test_a_press_after_the_browsers_back_goes_on_from_there():
    page = press(press(open_page(ticket="T-80001", step=0), "Right"), "Right")
    page.query_params = {"ticket": "T-80001", "step": "0"}
    page.run()  # the browser went back to step 0, and this time without a press
    assert press(page, "Right").query_params["step"] == "1"


def test_eight_presses_reach_the_end_and_eight_the_start():
    page = open_page(ticket="T-80001")
    there = [press(page, "Right").query_params["step"] for _ in range(8)]
    back = [press(page, "Left").query_params["step"] for _ in range(8)]
    assert there == ["1", "2", "3", "4", "5", "6", "7", "7"]
    assert back == ["6", "5", "4", "3", "2", "1", "0", "0"]
