"""Owns showing what was decided: the ladder, the code that decided, and what the model and the log read."""

from collections.abc import Callable

from assistant.barriers import Verdict
from assistant.decision import Decision
from assistant.sentence import say

from .fresh import load
from .ladder import barrier_ladder, code_fold, ladder
from .markup import block, shown
from .view import MESSAGES, View


def decision_shown(
    decision: Decision,
    view: View,
    kind: Callable[[str], str] = lambda _place: "",
    differs_at: str | None = None,
) -> str:
    """A decision, step by step as far as the code tells it. `kind` sets off places of the result, `differs_at` the
    check at which it first differs from those beside it."""
    if decision.checks:
        checks = ladder(decision.checks, view.language, view.marks, differs_at)
    else:
        said = view.says(say("This tools.py does not list its checks, only their outcome."))
        checks = f'<p class="note">{said}</p>{code_fold(load("assistant.tools").run_tool, view.language)}'
    return f"{checks}{read(decision, view, kind)}"


def read(decision: Decision, view: View, kind: Callable[[str], str] = lambda _place: "") -> str:
    """What the model reads and what the log reads, side by side."""
    log = block(shown(decision.outcome), view.language, say("The outcome for the log"))
    reads = f"<div><h3>{view.says(say('The model reads'))}</h3>{model_reads(decision, view, kind)}</div>"
    logs = f"<div><h3>{view.says(say('The log reads'))}</h3>{log}</div>"
    return f'<div class="cells">{reads}{logs}</div>'


def verdict_shown(verdict: Verdict, view: View) -> str:
    """A verdict: the rules of both barriers."""
    return barrier_ladder(verdict.barriers, view.language, view.marks)


def model_reads(
    decision: Decision, view: View, kind: Callable[[str], str] = lambda _place: "", is_whole: bool = False
) -> str:
    """What the model reads: the result as JSON, and in other languages than the message's its meaning beside it. On a
    projector an order is left to the card that shows it whole."""
    shown_now = decision.result
    if view.brief and not is_whole and "order" in shown_now:
        shown_now = {**shown_now, "order": "…"}
    text = view.json(shown_now, kind)
    result = block(text, view.language, say("The result for the model"), MESSAGES)
    if decision.message is None or view.language.code == MESSAGES:
        return result
    return f'{result}<p class="note">{view.says(say("It means:"))} {view.says(decision.message)}</p>'
