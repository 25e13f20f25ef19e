"""Owns drawing loops side by side: a table to take in at a glance, and the same ladder once a loop."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple

from assistant.decision import CheckResult, Group, State
from assistant.events import Concluded, Decided, Proposed, Replied
from assistant.response import as_dict
from assistant.sentence import Sentence, say
from assistant.strict_json import NotJson, read_json

from .address import Place, Setting
from .decided import decision_shown
from .ladder import GROUPS
from .language import Language
from .markup import block, sentence, shown
from .run import Run, caption
from .site import link
from .so_far import order_ids
from .view import View, raw, reply_text


class Line(NamedTuple):
    """One line of the table: its heading, the kind of event that it is from, and what it says of one, as HTML."""

    heading: Sentence
    kind: type
    says: Callable[[Any, Language], str]


def table(runs: Sequence[Run], setting: Setting, language: Language) -> str:
    """The loops as columns. A cell leads to the step that it is from."""
    heads = "".join(
        f'<th scope="col"><span class="data">{shown(run.recording.ticket.id)}</span>'
        f"{_about(run.recording.ticket.id, language)}</th>"
        for run in runs
    )
    body = "".join(
        f'<tr><th scope="row">{sentence(line.heading, language)}</th>'
        + "".join(f"<td>{_cell(line, run, setting, language)}</td>" for run in runs)
        + "</tr>"
        for line in LINES
    )
    name = escape(language.tell(say("The loops at a glance")))
    return (
        f'<div class="matrix glance" tabindex="0" role="region" aria-label="{name}"><table><thead><tr><td></td>{heads}'
        f"</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _about(ticket_id: str, language: Language) -> str:
    about = caption(ticket_id)
    return f"<br>{sentence(about, language)}" if about else ""


def _cell(line: Line, run: Run, setting: Setting, language: Language) -> str:
    """What the first such event says. A loop may have ended before there was one."""
    for step, event in enumerate(run.events, start=1):
        if isinstance(event, line.kind):
            there = escape(link("", Place(run.recording.ticket.id, step, setting)))
            return f'<a href="{there}" data-here>{line.says(event, language)}</a>'
    return f'<span class="unknown">{language.tell(say("not reached"))}</span>'


def _group(group: Group) -> Callable[[Decided, Language], str]:
    """What the checks of a group answer to its question."""

    def says(event: Decided, language: Language) -> str:
        states = {check.state for check in event.decision.checks if check.group is group}
        if not states:
            icon, words = "?", say("this tools.py does not tell")
        elif states == {State.PASSED}:
            icon, words = "✓", say("yes")
        elif states == {State.NOT_RUN}:
            icon, words = "–", say("not asked")
        else:
            icon, words = "✗", say("no")
        kind = {"✓": "passed", "✗": "failed"}.get(icon, "not-run")
        return f'<span class="state {kind}"><span aria-hidden="true">{icon}</span>{language.tell(words)}</span>'

    return says


def _proposed(event: Proposed, language: Language) -> str:  # noqa: ARG001
    return f'<span class="data">{shown(raw(event.name))}({shown(raw(event.arguments))})</span>'


def _outcome(event: Decided, language: Language) -> str:  # noqa: ARG001
    return f'<span class="data">{shown(event.decision.outcome)}</span>'


def _read(event: Decided, language: Language) -> str:
    message = event.decision.message
    return f'<span lang="en">{shown(str(message))}</span>' if message else language.tell(say("the order"))


def _replied(event: Replied, language: Language) -> str:
    """The order that the reply names, and its status."""
    try:
        reply = as_dict(read_json(str(event.reply.content)))
    except NotJson:
        reply = {}
    order = as_dict(reply.get("order"))
    if not order:
        return language.tell(say("names no order"))
    stated = say("{order_id}, status {status}", order_id=raw(order.get("order_id")), status=raw(order.get("status")))
    return sentence(stated, language)


def _verdict(event: Concluded, language: Language) -> str:  # noqa: ARG001
    return f'<span class="data">{shown(str(event.verdict))}</span>'


LINES: tuple[Line, ...] = (
    Line(say("The model asks for"), Proposed, _proposed),
    *(Line(words, Decided, _group(group)) for group, words in GROUPS.items()),
    Line(say("The log reads"), Decided, _outcome),
    Line(say("The model reads"), Decided, _read),
    Line(say("The reply says"), Replied, _replied),
    Line(say("Verdict"), Concluded, _verdict),
)


def ladders(runs: Sequence[Run], language: Language) -> str:
    """One column a loop: its ladder, its reply and its verdict. Where the ladders first differ is marked in each."""
    differs_at = first_difference([_first(run, Decided).decision.checks for run in runs if _first(run, Decided)])
    columns = "".join(_column(run, differs_at, language) for run in runs)
    return f'<div class="columns" data-count="{len(runs)}">{columns}</div>'


def first_difference(ladders: Sequence[Sequence[CheckResult]]) -> str | None:
    """The name of the first check that is not in the same state in all ladders, or None."""
    for rungs in zip(*ladders, strict=False):
        if len({rung.state for rung in rungs}) > 1:
            return str(rungs[0].name)
    return None


def _column(run: Run, differs_at: str | None, language: Language) -> str:
    recording = run.recording
    view = View(language, recording, order_ids(run.events, recording.ticket.text))
    parts = [f'<h2 class="data">{shown(recording.ticket.id)}</h2>']
    if decided := _first(run, Decided):
        parts.append(decision_shown(decided.decision, view, differs_at=differs_at))
    if replied := _first(run, Replied):
        content = replied.reply.content
        place = f"/calls/{replied.call_number - 1}/response/choices/0/message/content"
        text, own = reply_text(content, place, view) if isinstance(content, str) else (shown(raw(content)), None)
        parts.append(f"<h3>{view.says(say('The reply'))}</h3>{block(text, language, say('The reply'), own)}")
    if concluded := _first(run, Concluded):
        verdict = concluded.verdict
        title = view.says(say("Two barriers: {verdict}", verdict=verdict))
        rules = [rule for barrier in verdict.barriers for rule in barrier.rules if rule.code in verdict.broken]
        why = "".join(f'<p class="note">{view.says(rule.evidence)}</p>' for rule in rules if rule.evidence)
        parts.append(f"<h3>{title}</h3>{why}")
    return f'<section class="card column">{"".join(parts)}</section>'


def _first(run: Run, kind: type) -> Any:
    return next((event for event in run.events if isinstance(event, kind)), None)
