"""The page's languages: which one a browser gets, and numbers, seconds, money and days to the character."""

import pytest

from assistant.explorer import language
from assistant.explorer.language import ENGLISH, FRENCH, LANGUAGES, of_browser
from assistant.sentence import say

BROWSERS = (
    ("fr", FRENCH),
    ("fr-FR", FRENCH),
    ("fr_CA", FRENCH),
    ("FR-ca", FRENCH),
    ("fr-Latn-CA", FRENCH),
    ("en", ENGLISH),
    ("en-GB", ENGLISH),
    ("de", ENGLISH),
    ("frp", ENGLISH),  # Arpitan is not French
    ("fy-NL", ENGLISH),
    (None, ENGLISH),
    ("", ENGLISH),
    ("-", ENGLISH),
    ("\ud800 fr", ENGLISH),
)
SAID = (
    (lambda tongue: tongue.number(4186), "4\u00a0186", "4,186"),
    (lambda tongue: tongue.number(114), "114", "114"),
    (lambda tongue: tongue.number(0), "0", "0"),
    (lambda tongue: tongue.number(1_234_567), "1\u00a0234\u00a0567", "1,234,567"),
    (lambda tongue: tongue.seconds(1.32), "1,32\u00a0s", "1.32\u00a0s"),
    (lambda tongue: tongue.seconds(1.9), "1,90\u00a0s", "1.90\u00a0s"),
    (lambda tongue: tongue.seconds(0), "0,00\u00a0s", "0.00\u00a0s"),
    (lambda tongue: tongue.milliseconds_at_most(0.0), "1\u00a0ms", "1\u00a0ms"),
    (lambda tongue: tongue.milliseconds_at_most(0.0021), "3\u00a0ms", "3\u00a0ms"),
    (lambda tongue: tongue.milliseconds_at_most(1.2345), "1\u00a0235\u00a0ms", "1,235\u00a0ms"),
    (lambda tongue: tongue.money(899.0, "CAD"), "899,00\u00a0$", "$899.00"),
    (lambda tongue: tongue.money(1249, "CAD"), "1\u00a0249,00\u00a0$", "$1,249.00"),
    (lambda tongue: tongue.money(12.5, "EUR"), "12,50\u00a0€", "€12.50"),
    (lambda tongue: tongue.day("2026-10-01"), "1er octobre 2026", "October 1, 2026"),
)


@pytest.mark.parametrize(("locale", "expected"), BROWSERS)
def test_the_browsers_language_decides(locale, expected):
    assert of_browser(locale) == expected


@pytest.mark.parametrize(("say_it", "in_french", "in_english"), SAID, ids=[each[1] for each in SAID])
def test_numbers_seconds_money_and_days_are_written_as_in_canada(say_it, in_french, in_english):
    assert (say_it(FRENCH), say_it(ENGLISH)) == (in_french, in_english)


@pytest.mark.parametrize("tongue", LANGUAGES.values(), ids=LANGUAGES)
def test_no_number_is_too_large_to_be_written(tongue):
    assert tongue.number(10**998).startswith("1")
    assert tongue.seconds(1e308).endswith("s")
    assert tongue.money(-1e308, "CAD").strip("-$\u00a0").startswith("1")


@pytest.mark.parametrize("wrong", ["", "tomorrow", "2026-13-01", "2026-10-01T00:00:00", "2026-10-01\n"])
def test_what_is_no_day_is_not_taken_for_one(wrong):
    with pytest.raises(ValueError, match=r"."):
        FRENCH.day(wrong)


def test_a_sentence_is_told_in_the_language_with_its_values_as_they_are():
    said = say("Step {step} of {steps}", step="{steps}", steps=8)
    assert FRENCH.tell(said) == "Étape {steps} sur 8"
    assert ENGLISH.tell(said) == "Step {steps} of 8"


def test_a_sentence_that_the_catalogue_lacks_is_told_in_english():
    assert FRENCH.tell(say("Nobody translated {this}.", this="x")) == "Nobody translated x."


def test_the_catalogues_are_files_that_are_read_once():
    assert {path.stem for path in language.READ_ONCE} == {FRENCH.locale}


def test_each_language_is_named_in_itself_and_has_a_tag_of_its_own():
    assert {code: (tongue.name, tongue.tag) for code, tongue in LANGUAGES.items()} == {
        "en": ("English", "en-CA"),
        "fr": ("Français", "fr-CA"),
    }
