"""Owns the command that tells whether today's code would decide as it did, for CI.

`python -m assistant.decide_again PATH… [--orders FILE]`: each path is a recording, a decision log (JSON Lines, `.gz`
too) or a folder of them. It ends with 0 when nothing flips, with 1 and a list when something does, and with 2 when
something could not be read, or nothing could be decided.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

SAME, FLIPS, BAD_INPUT = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m assistant.decide_again", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="recordings, decision logs, or folders")
    parser.add_argument("--orders", type=Path, metavar="FILE", help="the order book; without it the sample orders")
    asked = parser.parse_args(arguments)
    try:
        from . import again  # noqa: F401  # here, so that a tools.py that cannot be imported is bad input, not a flip

        return _run(asked.paths, asked.orders)
    except (Exception, SystemExit) as error:
        _say(f"The code cannot run: {type(error).__name__}: {error}", sys.stderr)
        return BAD_INPUT


def _run(paths: Sequence[Path], orders: Path | None) -> int:
    from .again import Again, decide_rows, divergence, reply_again
    from .orders import OrderBook
    from .recording import RecordingError, load
    from .register import files_of, read

    book = OrderBook(orders)
    book.owner("LK-000000")  # one that cannot answer is bad input
    decisions, replies = Counter[str](), Counter[str]()
    diverged, is_bad = 0, False

    def flips() -> Iterator[str]:
        nonlocal diverged, is_bad
        for block in read(paths):
            for problem in block.problems:
                is_bad = True
                place = f"{problem.file}, line {problem.line}" if problem.line else problem.file
                _say(f"{place}: {problem.why}", sys.stderr)
            at = 0
            for part in decide_rows(block.rows, book):
                decisions.update(part["again"].to_pylist())
                for number, compared in enumerate(part.to_pylist(), start=at):
                    if compared["again"] == Again.FLIPPED:
                        row = block.rows.slice(number, 1).to_pylist()[0]
                        then = _at(row["outcome"], row["failed_check"])
                        now = _at(compared["now"], compared["now_check"])
                        yield f"{row['file']}, {row['place']}: ticket {row['ticket']}: {then} -> {now}"
                at += part.num_rows
        for path, name, _ in files_of(paths)[0]:
            if path.suffix != ".json":
                continue
            try:
                recording = load(path)
            except RecordingError:
                continue  # told above
            diverged += divergence(recording, book) is not None
            reply = reply_again(recording, book)
            if reply:
                replies[reply.compared.again] += 1
                if reply.compared.again is Again.FLIPPED:
                    yield f"{name}: ticket {recording.ticket.id}: reply {reply.then} -> {reply.compared.now}"

    found = 0
    for line in flips():
        found += 1
        _say(line)
    for name, counted in (("decisions", decisions), ("replies", replies)):
        parts = ", ".join(f"{counted[again]} {word}" for again, word in _WORDS.items())
        _say(f"{sum(counted.values())} {name}: {parts}")
    _say(f"{diverged} recordings diverge")
    decided = sum(counted[again] for counted in (decisions, replies) for again in ("unchanged", "flipped"))
    if is_bad or not decided:
        if not decided:
            _say("Nothing could be decided again.", sys.stderr)
        return BAD_INPUT
    return FLIPS if found else SAME


_WORDS = {"unchanged": "unchanged", "flipped": "flipped", "undecided": "could not be decided"}


def _at(outcome: str | None, check: str | None) -> str:
    return f"{outcome} at {check}" if check else str(outcome)


def _say(line: str, file: object = None) -> None:
    """Print one line; what came from outside cannot end it or steer a terminal."""
    line = "".join(one if one.isprintable() else repr(one)[1:-1] for one in line)
    print(line.encode(errors="backslashreplace").decode(), file=file or sys.stdout)  # type: ignore[arg-type]


if __name__ == "__main__":
    sys.exit(main())
