"""Owns the diagram of ordered questions: the five checks in their two groups, and the rules of the two barriers.

It draws what a decision or verdict tells of itself and knows no check, rule or code. Under what decided stands the
code that did.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from assistant.barriers import BarrierResult, RuleResult
from assistant.decision import STOPPING, CheckResult, Group, State
from assistant.sentence import Sentence, say

from .language import Language
from .markup import Marks, block, fold, sentence, shown
from .source_code import source_of

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


def ladder(
    checks: Sequence[CheckResult],
    language: Language,
    marks: Marks,
    differs_at: str | None = None,
    tells_book: bool = True,
) -> str:
    """The checks as a ladder: one list, a rail through both groups, ending at the check that stopped it. `differs_at`
    names the check at which it first differs from the ladders beside it. `tells_book` is False where nobody knows
    whether the order book was asked."""
    groups, deciding = [], decisive(checks)
    for group, members in groupby(checks, key=lambda check: check.group):
        rungs = list(members)
        asked = any(check.order_book_asked for check in rungs)
        book = say("The order book was asked.") if asked else say("The order book was not asked.")
        told = f"<p>{language.tell(book)}</p>" if tells_book else ""
        head = f"<h3>{language.tell(GROUPS[group])}</h3>{told}"
        members_shown = _rungs(rungs, deciding, language, marks, differs_at)
        groups.append(f'<li class="group"><div class="group-head">{head}</div>{members_shown}</li>')
    return f'<ol class="ladder">{"".join(groups)}</ol>'


def barrier_ladder(barriers: Iterable[BarrierResult], language: Language, marks: Marks) -> str:
    """The two barriers as a ladder of their rules."""
    barriers = list(barriers)
    groups, deciding = [], decisive([rule for barrier in barriers for rule in barrier.rules])
    for number, barrier in enumerate(barriers, start=1):
        name = language.tell(say("Barrier {number}: {name}", number=number, name=language.tell(barrier.name)))
        state = f"<p>{_state(barrier.state, language)}</p>"
        rungs = _rungs(barrier.rules, deciding, language, marks)
        groups.append(f'<li class="group"><div class="group-head"><h3>{name}</h3>{state}</div>{rungs}</li>')
    return f'<ol class="ladder">{"".join(groups)}</ol>'


def decisive(results: Sequence[CheckResult | RuleResult]) -> list[CheckResult | RuleResult]:
    """What decided: each no, or without one the last yes."""
    stopping = [result for result in results if result.state in STOPPING]
    return stopping or [result for result in results if result.state is State.PASSED][-1:]


def code_fold(function: Callable[..., object] | None, language: Language) -> str:
    """The code of a function as it is running, folded; nothing where it is not known."""
    source = source_of(function)
    if source is None:
        return ""
    words = say("The code that decided: {file}, line {line}", file=source.file, line=source.line)
    text = block(shown(source.text), language, say("The code that decided"), recorded_in="en")
    return fold(sentence(words, language), text)


def _rungs(
    results: Sequence[CheckResult | RuleResult],
    deciding: Sequence[CheckResult | RuleResult],
    language: Language,
    marks: Marks,
    differs_at: str | None = None,
) -> str:
    rungs = []
    for result in results:
        differs = isinstance(result, CheckResult) and result.name == differs_at
        note = f'<p class="first-difference">{language.tell(say("first difference"))}</p>' if differs else ""
        evidence = f'<p class="evidence">{sentence(result.evidence, language, marks)}</p>' if result.evidence else ""
        question = f'<p class="question">{sentence(result.question, language)}</p>'
        code = code_fold(result.function, language) if result in deciding else ""
        state = result.state.name.lower().replace("_", "-")
        said = f"<div>{note}{question}{evidence}{code}</div>"
        rungs.append(
            f'<li class="rung {state}{" differs" if differs else ""}">{_state(result.state, language)}{said}</li>'
        )
    return f'<ol class="rungs">{"".join(rungs)}</ol>'


def _state(state: State, language: Language) -> str:
    icon, word = STATES[state]
    kind = state.name.lower().replace("_", "-")
    return (
        f'<span class="state {kind}"><span class="icon" aria-hidden="true">{icon}</span> {language.tell(word)}</span>'
    )
