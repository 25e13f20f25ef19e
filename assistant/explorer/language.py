"""Owns the page's languages: sentences from a gettext catalogue, and numbers, seconds, money and days by Babel.

English is the language of the code and needs no catalogue. French is `locale/fr_CA.po`, read as it is, unbuilt.
"""

import io
import math
from dataclasses import dataclass
from datetime import date
from decimal import localcontext
from functools import lru_cache
from gettext import NullTranslations
from pathlib import Path

from babel.dates import format_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_currency, format_decimal, format_percent
from babel.support import Translations

from assistant.sentence import Sentence

CATALOGUES = Path(__file__).with_name("locale")
READ_ONCE = tuple(CATALOGUES.glob("*.po"))  # `fresh` watches them
NBSP = "\N{NO-BREAK SPACE}"
MAX_DIGITS = 5000  # Babel rounds in the decimal context, and raises for a number with more digits than that has


@dataclass(frozen=True)
class Language:
    """One language of the page. `code` stands in the address, `tag` (BCP 47) in the document, `name` on the switch."""

    code: str
    locale: str
    tag: str
    name: str

    def tell(self, sentence: Sentence) -> str:
        """Say the sentence in this language, as plain text."""
        return str(Sentence(self.template(sentence), sentence.values))

    def template(self, sentence: Sentence) -> str:
        """Return the sentence's template in this language, its gaps not yet filled."""
        return _catalogue(CATALOGUES, self.locale).gettext(sentence.template)

    def number(self, value: int) -> str:
        """A whole number with this language's grouping."""
        with localcontext(prec=MAX_DIGITS):
            return format_decimal(value, locale=self.locale)

    def seconds(self, value: float) -> str:
        """Seconds with two decimals and the unit's symbol."""
        with localcontext(prec=MAX_DIGITS):
            return f"{format_decimal(value, '0.00', locale=self.locale)}{NBSP}s"

    def milliseconds_at_most(self, seconds: float) -> str:
        """Whole milliseconds, rounded up, with the unit's symbol."""
        return f"{self.number(max(1, math.ceil(seconds * 1000)))}{NBSP}ms"

    def money(self, amount: float, currency: str) -> str:
        """An amount in a currency (ISO 4217)."""
        with localcontext(prec=MAX_DIGITS):
            return format_currency(amount, currency, locale=self.locale)

    def day(self, iso: str) -> str:
        """A day in words. Raises ValueError for what is no ISO 8601 date."""
        day = date.fromisoformat(iso)
        said = format_date(day, "long", locale=self.locale)
        return said.replace("1", "1er", 1) if self.code == "fr" and day.day == 1 else said  # CLDR has no ordinal here

    def percent(self, part: float) -> str:
        """A share (0 to 1) in per cent."""
        return format_percent(part, "0.#\N{NO-BREAK SPACE}%" if self.code == "fr" else "0.#%", locale=self.locale)


ENGLISH = Language("en", "en_CA", "en-CA", "English")
FRENCH = Language("fr", "fr_CA", "fr-CA", "Français")
LANGUAGES = {language.code: language for language in (ENGLISH, FRENCH)}


def of_browser(locale: str | None) -> Language:
    """The page's language for a browser's (`navigator.language`): French for any French, English for all else."""
    return LANGUAGES.get((locale or "").lower().replace("_", "-").partition("-")[0], ENGLISH)


@lru_cache
def _catalogue(folder: Path, locale: str) -> NullTranslations:
    if locale == ENGLISH.locale:
        return NullTranslations()
    with (folder / f"{locale}.po").open("rb") as file:
        catalogue = read_po(file, locale=locale, abort_invalid=True)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)
