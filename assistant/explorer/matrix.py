"""Owns drawing what becomes of the cases when something is switched off: the matrix, and one of its rows in full."""

from collections.abc import Callable, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from assistant.orders import OrderBook
from assistant.sentence import Sentence, say

from . import without
from .cards import diverged
from .cases import SOURCES, ProposalCase, ReplyCase
from .decided import decision_shown, read, verdict_shown
from .language import Language
from .markup import Article, article, block, fold, sentence, shown
from .view import View, raw, written_by
from .without import Cell, Fate, Row

# A mark, and a word where the mark alone would not tell.
CELLS: dict[Cell, tuple[str, Sentence, bool]] = {
    Cell.PASSED: ("✓", say("passed"), False),
    Cell.STOPPED: ("✗", say("stops it"), True),
    Cell.LATER: ("✗", say("stops it later"), True),
    Cell.OFF: ("○", say("switched off"), False),
    Cell.MISSED: ("○", say("missed"), True),
    Cell.NOT_RUN: ("–", say("not run"), False),
    Cell.CRASHED: ("!", say("crashes"), True),
}
FATES: dict[Fate, Sentence] = {
    Fate.SAME: say("as with all of them"),
    Fate.LATER: say("stopped by a later one"),
    Fate.THROUGH: say("got through"),
    Fate.LEAK: say("got through: another's order"),
    Fate.EMPTY: say("got through: an empty lookup"),
    Fate.CRASH: say("the code crashes"),
}


class Shown(NamedTuple):
    """What of a matrix is switched off and open, the address at which a case is, or nothing if none, and what tells its
    cases from another matrix's."""

    off: Sequence[str]
    open_case: str
    link: Callable[[str], str]
    prefix: str = ""


