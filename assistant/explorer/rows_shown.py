"""Owns drawing the register: one line a decision, a page at a time, each with the link that opens it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any

from assistant.again import Again
from assistant.counts import Kind, kind_of
from assistant.sentence import Sentence, say

from .filters import AGAIN
from .language import Language
from .markup import sentence, shown
from .reviewed_place import Reviewed
from .site import link

PAGE = "review"
A_PAGE = 50
MAX_CELL = 120  # characters of a text from outside; the whole of it stands beside, once the row is open
MARKS: dict[Kind, tuple[str, str]] = {
    Kind.OK: ("✓", "passed"),
    Kind.REFUSED: ("✗", "failed"),
    Kind.ERROR: ("!", "unanswered"),
    Kind.OTHER: ("?", "not-run"),
}


def table(rows: Sequence[Mapping[str, Any]], place: Reviewed, language: Language) -> str:
    """The rows as HTML. Each has what the register holds (`register.COLUMNS`), `again.COLUMNS` or None for them, and
    whether it `is_reviewed`."""
    heads = (
        say("When"),
        say("Ticket and customer"),
        say("What was proposed"),
        say("Outcome and failed check"),
        say("The model was told"),
        say("Verdict on the reply"),
        say("Decided today"),
        say("Review"),
    )
    wide = {2, 4, 5}  # left out beside an open decision, which holds them
    head = "".join(
        f'<th scope="col"{" class=wide" if number in wide else ""}>{sentence(words, language)}</th>'
        for number, words in enumerate(heads)
    )
    body = "".join(_row(row, place, language) for row in rows)
    name = escape(language.tell(say("The register")))
    return (
        f'<div class="matrix register{" beside" if place.opened else ""}" tabindex="0" role="region"'
        f' aria-label="{name}"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _row(row: Mapping[str, Any], place: Reviewed, language: Language) -> str:
    opened = (row["file"], row["place"])
    is_open = opened == place.opened
    there = escape(link(PAGE, place._replace(opened=None if is_open else opened)))
    expanded = "true" if is_open else "false"
    key = escape(name_of_row(row))
    when = (
        f'<a href="{there}" data-here data-key="{key}" aria-expanded="{expanded}">{shown(said_when(row, language))}'
        f'<span class="hidden-word"> {shown(cut(row["ticket"] or ""))}</span></a>'
    )
    kind, _ = kind_of(row["outcome"])
    icon, state = MARKS[kind]
    outcome = (
        f'<span class="state {state}"><span aria-hidden="true">{icon}</span></span> '
        f'<span class="data{_mark(row, "outcome")}">{_text(row["outcome"], language).replace("_", "_<wbr>")}</span>'
    )
    failed = shown(cut(row["failed_check"])).replace("_", "_<wbr>")
    check = f'<br><span class="note data{_mark(row, "failed_check")}">{failed}</span>'
    verdict = " · ".join(filter(None, (row["verdict"], row["broken"])))
    cells = (
        f'<span class="data{_mark(row, "ticket")}">{_text(row["ticket"], language)}</span><br>'
        f'<span class="note data{_mark(row, "customer")}">{_text(row["customer"], language)}</span>',
        f'<span class="data">{_text(row["tool"], language)}</span><br>'
        f'<span class="note data{_mark(row, "arguments")}">{_text(row["arguments"], language)}</span>',
        outcome + (check if row["failed_check"] else ""),
        f'<span class="note">{_told(row, kind, language)}</span>',
        f'<span class="data note">{_text(verdict or None, language).replace("_", "_<wbr>")}</span>',
        _today(row, language),
        language.tell(say("reviewed")) if row["is_reviewed"] else '<span class="note">–</span>',
    )
    wide = {1, 3, 4}
    columns = "".join(f"<td{' class=wide' if number in wide else ''}>{cell}</td>" for number, cell in enumerate(cells))
    return f'<tr{" class=chosen" if is_open else ""}><th scope="row">{when}</th>{columns}</tr>'


def name_of_row(row: Mapping[str, Any]) -> str:
    """What the link that opens a row is called for the page's script. Not escaped."""
    return f"row-{row['place']}-{row['file']}"


def said_when(row: Mapping[str, Any], language: Language) -> str:
    """The moment, or the day where no time is known, or that there is none."""
    if row["time"]:
        return moment(row["time"])
    return row["day"].isoformat() if row["day"] else language.tell(say("undated"))


def moment(time: datetime) -> str:
    """A time of the register or of a review to the second, in UTC as the page says."""
    return time.astimezone(UTC).isoformat(" ", "seconds").removesuffix("+00:00")


def cut(text: str | None) -> str:
    """A text short enough for a cell."""
    text = text or ""
    return text if len(text) <= MAX_CELL else text[:MAX_CELL] + "…"


def _text(text: str | None, language: Language) -> str:
    if text is None:
        return f'<span class="unknown">{language.tell(say("not recorded"))}</span>'
    return shown(cut(text))


def _told(row: Mapping[str, Any], kind: Kind, language: Language) -> str:
    """What the model was told: the fixed text, or that it got an order, which is never shown."""
    if row["told"] is not None:
        return shown(cut(row["told"]))
    return language.tell(say("an order")) if kind is Kind.OK else _text(None, language)


def _today(row: Mapping[str, Any], language: Language) -> str:
    if row["again"] is None:
        return '<span class="note">–</span>'
    words = sentence(AGAIN[row["again"]], language)
    if row["again"] == Again.FLIPPED:
        now = f'<br><span class="data note">{shown(cut(row["now"]))}</span>'
        return f'<span class="flipped"><span aria-hidden="true">⇄</span> {words}</span>{now}'
    return f'<span class="note">{words}</span>'


def _mark(row: Mapping[str, Any], column: str) -> str:
    return " reconstructed" if column in (row["reconstructed"] or "").split(",") else ""


def paging(found: int, place: Reviewed, language: Language) -> str:
    """Which rows of how many these are, and the links to those before and after."""
    if not found:
        return f'<p class="paging">{sentence(say("No decision is like this."), language)}</p>'
    first, last = (place.page - 1) * A_PAGE + 1, min(place.page * A_PAGE, found)
    numbers = {"first": language.number(first), "last": language.number(last), "all": language.number(found)}
    words = say("Decisions {first} to {last} of {all}", **numbers)
    links: list[tuple[bool, str, int, Sentence]] = [
        (place.page > 1, "before", place.page - 1, say("Before these")),
        (last < found, "after", place.page + 1, say("After these")),
    ]
    anchors = "".join(
        f' <a href="{escape(link(PAGE, place._replace(page=number)))}" data-here data-key="rows-{key}">'
        f"{sentence(said, language)}</a>"
        for is_there, key, number, said in links
        if is_there
    )
    return f'<p class="paging"><span data-announce>{sentence(words, language)}</span>{anchors}</p>'


def pages(found: int) -> int:
    """How many pages they fill."""
    return max(1, -(-found // A_PAGE))
