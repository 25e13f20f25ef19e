"""Taking the register away: what the files hold, and that no cell of them runs."""

import csv
import io
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.export import COLUMNS, LATEST, cell, csv_of, json_lines_of
from assistant.register import read, whole
from assistant.selection import key_of
from tests.strategies import trying
from tests.test_recording import FOLDER
from tests.test_register import LINE_ROW

ROW = {**LINE_ROW, "again": "flipped", "now": "ok", "now_check": None}
FIRST = {
    "reviewed_at": datetime(2026, 11, 2, 10, tzinfo=UTC),
    "opinion": "agree",
    "note": "first",
    "name": "Zoe",
    "validator": "v1",
}
LAST = {**FIRST, "opinion": "policy", "note": "=1+1", "name": "Grace", "validator": "v2"}
HOSTILE = '=HYPERLINK("https://example.org")\n"; DROP TABLE reviews;--\u202e<b>'


def none(_key):
    return ()


def read_csv(content):
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_a_line_holds_all_of_a_row_and_the_latest_review():
    (line,) = read_csv(csv_of(iter([ROW]), lambda _: (FIRST, LAST)))
    assert list(line) == [*COLUMNS, "key", "reviews", *LATEST]
    assert line["time"] == "2026-10-09T12:00:00.250000+00:00"
    assert (line["day"], line["ticket"], line["place"], line["again"]) == ("2026-10-09", "S-1", "1", "flipped")
    assert (line["key"], line["reviews"]) == (key_of(ROW), "2")
    assert [line[name] for name in LATEST] == ["2026-11-02T10:00:00+00:00", "policy", "'=1+1", "Grace", "v2"]
    assert (line["verdict"], line["now_check"]) == ("", "")


def test_without_a_review_its_columns_are_empty():
    (line,) = read_csv(csv_of(iter([ROW]), none))
    assert (line["reviews"], [line[name] for name in LATEST]) == ("0", [""] * len(LATEST))


def test_each_object_holds_all_of_a_row_and_all_reviews():
    (line,) = map(json.loads, json_lines_of(iter([ROW]), lambda _: (FIRST, LAST)).splitlines())
    assert list(line) == [*COLUMNS, "key", "reviews"]
    assert line["arguments"] == LINE_ROW["arguments"]
    assert [each["note"] for each in line["reviews"]] == ["first", "=1+1"]
    assert line["reviews"][0]["reviewed_at"] == "2026-11-02T10:00:00+00:00"


@pytest.mark.parametrize("make", [csv_of, json_lines_of])
def test_reviews_are_asked_for_by_the_rows_own_key(make):
    asked = []
    make(iter([ROW, {**ROW, "ticket": "S-2"}]), lambda key: asked.append(key) or ())
    assert asked == [key_of(ROW), key_of({**ROW, "ticket": "S-2"})]


def test_no_rows_are_a_head_alone_or_nothing():
    assert csv_of(iter([]), none).count(b"\n") == 1
    assert json_lines_of(iter([]), none) == b""


def test_a_row_that_was_not_decided_again_has_nothing_there():
    assert read_csv(csv_of(iter([LINE_ROW]), none))[0]["again"] == ""
    assert json.loads(json_lines_of(iter([LINE_ROW]), none))["again"] is None


# No cell runs.


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1+cmd|' /C calc'!A0",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "  =1",
        "\u00a0=1",
        "\uff1d1",
        "\uff0b1",
        "\uff0d1",
        "\uff201",
        "\tx",
    ],
)
def test_what_begins_like_a_formula_begins_with_an_apostrophe(text):
    assert cell(text) == f"'{text}"
    (line,) = read_csv(csv_of(iter([{**ROW, "arguments": text, "told": text}]), none))
    assert line["arguments"] == line["told"] == f"'{text}"


@pytest.mark.parametrize("text", ["LK-581106", "a=1", '{"order_id": "=1"}', "", "'=1", "refused: not_found", "é"])
def test_all_other_text_is_left_as_it_is(text):
    assert cell(text) == text


def test_numbers_and_nothing_stay_what_they_are():
    assert [cell(value) for value in (-1, 7, None, 0.5)] == [-1, 7, None, 0.5]


@trying(300)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back_as_it_was_but_for_an_apostrophe(text):
    (line,) = read_csv(csv_of(iter([{**ROW, "arguments": text}]), none))
    assert line["arguments"] in (text, f"'{text}")
    assert line["arguments"][:1] not in tuple("=+-@\t\r\n")
    (held,) = map(json.loads, json_lines_of(iter([{**ROW, "arguments": text}]), none).decode("ascii").splitlines())
    assert held["arguments"] == text


def test_hostile_text_ends_no_line_in_any_column():
    texts = {name: HOSTILE for name in COLUMNS if name not in ("time", "day", "place")}
    rows = [{**ROW, **texts}, ROW]
    review = {**FIRST, "note": HOSTILE, "name": HOSTILE}
    lines = read_csv(csv_of(iter(rows), lambda _: (review,)))
    assert [line["ticket"] for line in lines] == [f"'{HOSTILE}", "S-1"]
    assert {lines[0][name] for name in texts} == {f"'{HOSTILE}"}
    assert (lines[1]["note"], lines[1]["name"]) == (f"'{HOSTILE}", f"'{HOSTILE}")
    assert len(json_lines_of(iter(rows), lambda _: (review,)).splitlines()) == 2


def test_no_order_is_taken_away():
    rows, _ = whole(read([FOLDER]))
    for make in (csv_of, json_lines_of):
        content = make(iter(rows.to_pylist()), none).decode()
        assert "LK-615204" in content
        assert "garden shed" not in content
