"""Counts over time: every decision in one figure of one day, and which day is unusual."""

import random
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from math import erfc, exp, lgamma, log, log1p, sqrt

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import counts
from assistant.counts import (
    MAX_CODE,
    MAX_CODES,
    MIN_BASELINE,
    MIN_DAY,
    MIN_DAYS,
    OTHER_CODES,
    SHARE,
    WINDOW,
    Counts,
    Day,
    Gap,
    Kind,
    kind_of,
    method,
    tail,
)
from assistant.register import COLUMNS
from tests.strategies import trying

MONDAY = date(2026, 3, 2)
OUTCOMES = [
    ("ok", Kind.OK, ""),
    ("refused: not_found", Kind.REFUSED, "not_found"),
    ("refused: error: x", Kind.REFUSED, "error: x"),
    ("refused: ", Kind.REFUSED, ""),
    ("refused:  two", Kind.REFUSED, " two"),
    ("error: order_book_unavailable", Kind.ERROR, "order_book_unavailable"),
    ("error: refused: not_found", Kind.ERROR, "refused: not_found"),
    (None, Kind.OTHER, ""),
    ("", Kind.OTHER, ""),
    *(
        (text, Kind.OTHER, text)
        for text in (
            "OK",
            "ok ",
            "ok\n",
            "okay",
            "refused",
            "refused:x",
            "Refused: x",
            " refused: x",
            "error",
            "errors: x",
        )
    ),
]
HOSTILE = ["<script>alert(1)</script>", "{day}", "\0", "x" * 100_000, "=1+1", "‮abc", "not_found\n", " not_found", "𝔘"]


def on(number):
    """The day so many days after MONDAY."""
    return MONDAY + timedelta(number)


def counted(rows):
    """Count rows of a day and an outcome."""
    days, outcomes = zip(*rows, strict=True) if rows else ((), ())
    types = [COLUMNS.field(name).type for name in ("day", "outcome")]
    table = pa.table({"day": pa.array(days, types[0]), "outcome": pa.array(outcomes, types[1])})
    return counts.count(counts.by_day(table))


def days_of(given_counts):
    return [day for day in given_counts.days if isinstance(day, Day)]


def day_with(number, proposals, **refusals):
    return Day(on(number), proposals, {code: count for code, count in refusals.items() if count}, 0, 0)


def surges_among(days, codes=("a",)):
    return list(counts.surges(counts.judged(days), codes))


# Every decision in one figure.


@pytest.mark.parametrize(("outcome", "kind", "code"), OUTCOMES)
def test_the_kind_of_an_outcome_is_told_by_its_exact_beginning(outcome, kind, code):
    assert kind_of(outcome) == (kind, code)


@pytest.mark.parametrize(("outcome", "kind", "code"), OUTCOMES)
def test_each_outcome_is_counted_in_one_figure_only(outcome, kind, code):
    [day] = counted([(MONDAY, outcome)] * 3).days
    assert (day.ok, day.refused, day.errors, day.other) == tuple(3 * (kind is each) for each in Kind)
    assert day.refusals == ({code: 3} if kind is Kind.REFUSED else {})
    assert day.proposals == 3


rows_of_any_kind = st.lists(
    st.tuples(
        st.none() | st.dates(on(0), on(9)) | st.dates(),
        st.sampled_from([outcome for outcome, _, _ in OUTCOMES])
        | st.text()
        | st.text(max_size=2).map("refused: {}".format),
    ),
    max_size=60,
)


@trying(150)
@given(rows_of_any_kind)
def test_the_figures_of_any_rows_add_up_to_their_number(rows):
    result = counted(rows)
    found = [*days_of(result), *([result.undated] if result.undated else [])]
    assert sum(day.proposals for day in found) == len(rows)
    for day in [*found, result.total]:
        assert day.ok + sum(day.refusals.values()) + day.errors + day.other == day.proposals
        assert min(day.ok, day.errors, day.other) >= 0 < min(day.refusals.values(), default=1)
        assert day.refusals.keys() <= set(result.codes)
    for kind in Kind:
        expected = Counter(day for day, outcome in rows if kind_of(outcome)[0] is kind)
        figure = {Kind.REFUSED: "refused", Kind.ERROR: "errors"}.get(kind, str(kind))
        assert {day.day: getattr(day, figure) for day in found if getattr(day, figure)} == expected
        assert getattr(result.total, figure) == expected.total()


