"""What is put to the code stands in the address while it is short enough, and else in the visit, and that is said."""

from types import SimpleNamespace
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.explorer import proposing, replying, trying
from assistant.explorer.address import Setting
from assistant.explorer.cases import cases
from assistant.explorer.trying import KEPT, MAX_LINK, MAX_TYPED, Tried
from tests.strategies import trying as settings
from tests.test_explorer_page import HOSTILE, own_environment, page_modules, plain  # noqa: F401
from tests.test_explorer_site import assert_sound, controls, drawn, go_on, open_at, says

PREPARED = cases()
PROPOSALS = {case.name: proposing.values_of(case) for case in PREPARED.proposals}
REPLIES = {case.name: replying.values_of(case) for case in PREPARED.replies}
FIELDS = {"proposal": [field.name for field in proposing.FIELDS], "reply": [field.name for field in replying.FIELDS]}
EACH_PAGE = pytest.mark.parametrize("name", FIELDS)
TOO_LONG = "What you typed is too long for an address. A link to this page does not bring it back."
NOT_HERE = "This link stands for a text that was too long for it, and that is not here."

# What an address can hold: no half surrogate pairs.
typed = st.text(max_size=300)


def place_of(values, setting=Setting()):  # noqa: B008
    return Tried("", tuple(values.items()), setting)


@pytest.fixture
def visit(monkeypatch):
    """Somebody's visit, at an address that a test writes."""
    fake = SimpleNamespace(query_params={}, session_state={})
    monkeypatch.setattr(trying, "st", fake)
    monkeypatch.setattr(
        trying, "go", lambda place: (fake.query_params.clear(), fake.query_params.update(place.parameters()))
    )
    return fake


def read_at(visit, address, prepared=PROPOSALS):
    visit.query_params = dict(address)
    return trying.read(prepared)


# The address.


@settings(200)
@given(
    st.fixed_dictionaries(dict.fromkeys(FIELDS["proposal"], typed)), st.sampled_from([None, "en", "fr"]), st.booleans()
)
def test_a_link_that_is_short_enough_brings_back_what_was_typed(values, lang, presenting):
    values = {field: values[field] for field in FIELDS["proposal"]}
    place = place_of(values, Setting(lang, presenting))
    with pytest.MonkeyPatch.context() as patch:
        fake = SimpleNamespace(query_params={}, session_state={})
        patch.setattr(trying, "st", fake)
        fake.query_params = dict(parse_qsl(urlencode(place.parameters()), keep_blank_values=True))
        if place.is_too_long:
            assert next(iter(fake.query_params)) == KEPT
            return
        assert trying.read(PROPOSALS) == (place, values, [])


@pytest.mark.parametrize(
    ("length", "is_too_long"), [(0, False), (MAX_LINK - 30, False), (MAX_LINK, True), (MAX_TYPED, True)]
)
def test_what_is_too_long_for_an_address_is_only_named_in_it(length, is_too_long):
    place = place_of({"tool": "x" * length, "arguments": "", "customer": ""}, Setting("fr"))
    assert place.is_too_long == is_too_long
    assert len(urlencode(place.parameters())) < MAX_LINK + 20
    if is_too_long:
        assert place.parameters() == {KEPT: place.digest, "lang": "fr"}


def test_different_texts_have_different_names_and_equal_ones_the_same():
    texts = ["x" * 3000, "x" * 3001, "y" * 3000, "é" * 3000]
    assert len({place_of({"tool": text}).digest for text in texts}) == len(texts)
    assert place_of({"tool": texts[0]}).digest == place_of({"tool": texts[0]}, Setting("fr")).digest


@pytest.mark.parametrize("half", ["\ud800", "x\udfff" * 2000])
def test_half_a_surrogate_pair_does_no_harm(half):
    """No browser sends one, but a recording may hold one, and so a case that somebody goes on from."""
    place = place_of({"tool": half, "arguments": "", "customer": ""})
    assert place.digest
    assert len(urlencode(place.parameters(), errors="replace")) < MAX_LINK + 20


def test_a_case_is_in_the_address_by_its_name_however_long_it_is():
    place = Tried("T-80001", (("reply", "x" * 10_000),))
    assert place.parameters() == {"case": "T-80001"}


def test_an_address_that_asks_nothing_asks_for_the_first_case(visit):
    place, values, notices = read_at(visit, {})
    assert (place, values, notices) == (Tried("T-80008"), PROPOSALS["T-80008"], [])


@pytest.mark.parametrize("name", PROPOSALS)
def test_every_case_is_read_by_its_name(visit, name):
    assert read_at(visit, {"case": name, "lang": "fr"}) == (Tried(name, (), Setting("fr")), PROPOSALS[name], [])


def test_a_case_that_there_is_not_is_told(visit):
    place, _, (notice,) = read_at(visit, {"case": HOSTILE})
    assert place == Tried("T-80008")
    assert str(notice) == f"There is no case {HOSTILE[:40]}… here."


