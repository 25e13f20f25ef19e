"""Axe finds nothing against WCAG 2.2 A and AA on any page, in any of its states, both languages and both themes."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from assistant.explorer.site import PAGES

from . import pages
from .window import STEPS

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
STREAMLITS_OWN: dict[str, tuple[str, ...]] = {}  # rule: what in its selectors is Streamlit's frame; nothing so far
STATES = [
    ("", {"ticket": "T-80001", "step": 0}),
    ("", {"ticket": "T-80001", "step": 3, "predict": 1}),
    ("", {"ticket": "T-80009", "step": STEPS, "predict": 1, "guess": "none,barrier-2"}),
    ("exercise", {"guess": "none,none", "answer": "two-questions,same-words,injected"}),
    ("remove", {"off": "own_order,status_not_from_lookup", "case": "T-80001"}),
    ("proposal", {"case": "twice"}),
    ("reply", {"case": "made-up"}),
    ("compare", {}),
    ("review", {"outcome": "refused", "open": "1:T-80001.json"}),
]
# Colours hang on the theme, words on the language: each pair is looked at with all pages, plain or presented.
WAYS = [("light", "en", {}), ("dark", "fr", {}), ("light", "fr", {"present": 1}), ("dark", "en", {"present": 1})]
AXE = Axe()
HEIGHT = """document.querySelector('[data-testid="stMainBlockContainer"]').getBoundingClientRect().height"""
HEADINGS = """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
    .filter(one => one.checkVisibility()).map(one => Number(one.tagName[1]))"""


@pytest.fixture
def window(window):
    yield window
    pages.go(window)


def violations(window):
    options = {"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"]}
    found = AXE.run(window.page, options=options).response["violations"]
    return [
        f"{rule['id']}: {' '.join(node['target'])} {node['failureSummary'][:300]}"
        for rule in found
        for node in rule["nodes"]
        if not any(own in node["target"][0] for own in STREAMLITS_OWN.get(rule["id"], ()))
    ]


def skipped(levels):
    """Whether a heading stands more than one level below the one before it, or there is not one title."""
    return levels.count(1) != 1 or any(after > before + 1 for before, after in zip([0, *levels], levels, strict=False))


def show(window, path, place, theme="light"):
    """A page with everything opened, in a window as tall as it is: axe looks at contrast only in what is in view."""
    window.page.emulate_media(color_scheme=theme)
    pages.go(window, path, **place)
    expect(window.page.locator(".stApp")).to_have_css("color-scheme", theme)
    pages.unfold(window)
    window.page.set_viewport_size({"width": 1280, "height": int(window.page.evaluate(HEIGHT)) + 400})
    return window


def test_a_state_of_every_page_is_looked_at():
    assert {path for path, _ in STATES} == set(PAGES)


@pytest.mark.parametrize(("theme", "lang", "more"), WAYS)
def test_axe_finds_nothing_on_any_page_and_no_level_of_headings_is_skipped(window, theme, lang, more):
    found = {}
    for path, place in STATES:
        show(window, path, {**place, "lang": lang, **more}, theme)
        wrong = violations(window)
        levels = window.page.evaluate(HEADINGS)
        if skipped(levels):
            wrong.append(f"headings: {levels}")
        if wrong:
            found[path, *place.values()] = wrong
    assert found == {}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_a_screen_reader_reads_out_is_what_is_written_and_holds_no_backslash(window, lang):
    read_out = []
    for path, place in STATES:
        pages.go(window, path, **place, lang=lang)
        read_out += window.page.locator("[aria-label]").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert len(read_out) > 50
    assert {name for name in read_out if "\\" in name} == set()


def test_what_axe_would_find_on_a_page_is_found(window):
    show(window, "remove", {})
    window.page.evaluate(
        "document.querySelector('.summary').insertAdjacentHTML('beforeend',"
        " '<img id=nameless src=data:,><span id=pale style=\"color:#ddd\">pale</span>')"
    )
    found = violations(window)
    window.page.evaluate("document.querySelectorAll('#nameless, #pale').forEach(one => one.remove())")
    assert {one.partition(":")[0] for one in found} == {"image-alt", "color-contrast"}
    assert skipped([1, 3]) and skipped([2, 3]) and skipped([1, 2, 1]) and not skipped([1, 2, 3, 2, 2, 3])
