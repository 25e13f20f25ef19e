"""Owns the small things that several measurements need."""

import os
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path

TICKETS = ("T-80008", "T-80001", "T-65059", "T-80009")
TICKS_A_S = os.sysconf("SC_CLK_TCK")


def p50(values: Iterable[float]) -> float:
    """The median."""
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(values, n=20)[-1]


def ms(seconds: float) -> float:
    """Milliseconds, to a tenth."""
    return round(seconds * 1000, 1)


def memory_kb(pid: int) -> int:
    """The resident memory of a process in kB, as Linux counts it."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def cpu_s(pid: int) -> float:
    """The seconds of processor time that a process has had, without its children's."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_A_S
