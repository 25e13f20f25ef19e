"""Links: between the pages without a new load, each page by its own address, and one to be copied."""

import pytest
from playwright.sync_api import expect

from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.site import PAGES

from . import pages

# Streamlit looks for its server below the path of a page first, is told 404, and goes on one level up.
ENDURED = ("_stcore/health", "_stcore/host-config")
STATES = {
    "": {"ticket": "T-80001", "step": "3", "predict": "1", "guess": "none"},
    "exercise": {"guess": "none,own_order", "answer": "same-words"},
    "remove": {"off": "own_order", "case": "T-80001"},
    "proposal": {"case": "twice"},
    "reply": {"case": "made-up"},
    "compare": {"tickets": "T-80008,T-80009"},
    "review": {"outcome": "refused", "open": "1:T-80001.json"},
}


@pytest.fixture
def window(window):
    yield window
    pages.go(window)


def test_a_state_of_every_page_is_known_here():
    assert list(STATES) == list(PAGES)


def test_the_links_above_lead_to_every_page_without_a_new_load_and_say_where_one_is(window):
    pages.go(window, lang="fr")
    window.page.evaluate("window.isTheSameDocument = true")
    for path, words in [*list(PAGES.items())[1:], *list(PAGES.items())[:1]]:
        window.page.get_by_role("navigation").get_by_role("link", name=FRENCH.tell(words), exact=True).click()
        pages.is_at(window, path, lang="fr")
        expect(window.page.locator("nav a[aria-current='page']")).to_have_text([FRENCH.tell(words)])
        assert window.page.title().startswith(FRENCH.tell(words))
        expect(window.page.locator("h1")).to_have_count(1)
    assert window.page.evaluate("window.isTheSameDocument")


def test_the_focus_stays_on_a_link_above_so_that_tab_goes_on_from_there(window):
    pages.go(window)
    link = window.page.locator("nav a[href='remove']")
    link.focus()
    window.key("Enter")
    pages.is_at(window, "remove")
    expect(link).to_be_focused(timeout=5000)


def test_the_browsers_back_goes_to_the_place_one_came_from_on_another_page(window):
    pages.go(window, ticket="T-80001", step=4)
    window.page.locator("nav a[href='compare']").click()
    pages.is_at(window, "compare")
    pages.back(window)
    pages.is_at(window, "", ticket="T-80001", step=4).stands_at(4, "T-80001")
    pages.back(window, "forward")
    pages.is_at(window, "compare")


@pytest.mark.parametrize("path", STATES)
def test_the_link_to_the_place_is_copied_and_the_button_says_so(window, path):
    pages.go(window, path, **STATES[path])
    button = window.page.locator("button[data-copy-link]")
    words = button.inner_text()
    button.focus()
    window.key("Enter")
    expect(button).to_have_text("Copied")
    expect(window.page.locator("#tool-loop-said")).to_have_text("Copied")
    assert window.page.evaluate("navigator.clipboard.readText()") == window.page.url
    assert pages.place(window) == (path, STATES[path])
    expect(button).to_be_focused()
    expect(button).to_have_text(words)


@pytest.mark.parametrize("path", list(STATES)[1:])
def test_the_keys_of_the_steps_do_nothing_on_other_pages(window, path):
    pages.go(window, path, **STATES[path])
    window.page.locator("h1").click()
    shown, presses = window.main_text, window.page.evaluate("toolLoop.presses")
    window.key("ArrowRight", "ArrowLeft", "End", "Home")
    pages.arrived(window, path)
    assert window.page.evaluate("toolLoop.presses") == presses
    assert (pages.place(window), window.main_text) == ((path, STATES[path]), shown)


def test_every_page_loaded_by_its_link_asks_no_other_machine_and_logs_no_error(windows, site):
    window = windows.new(site)
    for path, state in STATES.items():
        pages.load(window, path, **state)
        assert pages.place(window) == (path, state)
        assert window.page.title() == f"{ENGLISH.tell(PAGES[path])} – Tool-loop explorer"
    assert [url for url in window.asked_for if not url.startswith((window.url, "data:", "blob:"))] == []
    errors = [line for line in window.logged if line.startswith(("error", "pageerror", "warning"))]
    assert [line for line in errors if not ("404" in line and any(one in line for one in ENDURED))] == []
