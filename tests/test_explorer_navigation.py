"""Moving: a press writes the whole address, from where the person really is."""

import pytest

from assistant.explorer.predict import asked_in
from tests.test_explorer_page import bar, open_page, own_environment, page_modules, told_to_the_browser  # noqa: F401
from tests.test_explorer_run import events


def press(page, key):
    return page.button(key=key).click().run()


def steps_asked_about(ticket_id):
    """The steps of a ticket's loop that a page asks about before it shows them."""
    return [asked.step for asked in asked_in(events(ticket_id), ())]


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


# What was guessed goes along, until one starts over.

GUESSED = {"ticket": "T-80001", "predict": "1", "guess": "own_order,none", "lang": "en", "present": "1"}


@pytest.mark.parametrize(("key", "step", "to"), [("Right", 5, 6), ("Left", 5, 4), ("End", 4, 7)])
def test_a_press_keeps_what_was_guessed_and_the_setting(key, step, to):
    assert press(open_page(**GUESSED, step=step), key).query_params == {**GUESSED, "step": str(to)}


@pytest.mark.parametrize(("key", "step"), [("Home", 5), ("Home", 0), ("Left", 1), ("Left", 0)])
def test_who_is_at_the_start_again_is_asked_anew(key, step):
    page = press(open_page(**GUESSED, step=step), key)
    assert page.query_params == {"ticket": "T-80001", "step": "0", "predict": "1", "lang": "en", "present": "1"}


def test_who_chooses_a_ticket_is_asked_anew_also_in_the_same_one():
    for ticket_id in ("T-80009", "T-80001"):
        page = press(open_page(**GUESSED, step=7), f"ticket {ticket_id}")
        assert page.query_params == {"ticket": ticket_id, "step": "0", "predict": "1", "lang": "en", "present": "1"}


@pytest.mark.parametrize("ticket_id", ["T-80001", "T-80009"])
def test_the_end_is_the_next_open_question(ticket_id):
    first, second = steps_asked_about(ticket_id)
    page = press(open_page(ticket=ticket_id, step=0, predict=1), "End")
    assert page.query_params["step"] == str(first)
    page = press(press(press(page, "answer-step-skip"), "End"), "End")
    assert page.query_params == {"ticket": ticket_id, "step": str(second), "predict": "1", "guess": "skip"}
    page = press(press(page, "answer-step-skip"), "Left")
    assert press(page, "End").query_params["step"] == str(len(events(ticket_id)))


def test_a_press_with_guesses_that_are_none_goes_on_with_those_that_are():
    page = press(open_page(ticket="T-80001", step=4, predict=1, guess="own_order,<b>x</b>"), "Right")
    assert (page.query_params["step"], page.query_params["guess"]) == ("5", "own_order")


def test_the_script_is_told_each_press_at_an_end_so_that_the_same_words_are_said_again():
    page = open_page(ticket="T-80001", step=1)
    edges = []
    for key in ("Left", "Left", "Left", "Right", "End", "End"):
        page = press(page, key)
        edges.append(told_to_the_browser(page)["edge"])
    assert edges == [0, 1, 2, 2, 2, 3]
