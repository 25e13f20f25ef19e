"""Owns synthetic decisions: dated logs and recordings from a seed, as many as wanted.

Every one was decided by the assistant's own loop over the sample order book; nothing here writes an outcome, but for
those that are asked for as `flipped`. They are marked as synthetic: tickets are `S-000123`, the model is `synthetic`.

`python -m tests.synthetic --seed 1 --log FILE --lines N`, `python -m tests.synthetic --recordings FOLDER --count N`
"""

import argparse
import gzip
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from functools import cache
from itertools import accumulate, chain, islice
from pathlib import Path
from random import Random
from typing import IO, Any, NamedTuple

from assistant.decision import Decision
from assistant.events import Concluded, Decided, Event, LimitReached, ModelCalled
from assistant.loop import MAX_MODEL_CALLS, run_loop
from assistant.model import Answer, end_line, log_line
from assistant.orders import OrderBook
from assistant.ticket import Ticket

TIME, RUN, TICKET = "@time@", "@run@", "@ticket@"  # stand in a template until a line is made of it
DAY_MS = 86_400_000

# How often a run of each kind comes, in a thousand.
SHARES = {
    "ok": 690,
    "other_customer": 50,
    "not_found": 80,
    "invalid_argument": 60,
    "unknown_tool": 20,
    "several": 75,
    "limit": 5,
    "error": 20,
}
WRONG_IDS = (
    "LK-55190",
    "lk-581106",
    "LK-5519023",
    "581106",
    "LK-581106 ",
    "LK-58110a",
    "LK-٥٨١١٠٦",
    "",
    "=1+1",
    "order",
)
WRONG_ARGUMENTS = (
    '{"order_id": "LK-581106", "customer_id": "C-38852"}',
    '{"order_id": "LK-581106", "order_id": "LK-615204"}',
    '{"order_id": NaN}',
    '{"order_id": "LK-581106"',
    '{"id": "LK-581106"}',
    '["LK-581106"]',
    "LK-581106",
    "",
    "null",
    "[" * 70 + "]" * 70,
    '=HYPERLINK("https://example.com", "LK-581106")',
    '{"order_id": "\u202eLK-581106"}\r\n{"outcome": "ok"}',
    {"order_id": "LK-581106"},
    ["LK-581106", None],
    581106,
    None,
)
WRONG_TOOLS = (
    "get_customer",
    "Get_order",
    "get_order ",
    "delete_order",
    "get_orders",
    "<script>alert(1)</script>",
    "@SUM(A1:A9)",
    "get_order\n",
    "outil_à_elle \U0001f6e0 %s {0}",
    "x" * 100,
    7,
    None,
)


class Shape(NamedTuple):
    """What the decisions are to be like, beyond their number.

    They lie on `days` days from `first`, but for a `gap` (index of its first day from 0, number of days). `surge`
    (index of a day, code, factor) makes runs refused with the code `factor` times as likely, against all others, as on
    other days. Exactly `undated` decisions (of recordings: recordings) have no time, and exactly `flipped` of them hold
    another outcome than the one that the code decided.
    """

    days: int = 60
    first: date = date(2026, 9, 1)
    surge: tuple[int, str, float] | None = None
    gap: tuple[int, int] | None = None
    undated: int = 0
    flipped: int = 0


class Asked(NamedTuple):
    """One tool call of the model: a name and arguments, of any type."""

    arguments: object
    name: object = "get_order"


class Template(NamedTuple):
    """What one run of the loop leaves behind, all but when and which. `lines` are the log's, `flipped_line` is the
    first of them with another outcome; `recording` and `flipped_recording` are files. A run of which no other outcome
    can be told from what the code decides has no flipped ones."""

    kind: str
    codes: frozenset[str]
    lines: tuple[str, ...]
    flipped_line: str | None
    recording: str
    flipped_recording: str | None


class Run(NamedTuple):
    """One run: when (the day, and milliseconds after midnight in UTC), and of which template."""

    day: date
    at_ms: int
    template: Template


# What the model says.


class Answering:
    """A model that gives the responses in turn, the last one for ever. Nothing of its run is logged."""

    def __init__(self, responses: Sequence[dict[str, Any]]) -> None:
        self.responses = list(responses)

    def respond(self, request: dict[str, Any]) -> Answer:  # noqa: ARG002
        """Answer in 0.9 s."""
        return Answer(self.responses.pop(0) if len(self.responses) > 1 else self.responses[0], 0.9)

    def observe(self, ticket: Ticket, event: Event) -> None:
        """Leave the event alone."""