def test_what_is_typed_goes_over_a_case_and_what_is_left_out_is_empty(visit):
    place, values, notices = read_at(visit, {"arguments": "{}", "case": "T-80001"})
    assert values == {"tool": "", "arguments": "{}", "customer": ""}
    assert place.case == ""
    assert not notices


def test_what_is_longer_than_one_can_type_is_cut(visit):
    _, values, _ = read_at(visit, {"arguments": "x" * (MAX_TYPED + 5)})
    assert values["arguments"] == "x" * MAX_TYPED


# The visit.


LONG = {"tool": "get_order", "arguments": "é" * 5000, "customer": "C-20417"}


def test_what_is_too_long_is_kept_in_the_visit_and_that_is_said(visit):
    trying.submit(Tried("T-80008"), LONG, PROPOSALS)
    assert visit.query_params == {KEPT: place_of(LONG).digest}
    place, values, notices = trying.read(PROPOSALS)
    assert (place, values) == (place_of(LONG), LONG)
    assert [str(notice) for notice in notices] == [TOO_LONG]


def test_a_link_to_a_kept_text_says_elsewhere_that_it_is_not_here(visit):
    place, values, notices = read_at(visit, {KEPT: place_of(LONG).digest})
    assert (place, values) == (Tried("T-80008"), PROPOSALS["T-80008"])
    assert [str(notice) for notice in notices] == [NOT_HERE]


def test_several_long_texts_of_a_visit_are_kept_beside_each_other(visit):
    other = {**LONG, "tool": "refund_order"}
    for values in (LONG, other):
        trying.submit(Tried("T-80008"), values, PROPOSALS)
    for values in (LONG, other):
        assert read_at(visit, {KEPT: place_of(values).digest})[1] == values


def test_a_text_that_was_kept_for_a_proposal_is_no_reply(visit):
    trying.submit(Tried("T-80008"), LONG, PROPOSALS)
    _, values, notices = read_at(visit, visit.query_params, REPLIES)
    assert values == REPLIES["T-80008"]
    assert [str(notice) for notice in notices] == [NOT_HERE]


@pytest.mark.parametrize(
    ("prepared", "name"), [*((PROPOSALS, name) for name in PROPOSALS), *((REPLIES, name) for name in REPLIES)]
)
def test_typing_what_a_prepared_case_is_gives_its_name(visit, prepared, name):
    trying.submit(Tried("", (("x", "y"),), Setting("fr")), dict(prepared[name]), prepared)
    assert visit.query_params == {"case": name, "lang": "fr"}


@settings(100)
@given(st.fixed_dictionaries(dict.fromkeys(FIELDS["reply"], typed)))
@example(dict.fromkeys(FIELDS["reply"], ""))
@example(dict.fromkeys(FIELDS["reply"], "x" * MAX_TYPED))
def test_whatever_is_submitted_is_what_the_page_then_reads(values):
    with pytest.MonkeyPatch.context() as patch:
        fake = SimpleNamespace(query_params={}, session_state={})
        patch.setattr(trying, "st", fake)
        patch.setattr(trying, "go", lambda place: fake.query_params.update(place.parameters()))
        trying.submit(Tried("T-80008"), values, REPLIES)
        _, found, _ = trying.read(REPLIES)
        assert found == values


# The pages.


def try_at(name, locale="en-CA", **address):
    page = open_at(name, locale, **address)
    assert_sound(page)
    return page


def fields_of(page, name):
    """What stands in the fields of a page."""
    found = {each.key.removeprefix(f"{name} "): each.value for each in (*page.text_input, *page.text_area)}
    return {field: found[field] for field in FIELDS[name]}


def put(page, name, **values):
    """Type into the fields and submit."""
    for field, value in values.items():
        kind = page.text_input if f"{name} {field}" in {each.key for each in page.text_input} else page.text_area
        kind(key=f"{name} {field}").set_value(value)
    page.button(key=f"{name} submit").click().run()
    assert_sound(page)
    return page


def prepared_for(name):
    return {"proposal": PROPOSALS, "reply": REPLIES}[name]


@EACH_PAGE
def test_every_prepared_case_can_be_chosen_and_fills_the_fields(name):
    page = try_at(name, lang="en")
    box = page.selectbox(key=f"{name} case")
    assert len(box.options) == len(prepared_for(name)) + 1
    for case, values in reversed(prepared_for(name).items()):
        page.selectbox(key=f"{name} case").set_value(case).run()
        assert_sound(page)
        assert page.query_params == {"case": case, "lang": "en"}
        assert fields_of(page, name) == values


@EACH_PAGE
def test_what_is_typed_and_submitted_stands_in_the_address_and_a_link_brings_it_back(name):
    values = {field: f'{field}: "é" & <b>\t=+%41' for field in FIELDS[name]}
    page = put(try_at(name, lang="fr"), name, **values)
    assert page.query_params == {**values, "lang": "fr"}
    again = try_at(name, **page.query_params)
    assert fields_of(again, name) == values
    assert again.selectbox(key=f"{name} case").value == ""
    here, there = (drawn(each).one("article") for each in (page, again))
    assert here.one("h2").text == there.one("h2").text
    assert here.texts(kind="rung") == there.texts(kind="rung")


