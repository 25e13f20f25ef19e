"""For the front of a class: text of 24 pixels and more, the card and the controls in view with nothing to scroll."""

import pytest
from playwright.sync_api import expect

from . import pages
from .walk import TICKETS
from .window import STEPS

SIZES = ((1280, 720), (1024, 768))
LEAST_PX = 24
# What a class could not read or see, and what covers something. Icons are drawn by a font, but are no text.
WRONG = """least => {
    const wrong = new Set();
    const isHidden = element => {
        for (let one = element; one; one = one.parentElement) {
            const { clipPath, visibility, opacity } = getComputedStyle(one);
            if (clipPath !== "none" || visibility === "hidden" || opacity === "0") return true;
        }
    };
    const name = element => element.textContent.trim().slice(0, 40) || element.className || element.tagName;
    const top = [...document.querySelectorAll(".st-key-top :is(a, button)")].map(one => one.getBoundingClientRect());
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode, element = text.parentElement;
        if (!text.textContent.trim() || element.closest("script, style, [data-testid=stIconMaterial]")) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
        if (!boxes.length || isHidden(element)) continue;
        const size = parseFloat(getComputedStyle(element).fontSize);
        if (size < least) wrong.add(`${size} pixels: ${name(element)}`);
        const isCovered = boxes.some(box => top.some(one => one.left < box.right && box.left < one.right
            && one.top + 4 < box.bottom && box.top + 4 < one.bottom));
        if (isCovered && !element.closest(".st-key-top")) wrong.add(`under the line on top: ${name(element)}`);
    }
    for (const field of document.querySelectorAll("input[type=text], textarea")) {
        const size = parseFloat(getComputedStyle(field).fontSize);
        if (field.offsetWidth > 1 && size < least) wrong.add(`${size} pixels in a field: ${field.ariaLabel}`);
    }
    return [...wrong];
}"""
# From the page's begin, whatever its script has scrolled to.
OUT_OF_VIEW = """() => {
    document.querySelector('[data-testid="stMain"]').scrollTo({ top: 0, behavior: "instant" });
    const bar = document.querySelector('[data-testid="stBottom"]').getBoundingClientRect();
    const isIn = ({ left, top, right, bottom }, end) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= end;
    const found = [];
    const card = document.querySelector(".st-key-question")
        ?? [...document.querySelectorAll(".st-key-steps article.card")].at(-1);
    const box = card?.getBoundingClientRect();
    if (box && !isIn(box, bar.top + 1)) found.push(`the card, from ${box.top} to ${box.bottom} of ${bar.top}`);
    for (const scrolled of document.querySelectorAll(".st-key-steps pre, .st-key-steps blockquote")) {
        if (scrolled.scrollHeight > scrolled.clientHeight + 1) found.push(`the end of ${scrolled.ariaLabel}`);
    }
    const blocks = [".st-key-bar", ".st-key-top", ".st-key-tickets", ".st-key-question"];
    for (const control of document.querySelectorAll(blocks.map(one => `${one} :is(a, button)`))) {
        const at = control.getBoundingClientRect();
        if (!at.width) continue;
        const there = document.elementFromPoint((at.left + at.right) / 2, (at.top + at.bottom) / 2);
        if (!isIn(at, innerHeight) || !control.contains(there)) found.push(control.textContent);
    }
    return found;
}"""
QUESTIONS = ({"step": 3, "predict": 1}, {"step": STEPS, "predict": 1, "guess": "none"})
ANSWERED = {"predict": 1, "guess": "none,none"}
EVERY_STEP = [{"step": step, **more} for step in range(STEPS + 1) for more in ({}, ANSWERED)]
TALLEST = [{"step": step, **more} for step in (3, 6, 7) for more in ({}, ANSWERED)]  # the ladders, and a whole reply
FURTHER = {
    "exercise": {"guess": "none,none,none,none", "answer": "two-questions,same-words,injected"},
    "remove": {"off": "own_order", "case": "T-80001"},
    "proposal": {"case": "twice"},
    "reply": {"case": "made-up"},
    "compare": {},
    "review": {"outcome": "refused", "open": "1:T-80001.json"},
}


@pytest.fixture
def window(window):
    yield window
    pages.go(window)


def wrong_at_each_size(window, is_whole):
    """What is wrong at any size; where the page `is_whole` without scrolling, also what is out of view."""
    found = {}
    for width, height in SIZES:
        window.page.set_viewport_size({"width": width, "height": height})
        out_of_view = window.page.evaluate(OUT_OF_VIEW) if is_whole else []
        wrong = [*window.page.evaluate(WRONG, LEAST_PX), *(f"not in view: {one}" for one in out_of_view)]
        if pages.overflow(window) > 0:
            wrong.append("something to scroll sideways")
        if wrong:
            found[width, height] = wrong
    return found


@pytest.mark.parametrize("ticket", TICKETS)
@pytest.mark.parametrize(("lang", "places"), [("en", EVERY_STEP), ("fr", TALLEST)], ids=["en", "fr"])
def test_every_step_is_readable_and_in_view_whole_with_all_controls(window, ticket, lang, places):
    wrong = {}
    for place in (*places, *QUESTIONS):
        pages.go(window, ticket=ticket, **place, lang=lang, present=1)
        expect(window.page.locator(".st-key-question, .st-key-steps article.card")).to_have_count(
            0 if place["step"] == 0 else 2 if place in QUESTIONS else 1
        )
        if found := wrong_at_each_size(window, is_whole=True):
            wrong[tuple(place.values())] = found
    assert wrong == {}, wrong


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("path", FURTHER)
def test_every_other_page_is_readable_too(window, path, lang):
    pages.go(window, path, **FURTHER[path], lang=lang, present=1)
    wrong = wrong_at_each_size(window, is_whole=False)
    assert wrong == {}, wrong


def test_small_text_and_what_is_out_of_view_would_be_found(window):
    pages.go(window, ticket="T-80001", step=1)
    found = wrong_at_each_size(window, is_whole=True)
    assert any("pixels" in one for wrong in found.values() for one in wrong)
    pages.go(window, ticket="T-80008", step=STEPS)
    found = wrong_at_each_size(window, is_whole=True)
    assert any("not in view: the card" in one for wrong in found.values() for one in wrong)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("", {"ticket": "T-80001", "step": "3", "predict": "1", "guess": "none"}),
        ("remove", {"off": "own_order", "case": "T-80001"}),
    ],
)
def test_who_leaves_and_enters_the_presentation_keeps_their_place_and_the_focus(window, path, place):
    pages.go(window, path, **place)
    link = window.page.locator("a[data-key='present']")
    link.focus()
    for more in ({"present": "1"}, {}):
        window.key("Enter")
        pages.is_at(window, path, **place, **more)
        expect(link).to_be_focused()
    pages.back(window)
    pages.is_at(window, path, **place, present="1")


def test_the_presentation_goes_on_from_step_to_step_and_ticket_to_ticket(window):
    pages.go(window, ticket="T-80001", step=2, present=1).key("ArrowRight")
    pages.is_at(window, "", ticket="T-80001", step=3, present=1)
    window.choose("T-80009")
    pages.is_at(window, "", ticket="T-80009", step=0, present=1)
    expect(window.page.locator("blockquote")).to_be_in_viewport()
    window.key("End")
    pages.is_at(window, "", ticket="T-80009", step=STEPS, present=1)
    window.press("Language")
    pages.is_at(window, "", ticket="T-80009", step=STEPS, present=1, lang="fr")
