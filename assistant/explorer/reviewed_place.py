"""Owns the address of the Review page: which rows of the register, in which order, and which one is open."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from assistant.again import Again
from assistant.selection import UNDATED, Order, Selection
from assistant.sentence import Sentence, say

from .address import MAX_DIGITS, Setting, cut, read_setting, switched_on

MAX_TEXT = 200
KNOWN: dict[str, tuple[str, ...]] = {
    "reviewed": ("yes", "no"),
    "again": tuple(map(str, Again)),
    "sort": tuple(map(str, Order)),
}


class Reviewed(NamedTuple):
    """A place on the Review page. `page` counts from 1; `opened` is a row by its file and place there, if one is open;
    `until` is the last day of the counts that is shown, if not the very last."""

    selection: Selection = Selection()
    sort: Order = Order.NEWEST
    page: int = 1
    opened: tuple[str, int] | None = None
    until: str = ""
    setting: Setting = Setting()

    def parameters(self) -> dict[str, str]:
        """The whole address, as query parameters."""
        chosen = {
            name: "1" if value is True else str(value) for name, value in self.selection._asdict().items() if value
        }
        return {
            **chosen,
            **({"sort": str(self.sort)} if self.sort is not Order.NEWEST else {}),
            **({"page": str(self.page)} if self.page > 1 else {}),
            **({"until": self.until} if self.until else {}),
            **({"open": f"{self.opened[1]}:{self.opened[0]}"} if self.opened else {}),
            **self.setting.parameters(),
        }

    def with_setting(self, setting: Setting) -> "Reviewed":
        """The same place in another setting."""
        return self._replace(setting=setting)

    def where(self, **chosen: str | bool) -> "Reviewed":
        """The first page of the rows with these filters changed, and nothing open."""
        return self._replace(selection=self.selection._replace(**chosen), page=1, opened=None)  # type: ignore[arg-type]

    def only(self, **chosen: str | bool) -> "Reviewed":
        """The first page of exactly the rows with these filters and no other."""
        return self._replace(selection=Selection(**chosen), page=1, opened=None)  # type: ignore[arg-type]


def read(parameters: Mapping[str, str]) -> tuple[Reviewed, list[Sentence]]:
    """Return the place that the address asks for, with a notice for each part that means nothing."""
    setting, notices = read_setting(parameters)
    chosen: dict[str, str] = {}
    for name in ("outcome", "check", "ticket", "customer", "text"):
        chosen[name] = parameters.get(name, "")[:MAX_TEXT]
    for name in ("day", "until"):
        chosen[name] = _day(parameters.get(name, ""), name, notices)
    for name, known in KNOWN.items():
        asked = parameters.get(name, "")
        if asked and asked not in known:
            words = say(
                "For {name} {asked} is not one of {known}.", name=name, asked=cut(asked), known=", ".join(known)
            )
            notices.append(words)
            asked = ""
        chosen[name] = asked
    sort, until = Order(chosen.pop("sort") or Order.NEWEST), chosen.pop("until")
    selection = Selection(**chosen, diverged=switched_on(parameters, "diverged", notices))
    page = _number(parameters.get("page", "1"), notices)
    return Reviewed(selection, sort, page, _opened(parameters.get("open", ""), notices), until, setting), notices


def _day(asked: str, name: str, notices: list[Sentence]) -> str:
    if not asked or (asked == UNDATED and name == "day"):
        return asked
    try:
        return date.fromisoformat(asked).isoformat()
    except ValueError:
        notices.append(say("For {name} a day like 2026-09-01 is expected, not {asked}.", name=name, asked=cut(asked)))
        return ""


def _number(asked: str, notices: list[Sentence]) -> int:
    if asked.isascii() and asked.isdecimal() and len(asked) <= MAX_DIGITS and int(asked) > 0:
        return int(asked)
    notices.append(say("{asked} is not the number of a page; this is the first.", asked=cut(asked)))
    return 1


def _opened(asked: str, notices: list[Sentence]) -> tuple[str, int] | None:
    if not asked:
        return None
    place, _, file = asked.partition(":")
    if file and place.isascii() and place.isdecimal() and len(place) <= MAX_DIGITS:
        return file, int(place)
    notices.append(say("There is no decision {asked} here.", asked=cut(asked)))
    return None