def matrix(rows: Sequence[Row], name: Sentence, shown_now: Shown, book: OrderBook, language: Language) -> str:
    """The cases as rows, the checks or rules as columns; the open case stands in full below its row."""
    names = list(rows[0].cells) if rows else []
    heads = "".join(
        f'<th scope="col"{" class=off" if one in shown_now.off else ""}>{_numbered(number, one)}</th>'
        for number, one in enumerate(names, start=1 - (without.SCHEMA in names))
    )
    body = ""
    for source, members in groupby(rows, key=lambda row: row.case.source):
        title = sentence(SOURCES[source], language)
        body += f'<tr class="source-row"><th colspan="{len(names) + 2}" scope="rowgroup">{title}</th></tr>'
        for row in members:
            body += _row(row, shown_now, language)
            if row.case.name == shown_now.open_case:
                full = in_full(row, shown_now.off, View(language, row.case.recording, {}), book)
                body += f'<tr class="full-row"><td colspan="{len(names) + 2}">{full}</td></tr>'
    case, outcome = language.tell(say("Case")), language.tell(say("What comes of it"))
    return (
        f'<div class="matrix" tabindex="0" role="region" aria-label="{escape(language.tell(name))}"><table><thead><tr>'
        f'<th scope="col">{case}</th>{heads}<th scope="col">{outcome}</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _numbered(number: int, name: str) -> str:
    """A column's name with the number that its switch has. The schema's rules have none."""
    words = escape(name).replace("_", "_<wbr>")
    return f"{number}&nbsp;{words}" if number else words


def _row(row: Row, shown_now: Shown, language: Language) -> str:
    is_open, link, prefix = row.case.name == shown_now.open_case, shown_now.link, shown_now.prefix
    case = row.case
    name = f'<span class="data">{shown(case.name)}</span> ' if case.recording else ""
    there = escape(link("" if is_open else case.name))
    expanded = "true" if is_open else "false"
    anchor = (
        f'<a href="{there}" data-here data-key="case-{escape(prefix + case.name)}" aria-expanded="{expanded}">'
        f"{name}{sentence(case.title, language)}</a>"
    )
    cells = "".join(f'<td class="{_kind(cell)}">{_cell(cell, language)}</td>' for cell in row.cells.values())
    fate = "" if row.fate is Fate.SAME else f'<br><strong class="fate">{sentence(FATES[row.fate], language)}</strong>'
    outcome = f'<td class="outcome {row.fate}"><span class="data">{shown(row.outcome)}</span>{fate}</td>'
    return f'<tr{" class=chosen" if is_open else ""}><th scope="row">{anchor}</th>{cells}{outcome}</tr>'


def _cell(cell: Cell, language: Language) -> str:
    icon, words, is_told = CELLS[cell]
    kind = "" if is_told else ' class="hidden-word"'
    return f'<span aria-hidden="true">{icon}</span> <span{kind}>{language.tell(words)}</span>'


def _kind(cell: Cell) -> str:
    return cell.name.lower().replace("_", "-")


def in_full(row: Row, off: Sequence[str], view: View, book: OrderBook) -> str:
    """One case in full: what was asked, what the shortened table made of it, and what would follow."""
    case = row.case
    parts = [written_by(case.ticket, view)]
    if isinstance(case, ProposalCase):
        call = f"{shown(case.tool)}({shown(case.arguments, view.marks)})"
        parts.append(block(call, view.language, say("The proposal")))
    else:
        parts.append(block(shown(raw(case.reply.content), view.marks), view.language, say("The reply")))
    if off:
        parts.append(f'<p class="note">{view.says(say("Switched off: {names}", names=", ".join(off)))}</p>')
    parts.append(_result(row, view))
    parts.append(_consequences(row, off, view, book))
    title = say("{first}: {second}", first=view.language.tell(case.title), second=view.language.tell(FATES[row.fate]))
    who = sentence(SOURCES[case.source], view.language)
    head = Article("application current", who, shown(view.language.tell(title)), "in-full")
    return article(head, "".join(parts))


def _result(row: Row, view: View) -> str:
    if row.crash:
        said = view.says(say("The code crashes: {name}: {why}", name=row.crash.name, why=row.crash.why[:300]))
        where = say("It happened in the look-up, after the last check that is left.")
        if row.crash.check:
            where = say(
                "It happened in the check {check}, which relies on one that is switched off.", check=row.crash.check
            )
        return f'<p class="crash"><strong>{said}</strong></p><p class="note">{view.says(where)}</p>'
    if row.verdict:
        return verdict_shown(row.verdict, view)
    assert row.decision is not None
    legend = ""
    if row.fate is Fate.LEAK:
        said = view.says(say("Underlined twice: another's order, which the model now knows and may tell."))
        legend = f'<p class="note"><span class="leaked">{said}</span></p>'
    if not row.decision.checks:
        none = view.says(say("No check is left: whatever the model asks for is looked up."))
        return f"<p>{none}</p>{read(row.decision, view, without.leaked(row))}{legend}"
    return decision_shown(row.decision, view, without.leaked(row)) + legend


def _consequences(row: Row, off: Sequence[str], view: View, book: OrderBook) -> str:
    parts = []
    told = without.telling(off, row)
    if told:
        reply, verdict = told
        said = say("A later barrier? A reply that states this order would be {verdict}.", verdict=verdict)
        text = block(shown(raw(reply.content), view.marks), view.language, say("Such a reply, made up here"))
        parts.append(
            f"<h3>{view.says(said)}</h3><p class='note'>{view.says(say('Such a reply, made up here:'))}</p>{text}"
            f"{fold(view.says(say('How the barriers judge it')), verdict_shown(verdict, view))}"
        )
    if row.fate is Fate.THROUGH and isinstance(row.case, ReplyCase):
        parts.append(
            f"<p>{view.says(say('No code follows. Only the agent who reads it before it is sent is left.'))}</p>"
        )
    if (place := without.divergence(row, book)) is not None:
        parts.append(
            f"<h3>{view.says(say('The recorded loop would leave its recording here'))}</h3>{diverged(place, view)}"
        )
    return "".join(parts)
