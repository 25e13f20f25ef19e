"""Owns the command that runs the benchmarks: `python -m tests.benchmarks [--quick] [--json FILE]`.

Each measurement has a process of its own, so that its peak memory is its own. Inputs are synthetic, from a seed.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from tests.synthetic import write_log, write_recordings

PACKAGES = ("streamlit", "pyarrow", "sqlalchemy")


def main() -> None:
    """Run all benchmarks, print a table, and write the same as JSON where a file is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--json", type=Path, metavar="FILE")
    asked = parser.parse_args()
    part = 10 if asked.quick else 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = write_log(folder / "log.jsonl", 1, 1_000_000 // part, undated=100, surge=(40, "other_customer", 3))
        few = write_recordings(folder / "few", 2, 1000 // part)
        many = write_recordings(folder / "many", 2, 10_000 // part)
        figures = {
            **_measured("register", log),
            **_measured("again", few, "1"),
            **_measured("again", many, "10"),
        }
    figures["cost of a recording, 10 times as many to as many"] = round(
        figures["a recording, 10, ms"] / figures["a recording, 1, ms"], 2
    )
    machine = {
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "system": platform.platform(),
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
    }
    print("| figure | |\n|---|---|")
    for words, value in {**machine, **figures}.items():
        print(f"| {words} | {value} |")
    if asked.json:
        asked.json.write_text(json.dumps({"machine": machine, "figures": figures}, indent=1), encoding="utf-8")


def _measured(name: str, *arguments: object) -> dict[str, float]:
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", *map(str, arguments)]
    ended = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(ended.stdout)
    return found


if __name__ == "__main__":
    main()
