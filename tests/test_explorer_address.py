"""The address: what it asks for, what there is, and a notice for each difference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.explorer.address import MAX_SHOWN, Place, clamp, read
from assistant.explorer.language import LANGUAGES
from tests.strategies import characters

TICKETS = ["T-80008", "T-80001"]
NO_TICKET = "There is no ticket {asked} here; this is {ticket}."
NO_LANGUAGE = "The language {asked} is not one of {known}."
NO_NUMBER = "{asked} is not the number of a step; this is the start."
NO_STEP = "There is no step {asked} here; this is the last one, {steps}."

ADDRESSES = (
    ({}, Place("T-80008", 0, None), []),
    ({"ticket": "T-80001"}, Place("T-80001", 0, None), []),
    ({"ticket": "T-80001", "step": "3", "lang": "fr"}, Place("T-80001", 3, "fr"), []),
    ({"step": "7", "lang": "en"}, Place("T-80008", 7, "en"), []),
    ({"step": "0000000000007"}, Place("T-80008", 7, None), []),
    ({"utm_source": "a course page"}, Place("T-80008", 0, None), []),
    ({"ticket": "T-99999"}, Place("T-80008", 0, None), [NO_TICKET]),
    ({"ticket": ""}, Place("T-80008", 0, None), [NO_TICKET]),
    ({"ticket": "t-80001"}, Place("T-80008", 0, None), [NO_TICKET]),
    ({"ticket": "T-99999", "step": "5", "lang": "fr"}, Place("T-80008", 0, "fr"), [NO_TICKET]),
    ({"lang": "de"}, Place("T-80008", 0, None), [NO_LANGUAGE]),
    ({"lang": "fr-CA"}, Place("T-80008", 0, None), [NO_LANGUAGE]),
    ({"lang": ""}, Place("T-80008", 0, None), [NO_LANGUAGE]),
    ({"ticket": "T-80001", "step": "-1"}, Place("T-80001", 0, None), [NO_NUMBER]),
    ({"ticket": "T-80001", "step": "3.0"}, Place("T-80001", 0, None), [NO_NUMBER]),
    ({"ticket": "T-80001", "step": " 3"}, Place("T-80001", 0, None), [NO_NUMBER]),
    ({"ticket": "T-80001", "step": "３"}, Place("T-80001", 0, None), [NO_NUMBER]),
    ({"ticket": "T-80001", "step": "²"}, Place("T-80001", 0, None), [NO_NUMBER]),
    ({"ticket": "T-80001", "step": ""}, Place("T-80001", 0, None), [NO_NUMBER]),
    ({"ticket": "x", "step": "x", "lang": "x"}, Place("T-80008", 0, None), [NO_TICKET, NO_LANGUAGE, NO_NUMBER]),
)


@pytest.mark.parametrize(("parameters", "place", "templates"), ADDRESSES, ids=[str(each[0]) for each in ADDRESSES])
def test_an_address_leads_to_the_nearest_sensible_place_and_each_difference_is_told(parameters, place, templates):
    found, notices = read(parameters, TICKETS)
    assert found == place
    assert [notice.template for notice in notices] == templates


def test_a_notice_names_what_was_asked_for_and_what_there_is():
    _, notices = read({"ticket": "T-9", "step": "two", "lang": "de"}, TICKETS)
    assert [dict(notice.values) for notice in notices] == [
        {"asked": "T-9", "ticket": "T-80008"},
        {"asked": "de", "known": "en, fr"},
        {"asked": "two"},
    ]


def test_without_any_ticket_there_is_no_ticket_to_lead_to():
    assert read({"ticket": "T-80001", "step": "3", "lang": "fr"}, [])[0] == Place("", 0, "fr")


@pytest.mark.parametrize("wrong", ["9" * 100_000, "é" * 100_000, "\0" * 41, "![x](https://example.org/" + "x" * 99])
def test_a_long_value_is_cut_in_its_notice(wrong):
    _, notices = read({"ticket": wrong, "step": wrong + "x", "lang": wrong}, TICKETS)
    assert [dict(notice.values)["asked"] for notice in notices] == [wrong[:MAX_SHOWN] + "…"] * 3


def test_a_value_of_forty_characters_is_shown_whole():
    _, (notice,) = read({"ticket": "x" * 40}, TICKETS)
    assert dict(notice.values)["asked"] == "x" * 40


def test_a_step_of_a_hundred_thousand_digits_is_no_step_and_its_notice_is_cut():
    place, (notice,) = read({"step": "9" * 100_000}, TICKETS)
    assert place == Place("T-80008", 0, None)
    assert dict(notice.values)["asked"] == "9" * 40 + "…"


@pytest.mark.parametrize("step", [0, 1, 8])
def test_a_step_that_there_is_stays(step):
    assert clamp(Place("T-80008", step, "fr"), 8) == (Place("T-80008", step, "fr"), [])


def test_a_step_beyond_the_last_becomes_the_last_with_a_notice():
    place, (notice,) = clamp(Place("T-80008", 9, "fr"), 8)
    assert place == Place("T-80008", 8, "fr")
    assert (notice.template, dict(notice.values)) == (NO_STEP, {"asked": "9", "steps": "8"})


@given(st.sampled_from(TICKETS), st.integers(0, 999_999_999), st.sampled_from([None, *LANGUAGES]))
def test_a_place_written_into_the_address_is_read_back_without_a_notice(ticket, step, lang):
    place = Place(ticket, step, lang)
    assert read(place.parameters(), TICKETS) == (place, [])


def test_a_language_that_nobody_chose_does_not_stand_in_the_address():
    assert Place("T-80001", 3, None).parameters() == {"ticket": "T-80001", "step": "3"}


@given(st.dictionaries(st.sampled_from(["ticket", "step", "lang"]), st.text(characters)))
def test_any_address_leads_to_a_place_that_there_is(parameters):
    place, _ = clamp(read(parameters, TICKETS)[0], 8)
    assert place.ticket in TICKETS
    assert 0 <= place.step <= 8
    assert place.lang in (None, *LANGUAGES)