def _response(message: dict[str, Any], finish_reason: str) -> dict[str, Any]:
    usage = {"prompt_tokens": 2000, "completion_tokens": 40}
    return {"choices": [{"message": {"role": "assistant", **message}, "finish_reason": finish_reason}], "usage": usage}


def _proposing(asked: Iterable[Asked]) -> dict[str, Any]:
    calls = [{"type": "function", "function": {"name": each.name, "arguments": each.arguments}} for each in asked]
    return _response({"content": None, "tool_calls": calls}, "tool_calls")


def _replying(order: dict[str, Any] | None) -> dict[str, Any]:
    reply = {
        "language": "en",
        "team": "delivery",
        "needs_human": order is None,
        "reason": "Synthetic: the ticket asks for an order.",
        "confidence": "medium",
        "order": order,
        "reply": "Synthetic: thank you for your message.",
    }
    return _response({"content": json.dumps(reply)}, "stop")


_NO_ORDER = _replying(None)


# The templates.


@cache
def templates() -> tuple[Template, ...]:
    """Every run that there is to choose from: a few hundred, the same for every seed."""
    return tuple(_templates(OrderBook()))


def _templates(book: OrderBook) -> Iterator[Template]:
    assert book._connection is not None
    orders = [tuple(row) for row in book._connection.execute("SELECT order_id, customer_id, status FROM orders")]
    owned = [order for order in orders if order[1]]
    known_ids = {order_id for order_id, _, _ in orders}
    customers = [*dict.fromkeys(owner for _, owner, _ in owned), *(f"C-9000{digit}" for digit in range(10)), None]
    missing = [each for number in range(60) if (each := f"LK-{(number * 7919 + 104729) % 10**6:06}") not in known_ids]
    closed = OrderBook()
    closed.close()

    for number, (order_id, owner, status) in enumerate(owned):
        reply = _replying({"order_id": order_id, "status": status})
        if number % 6 == 5:  # rejected by a rule of the second barrier, or by the first barrier
            reply = [_replying({"order_id": order_id, "status": "on its way"}), _response({"content": "Hi"}, "stop")][
                number % 12 // 6
            ]
        yield _template("ok", owner, order_id, [_proposing([_for(order_id)]), reply], book)
        if number % 4 == 0:  # the model made the order up, or read it elsewhere
            yield _template("ok", owner, None, [_proposing([_for(order_id)]), reply], book)
        yield _template("error", owner, order_id, [_proposing([_for(order_id)]), _NO_ORDER], closed)
        calls = [_for(order_id), _for(orders[number - 1][0])]
        yield _template("several", owner, order_id, [_proposing(calls), reply], book)
        steps = [_proposing([_for(order_id.removeprefix("LK-"))]), _proposing([_for(order_id)]), reply]
        yield _template("several", owner, order_id, steps, book)
    for number, (order_id, owner, _) in enumerate(orders):
        others = [customer for customer in customers if customer != owner]
        for customer in (others[number % len(others)], others[(number * 3 + 7) % len(others)]):
            responses = [_proposing([_for(order_id)]), _replying({"order_id": order_id, "status": None})]
            yield _template("other_customer", customer, order_id, responses, book)
    for number, order_id in enumerate(missing):
        customer = customers[number % len(customers)]
        yield _template("not_found", customer, order_id, [_proposing([_for(order_id)]), _NO_ORDER], book)
    wrong = [*map(_for, WRONG_IDS), *map(Asked, WRONG_ARGUMENTS)]
    for number, asked in enumerate([*wrong, *wrong]):
        customer = customers[number % len(customers)]
        yield _template("invalid_argument", customer, None, [_proposing([asked]), _NO_ORDER], book)
    for number, name in enumerate(WRONG_TOOLS):
        asked = Asked('{"order_id": "LK-581106"}', name)
        yield _template("unknown_tool", customers[number], None, [_proposing([asked]), _NO_ORDER], book)
    for order_id, owner, _ in owned[:3]:
        yield _template("limit", owner, order_id, [_proposing([_for(order_id)])], book)


def _for(order_id: str) -> Asked:
    return Asked(json.dumps({"order_id": order_id}))


