"""The address of the Review page: it holds all that is chosen, and whatever it asks for is clamped and told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.again import Again
from assistant.explorer.address import Setting
from assistant.explorer.reviewed_place import MAX_TEXT, Reviewed, read
from assistant.selection import UNDATED, Order, Selection
from tests.strategies import text, trying

days = st.dates().map(lambda day: day.isoformat())
short = text.map(lambda words: words[:MAX_TEXT])
selections = st.builds(
    Selection,
    outcome=short,
    check=short,
    ticket=short,
    customer=short,
    day=days | st.sampled_from(["", UNDATED]),
    reviewed=st.sampled_from(["", "yes", "no"]),
    text=short,
    again=st.sampled_from(["", *map(str, Again)]),
    diverged=st.booleans(),
)
places = st.builds(
    Reviewed,
    selection=selections,
    sort=st.sampled_from(Order),
    page=st.integers(1, 10**9 - 1),
    opened=st.none() | st.tuples(text.filter(bool), st.integers(0, 10**9 - 1)),
    until=days | st.just(""),
    setting=st.builds(Setting, st.sampled_from([None, "en", "fr"]), st.booleans()),
)


@trying(300)
@given(places)
def test_a_place_comes_back_from_its_address(place):
    assert read(place.parameters()) == (place, [])


def test_an_empty_address_is_all_of_it_newest_first():
    assert read({}) == (Reviewed(), [])
    assert Reviewed().parameters() == {}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"day": "1 September"}, "For day a day like 2026-09-01 is expected, not 1 September."),
        ({"day": "2026-13-01"}, "For day a day like 2026-09-01 is expected, not 2026-13-01."),
        ({"until": UNDATED}, "For until a day like 2026-09-01 is expected, not none."),
        ({"reviewed": "1"}, "For reviewed 1 is not one of yes, no."),
        ({"again": "same"}, "For again same is not one of unchanged, flipped, undecided."),
        ({"sort": "x"}, "For sort x is not one of newest, oldest, ticket, customer, outcome, check."),
        ({"page": "0"}, "0 is not the number of a page; this is the first."),
        ({"page": "-1"}, "-1 is not the number of a page; this is the first."),
        ({"page": "٣"}, "٣ is not the number of a page; this is the first."),
        ({"page": "9" * 50}, f"{'9' * 40}… is not the number of a page; this is the first."),
        ({"open": "x"}, "There is no decision x here."),
        ({"open": "1:"}, "There is no decision 1: here."),
        ({"open": ":a.json"}, "There is no decision :a.json here."),
        ({"diverged": "yes"}, "For diverged only 1 is known, not yes."),
        ({"lang": "de"}, "The language de is not one of en, fr."),
    ],
)
def test_what_means_nothing_is_told_and_the_rest_is_kept(asked, said):
    place, notices = read({**asked, "ticket": "T-1"})
    assert list(map(str, notices)) == [said]
    assert place == Reviewed(Selection(ticket="T-1"))


def test_a_text_of_any_length_is_cut():
    place, _ = read({"text": "x" * 10_000, "outcome": "y" * 10_000})
    assert (len(place.selection.text), len(place.selection.outcome)) == (MAX_TEXT, MAX_TEXT)


@trying(200)
@given(st.dictionaries(st.sampled_from([*Selection._fields, "sort", "page", "open", "until", "lang", "present"]), text))
def test_any_address_leads_to_a_place_that_its_own_address_keeps(parameters):
    place, _ = read(parameters)
    assert read(place.parameters()) == (place, [])


def test_another_filter_begins_at_the_first_page_with_nothing_open():
    place = Reviewed(Selection(ticket="T-1", text="x"), Order.TICKET, 7, ("a.json", 1), "2026-09-01", Setting("fr"))
    assert place.where(outcome="ok") == place._replace(
        selection=Selection(outcome="ok", ticket="T-1", text="x"), page=1, opened=None
    )
    assert place.only(day=UNDATED) == place._replace(selection=Selection(day=UNDATED), page=1, opened=None)
    assert place.with_setting(Setting()) == place._replace(setting=Setting())