@EACH_PAGE
def test_what_is_too_long_for_an_address_is_kept_and_said_and_elsewhere_not_found(name):
    field = FIELDS[name][0]
    page = put(try_at(name), name, **{field: "x" * 5000})
    assert list(page.query_params) == [KEPT]
    assert TOO_LONG in says(page)
    assert fields_of(page, name)[field] == "x" * 5000
    elsewhere = try_at(name, **page.query_params)
    assert NOT_HERE in says(elsewhere)
    assert fields_of(elsewhere, name) == next(iter(prepared_for(name).values()))


@EACH_PAGE
def test_a_kept_text_is_still_there_in_the_other_language_and_when_presenting(name):
    field = FIELDS[name][0]
    page = put(try_at(name), name, **{field: "x" * 5000})
    kept = dict(page.query_params)
    page.button(key="language").click().run()
    assert_sound(page)
    assert page.query_params == {**kept, "lang": "fr"}
    assert fields_of(page, name)[field] == "x" * 5000


@EACH_PAGE
def test_a_long_link_that_somebody_made_is_still_there_in_the_other_language(name):
    field = FIELDS[name][0]
    page = try_at(name, **{field: "x" * (MAX_LINK + 100)})
    assert fields_of(page, name)[field] == "x" * (MAX_LINK + 100)
    page.button(key="language").click().run()
    assert fields_of(page, name)[field] == "x" * (MAX_LINK + 100)


@EACH_PAGE
def test_who_writes_their_own_goes_on_from_the_case_that_is_there(name):
    page = try_at(name, case="T-80001")
    page.selectbox(key=f"{name} case").set_value("").run()
    assert_sound(page)
    assert page.query_params == prepared_for(name)["T-80001"]
    assert fields_of(page, name) == prepared_for(name)["T-80001"]


@EACH_PAGE
def test_who_writes_their_own_goes_on_also_from_a_case_that_is_too_long_for_an_address(name, monkeypatch):
    monkeypatch.setattr("assistant.explorer.trying.MAX_LINK", 40)
    page = try_at(name, case="T-80001")
    page.selectbox(key=f"{name} case").set_value("").run()
    assert fields_of(page, name) == prepared_for(name)["T-80001"]


@EACH_PAGE
def test_the_fields_follow_the_browsers_back(name):
    page = try_at(name, case="T-80001")
    put(page, name, **{FIELDS[name][0]: "mine"})
    assert fields_of(page, name)[FIELDS[name][0]] == "mine"
    go_on(page, case="T-80001")
    assert fields_of(page, name) == prepared_for(name)["T-80001"]


HOSTILE_TEXTS = {
    "markup": HOSTILE,
    "an end of a script": "</script></textarea><script>alert(1)</script>",
    "NUL and the invisible": "a\0b\u202ec\u200bd\x1b[31m",
    "gaps of a template": "{x} {0} {} %s $x",
    "20,000 characters": "é" * 20_000,
    "line ends": "a\r\nb\rc\u2028d",
    "nothing": "",
}


@EACH_PAGE
@pytest.mark.parametrize("hostile", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS)
def test_hostile_text_in_every_field_does_no_harm(name, hostile):
    page = try_at(name, **dict.fromkeys(FIELDS[name], hostile))
    for each in controls(page):
        assert "example" not in plain(each.label)
    assert not list(drawn(page).one("article").all("a"))
    put(page, name, **dict.fromkeys(FIELDS[name], hostile))


@EACH_PAGE
def test_hostile_text_is_shown_as_text(name):
    page = try_at(name, **dict.fromkeys(FIELDS[name], HOSTILE))
    assert HOSTILE in drawn(page).one("article").text


@EACH_PAGE
def test_of_a_field_that_the_address_holds_twice_one_is_read(name):
    field = FIELDS[name][0]
    page = try_at(name, **{field: ["first", "second"], "lang": ["fr", "en"]})
    assert fields_of(page, name)[field] in ("first", "second")


@EACH_PAGE
@pytest.mark.parametrize("asked", [HOSTILE, "T-9", "T-80001,T-80009", "é" * 20_000])
def test_an_unknown_case_is_told_and_the_first_is_shown(name, asked):
    page = try_at(name, case=asked)
    assert says(page) == [f"There is no case {asked[:40]}{'…' if len(asked) > 40 else ''} here."]
    assert page.selectbox(key=f"{name} case").value == "T-80008"


@EACH_PAGE
def test_the_cases_are_named_in_the_pages_language_by_where_they_are_from(name):
    options = try_at(name, "en-CA").selectbox(key=f"{name} case").options
    assert options[:2] == ["Your own", "Recorded: asks about their own order"]
    assert len(set(options)) == len(options)
