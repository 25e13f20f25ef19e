"""Owns what is known of a decision that was taken in the past, as a ladder: no more than the record tells.

A record names the check that failed. That those before it had passed, and none after it was run, follows from the
order of the checks, so it is told only where today's table still has that check.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.counts import Kind, kind_of
from assistant.decision import CheckResult, Decision, State

WITHHELD = "…"  # in place of an order, whosever it is


def ladder_then(row: Mapping[str, Any], checks: Sequence[CheckResult]) -> tuple[CheckResult, ...]:
    """The checks as they must have gone, by today's `checks`; empty where the record does not tell."""
    names = [check.name for check in checks]
    kind, _ = kind_of(row["outcome"])
    if kind is Kind.OK:
        return tuple(_in_state(check, State.PASSED) for check in checks)
    if kind is Kind.OTHER or row["failed_check"] not in names:
        return ()
    at = names.index(row["failed_check"])
    stopped = State.UNANSWERED if kind is Kind.ERROR else State.FAILED
    return tuple(
        _in_state(check, State.PASSED if number < at else stopped if number == at else State.NOT_RUN)
        for number, check in enumerate(checks)
    )


def _in_state(check: CheckResult, state: State) -> CheckResult:
    return CheckResult(check.name, check.group, check.question, state)


def without_order(decision: Decision) -> Decision:
    """The decision, with all that the model would be given in place of a refusal withheld: a reviewer sees that an
    order was somebody's, never what is in it."""
    result = decision.result
    kept = {
        key: value for key, value in result.items() if key in ("ok", "error") and not isinstance(value, dict | list)
    }
    withheld = {key: WITHHELD for key in result if key not in kept}
    return replace(decision, result={**kept, **withheld})
