"""Asked first: the form is answered by keyboard, the address holds what was said, and nothing is told before it."""

from html import escape
from string import Formatter

import pytest
from playwright.sync_api import expect

from assistant.events import Concluded, Decided, Replied
from assistant.explorer.language import ENGLISH
from assistant.explorer.markup import label
from assistant.explorer.run import LESSON_TICKETS, recordings, replay

from . import pages
from .walk import TICKETS
from .window import STEPS

LEAST = 12  # characters by which a piece of a sentence is known


@pytest.fixture
def window(window):
    yield window
    pages.go(window)


@pytest.fixture(scope="module")
def loops():
    return {recording.ticket.id: replay(recording) for recording in recordings()[0]}


def asked_at(window, step):
    expect(window.page.locator(f".st-key-question [data-step='{step}']")).to_be_visible()
    return window


def pieces(*sentences):
    """The parts of sentences that stand in the page as they are, between the values."""
    found = {part.strip() for one in sentences if one for part, *_ in Formatter().parse(one.template)}
    return {escape(part) for part in found if len(part) >= LEAST}


def told_by_the_decision(run):
    """What only who has seen the check card knows."""
    decision = next(event.decision for event in run.events if isinstance(event, Decided))
    told = pieces(decision.message, *(check.evidence for check in decision.checks))
    return told | ({decision.outcome} if decision.outcome != "ok" else {"shipped_on"})


def told_by_the_verdict(run):
    """What only who has seen the barriers knows."""
    verdict = next(event.verdict for event in run.events if isinstance(event, Concluded))
    rules = pieces(*(rule.evidence for barrier in verdict.barriers for rule in barrier.rules))
    return rules | ({str(verdict)} if verdict.broken else set())


def known(window, told):
    """What of this the server has sent."""
    received = b"\n".join(window.received).decode(errors="replace")
    return {one for one in told if one in received}


def test_a_question_is_answered_by_keyboard_and_the_focus_goes_to_the_card_in_its_place(window):
    pages.go(window, ticket="T-80001", step=2, predict=1)
    window.button("Next").focus()
    asked_at(window.key("Enter"), 3)
    assert window.focus == "Right"
    pages.tab_to(window, "answer-step-own_order", "Shift+Tab").key("Enter")
    pages.is_at(window, "", ticket="T-80001", step=3, predict=1, guess="own_order")
    card = window.page.locator("article.card[data-step='3']")
    expect(card).to_be_focused()
    expect(card.locator(".guess.right")).to_be_visible()
    expect(window.page.locator(".st-key-question")).to_have_count(0)


@pytest.mark.parametrize("press", ["ArrowRight", "End"])
def test_no_key_leads_past_an_open_question_and_the_page_says_so(window, press):
    asked_at(pages.go(window, ticket="T-80001", step=3, predict=1), 3)
    said = window.page.locator("#tool-loop-said")
    expect(said).to_contain_text("Which check stops this proposal?")
    window.key(press)
    expect(window.where).to_contain_text("Answer first, or skip.")
    expect(said).to_contain_text("Answer first, or skip.", timeout=5000)
    assert pages.place(window) == ("", {"ticket": "T-80001", "step": "3", "predict": "1"})
    assert window.cards.count() == 3  # two steps and the question


def test_both_answers_stand_in_the_address_and_back_and_forward_follow_them(window):
    def at(step, *guesses):
        guess = {"guess": ",".join(guesses)} if guesses else {}
        return pages.is_at(window, "", ticket="T-80009", step=step, predict=1, **guess)

    asked_at(pages.go(window, ticket="T-80009", step=3, predict=1), 3)
    pages.keyed(window, "answer-step-unsure").click()
    at(3, "unsure").key("End")
    asked_at(at(7, "unsure"), 7)
    pages.keyed(window, "answer-step-none").click()
    at(7, "unsure", "none").stands_at(7)
    expect(window.page.locator(".guess.open, .guess.wrong")).to_have_count(2)
    pages.back(window)
    asked_at(at(7, "unsure"), 7)
    pages.back(window)
    at(3, "unsure")
    expect(window.cards).to_have_count(3)
    pages.back(window)
    asked_at(at(3), 3)
    for _ in range(3):
        pages.back(window, "forward")
    at(7, "unsure", "none").stands_at(7)


def test_a_link_to_an_answered_question_opens_with_guess_and_truth(windows, site):
    asked = {"ticket": "T-80001", "step": 4, "predict": 1, "guess": "none"}
    window = pages.load(windows.new(site), **asked)
    expect(window.page.locator("[data-step='3'] .guess.wrong")).to_contain_text("The order belongs to this ticket's")
    assert pages.place(window)[1] == {name: str(value) for name, value in asked.items()}


@pytest.mark.parametrize("ticket", TICKETS)
def test_the_server_sends_nothing_of_an_answer_before_it_is_given(window, loops, ticket):
    run = loops[ticket]
    decided, judged = told_by_the_decision(run), told_by_the_verdict(run)
    reply = next(event.reply for event in run.events if isinstance(event, Replied))
    follows = {escape(str(reply.content)[2:40])}  # shown to the letter in a fold of the reply's card
    window.received.clear()
    asked_at(pages.go(window, ticket=ticket, step=STEPS, predict=1), 3)
    assert known(window, decided | judged | follows) == set()
    captions = {label(words, ENGLISH) for words in LESSON_TICKETS.values()}
    assert known(window, captions) == set()
    pages.keyed(window, "answer-step-skip").click()
    pages.is_at(window, "", ticket=ticket, step=3, predict=1, guess="skip")
    asked_at(window.key("End"), STEPS)
    assert known(window, judged) == set()
    assert known(window, decided | follows) == decided | follows  # what was looked for does stand in what is sent
    pages.keyed(window, "answer-step-skip").click()
    pages.is_at(window, "", ticket=ticket, step=STEPS, predict=1, guess="skip,skip")
    assert known(window, judged) == judged
    pages.keyed(window, "asking", "label").click()
    pages.is_at(window, "", ticket=ticket, step=STEPS)
    assert known(window, captions) == captions


def test_the_switch_keeps_the_step_and_the_focus(window):
    pages.go(window, ticket="T-80001", step=2)
    switch = pages.keyed(window, "asking", "input")
    switch.focus()
    for asked in ({"predict": 1}, {}, {"predict": 1}):
        window.key("Space")
        pages.is_at(window, "", ticket="T-80001", step=2, **asked)
        assert window.focus == "asking"
        assert switch.is_checked() == bool(asked)


def test_who_is_past_a_question_and_switches_on_is_asked_from_the_start(window):
    pages.go(window, ticket="T-80001", step=6)
    pages.keyed(window, "asking", "label").click()
    pages.is_at(window, "", ticket="T-80001", step=0, predict=1)


def test_the_keys_go_on_working_after_the_switch_was_clicked(window):
    pages.go(window, ticket="T-80001", step=0)
    pages.keyed(window, "asking", "label").click()
    pages.is_at(window, "", ticket="T-80001", step=0, predict=1).key("End")
    expect(window.page.locator(".st-key-question")).to_be_visible(timeout=5000)
