"""Owns the page on which one reviews the decisions: counts, register, and one decision with what is said of it."""

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from assistant import again, export, selection
from assistant.again import Again, Tally
from assistant.counts import Counts, Kind, count
from assistant.events import Decided, Proposed
from assistant.explorer import day_by_day, filters, frame, opened, opinions, put, reviewed_place, rows_shown, run
from assistant.explorer.deciding_again import DecidedAgain, decided_again
from assistant.explorer.language import Language
from assistant.explorer.markup import label, sentence, shown
from assistant.explorer.reviewed_place import Reviewed
from assistant.explorer.run import orders_file, recordings_folder
from assistant.explorer.site import link
from assistant.explorer.so_far import asked_for
from assistant.explorer.sources import Register, paths, read
from assistant.orders import OrderBook
from assistant.reviews import ReviewsUnavailable
from assistant.sentence import Sentence, say

PAGE = "review"
MAX_LISTED = 100  # files and lines that could not be read


def page() -> None:
    """Draw the page for the address as it is."""
    place, wrong = reviewed_place.read(st.query_params)
    language = frame.language_of(place)
    frame.top(PAGE, place, language)
    with st.container(key="review"):
        frame.title(say("Review what was decided"), language)
        register = read(language)
        if register is None:
            frame.script(language, PAGE)
            return
        today = decided_again(register, language)
        reviewed, unavailable = _reviewed()
        rows = _with_today(register, today)
        counted = count(register.by_day)
        if today is None and place.selection.again:
            wrong.append(say("Nothing was decided again yet, so that nothing can be told apart by it."))
            place = place.where(again="")
        found = _found(register, rows, place, counted, reviewed, today)
        last = rows_shown.pages(len(found))
        if place.page > last:
            wrong.append(say("There is no page {asked}; this is the last one, {last}.", asked=place.page, last=last))
            place = place._replace(page=last)
        row = _opened(rows, place)
        if place.opened and row is None:
            wrong.append(say("The decision that this link opens is not here."))
            place = place._replace(opened=None)
        frame.notices([*wrong, *unavailable, *_unread(register, language)], language)
        put.html(
            _figures(counted, today, _count_reviewed(rows, reviewed), place, language) + _listed(register, language)
        )
        if today:
            put.html(_flips(today, place, language))
        day_by_day.draw(counted, place, language)
        put.html(f"<h2>{sentence(say('The register'), language)}</h2>")
        outcomes, checks = _values(register, "outcome"), _values(register, "failed_check")
        filters.draw(place, outcomes, checks, today is not None, language)
        _register(rows, found, place, row, today, reviewed, language)
        _take_away(rows, found, language)
    frame.script(language, PAGE, opened=":".join(map(str, place.opened or ())), rows=str(place.selection))


def _reviewed() -> tuple[Mapping[str, frozenset[str]], list[Sentence]]:
    """What was reviewed, by ticket; nothing, and why, where the database is down."""
    try:
        return opinions.reviews().reviewed(), []
    except ReviewsUnavailable as error:
        return {}, [error.why, say("Which decisions are reviewed is not known now. All else goes on.")]


def _count_reviewed(rows: pa.Table, reviewed: Mapping[str, frozenset[str]]) -> int:
    if not reviewed:
        return 0
    mask = selection.chosen(rows, selection.Selection(reviewed="yes"), reviewed)
    return pc.sum(mask).as_py() or 0


def _with_today(register: Register, today: DecidedAgain | None) -> pa.Table:
    rows = register.rows
    columns = today.columns if today else None
    for name in again.COLUMNS.names:
        rows = rows.append_column(name, columns[name] if columns else pa.nulls(rows.num_rows, pa.string()))
    return rows


def _values(register: Register, column: str) -> list[str]:
    """The values of a column to choose from, found once."""
    if f"values of {column}" not in register.kept:
        register.kept[f"values of {column}"] = filters.values_in(register.rows[column])
    return register.kept[f"values of {column}"]  # type: ignore[no-any-return]


def _found(
    register: Register,
    rows: pa.Table,
    place: Reviewed,
    counted: Counts,
    reviewed: Mapping[str, frozenset[str]],
    today: DecidedAgain | None,
) -> pa.Array:
    """The numbers of the rows that are asked for, in order."""
    order = register.ordered(place.sort)
    if not any(place.selection):
        return order
    diverging = today.diverging if today else set()
    mask = selection.chosen(rows, place.selection, reviewed, diverging, counted.codes)
    return order.filter(mask.take(order))


