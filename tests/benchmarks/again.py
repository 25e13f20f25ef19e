"""Measures deciding recordings again: read, decide, judge and replay each."""

import json
import sys
import time
from pathlib import Path

from assistant import again, register
from assistant.orders import OrderBook
from assistant.recording import load


def main(folder: Path, name: str) -> dict[str, float]:
    """The figures, by their words; `name` tells this run from another."""
    book = OrderBook()
    paths = sorted(folder.iterdir())
    started = time.perf_counter()
    for path in paths:
        recording = load(path)
        rows = list(register.rows_of(recording, path.name))
        for row in rows:
            again.decider(book)(row)
        again.reply_again(recording, book)
        again.divergence(recording, book)
    took = time.perf_counter() - started
    return {
        f"recordings, {name}": len(paths),
        f"recordings decided again a second, {name}": round(len(paths) / took),
        f"a recording, {name}, ms": round(took / len(paths) * 1000, 3),
    }


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2])))
