"""Owns showing one decision of the register in full: what was proposed, what was decided then and what would be now."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from assistant.again import WHY, Again, Compared, decider, decision_now
from assistant.counts import Kind, kind_of
from assistant.decision import CheckResult, Decision
from assistant.orders import OrderBook
from assistant.sentence import Sentence, say
from assistant.strict_json import NotJson

from .address import Place
from .decided import decision_shown, read
from .failure import failure_of
from .ladder import ladder
from .language import Language
from .markup import Article, article, block, sentence, shown
from .notices import failure
from .reviewed_place import MAX_TEXT, Reviewed
from .rows_shown import name_of_row, said_when
from .site import link
from .then import ladder_then, without_order
from .view import View, fact_list


def draw(
    row: Mapping[str, Any],
    book: OrderBook,
    marks: Mapping[str, int],
    step: int | None,
    divergence: str | None,
    place: Reviewed,
    language: Language,
) -> str:
    """The decision as a card. `step` is the one at which the page that steps through this loop shows it, if one does,
    and `divergence` the place at which a replay leaves its recording."""
    view = View(language, None, marks)
    compared = decider(book)(dict(row))
    now: Decision | None = None
    crash = ""
    try:
        now = without_order(decision_now(dict(row), book))
    except NotJson:
        pass
    except (Exception, SystemExit) as error:
        crash = failure(failure_of(error), language)
    call = f"{shown(row['tool'] or '', marks)}({shown(row['arguments'] or '', marks)})"
    parts = [
        _facts(row, view),
        block(call, language, say("The proposal")),
        crash,
        _decided(row, compared, now, view),
        _leads(row, step, divergence, place, view),
    ]
    ticket = shown(row["ticket"] or language.tell(say("not recorded")))
    outcome = shown(row["outcome"] or language.tell(say("not recorded")))
    close = link("review", place._replace(opened=None))
    key = escape(name_of_row(row))  # the row's link gets the focus, once this one is gone
    shut = f'<a class="close" href="{escape(close)}" data-here data-key="{key}">{sentence(say("Close"), language)}</a>'
    title = f'<span data-announce><span class="data">{ticket}</span> {outcome}</span>'
    return article(Article("application current", shut, title, "opened"), "".join(parts))


def _facts(row: Mapping[str, Any], view: View) -> str:
    verdict = " · ".join(filter(None, (row["verdict"], row["broken"])))
    where = say("{file}, line {place}", file=row["file"], place=row["place"])
    if row["digest"] is not None:
        where = say("{file}, decision {place}", file=row["file"], place=row["place"])
    facts = (
        (say("When"), shown(said_when(row, view.language))),
        (say("Customer"), _or_none(row["customer"])),
        (say("Verdict on the reply"), _or_none(verdict)),
        (say("From"), view.says(where)),
    )
    listed = fact_list(facts, view)
    if row["reconstructed"]:
        names = row["reconstructed"].replace(",", ", ")
        listed += f'<p class="note">{view.says(say("Reconstructed, not recorded: {names}", names=names))}</p>'
    return listed


def _or_none(text: str | None) -> str | None:
    return f'<span class="data">{shown(text)}</span>' if text else None


def _decided(row: Mapping[str, Any], compared: Compared, now: Decision | None, view: View) -> str:
    """One ladder where nothing changed; then and now side by side where it did, or where it cannot be told."""
    says = view.says
    if compared.again is Again.UNCHANGED and now:
        said = say("Today's code decides the same. This is how:")
        return f"<p class='again'>{says(said)}</p>{decision_shown(now, view)}"
    if compared.again is Again.FLIPPED:
        head = say("Today's code decides differently.")
        icon = '<span aria-hidden="true">⇄</span> '
    else:
        head, icon = say("This cannot be compared. {why}", why=view.language.tell(WHY[compared.why or "lost"])), ""
    then = _then(row, now, view)
    differs = _first_difference(ladder_then(row, now.checks), now) if now else None
    today = (
        decision_shown(now, view, differs_at=differs)
        if now
        else f"<p class='note'>{says(say('Nothing can be said.'))}</p>"
    )
    return (
        f"<p class='again flipped'>{icon}{says(head)}</p><div class='then-and-now'>"
        f"<section><h3>{says(say('Then'))}</h3>{then}</section><section><h3>{says(say('Today'))}</h3>{today}</section>"
        "</div>"
    )


def _first_difference(then: Sequence[CheckResult], now: Decision | None) -> str | None:
    """The check at which the two ladders part."""
    pairs = zip(then, now.checks if now else (), strict=False)
    return next((before.name for before, after in pairs if before.state is not after.state), None)


def _then(row: Mapping[str, Any], now: Decision | None, view: View) -> str:
    """What the record tells of the decision."""
    checks = ladder_then(row, now.checks if now else ())
    kind, _ = kind_of(row["outcome"])
    if kind is Kind.OK:
        result: dict[str, Any] = {"ok": True, "order": "…"}
    else:
        result = {"ok": False, "error": row["told"]} if row["told"] is not None else {}
    said: Sentence = say("The record names the check that failed; what each check saw was not kept.")
    if kind is Kind.OK:
        said = say("The record says that no check failed; what each of them saw was not kept.")
    elif not checks and row["failed_check"]:
        said = say("It failed at {check}, which is none of today's checks.", check=row["failed_check"])
    elif not checks:
        said = say("The record names no check.")
    decision = Decision(row["outcome"] or view.language.tell(say("not recorded")), result)
    drawn = (
        ladder(checks, view.language, view.marks, _first_difference(checks, now), tells_book=False) if checks else ""
    )
    return f'{drawn}<p class="note">{view.says(said)}</p>{read(decision, view)}'


def _leads(row: Mapping[str, Any], step: int | None, divergence: str | None, place: Reviewed, view: View) -> str:
    """To the loop itself, and to other rows like this one."""
    anchors = []
    if divergence is not None:
        said = say("A replay of this recording leaves it at {place}.", place=divergence)
        anchors.append(f'<li class="diverges"><span aria-hidden="true">⚠</span> {view.says(said)}</li>')
    if step is not None:
        there = link("", Place(row["ticket"], step, place.setting))
        anchors.append(_lead(there, say("Step through this loop"), view))
    elif row["digest"] is None:
        anchors.append(f"<li>{view.says(say('A log holds no loop to step through.'))}</li>")
    if row["ticket"] and len(row["ticket"]) <= MAX_TEXT:
        anchors.append(
            _lead(link("review", place.only(ticket=row["ticket"])), say("All decisions of this ticket"), view)
        )
    if row["customer"] and len(row["customer"]) <= MAX_TEXT:
        there = link("review", place.only(customer=row["customer"]))
        anchors.append(_lead(there, say("All decisions for this customer"), view))
    if row["day"]:
        there = link("review", place.only(day=row["day"].isoformat()))
        anchors.append(_lead(there, say("All decisions of this day"), view))
    return f'<ul class="leads">{"".join(anchors)}</ul>'


def _lead(there: str, words: Sentence, view: View) -> str:
    return f'<li><a href="{escape(there)}" data-here>{view.says(words)}</a></li>'
