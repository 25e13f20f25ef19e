"""Measures one decision: with its five checks explained, and as the lesson writes it, in turns."""

import json
import re
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from assistant.orders import OrderBook
from assistant.recording import load_folder
from assistant.tools import MAX_ARGUMENTS, run_tool
from tests.books import write_book
from try_tools import PROPOSALS

from .measuring import p50

RECORDINGS = Path(__file__).parents[2] / "recordings"
FORM = re.compile(r"LK-[0-9]{6}")
ROUNDS = 300
Validator = Callable[[str, str, str, OrderBook], tuple[dict[str, Any], str]]


class Refused(Exception):
    """The lesson's form of a no."""


def unexplained(name: str, arguments: str, customer_id: str, book: OrderBook) -> tuple[dict[str, Any], str]:
    """A validator of the lesson's form: it decides, and cannot say how it came to that."""
    try:
        if name != "get_order":
            raise Refused("unknown_tool", f"There is no tool named {name}.")
        try:
            given = json.loads(arguments)
        except json.JSONDecodeError:
            raise Refused("invalid_argument", "The arguments are not valid JSON.") from None
        if not isinstance(given, dict) or set(given) != {"order_id"}:
            raise Refused("invalid_argument", "The arguments must be one order_id.")
        order_id = given["order_id"]
        if not isinstance(order_id, str) or not FORM.fullmatch(order_id):
            raise Refused("invalid_argument", "The order ID must be LK- followed by 6 digits.")
        order = book.find(order_id)
        if order is None:
            raise Refused("not_found", f"No order {order_id} is available for this customer.")
        if order.pop("customer_id") != customer_id:
            raise Refused("other_customer", f"No order {order_id} is available for this customer.")
    except Refused as refused:
        code, message = refused.args
        return {"ok": False, "error": message}, f"refused: {code}"
    return {"ok": True, "order": order}, "ok"


def seconds_each(validator: Validator, book: OrderBook) -> float:
    """The seconds of one decision, over the four recorded proposals."""
    started = time.perf_counter()
    for _ in range(10):
        for arguments, customer_id in PROPOSALS:
            validator("get_order", arguments, customer_id, book)
    return (time.perf_counter() - started) / (10 * len(PROPOSALS))


def in_turns(ways: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median seconds of each way, measured in turns."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            found[name].append(way())
    return {name: p50(values) for name, values in found.items()}


def orders(count: int) -> list[tuple[str, str, str]]:
    """So many invented orders; the two that the recorded proposals find are among them."""
    own = [("LK-581106", "C-81265", "shipped"), ("LK-615204", "C-31799", "shipped")]
    known = {order_id for order_id, _, _ in own} | {"LK-000000"}
    others = (f"LK-{number:06}" for number in range(count + len(known)))
    more = [(order_id, "C-10000", "shipped") for order_id in others if order_id not in known]
    return own + more[: count - len(own)]


def longest_argument_s(book: OrderBook) -> float:
    """Seconds until an argument text as long as a decision reads is refused, and one far longer; the slower one."""
    values = []
    for text in ('{"order_id":"' + "9" * (MAX_ARGUMENTS - 15) + '"}', "[" * MAX_ARGUMENTS, "9" * 10_000_000):
        started = time.perf_counter()
        _, outcome = run_tool("get_order", text, "C-81265", book)
        values.append(time.perf_counter() - started)
        assert outcome.startswith("refused"), outcome
    return max(values)


def shortest_call_s() -> float:
    """The shortest model call that is recorded, seconds."""
    recordings, _ = load_folder(RECORDINGS)
    return min(call["latency_s"] for one in recordings for call in one.calls if call.get("latency_s") is not None)


def main(largest: int) -> dict[str, object]:
    """The figures, by their words."""
    sample = OrderBook()
    for arguments, customer_id in PROPOSALS:
        ours = run_tool("get_order", arguments, customer_id, sample)
        assert tuple(ours) == unexplained("get_order", arguments, customer_id, sample), arguments
    ways = {"explained": run_tool, "unexplained": unexplained}
    took = in_turns({name: partial(seconds_each, way, sample) for name, way in ways.items()}, ROUNDS)
    with tempfile.TemporaryDirectory() as name:
        counts = (20, 1000, largest)
        books = {count: OrderBook(write_book(Path(name) / f"{count}.db", orders(count))) for count in counts}
        by_size = in_turns({str(n): partial(seconds_each, run_tool, book) for n, book in books.items()}, ROUNDS)
    longest = max(longest_argument_s(sample) for _ in range(20))
    call = shortest_call_s()
    return {
        "a decision with five checks explained, µs": round(took["explained"] * 1e6, 1),
        "a decision unexplained, in the lesson's form, µs": round(took["unexplained"] * 1e6, 1),
        "a decision, explained to unexplained": round(took["explained"] / took["unexplained"], 2),
        "the shortest recorded model call to a decision": round(call / took["explained"]),
        **{f"a decision among {int(n):,} orders, µs": round(value * 1e6, 1) for n, value in by_size.items()},
        f"a decision, among {largest:,} orders to 20": round(by_size[str(largest)] / by_size["20"], 2),
        "the longest arguments refused, slowest of 20, ms": round(longest * 1000, 3),
    }


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
