"""The address is the page's only state: moving changes it, a link opens there, Back and Forward follow."""

import pytest
from playwright.sync_api import expect

from .server import Server, copy_project
from .walk import TICKETS
from .window import STEPS, TITLES

MARKUP = '<img src=x onerror="document.title=1">'


@pytest.mark.parametrize("ticket", TICKETS)
def test_every_step_has_its_own_address(walks, ticket):
    walk = walks[ticket]
    assert [stop.address for stop in walk[1:]] == [
        {"ticket": ticket, "step": str(step)} for step in range(1, STEPS + 1)
    ]


def test_back_and_forward_follow_step_by_step_across_tickets_and_languages(windows, site):
    window = windows.new(site).open(ticket="T-80008", step=1).stands_at(1)
    window.press("Next").stands_at(2)
    window.press("Next").stands_at(3)
    window.choose("T-80001").stands_at(0, "T-80001")
    window.press("Next").stands_at(1)
    window.press("Language")
    expect(window.button("Next")).to_contain_text("Étape suivante")
    window.press("Next").stands_at(2)
    visited = [
        ("T-80001", 2, "fr"),
        ("T-80001", 1, "fr"),
        ("T-80001", 1, "en"),
        ("T-80001", 0, "en"),
        ("T-80008", 3, "en"),
        ("T-80008", 2, "en"),
        ("T-80008", 1, "en"),
    ]
    for move, places in (("history.back()", visited[1:]), ("history.forward()", visited[-2::-1])):
        for ticket, step, language in places:
            window.page.evaluate(move)
            window.stands_at(step, ticket)
            expect(window.button("Next")).to_contain_text("Next step" if language == "en" else "Étape suivante")
            assert (window.address["ticket"], window.address["step"]) == (ticket, str(step))


def test_after_the_browsers_back_next_goes_on_from_there(windows, site):
    window = windows.new(site).open(ticket="T-80008", step=1).stands_at(1)
    window.press("Next").stands_at(2).press("Next").stands_at(3)
    window.page.evaluate("history.back()")
    window.stands_at(2)
    window.page.evaluate("history.back()")
    window.stands_at(1).press("Next").stands_at(2)
    window.page.evaluate("history.back()")
    window.stands_at(1)


@pytest.mark.parametrize(
    ("asked", "ticket", "step", "notice"),
    [
        ({"ticket": "T-80001", "step": "99"}, "T-80001", STEPS, "There is no step 99 here; this is the last one, 7."),
        ({"ticket": "T-80001", "step": "9" * 60}, "T-80001", 0, "is not the number of a step"),
        ({"ticket": "T-80001", "step": "abc"}, "T-80001", 0, "abc is not the number of a step"),
        ({"ticket": "T-80001", "step": "-1"}, "T-80001", 0, "-1 is not the number of a step"),
        ({"ticket": "T-80001", "step": "٣"}, "T-80001", 0, "٣ is not the number of a step"),
        ({"ticket": "T-80001", "step": "1.5"}, "T-80001", 0, "1.5 is not the number of a step"),
        ({"ticket": "T-80001", "step": ""}, "T-80001", 0, "is not the number of a step"),
        ({"ticket": "T-1", "step": "3"}, "T-80008", 0, "There is no ticket T-1 here; this is T-80008."),
        ({"ticket": MARKUP}, "T-80008", 0, f"There is no ticket {MARKUP} here; this is T-80008."),
        ({"ticket": "**x** $y$ :smile:"}, "T-80008", 0, "There is no ticket **x** $y$ :smile: here"),
        ({"ticket": "T-80001", "step": "2", "lang": "xx"}, "T-80001", 2, "The language xx is not one of en, fr."),
        ({"ticket": "T-80001", "step": "2", "lang": ""}, "T-80001", 2, "is not one of en, fr."),
    ],
    ids=str,
)
def test_a_wrong_value_gets_a_notice_and_the_nearest_sensible_place(window, asked, ticket, step, notice):
    window.at("T-65059", 1).move(**asked)
    expect(window.notice).to_contain_text(notice)
    window.stands_at(step, ticket)
    assert window.page.locator(".notice :is(img, a, strong, em, .katex)").count() == 0
    assert [window.address.get(name, "") for name in asked] == list(asked.values()), "rewritten without a press"
    if step < STEPS:
        window.press("Next").stands_at(step + 1, ticket)
        assert window.address == {"ticket": ticket, "step": str(step + 1)}
        expect(window.notice).to_have_count(0)


def test_a_link_with_wrong_values_opens_at_a_sensible_place_in_a_fresh_browser(windows, site):
    window = windows.new(site, fresh=True).open(ticket=MARKUP, step="٣", lang="xx").stands_at(0, "T-80008")
    expect(window.notice).to_contain_text(f"There is no ticket {MARKUP} here")
    expect(window.notice).to_contain_text("The language xx is not one of")
    expect(window.page).to_have_title(TITLES["en"])
    assert window.address == {"ticket": MARKUP, "step": "٣", "lang": "xx"}


def test_a_link_opens_at_its_step_in_a_fresh_clone_that_has_never_run(windows, tmp_path):
    server = Server(copy_project(tmp_path / "clone", has_run_before=False))
    try:
        windows.new(server).open(ticket="T-80001", step=3).stands_at(3, "T-80001")
    finally:
        server.stop()


def test_a_last_step_beyond_the_loop_can_be_left_with_back(window):
    window.move(ticket="T-80001", step=99).stands_at(STEPS).press("Back").stands_at(STEPS - 1)
    assert window.address == {"ticket": "T-80001", "step": "6"}


def test_a_chosen_language_stays_in_the_address_when_one_moves(window):
    window.move(ticket="T-80001", step=2, lang="fr").stands_at(2).press("Next").stands_at(3)
    assert window.address == {"ticket": "T-80001", "step": "3", "lang": "fr"}
    window.choose("T-80009").stands_at(0, "T-80009")
    assert window.address["lang"] == "fr"


def test_an_address_without_a_language_gets_none_by_moving(window):
    window.at("T-80001", 2).press("Next").stands_at(3)
    assert "lang" not in window.address
