"""The hand-out: one file that shows a whole loop, asks for nothing, and is whole on paper."""

import re

import pytest
from playwright.sync_api import expect

from assistant.explorer.language import LANGUAGES
from assistant.explorer.run import recordings

from . import pages
from .walk import TICKETS
from .window import STEPS

CUT_OFF = """() => [...document.querySelectorAll("main *")].filter(one => {
    const { overflowX, overflowY } = getComputedStyle(one);
    const isCut = one.scrollHeight > one.clientHeight + 1 && overflowY !== "visible"
        || one.scrollWidth > one.clientWidth + 1 && overflowX !== "visible";
    return isCut && one.clientHeight && !one.matches(".hidden-word");
}).map(one => one.outerHTML.slice(0, 100))"""
PAPER = (794, 1123)  # A4 at 96 pixels an inch


@pytest.fixture
def window(window):
    yield window
    pages.go(window)


@pytest.fixture
def download(window, tmp_path):
    """The hand-out of a ticket in a language, as a person would get it."""

    def get(ticket, lang, step=2):
        pages.go(window, ticket=ticket, step=step, lang=lang)
        with window.page.expect_download() as download:
            pages.keyed(window, "handout").click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        return path

    return get


@pytest.fixture
def paper(browser):
    """Opens a file in a browser that knows no page of ours; what it asks for and logs is kept beside it."""
    context = browser.new_context(viewport={"width": PAPER[0], "height": PAPER[1]}, color_scheme="dark")
    page = context.new_page()
    page.asked_for, page.logged = [], []
    page.on("request", lambda request: page.asked_for.append(request.url))
    page.on("console", lambda line: page.logged.append(line.text))
    page.on("pageerror", lambda error: page.logged.append(str(error)))

    def open_(path):
        page.goto(path.as_uri())
        return page

    yield open_
    context.close()


def ticket_text(ticket):
    return next(one.ticket.text for one in recordings()[0] if one.ticket.id == ticket)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("ticket", TICKETS)
def test_the_file_shows_the_whole_loop_unfolded_and_asks_for_nothing(download, paper, ticket, lang):
    path = download(ticket, lang)
    assert path.name == f"{ticket}.{lang}.html"
    page = paper(path)
    assert page.asked_for == [path.as_uri()]
    assert page.logged == []
    assert page.locator("html").get_attribute("lang") == LANGUAGES[lang].tag
    expect(page.locator("article.card")).to_have_count(STEPS)
    numbers = page.locator("article.card").evaluate_all("cards => cards.map(card => card.dataset.step)")
    assert numbers == [str(step) for step in range(1, STEPS + 1)]
    expect(page.locator("blockquote")).to_have_text(ticket_text(ticket))
    assert page.locator("details").count() > STEPS / 2
    assert page.locator("details:visible:not([open])").count() == 0
    for shown in ("article.card", "blockquote", "details:not(.long) > :not(summary)"):
        all_visible = "all => all.length > 0 && all.every(one => one.checkVisibility() && one.offsetHeight > 0)"
        assert page.locator(shown).evaluate_all(all_visible), shown
    assert page.locator("script, link, img, iframe, [src]").count() == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_on_paper_nothing_is_cut_off_and_nothing_is_to_be_pressed(download, paper, lang):
    page = paper(download("T-80008", lang))
    for media in ("screen", "print"):
        page.emulate_media(media=media, color_scheme="dark")
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PAPER[0]
        assert page.locator("button:visible, input:visible").count() == 0
    ink, ground = page.locator("body").evaluate(
        "one => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]"
    )
    assert luminance(ink) < 0.2, "ink is dark on paper, whatever the screen's theme"
    assert ground == "rgba(0, 0, 0, 0)" or luminance(ground) > 0.9
    text = page.locator("main").inner_text()
    assert all(word in text for word in ("LK-581106", "get_order", "valid"))
    assert page.pdf(format="A4").count(b"/Type /Page\n") > 1  # more than one sheet: none is cut after the first


def test_what_would_be_cut_off_is_found(download, paper):
    page = paper(download("T-80008", "en"))
    page.locator("pre:visible").first.evaluate(
        "one => one.style.cssText = 'max-height: 1em !important; overflow: auto'"
    )
    assert len(page.evaluate(CUT_OFF)) == 1


def test_the_hand_out_is_whole_from_the_first_step_and_in_the_pages_language(download):
    early, late = (download("T-80001", "en", step=step).read_text(encoding="utf-8") for step in (0, STEPS))
    mask = re.compile(r"\d+\sms")
    assert mask.sub("", early) == mask.sub("", late)


def luminance(color):
    """How light a colour is, from 0 to 1; near enough for telling ink from paper."""
    return sum(map(int, re.findall(r"\d+", color)[:3])) / (3 * 255)
