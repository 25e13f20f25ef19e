"""Owns the command that runs the benchmarks: `python -m tests.benchmarks [--only NAME ...] [--quick] [--json FILE]`.

Each measurement has a process of its own, so that its peak memory is its own. Inputs are synthetic, from a seed.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tests.synthetic import write_log, write_recordings

PACKAGES = ("streamlit", "pyarrow", "sqlalchemy", "nicegui")


def main() -> None:
    """Run all benchmarks, print a table, and write the same as JSON where a file is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--only", nargs="+", choices=MEASURED, metavar="NAME", help=", ".join(MEASURED))
    asked = parser.parse_args()
    part = 10 if asked.quick else 1
    figures: dict[str, object] = {}
    for name in asked.only or MEASURED:
        figures |= MEASURED[name](part)
    machine = {
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "system": platform.platform(),
        "python": platform.python_version(),
        **{package: _version(package) for package in PACKAGES},
    }
    print("| figure | |\n|---|---|")
    for words, value in {**machine, **figures}.items():
        print(f"| {words} | {value} |")
    if asked.json:
        asked.json.write_text(json.dumps({"machine": machine, "figures": figures}, indent=1), encoding="utf-8")


def decisions_read(part: int) -> dict[str, object]:
    """The register over a log of a million lines."""
    with tempfile.TemporaryDirectory() as name:
        log = write_log(Path(name) / "log.jsonl", 1, 1_000_000 // part, undated=100, surge=(40, "other_customer", 3))
        return dict(_measured("register", log))


def decided_again(part: int) -> dict[str, object]:
    """A thousand recordings decided again, and ten thousand."""
    with tempfile.TemporaryDirectory() as name:
        few = write_recordings(Path(name) / "few", 2, 1000 // part)
        many = write_recordings(Path(name) / "many", 2, 10_000 // part)
        figures = {**_measured("again", few, "1"), **_measured("again", many, "10")}
    ratio = round(figures["a recording, 10, ms"] / figures["a recording, 1, ms"], 2)
    return {**figures, "cost of a recording, 10 times as many to as many": ratio}


MEASURED: dict[str, Callable[[int], dict[str, object]]] = {
    "register": decisions_read,
    "again": decided_again,
    "decision": lambda part: dict(_measured("decision", 1_000_000 // part)),
    "press": lambda part: dict(_measured("pressing", max(1, 20 // part))),
    "start": lambda part: dict(_measured("starting", max(1, 10 // part))),
    "class": lambda part: dict(_measured("class_room", 1 / part)),
    "several": lambda part: dict(_measured("several", 1 / part)),
    "soak": lambda part: dict(_measured("soak", 2000 // part)),
}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _measured(name: str, *arguments: object) -> dict[str, float]:
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", *map(str, arguments)]
    ended = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(ended.stdout)
    return found


if __name__ == "__main__":
    main()
