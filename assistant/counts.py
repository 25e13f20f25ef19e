"""Owns counting the register's decisions day by day, and telling which day is unusual.

It reads outcomes as they were logged and knows no code by name. A refusal is not an error, and neither is a day
without data a day with none.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from heapq import nsmallest
from math import exp, lgamma
from typing import NamedTuple

import pyarrow as pa

from .sentence import Sentence, say

MAX_CODES = 12
MAX_CODE = 64  # characters; a longer one heads no column and fits into no address
OTHER_CODES = "…"  # stands for all codes beyond the MAX_CODES most frequent ones, and for those that are too long
WINDOW = 28  # days before the one that is judged
MIN_DAYS = 7  # of them with data
MIN_BASELINE = 200  # proposals in the window
MIN_DAY = 20  # proposals on the day
SHARE = 0.001  # of the judged days that may be flagged by chance


class Kind(StrEnum):
    """What kind of outcome a decision has. OTHER: none that this project's code writes, or not recorded."""

    OK = "ok"
    REFUSED = "refused"
    ERROR = "error"
    OTHER = "other"


_PREFIXES = {kind: f"{kind}: " for kind in (Kind.REFUSED, Kind.ERROR)}


def kind_of(outcome: str | None) -> tuple[Kind, str]:
    """The kind of an outcome, and its code; for OTHER the outcome itself."""
    if outcome == "ok":
        return Kind.OK, ""
    if outcome is None:
        return Kind.OTHER, ""
    for kind, prefix in _PREFIXES.items():
        if outcome.startswith(prefix):
            return kind, outcome.removeprefix(prefix)
    return Kind.OTHER, outcome


class Day(NamedTuple):
    """The decisions of one day, or with `day` None the undated ones. `refusals`: how many by code, where any."""

    day: date | None
    proposals: int
    refusals: Mapping[str, int]
    errors: int
    other: int

    @property
    def refused(self) -> int:
        """All refusals."""
        return sum(self.refusals.values())

    @property
    def ok(self) -> int:
        """What was allowed."""
        return self.proposals - self.refused - self.errors - self.other


class Gap(NamedTuple):
    """Consecutive days without data, from the first to the last."""

    first: date
    last: date

    @property
    def length(self) -> int:
        """How many days."""
        return (self.last - self.first).days + 1


class Surge(NamedTuple):
    """A day with unusually many refusals by one code. `refusals` of `proposals`, against `baseline_refusals` of
    `baseline_proposals` on the `baseline_days` days with data from `first` to `last`; `probability` of as many or more
    by chance."""

    day: date
    code: str
    refusals: int
    proposals: int
    baseline_refusals: int
    baseline_proposals: int
    baseline_days: int
    first: date
    last: date
    probability: float


class Counts(NamedTuple):
    """All days from the first to the last with data, oldest first; the codes, most frequent first, OTHER_CODES last;
    what is unusual among the `judged` days: where that is 0, nothing can be said."""

    codes: tuple[str, ...]
    days: tuple[Day | Gap, ...]
    undated: Day | None
    surges: tuple[Surge, ...]
    judged: int

    @property
    def total(self) -> Day:
        """All days and the undated together."""
        dated = [day for day in self.days if isinstance(day, Day)]
        return _sum([*dated, *([self.undated] if self.undated else [])])


def by_day(rows: pa.Table) -> pa.Table:
    """How many rows of a register have each outcome on each day: `day`, `outcome`, `number`."""
    grouped = rows.select(["day", "outcome"]).group_by(["day", "outcome"]).aggregate([([], "count_all")])
    return grouped.rename_columns(["day", "outcome", "number"])


def count(grouped: pa.Table) -> Counts:
    """Count what `by_day` grouped."""
    days: dict[date | None, list[tuple[Kind, str, int]]] = {}
    totals = Counter[str]()
    for day, outcome, number in zip(*(grouped[name].to_pylist() for name in grouped.column_names), strict=True):
        kind, code = kind_of(outcome)
        days.setdefault(day, []).append((kind, code, number))
        if kind is Kind.REFUSED:
            totals[code] += number
    # A log may hold OTHER_CODES as a code.
    named = [code for code in totals if code != OTHER_CODES and len(code) <= MAX_CODE]
    kept = nsmallest(MAX_CODES, named, key=lambda code: (-totals[code], code))
    shown = (*kept, OTHER_CODES) if len(totals) > len(kept) else tuple(kept)
    counted = {day: _day(day, found, frozenset(kept)) for day, found in days.items()}
    undated = counted.pop(None, None)
    dated = [counted[day] for day in sorted(day for day in counted if day)]
    compared = list(judged(dated))
    return Counts(shown, tuple(_with_gaps(dated)), undated, tuple(surges(compared, shown)), len(compared))


def _day(day: date | None, found: Iterable[tuple[Kind, str, int]], kept: frozenset[str]) -> Day:
    by_kind, refusals = Counter[Kind](), Counter[str]()
    for kind, code, number in found:
        by_kind[kind] += number
        if kind is Kind.REFUSED:
            refusals[code if code in kept else OTHER_CODES] += number
    return Day(day, by_kind.total(), dict(refusals), by_kind[Kind.ERROR], by_kind[Kind.OTHER])


