"""Axe finds nothing against WCAG 2.2 A and AA in what the page draws, in both languages and both themes."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from . import pages
from .window import STEPS

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
STREAMLITS_OWN = {}  # rule: why it is Streamlit's frame and not ours; nothing so far


def violations(window):
    found = Axe().run(window.page, options={"runOnly": {"type": "tag", "values": WCAG}}).response["violations"]
    return {
        f"{rule['id']}: {' '.join(node['target'])} {node['failureSummary'][:300]}"
        for rule in found
        for node in rule["nodes"]
        if rule["id"] not in STREAMLITS_OWN
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_axe_finds_nothing_before_the_first_step_and_after_the_last(window, theme, lang):
    window.page.set_viewport_size({"width": 1280, "height": 4000})
    window.page.emulate_media(color_scheme=theme)
    window.at("T-80009", 0, lang=lang)
    assert window.page.locator(".stApp").evaluate("one => getComputedStyle(one).colorScheme") == theme
    assert violations(window) == set()
    window.at("T-80009", STEPS, lang=lang)
    window.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert violations(window) == set()


def test_axe_finds_nothing_in_a_whole_refusal_and_a_whole_order_on_a_narrow_page(window):
    window.page.set_viewport_size({"width": 390, "height": 6000})
    for ticket in ("T-80001", "T-80008"):
        window.at(ticket, STEPS)
        assert violations(window) == set()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_what_is_under_the_mouse(window, theme):
    window.page.set_viewport_size({"width": 1280, "height": 4000})
    window.page.emulate_media(color_scheme=theme)
    pages.go(window, ticket="T-80009", step=3, predict=1)
    buttons = window.page.locator(".stButton button, .stDownloadButton button, .stCheckbox label")
    assert buttons.count() > 15
    found = {}
    for button in buttons.all():
        button.hover()
        button.evaluate("one => Promise.all(one.getAnimations({ subtree: true }).map(each => each.finished))")
        if wrong := violations(window):
            found[button.inner_text()] = wrong
    assert found == {}


def test_axe_finds_what_is_wrong(window):
    window.at("T-80009", 1)
    window.page.evaluate(
        "document.querySelector('.card').insertAdjacentHTML('beforeend', '<img id=nameless src=data:,>')"
    )
    found = violations(window)
    window.page.evaluate("document.querySelector('#nameless').remove()")
    assert any("image-alt" in one for one in found)
