"""Owns the nouns of a decision, and the runner that puts an ordered table of checks to one call.

It knows no tool and no order: the checks are given to it. A file of checks that a learner writes need not use it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from .sentence import Sentence


class State(StrEnum):
    """What became of one check or barrier."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not run"
    UNANSWERED = "could not be answered"


STOPPING = (State.FAILED, State.UNANSWERED)


class Group(StrEnum):
    """The two questions that the checks belong to."""

    WELL_FORMED = "well formed?"
    ALLOWED = "allowed?"


class Passed(NamedTuple):
    """A check's yes, with its evidence in one line."""

    evidence: Sentence


class Failed(NamedTuple):
    """A check's no: its evidence for people, and the exact words that the model gets."""

    evidence: Sentence
    message: Sentence


class Unanswerable(Exception):
    """What a check asked could not answer. `code` is for the log, `message` for the model, `why` for people."""

    code: str
    message: Sentence

    def __init__(self, why: Sentence) -> None:
        super().__init__(str(why))
        self.why = why


class Call(Protocol):
    """What the runner has to know of a call: how often it has asked the order book so far."""

    @property
    def times_asked(self) -> int: ...


class ToolAnswer(tuple[dict[str, Any], str]):
    """What a `run_tool` returns, (result for the model, outcome for the log), with the decision that both are from."""

    decision: "Decision"

    def __new__(cls, decision: "Decision") -> "ToolAnswer":
        answer = super().__new__(cls, (decision.result, decision.outcome))
        answer.decision = decision
        return answer


CallT = TypeVar("CallT", bound=Call)


class Check(NamedTuple, Generic[CallT]):
    """One question to a proposal: its name and refusal code, its words for people, and the function that asks."""

    name: str
    code: str
    group: Group
    question: Sentence
    ask: Callable[[CallT], Passed | Failed]


@dataclass(frozen=True)
class CheckResult:
    """One check's part in a decision. `order_book_asked` is what happened, not what the table promises, and
    `function` is the one that was, or would have been, asked."""

    name: str
    group: Group
    question: Sentence
    state: State
    evidence: Sentence | None = None
    order_book_asked: bool = False
    function: Callable[..., object] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Decision:
    """What the application decided on one proposal.

    `outcome` is for the log (`ok`, `refused: CODE`, `error: CODE`), `result` for the model. `message` is the
    result's text where the decision is a no. `checks` is empty when the code that decided does not tell its checks.
    """

    outcome: str
    result: dict[str, Any]
    checks: tuple[CheckResult, ...] = ()
    message: Sentence | None = None

    @property
    def failed_check(self) -> str | None:
        """The name of the check that said no or could not be answered, or None."""
        return next((check.name for check in self.checks if check.state in STOPPING), None)

    @property
    def order_book_asked(self) -> bool:
        """Whether any check asked the order book."""
        return any(check.order_book_asked for check in self.checks)


def run_checks(checks: Iterable[Check[CallT]], call: CallT, look_up: Callable[[CallT], dict[str, Any]]) -> Decision:
    """Put the checks to the call in order; the first no stops the rest. Only after the last yes, look up."""
    results: list[CheckResult] = []
    stop: tuple[str, Sentence] | None = None
    for check in checks:
        if stop:
            results.append(_result(check, State.NOT_RUN))
            continue
        asked_before = call.times_asked
        evidence: Sentence
        try:
            answer = check.ask(call)
        except Unanswerable as unanswerable:
            state, evidence = State.UNANSWERED, unanswerable.why
            stop = (f"error: {unanswerable.code}", unanswerable.message)
        else:
            state, evidence = (State.PASSED if isinstance(answer, Passed) else State.FAILED), answer.evidence
            if isinstance(answer, Failed):
                stop = (f"refused: {check.code}", answer.message)
        asked = call.times_asked > asked_before
        results.append(_result(check, state, evidence, asked))
    if stop is None:
        try:
            return Decision("ok", look_up(call), tuple(results))
        except Unanswerable as unanswerable:
            stop = (f"error: {unanswerable.code}", unanswerable.message)
    outcome, message = stop
    return Decision(outcome, {"ok": False, "error": str(message)}, tuple(results), message)


def _result(
    check: Check[Any], state: State, evidence: Sentence | None = None, order_book_asked: bool = False
) -> CheckResult:
    return CheckResult(check.name, check.group, check.question, state, evidence, order_book_asked, check.ask)