@trying(100)
@given(rows_of_any_kind)
def test_days_and_gaps_follow_one_another_without_a_hole(rows):
    days = counted(rows).days
    ends = [(day.first, day.last) if isinstance(day, Gap) else (day.day, day.day) for day in days]
    assert all(last + timedelta(1) == first for (_, last), (first, _) in pairwise(ends))
    assert not any(isinstance(one, Gap) and isinstance(next_one, Gap) for one, next_one in pairwise(days))
    assert {day.day for day in days if isinstance(day, Day)} == {day for day, _ in rows if day}
    assert not days or not (isinstance(days[0], Gap) or isinstance(days[-1], Gap))


@trying(50)
@given(rows_of_any_kind, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(rows, chance):
    mixed = list(rows)
    chance.shuffle(mixed)
    assert counted(mixed) == counted(rows)


def test_no_rows_have_no_days():
    assert counted([]) == Counts((), (), None, (), 0)


def test_a_day_without_data_is_not_a_day_with_none():
    first, gap, last = counted([(on(0), "refused: a"), (on(4), "ok")]).days
    assert gap == Gap(on(1), on(3))
    assert gap.length == 3
    assert (first.refused, last.refused) == (1, 0)


def test_one_day_without_data_is_a_gap_of_one_day():
    assert counted([(on(0), "ok"), (on(2), "ok")]).days[1] == Gap(on(1), on(1))
    assert Gap(on(1), on(1)).length == 1


def test_undated_decisions_are_counted_apart():
    result = counted([(None, "refused: a"), (None, "ok"), (on(0), "ok")])
    assert result.undated == Day(None, 2, {"a": 1}, 0, 0)
    assert days_of(result) == [Day(on(0), 1, {}, 0, 0)]
    assert counted([(on(0), "ok")]).undated is None


def test_undated_decisions_alone_have_no_days():
    assert counted([(None, "refused: a")]) == Counts(("a",), (), Day(None, 1, {"a": 1}, 0, 0), (), 0)


def test_the_first_and_the_last_day_of_the_calendar_are_days_like_others():
    first, gap, last = counted([(date.max, "refused: a"), (date.min, "ok")]).days
    assert (first.day, last.day) == (date.min, date.max)
    assert gap == Gap(date.min + timedelta(1), date.max - timedelta(1))


# Codes.


def test_codes_stand_by_how_often_they_come_and_then_by_name():
    rows = [(on(0), f"refused: {code}") for code in ("c", "b", "a", "b", "d", "d")]
    assert counted(rows).codes == ("b", "d", "a", "c")


def test_the_undated_decide_on_the_order_of_codes_too():
    assert counted([(None, "refused: b"), (None, "refused: b"), (on(0), "refused: a")]).codes == ("b", "a")


def test_a_code_of_errors_is_no_code_of_refusals():
    assert counted([(on(0), "error: order_book_unavailable"), (on(0), "refused: a")]).codes == ("a",)


@pytest.mark.parametrize(("codes", "together"), [(MAX_CODES - 1, 0), (MAX_CODES, 0), (MAX_CODES + 1, 1), (500, 488)])
def test_rare_codes_beyond_the_most_frequent_are_counted_together(codes, together):
    rows = [(on(0), f"refused: {number:03}") for number in range(codes)] + [(on(0), "refused: 000")]
    result = counted(rows)
    names = tuple(f"{number:03}" for number in range(min(codes, MAX_CODES)))
    assert result.codes == ((*names, OTHER_CODES) if together else names)
    assert result.days[0].refusals.get(OTHER_CODES, 0) == together
    assert result.days[0].refused == len(rows)


def test_a_code_that_looks_like_the_marker_is_counted_with_the_rare_ones():
    result = counted([(on(0), f"refused: {OTHER_CODES}")] * 5 + [(on(0), "refused: a")])
    assert result.codes == ("a", OTHER_CODES)
    assert result.days[0].refusals == {"a": 1, OTHER_CODES: 5}


@pytest.mark.parametrize("code", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_code_is_kept_as_it_stands(code):
    result = counted([(on(0), f"refused: {code}")] * 2 + [(on(0), "refused: not_found")])
    is_rare = len(code) > MAX_CODE  # too long for a column's head
    assert result.codes == (("not_found", OTHER_CODES) if is_rare else (code, "not_found"))
    assert result.days[0].refusals == {OTHER_CODES if is_rare else code: 2, "not_found": 1}


# What is unusual. `quiet` days have no refusals; a day of nothing but refusals follows.


def quiet(days, proposals=40, start=0):
    return [day_with(start + number, proposals) for number in range(days)]


def test_a_day_of_refusals_after_quiet_days_is_a_surge_with_its_baseline():
    [surge] = surges_among([*quiet(10), day_with(12, 30, a=30)])
    assert surge[:-1] == (on(12), "a", 30, 30, 0, 400, 10, on(12 - WINDOW), on(11))
    assert 0 < surge.probability < SHARE


SMALL = [
    ("just enough of everything", MIN_DAYS, MIN_BASELINE, MIN_DAY, True),
    ("a day with one proposal too few", MIN_DAYS, MIN_BASELINE, MIN_DAY - 1, False),
    ("a baseline with one day too few", MIN_DAYS - 1, MIN_BASELINE, MIN_DAY, False),
    ("a baseline with one proposal too few", MIN_DAYS, MIN_BASELINE - 1, MIN_DAY, False),
]


@pytest.mark.parametrize(("what", "days", "baseline", "proposals", "enough"), SMALL, ids=[each[0] for each in SMALL])
def test_a_day_is_judged_from_just_enough_proposals_on(what, days, baseline, proposals, enough):
    before = [*quiet(days - 1, 1), day_with(days - 1, baseline - days + 1)]
    after = day_with(days, proposals, a=proposals)
    assert [surge.day for surge in surges_among([*before, after])] == ([after.day] if enough else []), what
    assert len(list(counts.judged([*before, after]))) == enough


@trying(60)
@given(st.integers(1, MIN_DAY - 1), st.integers(MIN_DAYS, WINDOW), st.integers(MIN_BASELINE, 10**6))
def test_a_small_day_never_flags(proposals, days, each):
    assert surges_among([*quiet(days, each), day_with(days, proposals, a=proposals)]) == []


@trying(60)
@given(st.integers(0, WINDOW), st.integers(1, 10**6), st.integers(MIN_DAY, 10**5))
def test_a_day_after_a_thin_baseline_never_flags(days, each, proposals):
    if days >= MIN_DAYS:
        each = min(each, (MIN_BASELINE - 1) // days)
    assert surges_among([*quiet(days, each), day_with(days, proposals, a=proposals)]) == []


@pytest.mark.parametrize(("back", "is_judged"), [(WINDOW, True), (WINDOW + 1, False)])
def test_the_window_ends_at_its_first_day(back, is_judged):
    first, rest = day_with(-back, 100), [day_with(-number, 100) for number in range(MIN_DAYS - 1, 0, -1)]
    assert bool(surges_among([first, *rest, day_with(0, 50, a=50)])) is is_judged


def test_days_without_data_are_no_part_of_a_baseline():
    days = [day_with(3 * number, 50) for number in range(MIN_DAYS)]
    [surge] = surges_among([*days, day_with(3 * MIN_DAYS, 50, a=50)])
    assert (surge.baseline_days, surge.baseline_proposals) == (MIN_DAYS, 50 * MIN_DAYS)


@trying(60)
@given(st.integers(1, 400), st.integers(0, 400))
def test_a_day_with_a_share_no_higher_than_before_never_flags(before, now):
    days = [day_with(number, 400, a=before) for number in range(10)]
    assert surges_among([*days, day_with(10, 400, a=min(before, now))]) == []


def test_earlier_surges_count_into_the_baseline():
    surges = surges_among([*quiet(10), day_with(10, 40, a=30), day_with(11, 40, a=30)])
    assert [(surge.baseline_refusals, surge.baseline_proposals) for surge in surges] == [(0, 400), (30, 440)]
    assert surges[0].probability < surges[1].probability


def test_the_limit_is_divided_by_the_number_of_codes():
    days = [*quiet(10), day_with(10, 40, a=3)]
    [surge] = surges_among(days)
    enough = int(SHARE / surge.probability)
    assert enough >= 1
    assert surges_among(days, ["a", *map(str, range(enough - 1))]) == [surge]
    assert surges_among(days, ["a", *map(str, range(enough))]) == []


@pytest.mark.parametrize("outcome", ["error: a", "error: refused: a", "refused:a", "a", None])
def test_what_is_no_refusal_makes_no_surge(outcome):
    before = [(on(number), "ok") for number in range(10) for _ in range(40)]
    result = counted([*before, (on(0), "refused: a"), *[(on(10), outcome)] * 40])
    assert (result.judged, result.surges) == (11 - MIN_DAYS, ())


def test_undated_decisions_are_in_no_baseline_and_no_surge():
    rows = [(on(number), "ok") for number in range(10) for _ in range(40)]
    assert counted([*rows, *[(None, "refused: a")] * 500]).surges == ()


CALENDAR = [
    ("its first days", date.min + timedelta(MIN_DAYS), date.min),
    ("its last day", date.max, date.max - timedelta(WINDOW)),
]


@pytest.mark.parametrize(("what", "last", "window"), CALENDAR, ids=[each[0] for each in CALENDAR])
def test_a_surge_at_an_end_of_the_calendar_has_its_window_within_it(what, last, window):
    before = [(last - timedelta(number), "ok") for number in range(1, MIN_DAYS + 1) for _ in range(40)]
    [surge] = counted([*before, *[(last, "refused: a")] * 40]).surges
    assert (surge.day, surge.first, surge.last) == (last, window, last - timedelta(1)), what


# Against chance.

SHARES = {"not_found": 0.06, "other_customer": 0.03, "invalid_argument": 0.015, "unknown_tool": 0.004, "late": 0.0008}


def simulated(days, seed, proposals=(30, 120)):
    """Days that differ by chance only, some of them without data."""
    chance = random.Random(seed)
    found = []
    for number in range(days):
        if chance.random() < 0.05:
            continue
        size = chance.randint(*proposals)
        drawn = Counter(chance.choices([*SHARES, None], [*SHARES.values(), 1 - sum(SHARES.values())], k=size))
        found.append(day_with(number, size, **{code: drawn[code] for code in SHARES}))
    return found


def test_without_a_surge_no_more_than_the_stated_share_of_days_is_marked():
    """About 3 of 3,000 days are expected at most. Three standard deviations more are left to the seed's chance."""
    days = simulated(3250, seed=4)
    judged = len(list(counts.judged(days)))
    assert judged >= 3000
    marked = {surge.day for surge in surges_among(days, list(SHARES))}
    assert len(marked) <= SHARE * judged + 3 * sqrt(SHARE * judged)


def binomial(number, share):
    """The probability of 0 to `number` refusals."""
    return [
        exp(lgamma(number + 1) - lgamma(k + 1) - lgamma(number - k + 1) + k * log(share) + (number - k) * log1p(-share))
        for k in range(number + 1)
    ]


@pytest.mark.parametrize(("baseline", "proposals"), [(200, 20), (200, 200), (200, 2000), (1000, 100)])
@pytest.mark.parametrize("limit", [SHARE, SHARE / 5])
def test_the_stated_share_holds_exactly_whatever_the_share_of_refusals(baseline, proposals, limit):
    """Not simulated: summed over everything that may happen on the baseline and on the day. The beta-binomial
    distribution with the prior of Jeffreys fails here where the day has far more proposals than its baseline."""
    enough, limits = 0, []
    for before in range(baseline + 1):
        while enough <= proposals and tail(enough, proposals, before, baseline) >= limit:
            enough += 1
        limits.append(enough)
    assert limits[0] <= proposals
    for share in (0.0005, 0.003, 0.01, 0.025, 0.035, 0.1, 0.3, 0.5, 0.7, 0.95):
        of_day = [*binomial(proposals, share), 0.0]
        above = of_day[:]
        for k in range(proposals, -1, -1):
            above[k] += above[k + 1]
        marked = sum(p * above[least] for p, least in zip(binomial(baseline, share), limits, strict=True))
        assert marked <= limit


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("code", ["not_found", "unknown_tool"])
def test_a_planted_surge_is_marked_on_its_day_and_code_alone(seed, code):
    days = simulated(60, seed)
    planted = days[40]
    more = planted.refusals.get(code, 0) + 30
    days[40] = planted._replace(proposals=planted.proposals + 30, refusals={**planted.refusals, code: more})
    assert [(surge.day, surge.code, surge.refusals) for surge in surges_among(days, list(SHARES))] == [
        (planted.day, code, more)
    ]


def test_a_surge_tells_the_figures_of_the_days_before_it():
    days = simulated(400, seed=7)
    for number in (50, 150, 160, 399 - 50):
        days[number] = day_with((days[number].day - MONDAY).days, 60, not_found=40)
    surges = surges_among(days, list(SHARES))
    assert len(surges) >= 4
    for surge in surges:
        before = [day for day in days if surge.first <= day.day <= surge.last]
        assert (surge.first, surge.last) == (surge.day - timedelta(WINDOW), surge.day - timedelta(1))
        assert surge.baseline_days == len(before) < WINDOW + 1
        assert surge.baseline_proposals == sum(day.proposals for day in before)
        assert surge.baseline_refusals == sum(day.refusals.get(surge.code, 0) for day in before)


# The probability.


def exact_tail(refusals, proposals, baseline_refusals, baseline_proposals):
    """Let all refusals fall, one after the other, on proposals that are not refused yet."""
    everyone = proposals + baseline_proposals
    on_day = {0: Fraction(1)}
    for fallen in range(refusals + baseline_refusals):
        after = Counter()
        for number, probability in on_day.items():
            here = Fraction(proposals - number, everyone - fallen)
            after[number + 1] += probability * here
            after[number] += probability * (1 - here)
        on_day = after
    return sum(probability for number, probability in on_day.items() if number >= refusals)


@st.composite
def two_samples(draw):
    proposals, baseline = draw(st.integers(1, 25)), draw(st.integers(0, 40))
    return draw(st.integers(0, proposals)), proposals, draw(st.integers(0, baseline)), baseline


@trying(200)
@given(two_samples())
def test_the_probability_is_exact(sample):
    assert tail(*sample) == pytest.approx(float(exact_tail(*sample)), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("sample", [(20, 20, 0, 200), (18, 20, 3, 200), (5, 100, 0, 60), (25, 25, 39, 40)])
def test_a_small_probability_is_exact_too(sample):
    assert tail(*sample) == pytest.approx(float(exact_tail(*sample)), rel=1e-9)


@pytest.mark.parametrize("deviations", [-4, -1, 1, 3])
@pytest.mark.parametrize("share", [0.01, 0.2, 0.9])
def test_the_probability_of_very_many_is_near_the_normal_one(deviations, share):
    proposals, baseline = 10**7, 28 * 10**7
    before = round(share * baseline)
    spread = sqrt(proposals * share * (1 - share) * (1 + proposals / baseline))
    refusals = round(proposals * share + deviations * spread)
    expected = erfc(deviations / sqrt(2)) / 2
    assert tail(refusals, proposals, before, baseline) == pytest.approx(expected, rel=0.02)


def test_a_probability_too_small_for_a_float_is_zero_and_flags():
    days = [*quiet(10, 10**7), day_with(10, 10**7, a=10**7)]
    [surge] = surges_among(days)
    assert surge.probability == 0


# In words.


def test_the_method_states_every_number_that_it_depends_on():
    said = str(method())
    for number in (WINDOW, MIN_DAYS, MIN_BASELINE, MIN_DAY, round(1 / SHARE)):
        assert f" {number} " in said
    assert round(1 / SHARE) * SHARE == 1
