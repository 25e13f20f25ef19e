"""The pages: each has its name and its file, opens in both languages, and leads to the others.

This file also owns how the explorer's tests open and read a page of any name.
"""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from assistant.explorer.address import Place, Setting
from assistant.explorer.site import FILES, PAGES, link, pages
from assistant.explorer.trying import Tried
from tests.test_explorer_markup import read
from tests.test_explorer_page import HOSTILE, bodies, own_environment, page_modules, plain  # noqa: F401

ROOT = Path(__file__).parents[1]
LIVE = {"img", "script", "iframe", "form", "input", "object", "embed", "svg", "link", "meta", "base", "style"}
TYPED = ("button", "toggle", "download_button", "selectbox", "multiselect", "text_input", "text_area")


def open_at(path, locale="en-CA", root=ROOT, **address):
    """Open a page by its name in the address, in a browser of this language."""
    page = AppTest.from_file(str(root / "explorer_app.py"), default_timeout=60)
    page.context = {"locale": locale}
    if path:
        page.switch_page(f"assistant/explorer/pages/{path}.py")
    page.query_params = {key: value if isinstance(value, list) else str(value) for key, value in address.items()}
    return page.run()


def go_on(page, **address):
    """The same visit at another address of the same page, as after the browser's Back."""
    page.query_params = {key: str(value) for key, value in address.items()}
    return page.run()


def drawn(page):
    """All HTML of a page but style and script, read."""
    return read("".join(bodies(page)).replace("<wbr>", ""))


def says(page):
    """The sentences of a page's notices."""
    return [line.text for each in drawn(page).all(kind="notice") for line in each.all("p")]


def controls(page):
    """All that a person operates on a page."""
    return [each for kind in TYPED for each in page.get(kind)]


def sent(page):
    """Whatever of a page goes to the browser and can be read there: HTML, its attributes, its text, and all words and
    values of what a person operates."""
    html = drawn(page)
    attributes = [str(value) for each in html.all() for value in each.attributes.values()]
    raw = [each.value for each in page.get("html") if not each.value.startswith("<style>")]
    operated = []
    for each in controls(page):
        operated += [plain(each.label), str(each.proto)]
    return "\n".join([*raw, html.text, *attributes, *operated])


def assert_sound(page):
    """Nothing went wrong: no exception, and no notice of one in its place. Nothing on the page takes effect."""
    assert not page.exception
    html = drawn(page)
    assert not list(html.all(kind="failure"))
    assert not LIVE & {each.tag for each in html.all()}
    assert not [name for each in html.all() for name in each.attributes if name.startswith("on")]
    assert all("data-here" in each.attributes for each in html.all("a"))
    assert len(list(html.all("h1"))) == 1


def link_to(address):
    """Where a relative link leads: the page's name, and its query parameters."""
    parts = urlsplit(address)
    assert not parts.scheme
    assert not parts.netloc
    return parts.path.removeprefix("./"), dict(parse_qsl(parts.query, keep_blank_values=True))


# The names.


def test_every_page_has_its_file_and_every_file_is_a_page():
    assert {path.name for path in FILES.glob("*.py")} == {f"{name or 'step'}.py" for name in PAGES}


def test_every_page_has_a_title_of_its_own():
    assert len({str(title) for title in PAGES.values()}) == len(PAGES)


def test_one_arrives_at_the_page_without_a_name():
    assert next(iter(PAGES)) == ""
    assert drawn(open_at("")).one("h1").text == "Step through a tool loop"


def test_a_pages_name_is_the_path_that_streamlit_gives_its_file():
    assert all(re.fullmatch("[a-z]*", name) for name in PAGES)


# The links.


def test_a_link_to_a_page_without_a_place_is_its_name():
    assert {name: link(name, Setting()) for name in PAGES} == {**{name: name for name in PAGES}, "": "./"}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("place", [Setting("fr", True), Place("T-1", 3, Setting("en"), ("none",))])
def test_a_link_leads_to_the_whole_place(name, place):
    assert link_to(link(name, place)) == (name, place.parameters())


@pytest.mark.parametrize("written", [HOSTILE, "a&b=c#d?e", "\0\n\t", "%41+ é\u202e", "</a><b>"])
def test_nothing_in_a_link_takes_effect(written):
    there = link("proposal", Tried("", (("tool", written), ("arguments", ""))))
    assert re.fullmatch(r"[\w?=&%.+*-]*", there, re.ASCII)
    assert link_to(there) == ("proposal", {"tool": written, "arguments": ""})


# The pages.


@pytest.mark.parametrize("locale", ["en-CA", "fr-CA"])
@pytest.mark.parametrize("name", PAGES)
def test_each_page_opens_without_an_exception(name, locale):
    page = open_at(name, locale)
    assert_sound(page)
    assert not says(page)


@pytest.mark.parametrize("name", PAGES)
def test_each_page_leads_to_every_page_and_says_which_one_it_is(name):
    (nav,) = drawn(open_at(name)).all("nav")
    links = list(nav.all("a"))
    assert [link_to(each.attributes["href"]) for each in links] == [(other, {}) for other in PAGES]
    assert [each.text for each in links] == [str(title) for title in PAGES.values()]
    (current,) = (each for each in links if each.attributes.get("aria-current") == "page")
    assert current.text == str(PAGES[name])


@pytest.mark.parametrize("name", PAGES)
def test_the_chosen_language_goes_along_to_every_page_and_nothing_else_does(name):
    (nav,) = drawn(open_at(name, lang="fr", step=3, case="T-80001", guess="none")).all("nav")
    assert {tuple(link_to(each.attributes["href"])[1].items()) for each in nav.all("a")} == {(("lang", "fr"),)}


@pytest.mark.parametrize("name", PAGES)
def test_a_hostile_address_takes_no_effect_on_any_page(name):
    hostile = HOSTILE + "\0\u202e'\"</script><!--"
    asked = ("ticket", "step", "lang", "present", "predict", "guess", "answer", "off", "case", "tickets", "kept")
    page = open_at(name, **dict.fromkeys(asked, hostile))
    assert_sound(page)
    assert says(page)
    for each in controls(page):
        is_field = each.type in ("text_input", "text_area")  # what is in a field is text
        assert "example.org" not in (each.label if is_field else str(each.proto))


@pytest.mark.parametrize("name", PAGES)
def test_an_address_that_asks_everything_twice_or_at_great_length_takes_no_effect(name):
    asked = ("ticket", "step", "lang", "present", "predict", "guess", "answer", "off", "case", "tickets", "kept")
    assert_sound(open_at(name, **{each: ["T-80001", "x" * 20_000] for each in asked}))
    assert_sound(open_at(name, **{each: ["", ""] for each in asked}))
    assert_sound(open_at(name, **dict.fromkeys(asked, "," * 20_000)))


def test_each_run_has_pages_of_its_own():
    one, other = pages(), pages()
    assert len(one) == len(other) == len(PAGES)
    assert not {id(page) for page in one} & {id(page) for page in other}
