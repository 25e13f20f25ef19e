"""Counts over time on the page: no data is not none, a surge is named with its method, all days can be reached."""

import json
from datetime import date, timedelta

import pytest

from assistant.counts import Counts, Day, Gap, method
from assistant.explorer.day_by_day import AT_ONCE, shown_days
from assistant.explorer.language import ENGLISH, FRENCH
from tests.test_explorer_page import own_environment, page_modules  # noqa: F401
from tests.test_explorer_reviewing import days_of, log_of, logs, made, review  # noqa: F401
from tests.test_explorer_site import drawn, link_to
from tests.test_register import line

FIRST = date(2026, 1, 1)


def counts_of(number):
    days = tuple(Day(FIRST + timedelta(n), 1, {}, 0, 0) for n in range(number))
    return Counts((), days, None, (), 0)


def test_a_day_without_data_says_so_and_is_not_a_day_with_none(monkeypatch, tmp_path):
    at = "2026-10-0{}T12:00:00+00:00".format
    log_of(monkeypatch, tmp_path, line(time=at(1)), line(time=at(2), outcome="ok", failed_check=None), line(time=at(6)))
    _, days = days_of(review())
    assert list(days) == ["All days", "2026-10-06", "2026-10-03 to 2026-10-05", "2026-10-02", "2026-10-01"]
    assert [cell.text for cell in days["2026-10-03 to 2026-10-05"]] == ["no data"]
    assert [cell.text for cell in days["2026-10-02"]] == ["1", "0", "0", "0", "0"]


def test_one_day_without_data_is_named_once(monkeypatch, tmp_path):
    at = "2026-10-0{}T12:00:00+00:00".format
    log_of(monkeypatch, tmp_path, line(time=at(1)), line(time=at(3)))
    assert list(days_of(review())[1])[2] == "2026-10-02"


def test_the_undated_are_counted_and_named(monkeypatch, tmp_path):
    log_of(monkeypatch, tmp_path, line(), line(time=None), line(time=None))
    _, days = days_of(review())
    assert days["undated"][0].text == "2"
    _, asked = link_to(days["undated"][0].one("a").attributes["href"])
    assert asked == {"day": "none"}


@pytest.mark.parametrize(("locale", "language"), [("en-CA", ENGLISH), ("fr-CA", FRENCH)])
def test_a_surge_is_named_with_its_baseline_its_window_and_the_method(logs, locale, language):  # noqa: ARG001, F811
    page = review(locale)
    (surge,) = drawn(page).one("div", kind="surges").one("ul").all("li")
    assert "2026-10-01" in surge.text
    assert "other_customer" in surge.text
    assert "2026-09-03" in surge.text
    assert "2026-09-30" in surge.text
    path, asked = link_to(surge.one("a").attributes["href"])
    assert (path, asked["day"], asked["outcome"]) == ("review", "2026-10-01", "refused: other_customer")
    assert language.tell(method()) in drawn(page).one("div", kind="surges").one("details").text
    _, days = days_of(page)
    assert sum("▲" in cell.text for cells in days.values() for cell in cells) == 1


def test_too_few_data_are_no_sign_that_nothing_is_unusual(monkeypatch, tmp_path):
    log_of(monkeypatch, tmp_path, line())
    said = drawn(review()).one("div", kind="surges").text
    assert "No day can be told to be unusual: there are too few data." in said


def charts(page):
    return [json.loads(each.proto.spec) for each in page.get("vega_lite_chart")]


def test_the_chart_is_said_in_words_and_there_only_where_there_are_dates(monkeypatch, tmp_path):
    path = log_of(monkeypatch, tmp_path, line())
    (chart,) = charts(review())
    assert chart["description"].startswith("A chart of the refusals a day by code")
    path.unlink()
    log_of(monkeypatch, tmp_path, line(time=None), line(time=None))
    other = tmp_path / "other.jsonl"
    other.write_text(line(time=None) + "\n", encoding="utf-8")
    monkeypatch.setenv("EXPLORER_LOGS", str(other))
    assert charts(review()) == []


@pytest.mark.parametrize("number", [1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE + 5])
def test_every_day_is_on_exactly_one_of_the_pages_that_the_links_lead_through(number):
    counted, until, seen = counts_of(number), "", []
    while until is not None:
        days, until, _ = shown_days(counted, until)
        assert len(days) <= AT_ONCE
        seen = [*days, *seen]
    assert tuple(seen) == counted.days


def test_the_links_lead_back_too():
    counted = counts_of(2 * AT_ONCE + 1)
    _, earlier, later = shown_days(counted, "")
    assert later is None
    _, _, back = shown_days(counted, earlier)
    assert back == ""


@pytest.mark.parametrize("until", ["0001-01-01", "2025-12-31", "9999-12-31"])
def test_a_day_beyond_what_there_is_shows_the_nearest(until):
    days, _, _ = shown_days(counts_of(3), until)
    assert days


def test_a_gap_counts_as_one():
    gap = Gap(FIRST + timedelta(1), FIRST + timedelta(400))
    days = (Day(FIRST, 1, {}, 0, 0), gap, Day(FIRST + timedelta(401), 1, {}, 0, 0))
    assert shown_days(Counts((), days, None, (), 0), "")[0] == list(days)
