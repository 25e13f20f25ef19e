"""The address: what it asks for, what there is, and a notice for each difference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.explorer.address import (
    MAX_ITEMS,
    MAX_SHOWN,
    Place,
    Setting,
    clamp,
    cut,
    items,
    known_items,
    read,
    read_setting,
    switched_on,
)
from assistant.explorer.language import LANGUAGES
from tests.strategies import characters

TICKETS = ["T-80008", "T-80001"]
NO_TICKET = "There is no ticket {asked} here; this is {ticket}."
NO_LANGUAGE = "The language {asked} is not one of {known}."
NO_NUMBER = "{asked} is not the number of a step; this is the start."
NO_STEP = "There is no step {asked} here; this is the last one, {steps}."
NO_SWITCH = "For {name} only 1 is known, not {asked}."
NO_ITEM = "There is no {asked} to choose for {name}."
FRENCH = Setting("fr")

ADDRESSES = (
    ({}, Place("T-80008", 0, Setting()), []),
    ({"ticket": "T-80001"}, Place("T-80001", 0, Setting()), []),
    ({"ticket": "T-80001", "step": "3", "lang": "fr"}, Place("T-80001", 3, FRENCH), []),
    ({"step": "7", "lang": "en"}, Place("T-80008", 7, Setting("en")), []),
    ({"step": "0000000000007"}, Place("T-80008", 7, Setting()), []),
    ({"utm_source": "a course page"}, Place("T-80008", 0, Setting()), []),
    ({"ticket": "T-99999"}, Place("T-80008", 0, Setting()), [NO_TICKET]),
    ({"ticket": ""}, Place("T-80008", 0, Setting()), [NO_TICKET]),
    ({"ticket": "t-80001"}, Place("T-80008", 0, Setting()), [NO_TICKET]),
    ({"ticket": "T-99999", "step": "5", "lang": "fr"}, Place("T-80008", 0, FRENCH), [NO_TICKET]),
    ({"lang": "de"}, Place("T-80008", 0, Setting()), [NO_LANGUAGE]),
    ({"lang": "fr-CA"}, Place("T-80008", 0, Setting()), [NO_LANGUAGE]),
    ({"lang": ""}, Place("T-80008", 0, Setting()), [NO_LANGUAGE]),
    ({"ticket": "T-80001", "step": "-1"}, Place("T-80001", 0, Setting()), [NO_NUMBER]),
    ({"ticket": "T-80001", "step": "3.0"}, Place("T-80001", 0, Setting()), [NO_NUMBER]),
    ({"ticket": "T-80001", "step": " 3"}, Place("T-80001", 0, Setting()), [NO_NUMBER]),
    ({"ticket": "T-80001", "step": "３"}, Place("T-80001", 0, Setting()), [NO_NUMBER]),
    ({"ticket": "T-80001", "step": "²"}, Place("T-80001", 0, Setting()), [NO_NUMBER]),
    ({"ticket": "T-80001", "step": ""}, Place("T-80001", 0, Setting()), [NO_NUMBER]),
    ({"present": "1"}, Place("T-80008", 0, Setting(None, True)), []),
    ({"present": "1", "lang": "fr", "step": "2"}, Place("T-80008", 2, Setting("fr", True)), []),
    ({"present": "0"}, Place("T-80008", 0, Setting()), [NO_SWITCH]),
    ({"present": "true"}, Place("T-80008", 0, Setting()), [NO_SWITCH]),
    ({"present": ""}, Place("T-80008", 0, Setting()), [NO_SWITCH]),
    ({"present": "１"}, Place("T-80008", 0, Setting()), [NO_SWITCH]),
    ({"predict": "1"}, Place("T-80008", 0, Setting(), ()), []),
    ({"predict": "1", "guess": ""}, Place("T-80008", 0, Setting(), ()), []),
    ({"predict": "1", "guess": "own_order"}, Place("T-80008", 0, Setting(), ("own_order",)), []),
    ({"predict": "1", "guess": "none,skip", "step": "7"}, Place("T-80008", 7, Setting(), ("none", "skip")), []),
    ({"predict": "1", "guess": ",x"}, Place("T-80008", 0, Setting(), ("", "x")), []),
    ({"predict": "yes", "guess": "none"}, Place("T-80008", 0, Setting()), [NO_SWITCH]),
    ({"guess": "none"}, Place("T-80008", 0, Setting()), []),
    ({"ticket": "T-99999", "step": "5", "predict": "1", "guess": "x"}, Place("T-80008", 0, Setting(), ()), [NO_TICKET]),
    ({"ticket": "T-99999", "present": "1"}, Place("T-80008", 0, Setting(None, True)), [NO_TICKET]),
    (
        {"ticket": "x", "step": "x", "lang": "x", "present": "x", "predict": "x", "guess": "x"},
        Place("T-80008", 0, Setting()),
        [NO_LANGUAGE, NO_SWITCH, NO_TICKET, NO_NUMBER, NO_SWITCH],
    ),
)


@pytest.mark.parametrize(("parameters", "place", "templates"), ADDRESSES, ids=[str(each[0]) for each in ADDRESSES])
def test_an_address_leads_to_the_nearest_sensible_place_and_each_difference_is_told(parameters, place, templates):
    found, notices = read(parameters, TICKETS)
    assert found == place
    assert [notice.template for notice in notices] == templates


def test_a_notice_names_what_was_asked_for_and_what_there_is():
    asked = {"ticket": "T-9", "step": "two", "lang": "de", "present": "yes", "predict": "no"}
    _, notices = read(asked, TICKETS)
    assert [dict(notice.values) for notice in notices] == [
        {"asked": "de", "known": "en, fr"},
        {"name": "present", "asked": "yes"},
        {"asked": "T-9", "ticket": "T-80008"},
        {"asked": "two"},
        {"name": "predict", "asked": "no"},
    ]


def test_without_any_ticket_there_is_no_ticket_to_lead_to():
    asked = {"ticket": "T-80001", "step": "3", "lang": "fr", "predict": "1", "guess": "none"}
    assert read(asked, [])[0] == Place("", 0, FRENCH, ())


@pytest.mark.parametrize("wrong", ["9" * 100_000, "é" * 100_000, "\0" * 41, "![x](https://example.org/" + "x" * 99])
def test_a_long_value_is_cut_in_its_notice(wrong):
    asked = {"ticket": wrong, "step": wrong + "x", "lang": wrong, "present": wrong, "predict": wrong}
    _, notices = read(asked, TICKETS)
    assert [dict(notice.values)["asked"] for notice in notices] == [wrong[:MAX_SHOWN] + "…"] * 5


def test_a_value_of_forty_characters_is_shown_whole():
    _, (notice,) = read({"ticket": "x" * 40}, TICKETS)
    assert dict(notice.values)["asked"] == "x" * 40


def test_a_step_of_a_hundred_thousand_digits_is_no_step_and_its_notice_is_cut():
    place, (notice,) = read({"step": "9" * 100_000}, TICKETS)
    assert place == Place("T-80008", 0)
    assert dict(notice.values)["asked"] == "9" * 40 + "…"


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        (None, ""),
        ("", ""),
        ("x" * MAX_SHOWN, "x" * MAX_SHOWN),
        ("x" * (MAX_SHOWN + 1), "x" * MAX_SHOWN + "…"),
        ("<b>" * 99, ("<b>" * 99)[:MAX_SHOWN] + "…"),
    ],
)
def test_what_the_address_holds_is_cut_to_forty_characters(asked, shown):
    assert cut(asked) == shown


@pytest.mark.parametrize("step", [0, 1, 8])
def test_a_step_that_there_is_stays(step):
    assert clamp(Place("T-80008", step, FRENCH), 8) == (Place("T-80008", step, FRENCH), [])


def test_a_step_beyond_the_last_becomes_the_last_with_a_notice():
    place, (notice,) = clamp(Place("T-80008", 9, FRENCH, ("none",)), 8)
    assert place == Place("T-80008", 8, FRENCH, ("none",))
    assert (notice.template, dict(notice.values)) == (NO_STEP, {"asked": "9", "steps": "8"})


settings = st.builds(Setting, st.sampled_from([None, *LANGUAGES]), st.booleans())
guesses = st.lists(st.from_regex(r"[a-z_0-9-]+", fullmatch=True), max_size=MAX_ITEMS).map(tuple)


@given(st.sampled_from(TICKETS), st.integers(0, 999_999_999), settings, st.none() | guesses)
def test_a_place_written_into_the_address_is_read_back_without_a_notice(ticket, step, setting, guessed):
    place = Place(ticket, step, setting, guessed)
    assert read(place.parameters(), TICKETS) == (place, [])


@pytest.mark.parametrize(
    ("place", "further"),
    [
        (Place("T-80001", 3), {}),
        (Place("T-80001", 3, Setting("fr")), {"lang": "fr"}),
        (Place("T-80001", 3, Setting(None, True)), {"present": "1"}),
        (Place("T-80001", 3, Setting(), ()), {"predict": "1"}),
        (Place("T-80001", 3, Setting(), ("none", "skip")), {"predict": "1", "guess": "none,skip"}),
    ],
)
def test_what_nobody_chose_does_not_stand_in_the_address(place, further):
    assert place.parameters() == {"ticket": "T-80001", "step": "3", **further}


def test_a_place_in_another_setting_is_the_same_place():
    place = Place("T-80001", 3, FRENCH, ("none",))
    there = place.with_setting(Setting("en", True))
    assert there == Place("T-80001", 3, Setting("en", True), ("none",))


@pytest.mark.parametrize(("guessed", "then"), [(None, None), ((), ()), (("none", "skip"), ())])
def test_a_ticket_begins_at_its_start_with_nothing_guessed_and_in_the_same_setting(guessed, then):
    place = Place("T-80001", 3, Setting("fr", True), guessed)
    assert place.at_ticket("T-80008") == Place("T-80008", 0, Setting("fr", True), then)


@given(
    st.dictionaries(
        st.sampled_from(["ticket", "step", "lang", "present", "predict", "guess"]), st.text(characters) | st.just("1")
    )
)
def test_any_address_leads_to_a_place_that_there_is(parameters):
    place, _ = clamp(read(parameters, TICKETS)[0], 8)
    assert place.ticket in TICKETS
    assert 0 <= place.step <= 8
    assert place.setting.lang in (None, *LANGUAGES)
    assert place.setting.presenting is (parameters.get("present") == "1")
    assert (place.guesses is None) == (parameters.get("predict") != "1")


# The pieces for other pages.


@pytest.mark.parametrize(
    ("parameters", "setting", "templates"),
    [
        ({}, Setting(), []),
        ({"ticket": "T-9", "step": "x", "predict": "x"}, Setting(), []),
        ({"lang": "fr", "present": "1"}, Setting("fr", True), []),
        ({"lang": "<b>", "present": "<b>"}, Setting(), [NO_LANGUAGE, NO_SWITCH]),
    ],
)
def test_the_setting_is_read_beside_whatever_else_a_page_has(parameters, setting, templates):
    found, notices = read_setting(parameters)
    assert found == setting
    assert [notice.template for notice in notices] == templates


@given(settings)
def test_a_setting_written_into_the_address_is_read_back_without_a_notice(setting):
    assert read_setting(setting.parameters()) == (setting, [])


@pytest.mark.parametrize(
    ("parameters", "is_on", "told"),
    [
        ({}, False, []),
        ({"other": "1"}, False, []),
        ({"all": "1"}, True, []),
        ({"all": "0"}, False, ["0"]),
        ({"all": "01"}, False, ["01"]),
        ({"all": ""}, False, [""]),
        ({"all": "x" * 99}, False, ["x" * MAX_SHOWN + "…"]),
    ],
)
def test_a_switch_is_on_for_1_alone_and_what_means_nothing_is_told(parameters, is_on, told):
    notices = []
    assert switched_on(parameters, "all", notices) is is_on
    assert [dict(notice.values) for notice in notices] == [{"name": "all", "asked": asked} for asked in told]


@pytest.mark.parametrize(
    ("written", "found"), [("", []), ("a", ["a"]), ("a,b,a", ["a", "b", "a"]), (",", ["", ""]), (" a", [" a"])]
)
def test_a_list_in_the_address_is_parted_at_its_commas(written, found):
    assert items({"off": written}, "off") == found


def test_a_list_that_is_not_in_the_address_is_empty():
    assert items({"other": "a"}, "off") == []


def test_a_list_of_a_million_items_is_cut():
    assert items({"off": "a," * 1_000_000}, "off") == ["a"] * MAX_ITEMS


CHOICES = ("name", "one_key", "form")


@pytest.mark.parametrize(
    ("written", "found", "strange"),
    [
        ("", (), []),
        ("form,name", ("name", "form"), []),
        ("form,form", ("form",), []),
        ("Form", (), ["Form"]),
        ("form,<b>,name,<b>", ("name", "form"), ["<b>"]),
        ("form,", ("form",), ['""']),
        (f"{'x' * 99},form", ("form",), ["x" * MAX_SHOWN + "…"]),
    ],
)
def test_of_a_list_what_there_is_counts_once_and_in_our_order_and_the_rest_is_told_once(written, found, strange):
    notices = []
    assert known_items({"off": written}, "off", CHOICES, notices) == found
    assert [notice.template for notice in notices] == [NO_ITEM] * len(strange)
    assert [dict(notice.values) for notice in notices] == [{"asked": each, "name": "off"} for each in strange]


@given(st.text(characters))
def test_of_any_list_only_what_there_is_counts(written):
    assert set(known_items({"off": written}, "off", CHOICES, [])) <= set(CHOICES)
