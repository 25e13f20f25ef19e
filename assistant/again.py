"""Owns the question whether today's code would decide as it did: each recorded proposal is decided again, each recorded
reply judged again, and each recording replayed.

It compares and never mends. What cannot be compared is counted as such, with the reason, and never as unchanged.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple

import pyarrow as pa

from .barriers import Reply, Verdict, judge_reply
from .counts import Kind, kind_of
from .decision import Decision
from .events import Diverged, Proposed
from .loop import decide, proposals_of_call, run_loop, status_looked_up
from .orders import OrderBook
from .recording import Recording
from .register import texts_of
from .replay import RecordedModel
from .response import finish_reason_of, message_of
from .sentence import Sentence, say
from .strict_json import NotJson
from .ticket import Ticket

MAX_REMEMBERED = 100_000


class Again(StrEnum):
    """What became of a decision or verdict that was taken again."""

    UNCHANGED = "unchanged"
    FLIPPED = "flipped"
    UNDECIDED = "undecided"


# Why something could not be decided again.
WHY: dict[str, Sentence] = {
    "not_recorded": say("What was decided is not recorded."),
    "reconstructed": say("A part of it was reconstructed, so that there is nothing to compare."),
    "lost": say("The log could not keep what was proposed."),
    "error_then": say("The decision was an error of ours: what the checks would have said is not known."),
    "error_now": say("The order book cannot answer now."),
    "crashed": say("The code as it is now crashes."),
}
# What a row of the register gets: what became of it, today's outcome and failed check, and a key of WHY.
COLUMNS = pa.schema([(name, pa.string()) for name in ("again", "now", "now_check", "why")])


class Compared(NamedTuple):
    """One decision or verdict, then and now. `check` and `check_now`: the failed check, `why`: a key of WHY."""

    again: Again
    now: str | None = None
    check_now: str | None = None
    why: str | None = None


class Tally(NamedTuple):
    """How many of each; together they are all."""

    unchanged: int = 0
    flipped: int = 0
    undecided: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self)

    def plus(self, again: Again) -> "Tally":
        """With one more."""
        return self._replace(**{again.value: getattr(self, again.value) + 1})


def decision_now(row: dict[str, Any], book: OrderBook) -> Decision:
    """Decide the row's proposal by the code as it is. Raises NotJson where the log could not keep it, and whatever a
    learner's `run_tool` raises."""
    name, arguments = texts_of(row)
    ticket = Ticket(row["ticket"] or "", row["customer"], "")
    return decide(Proposed(1, 1, 1, "", False, name, arguments), ticket, book)


def decider(book: OrderBook) -> Callable[[dict[str, Any]], Compared]:
    """A function that decides a row of the register again and compares. It decides equal proposals once, so make a new
    one when the code or the order book changes."""
    known: dict[tuple[Any, ...], tuple[str | None, str | None, str | None]] = {}

    def again(row: dict[str, Any]) -> Compared:
        why = _not_comparable(row)
        if why:
            return Compared(Again.UNDECIDED, why=why)
        asked = (row["tool"], row["arguments"], row["not_text"], row["customer"])
        if asked not in known:
            if len(known) >= MAX_REMEMBERED:
                known.clear()
            known[asked] = _decided(row, book)
        now, check_now, why = known[asked]
        if why:
            return Compared(Again.UNDECIDED, now, check_now, why)
        check = row["failed_check"]
        is_known = check is not None and check_now is not None and "failed_check" not in (row["reconstructed"] or "")
        is_same = now == row["outcome"] and (check == check_now or not is_known)
        return Compared(Again.UNCHANGED if is_same else Again.FLIPPED, now, check_now)

    return again


def _not_comparable(row: dict[str, Any]) -> str | None:
    if row["outcome"] is None:
        return "not_recorded"
    if row["reconstructed"] and {"tool", "arguments", "customer", "outcome"} & set(row["reconstructed"].split(",")):
        return "reconstructed"
    return "error_then" if kind_of(row["outcome"])[0] is Kind.ERROR else None


