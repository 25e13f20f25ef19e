"""Owns the diagram of ordered questions: the five checks in their two groups, and the rules of the two barriers.

It draws what a decision or verdict tells of itself and knows no check, rule or code.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from assistant.barriers import BarrierResult, RuleResult
from assistant.decision import CheckResult, Group, State
from assistant.sentence import Sentence, say

from .language import Language
from .markup import Marks, sentence

STATES: dict[State, tuple[str, Sentence]] = {
    State.PASSED: ("✓", say("passed")),
    State.FAILED: ("✗", say("failed")),
    State.NOT_RUN: ("–", say("not run")),
    State.UNANSWERED: ("?", say("could not be answered")),
}
GROUPS: dict[Group, Sentence] = {
    Group.WELL_FORMED: say("Well formed?"),
    Group.ALLOWED: say("Allowed?"),
}


def ladder(checks: Sequence[CheckResult], language: Language, marks: Marks) -> str:
    """The checks as a ladder: one list, a rail through both groups, ending at the check that stopped it."""
    groups = []
    for group, members in groupby(checks, key=lambda check: check.group):
        rungs = list(members)
        asked = any(check.order_book_asked for check in rungs)
        book = say("The order book was asked.") if asked else say("The order book was not asked.")
        head = f"<h3>{language.tell(GROUPS[group])}</h3><p>{language.tell(book)}</p>"
        groups.append(f'<li class="group"><div class="group-head">{head}</div>{_rungs(rungs, language, marks)}</li>')
    return f'<ol class="ladder">{"".join(groups)}</ol>'


def barrier_ladder(barriers: Iterable[BarrierResult], language: Language, marks: Marks) -> str:
    """The two barriers as a ladder of their rules."""
    groups = []
    for number, barrier in enumerate(barriers, start=1):
        name = language.tell(say("Barrier {number}: {name}", number=number, name=language.tell(barrier.name)))
        state = f"<p>{_state(barrier.state, language)}</p>"
        rungs = _rungs(barrier.rules, language, marks)
        groups.append(f'<li class="group"><div class="group-head"><h3>{name}</h3>{state}</div>{rungs}</li>')
    return f'<ol class="ladder">{"".join(groups)}</ol>'


def _rungs(results: Sequence[CheckResult | RuleResult], language: Language, marks: Marks) -> str:
    rungs = []
    for result in results:
        evidence = f'<p class="evidence">{sentence(result.evidence, language, marks)}</p>' if result.evidence else ""
        question = f'<p class="question">{sentence(result.question, language)}</p>'
        state = result.state.name.lower().replace("_", "-")
        rungs.append(f'<li class="rung {state}">{_state(result.state, language)}<div>{question}{evidence}</div></li>')
    return f'<ol class="rungs">{"".join(rungs)}</ol>'


def _state(state: State, language: Language) -> str:
    icon, word = STATES[state]
    kind = state.name.lower().replace("_", "-")
    return (
        f'<span class="state {kind}"><span class="icon" aria-hidden="true">{icon}</span> {language.tell(word)}</span>'
    )
