"""A new step is announced once, through a live region that outlives every run; the focus stays where it was put."""

import pytest
from playwright.sync_api import expect

from . import pages
from .window import STEPS

# Keeps every text that the region comes to hold. A screen reader speaks each of these.
LISTEN = """() => {
    const region = document.getElementById("tool-loop-said");
    window.regionBefore = region;
    window.heard = [];
    window.listening?.disconnect();
    window.listening = new MutationObserver(() => window.heard.push(region.textContent));
    window.listening.observe(region, { childList: true, characterData: true, subtree: true });
}"""


@pytest.fixture
def window(window):
    yield window
    pages.go(window)


def listen(window, said):
    """Begin to listen, once the page has said what it says of where it is."""
    expect(window.page.locator("#tool-loop-said")).to_contain_text(said)
    window.page.evaluate(LISTEN)
    return window


def hears(window, count):
    window.page.wait_for_function("count => window.heard.length >= count", arg=count, timeout=5000)
    return window.page.evaluate("window.heard")


def test_five_steps_are_announced_once_each_by_their_heading_in_one_lasting_region(window):
    window.at("T-80001", 1)
    listen(window.at("T-80001"), "Step 0")
    window.button("Next").focus()
    expected = []
    for step in range(1, 6):
        window.key("Enter").stands_at(step)
        heading = window.cards.last.locator("h2").inner_text()
        expected.append(f"Step {step} of {STEPS} {heading}")
        assert hears(window, step) == expected
        assert window.focus == "Right"
    window.press("Back").stands_at(4)
    assert hears(window, 6) == [*expected, expected[3]], "something was said twice"
    assert window.page.evaluate("window.regionBefore === document.getElementById('tool-loop-said')")


def test_the_region_is_a_status_outside_of_what_streamlit_draws_and_not_seen(window):
    pages.go(window, ticket="T-80001", step=1)
    region = window.page.locator("#tool-loop-said")
    assert region.get_attribute("role") == "status"
    assert window.page.locator(".stApp #tool-loop-said").count() == 0
    box = region.bounding_box()
    assert max(box["width"], box["height"]) <= 1


@pytest.mark.parametrize(
    ("step", "before", "button", "said"),
    [(STEPS, STEPS - 1, "Next", "This is the last step."), (0, 1, "Back", "This is the start.")],
)
def test_a_press_at_an_end_is_announced_too_and_keeps_the_focus(window, step, before, button, said):
    window.at("T-80001", before)
    listen(window.at("T-80001", step), f"Step {step}")
    window.press(button)
    expect(window.where).to_contain_text(said)
    assert hears(window, 1) == [f"Step {step} of {STEPS} {said}"]
    assert window.stands_at(step).focus == {"Next": "Right", "Back": "Left"}[button]


def test_an_open_question_and_what_came_of_it_are_announced(window):
    pages.go(window, ticket="T-80001", step=2, predict=1)
    listen(window, "Step 2").key("ArrowRight")
    pages.is_at(window, "", ticket="T-80001", step=3, predict=1)
    assert hears(window, 1) == ["Step 3 Which check stops this proposal?"]
    pages.keyed(window, "answer-step-skip").click()
    pages.is_at(window, "", ticket="T-80001", step=3, predict=1, guess="skip")
    heading = window.cards.last.locator("h2").inner_text()
    assert hears(window, 2)[1:] == [f"Step 3 {heading} Now you know."]


def test_what_a_switch_changed_is_announced_and_the_region_is_the_same_on_every_page(window):
    pages.go(window, "remove")
    listen(window, "Nothing is switched off")
    pages.keyed(window, "on-own_order", "label").click()
    pages.is_at(window, "remove", off="own_order")
    assert hears(window, 1) == [window.page.locator(".summary").inner_text()]
    for path in pages.PAGES:
        pages.go(window, path)
    assert window.page.evaluate("window.regionBefore === document.getElementById('tool-loop-said')")


def test_what_the_code_says_to_a_proposal_is_announced(window):
    pages.go(window, "proposal")
    listen(window, "Checks the proposal: ok")
    pages.keyed(window, "proposal-tool", "input").fill("refund_order")
    pages.keyed(window, "proposal-submit").click()
    assert hears(window, 1) == ["Checks the proposal: refused: unknown_tool"]