def _opened(rows: pa.Table, place: Reviewed) -> dict[str, Any] | None:
    if not place.opened:
        return None
    file, number = place.opened
    mask = pc.and_(pc.equal(rows["place"], number), pc.equal(rows["file"], file))
    found = rows.filter(mask).slice(0, 1).to_pylist()
    return found[0] if found else None


def _unread(register: Register, language: Language) -> list[Sentence]:
    if register.done >= 1:
        return []
    part = language.percent(register.done)
    return [say("Only {part} was read so far. All figures are of that part.", part=part)]


def _listed(register: Register, language: Language) -> str:
    """What could not be read, each with its place and the reason."""
    if not register.problems:
        return ""
    items = []
    for problem in register.problems[:MAX_LISTED]:
        where = say("{file}, line {line}:", file=problem.file, line=problem.line)
        if problem.line is None:
            where = say("{file}:", file=problem.file)
        items.append(f"<li><strong>{sentence(where, language)}</strong> {sentence(problem.why, language)}</li>")
    count_of = len(register.problems)
    words = say("Files and lines that could not be read and are left out: {count}", count=language.number(count_of))
    if count_of > MAX_LISTED:
        more = say("and {count} more", count=language.number(count_of - MAX_LISTED))
        items.append(f"<li>{sentence(more, language)}</li>")
    return (
        f'<div class="notice" role="status"><details><summary>{sentence(words, language)}</summary>'
        f'<ul class="places">{"".join(items)}</ul></details></div>'
    )


def _figures(
    counted: Counts,
    today: DecidedAgain | None,
    reviewed: int,
    place: Reviewed,
    language: Language,
) -> str:
    """What there is at a glance. Refusals, errors and divergences are three different things."""
    total = counted.total
    unknown = f'<span class="unknown">{sentence(say("not decided yet"), language)}</span>'
    figures: list[tuple[Sentence, int | None, Reviewed]] = [
        (say("Proposals"), total.proposals, place.only()),
        (say("Allowed"), total.ok, place.only(outcome=str(Kind.OK))),
        (say("Refusals"), total.refused, place.only(outcome=str(Kind.REFUSED))),
        (say("Errors of ours"), total.errors, place.only(outcome=str(Kind.ERROR))),
        (say("Other or not recorded"), total.other, place.only(outcome=str(Kind.OTHER))),
        (say("Undated"), counted.undated.proposals if counted.undated else 0, place.only(day=selection.UNDATED)),
        (say("Recordings that diverge"), len(today.divergences) if today else None, place.only(diverged=True)),
        (
            say("Decided differently today"),
            today.decisions.flipped if today else None,
            place.only(again=str(Again.FLIPPED)),
        ),
        (say("Reviewed"), reviewed, place.only(reviewed="yes")),
    ]
    items = ""
    for words, number, there in figures:
        value = unknown if number is None else language.number(number)
        if number:
            value = f'<a href="{shown(link(PAGE, there))}" data-here>{value}</a>'
        items += f"<div><dt>{sentence(words, language)}</dt><dd>{value}</dd></div>"
    names = ", ".join(path.name for path in paths())
    source = sentence(say("Read from: {names}. Times are in UTC.", names=names), language)
    return f'<dl class="figures at-a-glance">{items}</dl><p class="lead">{source}</p>'


def _flips(today: DecidedAgain, place: Reviewed, language: Language) -> str:
    """Whether today's code would decide the same: the tallies, and each reply and recording that it takes otherwise."""
    lines = [
        _tally(say("Decisions, decided again today"), today.decisions, place, language),
        _tally(say("Replies, judged again today"), today.replies_tally, None, language),
    ]
    items = []
    for reply in today.replies:
        if reply.again is Again.FLIPPED:
            words = say(
                "{ticket}: the reply was {then} and would be {now}.",
                ticket=reply.ticket,
                then=reply.then,
                now=reply.now,
            )
            items.append(f"<li>{sentence(words, language)}</li>")
    for one in today.divergences:
        words = say("{ticket}: a replay leaves the recording at {place}.", ticket=one.ticket, place=one.place)
        there = shown(link(PAGE, place.only(ticket=one.ticket)))
        items.append(f'<li><a href="{there}" data-here>{sentence(words, language)}</a></li>')
    more = ""
    if len(items) > MAX_LISTED:
        more = f"<li>{sentence(say('and {count} more', count=language.number(len(items) - MAX_LISTED)), language)}</li>"
    listed = f"<ul>{''.join(items[:MAX_LISTED])}{more}</ul>" if items else ""
    title = sentence(say("Would today's validator decide the same?"), language)
    return f'<h2>{title}</h2><div class="today">{"".join(lines)}{listed}</div>'


