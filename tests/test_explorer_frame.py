"""What is on every page: the language switch, the links, the presenting mode, and what the browser is told."""

import json
import re

import pytest

from assistant.explorer.address import Place, Setting
from assistant.explorer.frame import language_of
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.site import PAGES
from tests.test_explorer_page import own_environment, page_modules  # noqa: F401
from tests.test_explorer_site import assert_sound, drawn, link_to, open_at, says

# A place on each page that is not where one arrives.
PLACES = {
    "": {"ticket": "T-80001", "step": "5", "predict": "1", "guess": "none"},
    "exercise": {"guess": "none,skip", "answer": "injected"},
    "remove": {"off": "own_order", "case": "T-80001"},
    "proposal": {"tool": "get_order", "arguments": '{"order_id": "LK-1"} & more', "customer": "C-é"},
    "reply": {"case": "made-up"},
    "compare": {"tickets": "T-80001,T-80009"},
    "review": {"outcome": "refused", "sort": "ticket", "open": "1:T-80001.json"},
}
HERE = pytest.mark.parametrize("name", PLACES)


def tools_of(page):
    """The line of what can be done with a page: its button and its link."""
    line = drawn(page).one("p", kind="tools")
    return line.one("button"), line.one("a")


def styles(page):
    return "".join(each.value for each in page.get("html") if each.value.startswith("<style>"))


def call_of(page):
    """What calls the page's script, without its tags."""
    _, call = (each.value for each in page.get("html") if each.proto.unsafe_allow_javascript)
    return call.removeprefix("<script>").removesuffix("</script>")


def told(page):
    """What the page's script is told."""
    call = call_of(page)
    drawn, _ = json.JSONDecoder().raw_decode(call, call.index("{"))
    return drawn


def test_there_is_a_place_to_try_on_every_page():
    assert set(PLACES) == set(PAGES)


def test_the_language_is_the_addresss():
    assert language_of(Place("T-1", 0, Setting("fr"))) is FRENCH
    assert language_of(Place("T-1", 0, Setting("en"))) is ENGLISH


@HERE
@pytest.mark.parametrize(("locale", "other", "name_of_it"), [("en-CA", "fr", "Français"), ("fr-CA", "en", "English")])
def test_the_language_switch_keeps_the_whole_place(name, locale, other, name_of_it):
    page = open_at(name, locale, **PLACES[name])
    assert page.button(key="language").label == name_of_it
    page.button(key="language").click().run()
    assert page.query_params == {**PLACES[name], "lang": other}
    assert_sound(page)
    assert told(page)["tag"] == {"fr": "fr-CA", "en": "en-CA"}[other]


@HERE
def test_presenting_keeps_the_whole_place_and_leads_back(name):
    _, there = tools_of(open_at(name, lang="fr", **PLACES[name]))
    path, address = link_to(there.attributes["href"])
    assert (path, address) == (name, {**PLACES[name], "lang": "fr", "present": "1"})
    page = open_at(name, **address)
    assert_sound(page)
    _, back = tools_of(page)
    assert link_to(back.attributes["href"]) == (name, {**PLACES[name], "lang": "fr"})


@HERE
def test_presenting_takes_the_links_to_other_pages_away_and_has_a_look_of_its_own(name):
    plain, presented = open_at(name, **PLACES[name]), open_at(name, **PLACES[name], present=1)
    assert len(list(drawn(plain).all("nav"))) == 1
    assert not list(drawn(presented).all("nav"))
    assert styles(presented) not in styles(plain)


@HERE
@pytest.mark.parametrize(
    ("wrong", "notice"),
    [
        ({"lang": "de"}, "The language de is not one of en, fr."),
        ({"present": "yes"}, "For present only 1 is known, not yes."),
    ],
)
def test_a_setting_that_means_nothing_is_told_on_every_page(name, wrong, notice):
    page = open_at(name, **PLACES[name], **wrong)
    assert_sound(page)
    assert says(page) == [notice]


@HERE
def test_a_link_to_here_can_be_copied_from_every_page(name):
    button, _ = tools_of(open_at(name))
    assert "data-copy-link" in button.attributes
    assert button.attributes["data-done"] == "Copied"
    assert button.text == ("Copy a link to this page" if name else "Copy a link to this step")


@HERE
def test_the_script_is_told_the_page_and_its_address(name):
    page = open_at(name, "fr-CA", **PLACES[name])
    assert (told(page)["tag"], told(page)["page"]) == ("fr-CA", name)
    assert link_to(f"?{told(page)['address']}") == ("", PLACES[name])


@HERE
@pytest.mark.parametrize("hostile", ["</script><img src=x>", "'\"\\`${x}\u2028\0", "<!--<script>"])
def test_nothing_in_an_address_takes_effect_in_the_script(name, hostile):
    page, plain = open_at(name, **PLACES[name], x=hostile), open_at(name, **PLACES[name], x="y")
    address = told(page)["address"]
    assert link_to(f"?{address}")[1] == {**PLACES[name], "x": hostile}
    assert re.fullmatch(r"[A-Za-z0-9_.%+&=*-]*", address)
    assert call_of(page).replace(address, "") == call_of(plain).replace(told(plain)["address"], "")


@HERE
def test_the_pages_own_scripts_hold_no_less_than_sign_that_streamlit_drops(name):
    own, _ = (each.value for each in open_at(name).get("html") if each.proto.unsafe_allow_javascript)
    assert not re.search(r"<[A-Za-z/!]", own.removeprefix("<script>").removesuffix("</script>"))
