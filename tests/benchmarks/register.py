"""Measures the register over a log: opening it, and what each kind of filter takes until a page of rows is there."""

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from assistant import again, counts, register, selection
from assistant.orders import OrderBook
from assistant.selection import Order, Selection

A_PAGE = 50
TIMES = 5


def timed(work: Callable[[], object]) -> float:
    """The median of some runs, in milliseconds."""
    found = []
    for _ in range(TIMES):
        started = time.perf_counter()
        work()
        found.append((time.perf_counter() - started) * 1000)
    return round(sorted(found)[TIMES // 2], 1)


def main(path: Path) -> dict[str, float]:
    """The figures, by their words."""
    started = time.perf_counter()
    rows, _ = register.whole(register.read([path]))
    counts.count(counts.by_day(rows))
    order = selection.ordered(rows, Order.NEWEST)
    opened = time.perf_counter() - started
    found: dict[str, float] = {"decisions in the log": rows.num_rows, "open the register, s": round(opened, 2)}
    some = rows.slice(rows.num_rows // 2, 1000).to_pylist()
    reviewed: dict[str, set[str]] = {}
    for row in some:
        reviewed.setdefault(row["ticket"], set()).add(selection.key_of(row))
    for words, wanted in {
        "outcome": Selection(outcome="refused: other_customer"),
        "kind": Selection(outcome="refused"),
        "ticket": Selection(ticket=some[0]["ticket"]),
        "day": Selection(day="2026-10-01"),
        "text": Selection(text="lk-581106"),
        "reviewed, of 1,000": Selection(reviewed="yes"),
    }.items():

        def answer(wanted: Selection = wanted) -> object:
            mask = selection.chosen(rows, wanted, reviewed)
            return rows.take(order.filter(mask.take(order)).slice(0, A_PAGE)).to_pylist()

        found[f"a filter: {words}, ms"] = timed(answer)
    found["count all days anew, ms"] = timed(lambda: counts.count(counts.by_day(rows)))
    started = time.perf_counter()
    for _ in again.decide_rows(rows, OrderBook()):
        pass
    found["decide all rows again, s"] = round(time.perf_counter() - started, 2)
    found["peak memory, MB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return found


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