def _tally(words: Sentence, tally: Tally, place: Reviewed | None, language: Language) -> str:
    parts = []
    for one, said in filters.AGAIN.items():
        number = getattr(tally, Again(one).value)
        text = f"{language.number(number)} {language.tell(said)}"
        there = (
            f'<a href="{shown(link(PAGE, place.only(again=str(one))))}" data-here>{shown(text)}</a>' if place else ""
        )
        parts.append(there if there and number else shown(text))
    total = sentence(say("{count} in all", count=language.number(tally.total)), language)
    return f"<p>{sentence(words, language)}: {' + '.join(parts)} = {total}</p>"


def _register(
    rows: pa.Table,
    found: pa.Array,
    place: Reviewed,
    row: dict[str, Any] | None,
    today: DecidedAgain | None,
    reviewed: Mapping[str, frozenset[str]],
    language: Language,
) -> None:
    start = (place.page - 1) * rows_shown.A_PAGE
    shown_now = rows.take(found.slice(start, rows_shown.A_PAGE)).to_pylist()
    for one in shown_now:
        one["is_reviewed"] = one["ticket"] in reviewed and selection.key_of(one) in reviewed[one["ticket"]]
    paging = rows_shown.paging(len(found), place, language)
    table = filters.chips(place, language) + paging + rows_shown.table(shown_now, place, language)
    if row is None:
        put.html(table)
        return
    left, right = st.columns([5, 6], gap="medium")
    with left:
        put.html(table)
    with right, st.container(key="opened-decision"):
        diverges = next((one.place for one in today.divergences if one.file == row["file"]), None) if today else None
        order_id = _order_id(row)
        marks = {order_id: len(order_id)} if order_id else {}
        step = _step(row)
        put.html(opened.draw(row, OrderBook(orders_file()), marks, step, diverges, place, language))
        opinions.draw(row, language)


def _order_id(row: Mapping[str, Any]) -> str:
    return asked_for(Proposed(1, 1, 1, "", False, row["tool"], row["arguments"])) or ""


def _step(row: Mapping[str, Any]) -> int | None:
    """The step at which the page that steps through the loop shows this decision, where it has the recording."""
    file = recordings_folder() / str(row["file"])
    if row["digest"] is None or not file.is_file() or recordings_folder() not in paths():
        return None
    recordings, _ = run.recordings()
    recording = next((one for one in recordings if one.file == row["file"]), None)
    if recording is None or recording.digest != row["digest"]:
        return None
    steps = [n for n, event in enumerate(run.replay(recording).events, start=1) if isinstance(event, Decided)]
    return steps[row["place"] - 1] if row["place"] <= len(steps) else 0


def _take_away(rows: pa.Table, found: pa.Array, language: Language) -> None:
    """The rows that are chosen, to take away. The file is made when somebody asks for it."""
    with st.container(key="take-away", horizontal=True):
        for words, ending, mime, make in (
            (say("Take these away as CSV"), "csv", "text/csv", export.csv_of),
            (say("Take these away as JSON Lines"), "jsonl", "application/x-ndjson", export.json_lines_of),
        ):

            def data(make: Any = make) -> bytes:
                return make(_rows(rows, found), _reviews_of())  # type: ignore[no-any-return]

            st.download_button(
                label(words, language), data, f"decisions.{ending}", mime, key=f"take {ending}", on_click="ignore"
            )


def _rows(rows: pa.Table, found: pa.Array, at_a_time: int = 10_000) -> Iterator[dict[str, Any]]:
    for start in range(0, len(found), at_a_time):
        yield from rows.take(found.slice(start, at_a_time)).to_pylist()


def _reviews_of() -> export.ReviewsOf:
    """The reviews of each key, read once; None of each where the database is down."""
    by_key: dict[str, list[dict[str, Any]]] = {}
    try:
        reviews = opinions.reviews().all()
    except ReviewsUnavailable:
        return lambda _: None
    for review in reviews:
        by_key.setdefault(review.subject.key, []).append(
            {
                "reviewed_at": review.at,
                "opinion": str(review.opinion),
                "note": review.note,
                "name": review.name,
                "validator": review.subject.validator,
                "outcome": review.subject.outcome,
                "erased_at": review.erased_at,
            }
        )
    return lambda key: by_key.get(key, ())
