"""On 390 pixels and at 200 % zoom every page is whole and every control reachable; reduced motion is respected."""

import pytest

from assistant.explorer.site import PAGES

from . import pages
from .window import STEPS

SIZES = {"390 pixels wide": (390, 844), "200 % of 1280 x 800": (640, 400)}
STATES = [
    ("", {"ticket": "T-80001", "step": 3, "predict": 1}),
    ("", {"ticket": "T-80009", "step": STEPS}),
    ("exercise", {"guess": "none", "answer": "two-questions,same-words,injected"}),
    ("remove", {"off": "own_order", "case": "T-80001"}),
    ("proposal", {"case": "twice"}),
    ("reply", {"case": "made-up"}),
    ("compare", {}),
    ("review", {"outcome": "refused", "open": "1:T-80001.json"}),
]
# Each control in turn gets the focus, as with Tab. Then it has to be in view in its whole width, unless it stands in a
# region that scrolls itself, and what is seen of it not to be covered.
UNREACHABLE = """() => {
    const found = [];
    const controls = 'a, button, input, textarea, summary, [tabindex="0"]';
    for (const one of document.querySelectorAll(`[data-testid="stApp"] :is(${controls})`)) {
        if (!one.checkVisibility({ visibilityProperty: true }) || one.tabIndex < 0) continue;
        one.focus();
        if (document.activeElement !== one) continue;
        const pressed = one.closest("label, [data-testid=stSelectbox] > div, [data-testid=stMultiSelect] > div") ?? one;
        const { left, right, top, bottom } = pressed.getClientRects()[0];
        if (right - left < 2 || bottom - top < 2) continue;
        const name = `${one.tagName} ${one.textContent.trim().slice(0, 40) || one.ariaLabel || one.className}`;
        const region = one.parentElement.closest(".matrix")?.getBoundingClientRect();
        if (!region && (left < -1 || right > innerWidth + 1)) found.push(`cut off: ${name}`);
        const x = Math.max(left, region?.left ?? 0) + Math.min(right, region?.right ?? innerWidth);
        const y = Math.max(top, 0) + Math.min(bottom, innerHeight);
        if (!pressed.contains(document.elementFromPoint(x / 2, y / 2))) found.push(`covered or out of view: ${name}`);
    }
    document.activeElement.blur();
    return found;
}"""
MOVING = """() => [...document.querySelectorAll(".stApp, .stApp *")].filter(one => {
    const { transitionDuration, transitionProperty, animationName, scrollBehavior } = getComputedStyle(one);
    const moves = transitionProperty !== "none" && transitionDuration.split(",").some(time => parseFloat(time) > 0.01);
    return one.checkVisibility() && (moves || animationName !== "none" || scrollBehavior === "smooth");
}).map(one => `${one.tagName}.${one.className}`)"""


@pytest.fixture
def window(window):
    yield window
    window.page.emulate_media(reduced_motion="no-preference")
    pages.go(window)


def test_a_state_of_every_page_is_looked_at():
    assert {path for path, _ in STATES} == set(PAGES)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_nothing_is_to_be_scrolled_sideways_and_every_control_can_be_reached(window, size, lang):
    window.page.set_viewport_size({"width": size[0], "height": size[1]})
    found = {}
    for path, place in STATES:
        pages.go(window, path, **place, lang=lang)
        pages.unfold(window)
        wrong = window.page.evaluate(UNREACHABLE)
        if (wider := pages.overflow(window)) > 0:
            wrong.append(f"{wider} pixels to scroll sideways")
        if wrong:
            found[path, *place.values()] = wrong
    assert found == {}, found


def test_an_open_case_is_read_without_scrolling_sideways(window):
    window.page.set_viewport_size({"width": 390, "height": 844})
    pages.go(window, "remove", off="own_order", case="T-80001")
    box = window.page.locator(".full-row article").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_what_is_too_wide_and_what_is_covered_is_found(window):
    window.page.set_viewport_size({"width": 390, "height": 844})
    pages.go(window, "remove")
    window.page.evaluate("document.querySelector('.summary').style.width = '600px'")
    assert pages.overflow(window) > 0
    window.page.evaluate(
        "document.querySelector('.summary').style.cssText = 'position: fixed; inset: 0; z-index: 99999'"
    )
    assert len(window.page.evaluate(UNREACHABLE)) > 10
    window.page.evaluate("document.querySelector('.summary').style.cssText = ''")


def test_nothing_moves_for_who_asks_for_reduced_motion(window):
    moving = []
    for path in PAGES:
        pages.go(window, path)
        moving += window.page.evaluate(MOVING)
        window.page.emulate_media(reduced_motion="reduce")
        assert window.page.evaluate(MOVING) == []
        window.page.emulate_media(reduced_motion="no-preference")
    assert moving, "without the wish Streamlit's own widgets do move"