def _template(
    kind: str, customer: str | None, order_id: str | None, responses: Sequence[dict[str, Any]], book: OrderBook
) -> Template:
    about = f"my order {order_id}" if order_id else "what I ordered"
    ticket = Ticket(TICKET, customer, f"Synthetic ticket: where is {about}?")
    events = list(run_loop(ticket, Answering(responses), book, MAX_MODEL_CALLS))
    decided = [event for event in events if isinstance(event, Decided)]
    end = events[-1]
    assert isinstance(end, Concluded | LimitReached)
    lines = [json.loads(log_line(ticket, event, RUN)) for event in decided] + [json.loads(end_line(ticket, end, RUN))]
    other = _another(decided[0].decision)
    document = _recording(ticket, events)
    flipped_document = {**document, "decisions": [other, *document["decisions"][1:]]}
    # An outcome that is an error says nothing of the checks, so it cannot be told from another.
    can_flip = not decided[0].decision.outcome.startswith("error: ")
    return Template(
        kind,
        frozenset(_code(event.decision) for event in decided if event.decision.outcome.startswith("refused: ")),
        tuple(_gaps(json.dumps({**line, "time": TIME})) for line in lines),
        _gaps(json.dumps({**lines[0], **other, "told": None, "time": TIME})) if can_flip else None,
        _gaps(json.dumps(document, indent=1)),
        _gaps(json.dumps(flipped_document, indent=1)) if can_flip else None,
    )


def _code(decision: Decision) -> str:
    return decision.outcome.partition(": ")[2]


def _another(decision: Decision) -> dict[str, Any]:
    """Another outcome than the one that the code decided."""
    if decision.outcome == "ok":
        return {"outcome": "refused: other_customer", "failed_check": "own_order"}
    return {"outcome": "ok", "failed_check": None}


def _recording(ticket: Ticket, events: Sequence[Event]) -> dict[str, Any]:
    called = [event for event in events if isinstance(event, ModelCalled)]
    made = [event.decision for event in events if isinstance(event, Decided)]
    end = events[-1]
    verdict = {"status": end.verdict.status, "broken": list(end.verdict.broken)} if isinstance(end, Concluded) else None
    return {
        "format": 1,
        "ticket": {"id": TICKET, "customer_id": ticket.customer_id, "text": ticket.text},
        "model": {"name": "synthetic"},
        "recorded_at": TIME,
        "calls": [
            {"request": _thin(event.request), "response": event.response, "latency_s": event.latency_s}
            for event in called
        ],
        "usage": {"prompt_tokens": 2000 * len(called), "completion_tokens": 40 * len(called)},
        "decisions": [
            {"outcome": each.outcome, "failed_check": each.failed_check, "result": each.result} for each in made
        ],
        **({"verdict": verdict} if verdict else {}),
        "reconstructed": [],
    }


def _thin(request: dict[str, Any]) -> dict[str, Any]:
    """The request without what is the same in all: the system text, the ticket, the tools, the schema."""
    system, user, *conversation = request["messages"]
    return {"messages": [{"role": system["role"]}, {"role": user["role"]}, *conversation]}


def _gaps(text: str) -> str:
    """A text to be filled with time (JSON), run and ticket."""
    filled = text.replace("%", "%%").replace(f'"{TIME}"', "%(time)s")
    return filled.replace(RUN, "%(run)s").replace(TICKET, "%(ticket)s")


# Runs, lines and files.


def decisions(seed: int, count: int, **shape: Any) -> Iterator[str]:
    """Yield exactly `count` lines of a decision log without line ends, oldest first; the last run may lack its end.

    `shape`: the fields of Shape. Raises ValueError when there are fewer runs than decisions to flip or leave undated.
    """
    wanted, rng = Shape(**shape), Random(seed)
    runs = _runs(rng, count, wanted, templates(), lambda template: len(template.lines))
    undated, flipped = _marked(seed, runs, wanted)
    made = (_lines(rng, number, run, number in undated, number in flipped) for number, run in enumerate(runs))
    return islice(chain.from_iterable(made), count)


