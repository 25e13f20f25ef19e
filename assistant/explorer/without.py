"""Owns what happens when checks or business rules are switched off: the same runners, over the same tables less these.

It runs over the sample orders only. Nothing of it can reach the loop, which is given no table.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from assistant.barriers import BUSINESS_RULES, SCHEMA_RULES, Reply, Rule, Verdict, run_barriers
from assistant.decision import Check, Decision, Failed, State, run_checks
from assistant.events import Concluded, Decided, Diverged, Event, ModelCalled, Proposed
from assistant.loop import run_loop, status_looked_up
from assistant.orders import OrderBook
from assistant.replay import RecordedModel
from assistant.response import as_dict
from assistant.sentence import say

from .cases import ProposalCase, ReplyCase, reply_with
from .fresh import load

SCHEMA = "schema"


class Cell(StrEnum):
    """What a check or rule was to one case."""

    PASSED = "passed"
    STOPPED = "stopped"
    LATER = "stopped later"
    OFF = "off"
    MISSED = "missed"
    NOT_RUN = "not run"
    CRASHED = "crashed"


class Fate(StrEnum):
    """What became of a case, compared with the whole table."""

    SAME = "same"
    LATER = "later"
    THROUGH = "through"
    LEAK = "leak"
    EMPTY = "empty"
    CRASH = "crash"


class Crash(NamedTuple):
    """An exception that no check was there to prevent: its name, its text, and the check that it came from, if any."""

    name: str
    why: str
    check: str | None


@dataclass(frozen=True)
class Row:
    """One case of the matrix: a cell for each check or rule by its name, and what came of it.

    `decision` or `verdict` is what the shortened table gave, `full` what the whole one gives, both in one line.
    """

    case: ProposalCase | ReplyCase
    cells: dict[str, Cell]
    fate: Fate
    full: str
    decision: Decision | None = None
    verdict: Verdict | None = None
    crash: Crash | None = None

    @property
    def outcome(self) -> str:
        """What came of it, in one line as a log would have it."""
        if self.crash:
            return f"crash: {self.crash.name}"
        return str(self.verdict) if self.verdict else self.decision.outcome if self.decision else ""


def checks() -> tuple[Check[Any], ...]:
    """The checks of the running tools.py, or none if it does not list them for a runner."""
    tools = load("assistant.tools")
    listed = getattr(tools, "CHECKS", ())
    return tuple(listed) if hasattr(tools, "ToolCall") else ()


def run_proposal(off: Collection[str], case: ProposalCase, book: OrderBook) -> Decision | Crash:
    """Decide on a proposal without the checks that are switched off. Without any, it is what `run_tool` decides."""
    left = [check for check in checks() if check.name not in off]
    try:
        return _run(left, case, book)
    except Exception as error:  # what a check was there to prevent
        return Crash(type(error).__name__, str(error), _crashed(left, case, book))


def _run(table: Sequence[Check[Any]], case: ProposalCase, book: OrderBook) -> Decision:
    call_type = load("assistant.tools").ToolCall
    return run_checks(table, call_type(case.tool, case.arguments, case.ticket.customer_id, book), call_type.look_up)


def run_reply(off: Collection[str], case: ReplyCase) -> Verdict:
    """Judge a reply without the business rules that are switched off."""
    return run_barriers(SCHEMA_RULES, _rules(off), case.reply, case.ticket, case.looked_up)


def proposal_row(off: Collection[str], case: ProposalCase, book: OrderBook) -> Row:
    """What becomes of a proposal, check by check."""
    full, ran = run_proposal((), case, book), run_proposal(off, case, book)
    before = full.failed_check if isinstance(full, Decision) else full.check
    whole = full.outcome if isinstance(full, Decision) else f"crash: {full.name}"
    if isinstance(ran, Crash):
        cells = _cells_of_crash(off, ran, before)
        return Row(case, cells, Fate.SAME if ran == full else Fate.CRASH, whole, crash=ran)
    states = {check.name: check.state for check in ran.checks}
    cells = {check.name: _cell(check.name, states.get(check.name), before) for check in checks()}
    return Row(case, cells, _fate(ran, full, case, book), whole, decision=ran)


def reply_row(off: Collection[str], case: ReplyCase) -> Row:
    """What becomes of a reply, rule by rule; the schema's rules are always on."""
    full, ran = run_reply((), case), run_reply(off, case)
    schema, business = ran.barriers
    states = {rule.code: rule.state for rule in business.rules}
    cells = {SCHEMA: _cell(SCHEMA, schema.state, None)}
    for rule in BUSINESS_RULES:
        missed = rule.code if rule.code in full.broken else None
        cells[rule.code] = _cell(rule.code, states.get(rule.code), missed)
    fate = Fate.SAME if ran.broken == full.broken else Fate.LATER if ran.broken else Fate.THROUGH
    return Row(case, cells, fate, str(full), verdict=ran)


