"""Owns the address: the page's only state. What it asks for is clamped to what there is, and each clamp is told.

It knows nothing of Streamlit: it reads a mapping and returns one.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assistant.sentence import Sentence, say

from .language import LANGUAGES

MAX_SHOWN = 40
MAX_DIGITS = 9


class Place(NamedTuple):
    """Where a person is: a ticket, how many steps are revealed, and the language if they chose one."""

    ticket: str
    step: int
    lang: str | None

    def parameters(self) -> dict[str, str]:
        """The whole address, as query parameters."""
        chosen = {"lang": self.lang} if self.lang else {}
        return {"ticket": self.ticket, "step": str(self.step), **chosen}


def read(parameters: Mapping[str, str], tickets: Sequence[str]) -> tuple[Place, list[Sentence]]:
    """Return the place that the address asks for, or the nearest sensible one, with a notice for each difference."""
    notices: list[Sentence] = []
    first = tickets[0] if tickets else ""
    ticket = parameters.get("ticket", first)
    if ticket not in tickets:
        notices.append(say("There is no ticket {asked} here; this is {ticket}.", asked=_cut(ticket), ticket=first))
    lang = parameters.get("lang")
    if lang is not None and lang not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        notices.append(say("The language {asked} is not one of {known}.", asked=_cut(lang), known=known))
        lang = None
    asked = parameters.get("step", "0")
    is_number = asked.isascii() and asked.isdecimal() and len(asked.lstrip("0")) <= MAX_DIGITS
    if not is_number:
        notices.append(say("{asked} is not the number of a step; this is the start.", asked=_cut(asked)))
    if ticket not in tickets:
        return Place(first, 0, lang), notices  # the step was another ticket's
    return Place(ticket, int(asked) if is_number else 0, lang), notices


def clamp(place: Place, steps: int) -> tuple[Place, list[Sentence]]:
    """Keep the place within the loop's steps, with a notice if it was beyond."""
    if place.step <= steps:
        return place, []
    notice = say("There is no step {asked} here; this is the last one, {steps}.", asked=place.step, steps=steps)
    return place._replace(step=steps), [notice]


def _cut(asked: str) -> str:
    return asked if len(asked) <= MAX_SHOWN else asked[:MAX_SHOWN] + "…"
