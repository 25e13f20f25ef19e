"""Owns the address: the page's only state. What it asks for is clamped to what there is, and each clamp is told.

It knows nothing of Streamlit: it reads a mapping and returns one. A page with an address of its own reads it beside its
own table, with the pieces here.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol, Self

from assistant.sentence import Sentence, say

from .language import LANGUAGES

MAX_SHOWN = 40
MAX_DIGITS = 9
MAX_ITEMS = 500


class Setting(NamedTuple):
    """What every page's address may hold: the language if one was chosen, and whether it is shown to a class."""

    lang: str | None = None
    presenting: bool = False

    def parameters(self) -> dict[str, str]:
        """As query parameters."""
        return {**({"lang": self.lang} if self.lang else {}), **({"present": "1"} if self.presenting else {})}


class Located(Protocol):
    """A place on any page: its whole address, and the setting that goes with a person from page to page."""

    @property
    def setting(self) -> Setting: ...

    def parameters(self) -> dict[str, str]:
        """The whole address, as query parameters."""

    def with_setting(self, setting: Setting) -> Self:
        """The same place in another setting."""


class Place(NamedTuple):
    """Where a person is in a loop: a ticket, and how many steps are revealed. `guesses` is None unless the page asks
    before it tells; then it holds what was said at each question so far."""

    ticket: str
    step: int
    setting: Setting = Setting()
    guesses: tuple[str, ...] | None = None

    def parameters(self) -> dict[str, str]:
        """The whole address, as query parameters."""
        asking = {} if self.guesses is None else {"predict": "1"}
        guessed = {"guess": ",".join(self.guesses)} if self.guesses else {}
        return {"ticket": self.ticket, "step": str(self.step), **asking, **guessed, **self.setting.parameters()}

    def with_setting(self, setting: Setting) -> "Place":
        """The same place in another setting."""
        return self._replace(setting=setting)

    def at_ticket(self, ticket: str) -> "Place":
        """The start of a ticket's loop, with nothing guessed yet."""
        return self._replace(ticket=ticket, step=0, guesses=None if self.guesses is None else ())


def read(parameters: Mapping[str, str], tickets: Sequence[str]) -> tuple[Place, list[Sentence]]:
    """Return the place that the address asks for, or the nearest sensible one, with a notice for each difference."""
    setting, notices = read_setting(parameters)
    first = tickets[0] if tickets else ""
    ticket = parameters.get("ticket", first)
    if ticket not in tickets:
        notices.append(say("There is no ticket {asked} here; this is {ticket}.", asked=cut(ticket), ticket=first))
    asked = parameters.get("step", "0")
    is_number = asked.isascii() and asked.isdecimal() and len(asked.lstrip("0")) <= MAX_DIGITS
    if not is_number:
        notices.append(say("{asked} is not the number of a step; this is the start.", asked=cut(asked)))
    is_asking = switched_on(parameters, "predict", notices)
    guesses = tuple(items(parameters, "guess")) if is_asking else None
    place = Place(ticket, int(asked) if is_number else 0, setting, guesses)
    return place if ticket in tickets else place.at_ticket(first), notices  # the step was another ticket's


def clamp(place: Place, steps: int) -> tuple[Place, list[Sentence]]:
    """Keep the place within the loop's steps, with a notice if it was beyond."""
    if place.step <= steps:
        return place, []
    notice = say("There is no step {asked} here; this is the last one, {steps}.", asked=place.step, steps=steps)
    return place._replace(step=steps), [notice]


def read_setting(parameters: Mapping[str, str]) -> tuple[Setting, list[Sentence]]:
    """Return what is the same on every page, with a notice for each part that means nothing."""
    notices: list[Sentence] = []
    lang = parameters.get("lang")
    if lang is not None and lang not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        notices.append(say("The language {asked} is not one of {known}.", asked=cut(lang), known=known))
        lang = None
    return Setting(lang, switched_on(parameters, "present", notices)), notices


def switched_on(parameters: Mapping[str, str], name: str, notices: list[Sentence]) -> bool:
    """Whether a switch of the address is on; anything but 1 is told and means off."""
    asked = parameters.get(name)
    if asked not in (None, "1"):
        notices.append(say("For {name} only 1 is known, not {asked}.", name=name, asked=cut(asked)))
    return asked == "1"


def items(parameters: Mapping[str, str], name: str) -> list[str]:
    """The items of a list in the address, which commas part."""
    asked = parameters.get(name, "")
    return asked.split(",")[:MAX_ITEMS] if asked else []


def known_items(
    parameters: Mapping[str, str], name: str, known: Collection[str], notices: list[Sentence]
) -> tuple[str, ...]:
    """The items of a list in the address that there are, each once and in our order, with a notice for any other."""
    asked = items(parameters, name)
    for item in dict.fromkeys(asked):
        if item not in known:
            notices.append(say("There is no {asked} to choose for {name}.", asked=cut(item) or '""', name=name))
    return tuple(item for item in known if item in asked)


def cut(asked: str | None) -> str:
    """What the address holds, short enough to be shown."""
    asked = asked or ""
    return asked if len(asked) <= MAX_SHOWN else asked[:MAX_SHOWN] + "…"
