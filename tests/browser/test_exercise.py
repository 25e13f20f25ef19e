"""The exercise: four predictions by keyboard, none told before it is made, and three answers that open and close."""

import pytest
from playwright.sync_api import expect

from assistant.explorer import predict
from assistant.explorer.cases import EXERCISE
from assistant.explorer.exercising import QUESTIONS, decision_on

from . import pages


@pytest.fixture
def window(window):
    yield window
    pages.go(window)


def truths():
    return [predict.on_decision(decision_on(case)).truth for case in EXERCISE]


def test_four_predictions_are_made_by_keyboard_and_the_focus_follows_to_each_card(window):
    pages.go(window, "exercise")
    for number, truth in enumerate(truths(), start=1):
        pages.tab_to(window, f"answer-{number}-{truth}").key("Enter")
        pages.is_at(window, "exercise", guess=",".join(truths()[:number]))
        card = window.page.locator(f"article.card[data-step='{number}']")
        expect(card).to_be_focused()
        expect(card.locator(".guess.right")).to_be_visible()
        expect(window.page.locator(".guess")).to_have_count(number)
    expect(window.page.locator("[class*='st-key-answers-']")).to_have_count(0)
    pages.back(window)
    pages.is_at(window, "exercise", guess=",".join(truths()[:3]))
    expect(pages.keyed(window, "answer-4-none")).to_be_visible()


def test_the_server_sends_no_outcome_before_the_prediction(window):
    window.received.clear()
    pages.go(window, "exercise")
    guesses = []
    for number, case in enumerate(EXERCISE, start=1):
        outcome = decision_on(case).outcome
        is_first = outcome not in {decision_on(one).outcome for one in EXERCISE[: number - 1]}
        sent = b"\n".join(window.received).decode(errors="replace")
        if outcome != "ok" and is_first:
            assert outcome not in sent
        pages.keyed(window, f"answer-{number}-skip").click()
        guesses.append("skip")
        pages.is_at(window, "exercise", guess=",".join(guesses))
        assert outcome in b"\n".join(window.received).decode(errors="replace")


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_opens_and_closes_where_it_is_and_the_button_keeps_the_focus(window, name):
    pages.go(window, "exercise", guess="skip")
    button = pages.keyed(window, f"show-{name}")
    pages.tab_to(window, f"show-{name}").key("Enter")
    pages.is_at(window, "exercise", guess="skip", answer=name)
    expect(window.page.locator(f".st-key-asked-{name} .answer")).to_be_visible()
    expect(window.page.locator(".answer")).to_have_count(1)
    expect(button).to_be_focused()
    window.key("Enter")
    pages.is_at(window, "exercise", guess="skip")
    expect(window.page.locator(".answer")).to_have_count(0)
    expect(button).to_be_focused()