def leaked(row: Row) -> Callable[[str], str]:
    """Sets off what the model read of an order that is not the ticket's customer's, by place in the result."""
    return lambda place: "leaked" if row.fate is Fate.LEAK and place.startswith("/order/") else ""


def telling(off: Collection[str], row: Row) -> tuple[Reply, Verdict] | None:
    """A reply that states the order that got through, as the model now could, and what the barriers make of it."""
    order = as_dict(row.decision.result.get("order")) if row.decision else {}
    if row.fate not in (Fate.LEAK, Fate.THROUGH) or not order or row.decision is None:
        return None
    stated = {"order_id": order.get("order_id"), "status": order.get("status")}
    reply = reply_with(order=stated)
    found = status_looked_up(row.decision)
    return reply, run_barriers(SCHEMA_RULES, _rules(off), reply, row.case.ticket, found)


def divergence(row: Row, book: OrderBook) -> Diverged | None:
    """Where a replay of the case's recording would leave it, if this had come of the proposal or the reply."""
    recording = row.case.recording
    if recording is None:
        return None
    if row.crash:
        what = say("The code crashes here, so the loop ends: {name}.", name=row.crash.name)
        return Diverged("/decisions/0", what, row.full, row.outcome)
    model = RecordedModel(recording)
    for event in run_loop(recording.ticket, RecordedModel(recording), book):
        changed = _changed(event, row)
        if changed:
            return model.observe(recording.ticket, changed)
        if isinstance(event, ModelCalled):
            model.respond(event.request)
        model.observe(recording.ticket, event)
    return None


def _changed(event: Event, row: Row) -> Event | None:
    match event:
        case Decided(proposal=Proposed() as proposal) if row.decision:
            return Decided(proposal, row.decision, event.seconds)
        case Concluded() if row.verdict:
            return Concluded(row.verdict)
    return None


def _rules(off: Collection[str]) -> tuple[Rule, ...]:
    return tuple(rule for rule in BUSINESS_RULES if rule.code not in off)


def _cell(name: str, state: State | None, before: str | None) -> Cell:
    """`before`: the check that stops the case when all are there."""
    if state is None:
        return Cell.MISSED if name == before else Cell.OFF
    if state is State.PASSED:
        return Cell.PASSED
    if state is State.NOT_RUN:
        return Cell.NOT_RUN
    return Cell.STOPPED if name == before or before is None else Cell.LATER


def _cells_of_crash(off: Collection[str], crash: Crash, before: str | None) -> dict[str, Cell]:
    """The runner stops at the first no, so what stood before the crash had passed, and nothing after it was run."""
    names = [check.name for check in checks()]
    end = names.index(crash.check) if crash.check in names else len(names)
    states = {
        name: State.PASSED if index < end else State.NOT_RUN for index, name in enumerate(names) if name not in off
    }
    cells = {name: _cell(name, states.get(name), before) for name in names}
    return {**cells, **({crash.check: Cell.CRASHED} if crash.check else {})}


def _fate(ran: Decision, full: Decision | Crash, case: ProposalCase, book: OrderBook) -> Fate:
    if isinstance(full, Decision) and (ran.outcome, ran.failed_check) == (full.outcome, full.failed_check):
        return Fate.SAME
    if ran.outcome != "ok":
        return Fate.LATER
    order = ran.result.get("order")
    if not isinstance(order, dict):
        return Fate.EMPTY
    owner, customer = book.owner(str(order.get("order_id"))), case.ticket.customer_id
    return Fate.THROUGH if customer and owner and owner.customer_id == customer else Fate.LEAK


def _crashed(table: Sequence[Check[Any]], case: ProposalCase, book: OrderBook) -> str | None:
    """The check that the same run crashes in, or None for the look-up after all of them: a run that ends with a check
    which says no does not get as far as the look-up."""
    for index, check in enumerate(table):
        try:
            _run([*table[: index + 1], check._replace(ask=_say_no)], case, book)
        except Exception:
            return check.name
    return None


def _say_no(_call: object) -> Failed:
    return Failed(say("The end."), say("The end."))