def recordings(seed: int, count: int, **shape: Any) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of exactly `count` recordings, each of one ticket. `shape`: the fields of Shape."""
    wanted, rng = Shape(**shape), Random(seed)
    # A replay has the order book that a run with an error lacked: it would diverge.
    usable = [template for template in templates() if template.kind != "error"]
    runs = _runs(rng, count, wanted, usable, lambda _: 1)
    undated, flipped = _marked(seed, runs, wanted)
    for number, run in enumerate(runs):
        text = (run.template.flipped_recording if number in flipped else None) or run.template.recording
        time = "null" if number in undated else f'"{run.day}T{_clock(run.at_ms)}"'
        ticket = _ticket(number)
        yield f"{ticket}.json", text % {"time": time, "ticket": ticket} + "\n"


def _runs(
    rng: Random, count: int, wanted: Shape, usable: Sequence[Template], size: Callable[[Template], int]
) -> list[Run]:
    """Runs until their sizes come to `count` or a little more, the same share of it on every day with data."""
    gap = range(wanted.gap[0], sum(wanted.gap)) if wanted.gap else range(0)
    live = [day for day in range(wanted.days) if day not in gap]
    kinds = [template.kind for template in usable]
    base = [SHARES[kind] / kinds.count(kind) for kind in kinds]
    runs: list[Run] = []
    total = 0
    for number, day in enumerate(live, start=1):
        weights = base
        if wanted.surge and wanted.surge[0] == day:
            _, code, factor = wanted.surge
            weights = [
                weight * (factor if code in template.codes else 1)
                for weight, template in zip(base, usable, strict=True)
            ]
        cumulative = list(accumulate(weights))
        today: list[Template] = []
        while total < count * number // len(live):
            [template] = rng.choices(usable, cum_weights=cumulative)
            today.append(template)
            total += size(template)
        date_of_day = wanted.first + timedelta(days=day)
        for index, template in enumerate(today):
            # Before the last minute, so that a run does not go over midnight.
            at_ms = int((index + rng.random()) / len(today) * (DAY_MS - 60_000))
            runs.append(Run(date_of_day, at_ms, template))
    return runs


def _marked(seed: int, runs: Sequence[Run], wanted: Shape) -> tuple[set[int], set[int]]:
    """The numbers of the runs that have an undated decision, and of those that have a flipped one."""
    rng = Random(f"{seed}, marked")  # its own, so that marking changes nothing else
    can_flip = [number for number, run in enumerate(runs) if run.template.flipped_line]
    return set(rng.sample(range(len(runs)), wanted.undated)), set(rng.sample(can_flip, wanted.flipped))


def _lines(rng: Random, number: int, run: Run, is_undated: bool, is_flipped: bool) -> Iterator[str]:
    values = {"run": f"{rng.getrandbits(128):032x}", "ticket": _ticket(number)}
    for index, line in enumerate(run.template.lines):
        values["time"] = f'"{run.day}T{_clock(run.at_ms + index * 900)}"'
        if index == 0:
            line = (run.template.flipped_line if is_flipped else None) or line
            if is_undated:
                values["time"] = "null"
        yield line % values


def _ticket(number: int) -> str:
    return f"S-{number + 1:06}"


def _clock(at_ms: int) -> str:
    seconds, ms = divmod(at_ms, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{ms:03}+00:00"


def write_log(path: Path, seed: int, count: int, **shape: Any) -> Path:
    """Write a log of `count` lines, compressed if its name ends in .gz. Equal arguments give equal bytes."""
    with _written(path) as file:
        file.writelines(f"{line}\n".encode() for line in decisions(seed, count, **shape))
    return path


@contextmanager
def _written(path: Path) -> Iterator[IO[bytes]]:
    with path.open("wb") as raw:
        if path.suffix != ".gz":
            yield raw
            return
        with gzip.GzipFile("", "wb", 1, raw, mtime=0) as file:  # no name and no time in the file
            yield file


def write_recordings(folder: Path, seed: int, count: int, **shape: Any) -> Path:
    """Write `count` recordings into the folder, which is made if it is missing. Equal arguments give equal bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in recordings(seed, count, **shape):
        (folder / name).write_bytes(text.encode())
    return folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.synthetic", description="Write synthetic decisions.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, metavar="FILE", help="a decision log to write; .gz compresses it")
    parser.add_argument("--lines", type=int, default=1000, help="how many lines the log gets")
    parser.add_argument("--recordings", type=Path, metavar="FOLDER", help="a folder to write recordings into")
    parser.add_argument("--count", type=int, default=100, help="how many recordings it gets")
    parser.add_argument("--days", type=int, default=Shape().days)
    parser.add_argument("--first", type=date.fromisoformat, default=Shape().first, metavar="DATE")
    parser.add_argument("--surge", type=_surge, metavar="DAY:CODE:FACTOR", help="such as 40:other_customer:5")
    parser.add_argument("--gap", type=_gap, metavar="DAY:DAYS", help="days without data, such as 20:3")
    parser.add_argument("--undated", type=int, default=0)
    parser.add_argument("--flipped", type=int, default=0)
    asked = parser.parse_args(arguments)
    if not asked.log and not asked.recordings:
        parser.error("nothing to write: give --log FILE or --recordings FOLDER")
    shape = {field: getattr(asked, field) for field in Shape._fields}
    if asked.log:
        write_log(asked.log, asked.seed, asked.lines, **shape)
    if asked.recordings:
        write_recordings(asked.recordings, asked.seed, asked.count, **shape)
    return 0


def _surge(text: str) -> tuple[int, str, float]:
    day, code, factor = text.split(":")
    return int(day), code, float(factor)


def _gap(text: str) -> tuple[int, int]:
    day, days = text.split(":")
    return int(day), int(days)


if __name__ == "__main__":
    sys.exit(main())