def _decided(row: dict[str, Any], book: OrderBook) -> tuple[str | None, str | None, str | None]:
    try:
        decision = decision_now(row, book)
    except NotJson:
        return None, None, "lost"
    except (Exception, SystemExit):
        return None, None, "crashed"
    why = "error_now" if kind_of(decision.outcome)[0] is Kind.ERROR else None
    return decision.outcome, decision.failed_check, why


def decide_rows(rows: pa.Table, book: OrderBook, at_a_time: int = 20_000) -> Iterator[pa.Table]:
    """Decide the rows of a register again, part by part: a table of COLUMNS for each part, in the rows' order."""
    again = decider(book)
    wanted = ("ticket", "customer", "tool", "arguments", "not_text", "outcome", "failed_check", "reconstructed")
    for start in range(0, rows.num_rows, at_a_time):
        part = rows.slice(start, at_a_time).select(wanted)
        columns = [part[name].to_pylist() for name in wanted]
        compared = [again(dict(zip(wanted, values, strict=True))) for values in zip(*columns, strict=True)]
        yield pa.table([pa.array(column, pa.string()) for column in zip(*compared, strict=True)], schema=COLUMNS)


class ReplyAgain(NamedTuple):
    """A recording's reply, judged again. `then` is the recorded verdict in one line, None where it is not recorded."""

    compared: Compared
    then: str | None
    verdict: Verdict | None


def reply_again(recording: Recording, book: OrderBook) -> ReplyAgain | None:
    """Judge the recording's reply again, by what today's decisions look up; None where there is no reply."""
    looked_up: dict[str, str] = {}
    used_ids: set[str] = set()
    for number, call in enumerate(recording.calls, start=1):
        message = message_of(call["response"])
        proposals = proposals_of_call(number, message, used_ids)
        if not proposals:
            reply = Reply(message.get("content"), message.get("refusal"), finish_reason_of(call["response"]))
            return _judged(recording, number - 1, reply, looked_up)
        for proposal in proposals:
            try:
                looked_up.update(status_looked_up(decide(proposal, recording.ticket, book)))
            except (Exception, SystemExit):
                return ReplyAgain(Compared(Again.UNDECIDED, why="crashed"), _line(recording.verdict), None)
    return None


def _judged(recording: Recording, call: int, reply: Reply, looked_up: dict[str, str]) -> ReplyAgain:
    then = _line(recording.verdict)
    try:
        verdict = judge_reply(reply, recording.ticket, looked_up)
    except (Exception, SystemExit):
        return ReplyAgain(Compared(Again.UNDECIDED, why="crashed"), then, None)
    content = f"/calls/{call}/response/choices/0/message/content"
    if then is None:
        return ReplyAgain(Compared(Again.UNDECIDED, str(verdict), why="not_recorded"), then, verdict)
    if recording.is_reconstructed("/verdict") or recording.is_reconstructed(content):
        return ReplyAgain(Compared(Again.UNDECIDED, str(verdict), why="reconstructed"), then, verdict)
    recorded, found = recording.verdict or {}, {"status": verdict.status, "broken": list(verdict.broken)}
    is_same = {**found, **recorded} == found
    return ReplyAgain(Compared(Again.UNCHANGED if is_same else Again.FLIPPED, str(verdict)), then, verdict)


def _line(verdict: dict[str, Any] | None) -> str | None:
    """A recorded verdict as `Verdict` reads in one line."""
    return None if verdict is None else str(Verdict(verdict["status"], tuple(verdict.get("broken", ())), ()))


def divergence(recording: Recording, book: OrderBook) -> Diverged | None:
    """Where a replay by the code as it is leaves the recording, or None. Raises whatever a learner's code raises."""
    events = run_loop(recording.ticket, RecordedModel(recording), book)
    return next((event for event in events if isinstance(event, Diverged)), None)
