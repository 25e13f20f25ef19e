"""Owns sentences that the code says to people: a fixed template and the values for its gaps.

A sentence reads in English by itself (`str`); the explorer looks its template up in a catalogue for other
languages. The values are data, often from outside, and are never templates themselves.
"""

from dataclasses import dataclass
from string import Formatter


@dataclass(frozen=True)
class Sentence:
    """A template with `{named}` gaps, and what fills them."""

    template: str
    values: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self.template.format(**dict(self.values))


def say(template: str, **values: object) -> Sentence:
    """Make a sentence. The catalogue check finds templates by calls of this name, so pass a literal."""
    return Sentence(template, tuple([(name, str(value)) for name, value in values.items()]))


def gaps(template: str) -> set[str]:
    """Return the names of a template's gaps."""
    return {name for _, name, _, _ in Formatter().parse(template) if name}