def _sum(days: Sequence[Day]) -> Day:
    refusals: dict[str, int] = {}
    for day in days:
        for code, number in day.refusals.items():
            refusals[code] = refusals.get(code, 0) + number
    proposals, errors, other = (sum(getattr(day, name) for day in days) for name in ("proposals", "errors", "other"))
    return Day(None, proposals, refusals, errors, other)


def _with_gaps(days: Sequence[Day]) -> Iterator[Day | Gap]:
    before: date | None = None
    for day in days:
        if before is not None and (_date(day) - before).days > 1:
            yield Gap(before + timedelta(1), _date(day) - timedelta(1))
        yield day
        before = _date(day)


# What is unusual.


class Baseline(NamedTuple):
    """The days with data, `days` of them, among the WINDOW before a day, from the window's `first` day to its
    `last`."""

    first: date
    last: date
    days: int
    proposals: int
    refusals: Mapping[str, int]


def method() -> Sentence:
    """How a surge is told, in words for the page, with every number that it depends on."""
    return say(
        "A day is compared, code by code, with the days with data among the {window} days before it. It is judged when"
        " those are {days} or more, with {baseline} proposals or more, and the day itself has {proposals} or more. It"
        " is marked when as many refusals or more would fall on it by chance, if its share of refusals were the same as"
        " theirs, with a probability under 1 in {every} divided by the number of codes (Fisher’s exact test,"
        " one-sided). So at most 1 judged day in {every} is expected to be marked without any cause. Days differ by"
        " more than chance, and earlier surges count into what comes after them: a mark is a reason to look and no"
        " finding.",
        window=WINDOW,
        days=MIN_DAYS,
        baseline=MIN_BASELINE,
        proposals=MIN_DAY,
        every=round(1 / SHARE),
    )


def judged(days: Sequence[Day]) -> Iterator[tuple[Day, Baseline]]:
    """The days that can be judged, of days with data, oldest first, each with what it is compared with."""
    start = proposals = 0
    refusals: dict[str, int] = {}
    for end, day in enumerate(days):
        first = date.fromordinal(max(_date(day).toordinal() - WINDOW, 1))
        while start < end and _date(days[start]) < first:
            proposals -= days[start].proposals
            for code, number in days[start].refusals.items():
                refusals[code] -= number
            start += 1
        if end - start >= MIN_DAYS and proposals >= MIN_BASELINE and day.proposals >= MIN_DAY:
            yield day, Baseline(first, _date(day) - timedelta(1), end - start, proposals, dict(refusals))
        proposals += day.proposals
        for code, number in day.refusals.items():
            refusals[code] = refusals.get(code, 0) + number


def _date(day: Day) -> date:
    assert day.day is not None
    return day.day


def surges(compared: Iterable[tuple[Day, Baseline]], codes: Sequence[str]) -> Iterator[Surge]:
    """The surges among days that can be judged, in their order: see `method`.

    The promise of at most SHARE holds whatever the codes' own shares are, as long as days differ by chance only: that
    they may differ by more (overdispersion) is not modelled. Of more than MAX_CODES codes, those that had a surge are
    more likely to be among the most frequent, so that the promise is then no more than about right.
    """
    for day, baseline in compared:
        for code in codes:
            refusals, before = day.refusals.get(code, 0), baseline.refusals.get(code, 0)
            if refusals * baseline.proposals <= before * day.proposals:
                continue
            probability = tail(refusals, day.proposals, before, baseline.proposals)
            if probability < SHARE / len(codes):
                yield Surge(
                    _date(day),
                    code,
                    refusals,
                    day.proposals,
                    before,
                    baseline.proposals,
                    baseline.days,
                    baseline.first,
                    baseline.last,
                    probability,
                )


def tail(refusals: int, proposals: int, baseline_refusals: int, baseline_proposals: int) -> float:
    """The probability that `refusals` or more of all refusals fall on the day, when they fall on its proposals and on
    the baseline's alike: the upper tail of the hypergeometric distribution, which is Fisher's exact test, one-sided."""
    if refusals * baseline_proposals <= baseline_refusals * proposals:  # the lower tail is the smaller one
        if refusals == 0 or baseline_refusals == baseline_proposals:
            return 1.0
        return 1.0 - tail(baseline_refusals + 1, baseline_proposals, refusals - 1, proposals)
    both = refusals + baseline_refusals
    first = (
        _log_choose(proposals, refusals)
        + _log_choose(baseline_proposals, baseline_refusals)
        - _log_choose(proposals + baseline_proposals, both)
    )
    # Each term is the one before it times a ratio that falls; all are told relative to the first.
    total = term = 1.0
    for k in range(refusals, min(proposals, both)):
        term *= (proposals - k) / (k + 1) * ((both - k) / (baseline_proposals - both + k + 1))
        total += term
        if term < total * 1e-18:
            break
    return min(1.0, exp(first) * total)


def _log_choose(of: int, chosen: int) -> float:
    """The logarithm of the number of ways to choose."""
    return lgamma(of + 1) - lgamma(chosen + 1) - lgamma(of - chosen + 1)
