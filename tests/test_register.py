"""The register: rows from recordings and decision logs, and what cannot be read."""

import ast
import gzip
import inspect
import json
import os
import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant import model, register
from assistant.events import Decided, Proposed
from assistant.model import NOT_JSON, end_line, log_line
from assistant.recording import load, parse
from assistant.register import COLUMNS, MAX_LINE, MAX_PROBLEMS, read, rows_of, texts_of, whole
from assistant.schema import first_problem
from assistant.strict_json import NotJson, RepeatedKey, read_json
from assistant.ticket import Ticket
from assistant.tools import decide
from tests import strategies
from tests.scripted import BOOK, asking_for, events_of, proposing, replying
from tests.synthetic import write_log, write_recordings
from tests.test_recording import DOCUMENTS, FACTS, FAILED_CHECK, FOLDER, RECORDINGS, put, without_rights

LINE = {
    "time": "2026-10-09T12:00:00.250+00:00",
    "run": "r1",
    "ticket": "S-1",
    "customer": "C-1",
    "tool": "get_order",
    "arguments": '{"order_id": "LK-55190"}',
    "not_text": [],
    "outcome": "refused: invalid_argument",
    "failed_check": "order_id_form",
    "told": "The order ID must be LK- followed by 6 digits.",
}
END = {"time": LINE["time"], "run": "r1", "ticket": "S-1", "customer": "C-1", "verdict": "valid", "broken": []}
LINE_ROW = {
    **LINE,
    "file": "log.jsonl",
    "place": 1,
    "digest": None,
    "time": datetime(2026, 10, 9, 12, 0, 0, 250_000, UTC),
    "day": date(2026, 10, 9),
    "not_text": "",
    "verdict": None,
    "broken": None,
    "reconstructed": None,
}


def line(**changed):
    return json.dumps({**LINE, **changed})


def end(**changed):
    return json.dumps({**END, **changed})


def without(key, line=LINE):
    return json.dumps({name: value for name, value in line.items() if name != key})


def told(problems):
    return [(problem.file, problem.line, str(problem.why)) for problem in problems]


def register_of(*sources):
    """The rows of these files and folders, and what could not be read."""
    rows, problems = whole(read(sources))
    assert rows.schema == COLUMNS
    return rows.to_pylist(), told(problems)


@pytest.fixture
def log(tmp_path):
    """Writes a log of these lines (text or bytes), and reads it."""

    def written_and_read(*lines, name="log.jsonl"):
        path = tmp_path / name
        content = b"".join(each.encode() + b"\n" if isinstance(each, str) else each for each in lines)
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return register_of(path)

    return written_and_read


# A row of a recording


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recording_gives_one_row_with_what_it_says(path):
    document, fact = DOCUMENTS[path.stem], FACTS["tickets"][path.stem]
    [row], problems = register_of(path)
    assert problems == []
    broken = document["verdict"]["broken"]
    assert row == {
        "file": path.name,
        "place": 1,
        "digest": load(path).digest,
        "time": None,
        "day": None,
        "run": None,
        "ticket": path.stem,
        "customer": fact["customer_id"],
        "tool": "get_order",
        "arguments": fact["proposal"]["arguments"],
        "not_text": "",
        "outcome": fact["outcome"],
        "failed_check": FAILED_CHECK[fact["outcome"]],
        "told": fact["tool_result"].get("error"),
        "verdict": fact["verdict"],
        "broken": ",".join(broken),
        "reconstructed": "",
    }


def test_a_row_of_a_recording_holds_no_order():
    rows, _ = register_of(FOLDER)
    assert [row["outcome"] for row in rows].count("ok") == 1
    held = json.dumps(rows, default=str)
    connection = BOOK._connection
    fields = [
        column[1] for table in ("orders", "order_items") for column in connection.execute(f"PRAGMA table_info({table})")
    ]
    products = {row["product"] for row in connection.execute("SELECT product FROM order_items")}
    states = {row["status"] for row in connection.execute("SELECT status FROM orders")}
    days = {row["ordered_on"] for row in connection.execute("SELECT ordered_on FROM orders")}
    secret = {*fields, *products, *states, *days, "899", "CAD", "C-38852"} - {"order_id", "customer_id", "line"}
    assert len(secret) > 40
    assert {each for each in secret if each in held} == set()


def test_each_proposal_of_a_recording_is_a_row_with_its_own_decision(tmp_path):
    document = json.loads(json.dumps(DOCUMENTS["T-80001"]))
    call = asking_for("LK-1", "call_B")
    document["calls"][0]["response"]["choices"][0]["message"]["tool_calls"].append(call)
    document["decisions"].append({"outcome": "refused: invalid_argument", "failed_check": "order_id_form"})
    (tmp_path / "a.json").write_text(json.dumps(document), encoding="utf-8")
    rows, _ = register_of(tmp_path)
    assert [(row["place"], row["outcome"], row["arguments"]) for row in rows] == [
        (1, "refused: other_customer", '{"order_id":"LK-615204"}'),
        (2, "refused: invalid_argument", call["function"]["arguments"]),
    ]
    assert [row["told"] is None for row in rows] == [False, True]


def test_what_a_recording_does_not_say_is_null():
    document = {key: DOCUMENTS["T-80001"][key] for key in ("format", "ticket", "model", "calls", "reconstructed")}
    [row] = list(rows_of(parse(json.dumps(document), "x"), "x"))
    unknown = {key for key, value in row.items() if value is None}
    assert unknown == {"time", "day", "outcome", "failed_check", "told", "verdict", "broken"}


@pytest.mark.parametrize(
    ("mark", "columns"),
    [
        ("/calls/0/response/choices/0/message/tool_calls/0/function/arguments", "arguments"),
        ("/calls/0/response/choices/0/message/tool_calls/0/function/arguments#/order_id", ""),
        ("/calls/0", "tool,arguments"),
        ("/ticket/customer_id", "customer"),
        ("/ticket/text", ""),
        ("/recorded_at", "time"),
        ("/verdict", "verdict"),
        ("/decisions/0", "outcome,failed_check,told"),
        ("/decisions/0/failed_check", "failed_check"),
        ("/decisions/0/result", "told"),
    ],
)
def test_a_row_names_what_of_it_was_reconstructed(mark, columns):
    document = put(DOCUMENTS["T-80001"], "/reconstructed", [mark])
    [row] = rows_of(parse(json.dumps(document), "x"), "x")
    assert row["reconstructed"] == columns


def test_what_was_proposed_in_another_type_is_read_back_in_it(tmp_path):
    place = "/calls/0/response/choices/0/message/tool_calls/0/function"
    for number, (name, arguments) in enumerate([(None, None), (5, {"order_id": "LK-581106"}), ("5", "{}")]):
        document = put(DOCUMENTS["T-80001"], place, {"name": name, "arguments": arguments})
        (tmp_path / f"{number}.json").write_text(json.dumps(put(document, "/ticket/id", f"T-{number}")))
    rows, _ = register_of(tmp_path)
    assert [texts_of(row) for row in rows] == [(None, None), (5, {"order_id": "LK-581106"}), ("5", "{}")]


@pytest.mark.parametrize(
    ("place", "value", "column", "read_as"),
    [
        ("/ticket/customer_id", "C-\ud800", "customer", "C-?"),
        ("/decisions/0/outcome", "\udfffrefused: x", "outcome", "?refused: x"),
        ("/decisions/0/failed_check", "\ud800", "failed_check", "?"),
        ("/decisions/0/result", {"error": "\ud800"}, "told", "?"),
        ("/decisions/0/result", {"error": {"ok": 1}}, "told", None),
        ("/verdict/broken", ["a", "\ud800"], "broken", "a,?"),
    ],
)
def test_hostile_text_in_a_recording_harms_nothing(tmp_path, place, value, column, read_as):
    shutil.copy(RECORDINGS[0], tmp_path)
    (tmp_path / "a.json").write_text(json.dumps(put(DOCUMENTS["T-80001"], place, value)))
    rows, problems = register_of(tmp_path)
    assert problems == []
    assert [row[column] for row in rows if row["ticket"] == "T-80001"] == [read_as]
    assert len(rows) == 2


# A row of a log


def test_a_line_gives_a_row_with_what_it_says(log):
    assert log(line()) == ([LINE_ROW], [])


@pytest.mark.parametrize("name", ["a.jsonl", "a.log", "a.jsonl.gz", "a.log.gz"])
def test_a_log_is_read_under_each_of_its_names(log, name):
    rows, problems = log(line(), end(), name=name)
    assert problems == []
    assert rows == [{**LINE_ROW, "file": name, "verdict": "valid", "broken": ""}]


def test_the_live_assistants_log_is_read_to_the_same_values(tmp_path, caplog):
    caplog.set_level("INFO", logger=model.LOG.name)
    calls = [asking_for("LK-581106", "a"), asking_for("LK-615204", "b")]
    events_of(proposing(*calls), replying(order={"order_id": "LK-615204", "status": "shipped"}))
    (tmp_path / "a.log").write_text("".join(f"{record.getMessage()}\n" for record in caplog.records))
    rows, problems = register_of(tmp_path)
    assert problems == []
    assert [(row["outcome"], row["failed_check"], row["told"]) for row in rows] == [
        ("ok", None, None),
        ("refused: other_customer", "own_order", "No order LK-615204 is available for this customer."),
    ]
    assert {(row["verdict"], row["broken"]) for row in rows} == {
        ("rejected", "order_not_in_ticket,status_not_from_lookup")
    }
    assert all(row["day"] == row["time"].date() for row in rows)


def test_a_row_gets_the_verdict_of_its_own_run_and_of_no_other(log):
    rows, problems = log(
        line(run="a"),
        line(run="b"),
        line(run="c"),
        line(run=None),
        line(run="a", ticket="S-2"),
        end(run="b", verdict="rejected", broken=["order_not_in_ticket", "status_not_from_lookup"]),
        end(run="a"),
        end(run="d", verdict="rejected"),
    )
    assert problems == []
    assert [(row["run"], row["verdict"], row["broken"]) for row in rows] == [
        ("a", "valid", ""),
        ("b", "rejected", "order_not_in_ticket,status_not_from_lookup"),
        ("c", None, None),
        (None, None, None),
        ("a", "valid", ""),
    ]


def test_a_verdict_is_found_in_another_file_too(tmp_path):
    (tmp_path / "1.jsonl").write_text(f"{line()}\n")
    (tmp_path / "2.jsonl").write_text(f"{end()}\n")
    [row], _ = register_of(tmp_path)
    assert (row["file"], row["verdict"]) == ("1.jsonl", "valid")


def test_a_run_that_reached_the_limit_has_no_verdict(log):
    assert log(line(), end(verdict=None)) == ([{**LINE_ROW, "broken": ""}], [])


def test_a_log_from_before_runs_were_named_is_read(log):
    old = ("time", "ticket", "customer", "tool", "arguments", "outcome", "failed_check")
    [row], problems = log(json.dumps({key: LINE[key] for key in old}))
    assert problems == []
    assert row == {**LINE_ROW, "run": None, "told": None, "not_text": None}
    assert texts_of(row) == ("get_order", LINE["arguments"])


MOMENTS = [
    ("2026-10-09T12:00:00+00:00", datetime(2026, 10, 9, 12, tzinfo=UTC)),
    ("2026-10-09T12:00:00Z", datetime(2026, 10, 9, 12, tzinfo=UTC)),
    ("2026-10-09T23:30:00-05:00", datetime(2026, 10, 10, 4, 30, tzinfo=UTC)),
    ("2026-10-09T00:30:00+05:30", datetime(2026, 10, 8, 19, tzinfo=UTC)),
    ("2026-10-09T12:00:00.123456Z", datetime(2026, 10, 9, 12, 0, 0, 123_000, UTC)),
    ("2026-10-09T12:00:00.123456789Z", datetime(2026, 10, 9, 12, 0, 0, 123_000, UTC)),
    ("1969-12-31T23:59:59.999999Z", datetime(1969, 12, 31, 23, 59, 59, 999_000, UTC)),
    ("20261009T120000Z", datetime(2026, 10, 9, 12, tzinfo=UTC)),
    ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
    ("9999-12-31T23:59:59.999Z", datetime(9999, 12, 31, 23, 59, 59, 999_000, UTC)),
]


@pytest.mark.parametrize(("written", "moment"), MOMENTS)
def test_a_time_in_any_zone_is_kept_in_utc_with_its_day_there(log, written, moment):
    [row], problems = log(line(time=written))
    assert problems == []
    assert (row["time"], row["day"]) == (moment, moment.date())
    [of_recording] = rows_of(parse(json.dumps(put(DOCUMENTS["T-80008"], "/recorded_at", written)), "x"), "x")
    assert of_recording["day"] == moment.date()
    assert register._table([of_recording]).to_pylist()[0]["time"] == moment


@pytest.mark.parametrize("text", [line(time=None), without("time")])
def test_an_undated_line_stays_undated(log, text):
    assert log(text) == ([{**LINE_ROW, "time": None, "day": None}], [])


@pytest.mark.parametrize(
    ("written", "day"),
    [
        (None, None),
        ("2026-10-09", date(2026, 10, 9)),
        ("2026-10-09T23:59:59", date(2026, 10, 9)),
        ("last Friday", None),
        ("0001-01-01T00:00:00+05:00", None),
        ("", None),
    ],
)
def test_a_recording_without_a_moment_has_the_day_that_it_names_if_any(written, day):
    [row] = rows_of(parse(json.dumps(put(DOCUMENTS["T-80008"], "/recorded_at", written)), "x"), "x")
    assert (row["time"], row["day"]) == (None, day)


# What the log writes is read back


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A file for a log, used again and again."""
    return tmp_path_factory.mktemp("scratch") / "log.jsonl"


def logged(scratch, ticket, name, arguments):
    """The row of one proposal that was decided and logged."""
    decision = decide(name, arguments, ticket.customer_id, BOOK)
    decided = Decided(Proposed(1, 1, 1, "call_A", False, name, arguments), decision, 0.0)
    scratch.write_text(log_line(ticket, decided, "r1") + "\n", encoding="utf-8")
    [row], problems = register_of(scratch)
    assert problems == []
    assert (row["outcome"], row["failed_check"]) == (decision.outcome, decision.failed_check)
    return row


def in_whole_characters(text):
    """As the register holds a text: two halves that a JSON reader puts together are one, a half alone is none."""
    return json.loads(json.dumps(text)).encode(errors="replace").decode()


@strategies.trying(300)
@given(strategies.text | strategies.anything, strategies.arguments, strategies.text)
@example("get_order", NOT_JSON, "")
@example("get_order", "\ud83d\ude00\ud83d", "\0\r\n\u2028")
@example({1: 2, "1": 3}, b"", "x")
def test_any_proposal_that_is_logged_is_read_back_as_it_was(scratch, name, arguments, ticket_id):
    row = logged(scratch, Ticket(ticket_id, None, ""), name, arguments)
    assert row["ticket"] == in_whole_characters(ticket_id)
    for column, proposed in (("tool", name), ("arguments", arguments)):
        if proposed is None or isinstance(proposed, str):
            assert column not in row["not_text"].split(",")
            assert row[column] == (None if proposed is None else in_whole_characters(proposed))
        else:
            assert column in row["not_text"].split(",")


def is_like(read, sent):
    return (type(read), read) == (type(sent), sent)


@strategies.trying(300)
@given(strategies.json_values, strategies.json_values)
def test_what_was_proposed_is_told_as_it_was_or_not_at_all(scratch, name, arguments):
    row = logged(scratch, Ticket("S-1", "C-1", ""), name, arguments)
    try:
        texts = texts_of(row)
    except NotJson:
        kept = f"{row['tool']} {row['arguments']}"
        assert "NaN" in kept or "Infinity" in kept
        return
    for read_back, sent in zip(texts, (name, arguments), strict=True):
        assert is_like(read_back, in_whole_characters(sent) if isinstance(sent, str) else json.loads(json.dumps(sent)))


@pytest.mark.parametrize("lost", [b"x", {(1, 2): 3}, {1, 2}, float("nan")])
def test_what_the_log_could_not_keep_is_said_to_be_lost(scratch, lost):
    with pytest.raises(NotJson):
        texts_of(logged(scratch, Ticket("S-1", "C-1", ""), "get_order", lost))


def test_a_text_that_looks_like_the_mark_of_what_is_lost_is_a_text(scratch):
    row = logged(scratch, Ticket("S-1", "C-1", ""), NOT_JSON, "{}")
    assert texts_of(row) == (NOT_JSON, "{}")


# What cannot be read


def twice(key, value):
    return f'{line()[:-1]}, "{key}": {json.dumps(value)}}}'


BAD_LINES = [
    ("text", b"INFO started", "Not JSON at line 1, column 1: Expecting value."),
    ("cut off", line()[:50].encode(), "Not JSON at line 1, column 50: Unterminated string starting at."),
    ("two objects", (line() + line()).encode(), "Not JSON at line 1, column "),
    ("two objects with a space", f"{line()} {line()}".encode(), "Not JSON at line 1, column "),
    ("a comma after it", f"{line()},".encode(), "Not JSON at line 1, column "),
    ("a comma too many", f"{line()[:-1]},}}".encode(), "Not JSON at line 1, column "),
    ("a comment", f"{line()} // x".encode(), "Not JSON at line 1, column "),
    ("quotes of Python", line().replace('"', "'").encode(), "Not JSON at line 1, column 2: "),
    ("a tab in a text", line(ticket="@").replace("@", "\t").encode(), "Not JSON at line 1, column "),
    ("a NUL in a text", line(ticket="@").replace("@", "\0").encode(), "Not JSON at line 1, column "),
    ("an unknown escape", line(ticket="@").replace("@", "\\x").encode(), "Not JSON at line 1, column "),
    ("form feed before it", b"\f" + line().encode(), "Not JSON at line 1, column 1: "),
    ("not UTF-8", line(ticket="@").encode().replace(b"@", b"\xe9"), "This is not text in UTF-8."),
    ("half a surrogate pair in UTF-8", line(ticket="@").encode().replace(b"@", b"\xed\xa0\x80"), "This is not text in"),
    ("UTF-16", line().encode("utf-16-le"), "Not JSON at line 1, column 2: "),
    ("zeros", b"\0" * 100, "Not JSON at line 1, column 1: "),
    ("NaN", line(ticket=float("nan")).encode(), "Not JSON: NaN stands for no JSON value."),
    ("NaN in what is not ours", line(level=float("nan")).encode(), "Not JSON: NaN stands for no JSON value."),
    ("infinity", line(level=-float("inf")).encode(), "Not JSON: -Infinity stands for no JSON value."),
    ("a number too large", line(level=0).replace(": 0}", ": 1e999}").encode(), "Not JSON that is read here: a number"),
    ("a number too long", f'{line()[:-1]}, "x": {"9" * 1000}}}'.encode(), "Not JSON that is read here: a number of mo"),
    ("a zero before a number", f'{line()[:-1]}, "x": 01}}'.encode(), "Not JSON at line 1, column "),
    ("deep", f'{line()[:-1]}, "x": {"[" * 64}{"]" * 64}}}'.encode(), "Not JSON that is read here: nested deeper than "),
    ("very deep", b"[" * 900_000, "Not JSON that is read here: nested deeper than 64 levels."),
    ("very deep where text belongs", b'{"ticket":' + b"[" * 900_000, "Not JSON that is read here: nested deeper than "),
    ("long", line(told="x" * MAX_LINE).encode(), "The line is longer than 1000000 bytes."),
    ("very long", b"x" * 3 * MAX_LINE, "The line is longer than 1000000 bytes."),
    ("a key twice", twice("ticket", "S-2").encode(), "At /: expected object, found "),
    ("a key twice with the same value", twice("outcome", LINE["outcome"]).encode(), "At /: expected object, found "),
    ("a key twice that is not ours", (twice("x", 1)[:-1] + ', "x": 1}').encode(), "At /: expected object, found "),
    ("a key twice, once escaped", twice("t\\u0069cket", "S-2").encode().replace(b"\\\\", b"\\"), "At /: expected obj"),
    ("a list", f"[{line()}]".encode(), "At /: expected object, found "),
    ("null", b"null", "At /: expected object, found null."),
    ("a number", b"5", "At /: expected object, found 5."),
    ("a text in quotes", b'"x"', 'At /: expected object, found "x".'),
    ("an empty object", b"{}", "At /: the key "),
    ("no ticket", without("ticket").encode(), "At /: the key ticket is missing."),
    ("no tool", without("tool").encode(), "At /: the key tool is missing."),
    ("no arguments", without("arguments").encode(), "At /: the key arguments is missing."),
    ("no outcome", without("outcome").encode(), "At /: the key verdict is missing."),
    ("null for an outcome", line(outcome=None).encode(), "At /: the key verdict is missing."),
    ("an end without a run", without("run", END).encode(), "At /: the key run is missing."),
    ("an end with null for a run", end(run=None).encode(), "At /run: expected string, found null."),
    ("an end without a verdict", without("verdict", END).encode(), "At /: the key verdict is missing."),
    ("an end without a ticket", without("ticket", END).encode(), "At /: the key ticket is missing."),
    ("a number for a ticket", line(ticket=5).encode(), "At /ticket: expected string, null, found 5."),
    ("true for a ticket", line(ticket=True).encode(), "At /ticket: expected string, null, found true."),
    ("an object for arguments", line(arguments={}).encode(), "At /arguments: expected string, null, found {}."),
    ("a number for an outcome", line(outcome=5).encode(), "At /outcome: expected string, null, found 5."),
    ("a text for a list", line(not_text="tool").encode(), 'At /not_text: expected array, null, found "tool".'),
    ("numbers in a list", line(not_text=[1]).encode(), "At /not_text/0: expected string, found 1."),
    ("null in a list", line(not_text=[None]).encode(), "At /not_text/0: expected string, found null."),
    ("null in an end's list", end(broken=["x", None]).encode(), "At /broken/1: expected string, found null."),
    ("no time", line(time="yesterday").encode(), "At /time: expected ISO 8601, Z, found yesterday."),
    ("an empty time", line(time="").encode(), "At /time: expected ISO 8601, Z, found ."),
    ("a number for a time", line(time=1760000000).encode(), "At /time: expected string, null, found 1760000000."),
    ("a day for a time", line(time="2026-10-09").encode(), "At /time: expected ISO 8601, Z, found 2026-10-09."),
    ("a time without a zone", line(time="2026-10-09T12:00:00").encode(), "At /time: expected ISO 8601, Z, found 2026"),
    ("no such day", line(time="2026-02-30T12:00:00Z").encode(), "At /time: expected ISO 8601, Z, found 2026-02-30T"),
    ("no such hour", line(time="2026-02-20T24:00:01Z").encode(), "At /time: expected ISO 8601, Z, found 2026-02-20T"),
    ("before all years", line(time="0001-01-01T00:00:00+05:00").encode(), "At /time: expected ISO 8601, Z, found 0001"),
    ("after all years", line(time="9999-12-31T23:59:59-05:00").encode(), "At /time: expected ISO 8601, Z, found 9999"),
    ("a zone too far", line(time="2026-10-09T12:00:00+99:00").encode(), "At /time: expected ISO 8601, Z, found 2026-"),
]


@pytest.mark.parametrize(("bad", "why"), [bad[1:] for bad in BAD_LINES], ids=[bad[0] for bad in BAD_LINES])
@pytest.mark.parametrize("place", [1, 700, 1000])
def test_one_bad_line_among_a_thousand_is_listed_with_place_and_reason_and_the_rest_is_read(log, bad, why, place):
    good = [line(ticket=f"S-{number}") for number in range(1, 1001)]
    lines = [*good[: place - 1], bad + b"\n", *good[place:]]
    rows, [(file, told_place, told_why)] = log(*lines)
    assert (file, told_place) == ("log.jsonl", place)
    assert told_why.startswith(why)
    numbers = [number for number in range(1, 1001) if number != place]
    assert [(row["place"], row["ticket"]) for row in rows] == [(number, f"S-{number}") for number in numbers]


@pytest.mark.parametrize("bad", [b"\n", b"   \n", b"\r\n", b"\t \r\n"], ids=repr)
@pytest.mark.parametrize("place", [1, 700, 1000])
def test_a_blank_line_is_no_problem_and_is_counted_as_a_line(log, bad, place):
    good = [line(ticket=f"S-{number}") for number in range(1, 1001)]
    rows, problems = log(*good[: place - 1], bad, *good[place:])
    assert problems == []
    assert [row["place"] for row in rows] == [number for number in range(1, 1001) if number != place]


def test_an_object_over_two_lines_is_two_bad_lines_and_the_rest_is_read(log):
    text = line(ticket="S-2")
    rows, problems = log(line(), text[:30], text[30:], line(ticket="S-3"))
    assert [problem[1] for problem in problems] == [2, 3]
    assert [(row["place"], row["ticket"]) for row in rows] == [(1, "S-1"), (4, "S-3")]


def test_two_objects_on_a_line_are_not_made_up_for_by_a_blank_one(log):
    rows, problems = log(line(), line(ticket="S-2") + line(ticket="S-3"), "", line(ticket="S-4"))
    assert [problem[1] for problem in problems] == [2]
    assert [(row["place"], row["ticket"]) for row in rows] == [(1, "S-1"), (4, "S-4")]


def test_the_last_line_may_lack_its_end_and_one_that_is_cut_off_is_named(log):
    assert len(log(line(), line().encode())[0]) == 2
    rows, [(_, place, why)] = log(line(), line()[:-10].encode())
    assert (len(rows), place) == (1, 2)
    assert why.startswith("Not JSON at line 1")


@pytest.mark.parametrize("content", [b"", b"\n", b"\n\n \n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"], ids=repr)
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_log_with_nothing_in_it_is_no_problem(log, content, name):
    assert log(content, name=name) == ([], [])


def test_a_byte_order_mark_does_no_harm_at_the_start_and_is_a_problem_anywhere_else(log):
    assert log(b"\xef\xbb\xbf", line()) == ([LINE_ROW], [])
    rows, [(_, place, why)] = log(line(), b"\xef\xbb\xbf", line())
    assert (len(rows), place) == (1, 2)
    assert why.startswith("Not JSON at line 1, column 1: ")


def test_line_ends_of_windows_do_no_harm(log):
    assert log(f"{line()}\r\n".encode(), f"{end()}\r\n".encode()) == (
        [{**LINE_ROW, "verdict": "valid", "broken": ""}],
        [],
    )


def test_a_logs_further_keys_are_left_out(log):
    assert log(line(level="INFO", extra={"deep": [1, 2]}), end(level=None)) == (
        [{**LINE_ROW, "verdict": "valid", "broken": ""}],
        [],
    )


def test_text_in_any_language_and_form_is_kept(log):
    text = 'é\u2028\u2029\x85 \U0001f600 \0 \u202e عربي \r\n\t"\\'
    for written in (line(arguments=text), json.dumps({**LINE, "arguments": text}, ensure_ascii=False)):
        assert log(written) == ([{**LINE_ROW, "arguments": text}], [])


def test_half_a_surrogate_pair_reads_as_a_question_mark(log):
    assert log(line(arguments="a\ud800b"), line()) == ([{**LINE_ROW, "arguments": "a?b"}, {**LINE_ROW, "place": 2}], [])


def test_more_problems_than_are_listed_are_not_passed_over(log):
    _, problems = log(*["x"] * (MAX_PROBLEMS + 500))
    assert len(problems) == MAX_PROBLEMS + 1
    assert problems[-2][1] == MAX_PROBLEMS
    assert problems[-1] == (
        "log.jsonl",
        MAX_PROBLEMS + 1,
        "This is not listed from here on: more than 1000 could not be read.",
    )
    assert len(log(*["x"] * MAX_PROBLEMS)[1]) == MAX_PROBLEMS


def test_no_more_problems_are_kept_of_a_block_than_are_listed(tmp_path):
    (tmp_path / "a.log").write_text("x\n" * 5 * MAX_PROBLEMS)
    assert max(len(block.problems) for block in read([tmp_path])) == MAX_PROBLEMS + 1


def test_no_more_is_kept_of_a_line_without_end_than_shows_it(tmp_path, monkeypatch):
    monkeypatch.setattr(register, "BLOCK", 1000)
    monkeypatch.setattr(register, "MAX_LINE", 5000)
    (tmp_path / "a.log").write_text(f"{line()}\n{'x' * 100_000}\n{line()}\n")
    with (tmp_path / "a.log").open("rb") as file:
        assert max(map(len, register._blocks(file))) <= 1000 + 5001
    rows, problems = register_of(tmp_path)
    assert [row["place"] for row in rows] == [1, 3]
    assert problems == [("a.log", 2, "The line is longer than 5000 bytes.")]


# Files that cannot be read


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.99])
def test_of_a_gzip_file_that_is_cut_off_the_lines_before_are_read(tmp_path, kept):
    path = write_log(tmp_path / "a.jsonl.gz", 1, 5000)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    rows, [(file, place, why)] = register_of(path)
    assert (file, why) == ("a.jsonl.gz", "This is no whole gzip file.")
    assert place > 5000 * kept * 0.7
    assert max(row["place"] for row in rows) <= place - 1
    assert len(rows) > 1000 * kept


@pytest.mark.parametrize("content", [b"x", line().encode(), b"\x1f\x8b", b"\x1f\x8b\x08" + b"\0" * 50], ids=len)
def test_what_is_no_gzip_file_is_named(tmp_path, content):
    (tmp_path / "a.jsonl.gz").write_bytes(content)
    assert register_of(tmp_path) == ([], [("a.jsonl.gz", None, "This is no whole gzip file.")])


def test_rubbish_behind_a_gzip_file_is_named_and_the_lines_before_are_read(tmp_path):
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(f"{line()}\n".encode()) + b"rubbish")
    rows, problems = register_of(tmp_path)
    assert [row["ticket"] for row in rows] == ["S-1"]
    assert problems == [("a.log.gz", 2, "This is no whole gzip file.")]


def test_gzip_files_put_together_are_one_log(tmp_path):
    packed = [gzip.compress(f"{text}\n".encode()) for text in (line(), line(ticket="S-2"))]
    (tmp_path / "a.log.gz").write_bytes(b"".join(packed))
    rows, problems = register_of(tmp_path)
    assert ([(row["place"], row["ticket"]) for row in rows], problems) == ([(1, "S-1"), (2, "S-2")], [])


@pytest.mark.parametrize("name", ["notes.txt", "a.JSONL", "a.json.bak", "a.gz", "a.json.gz", "json", "a.jsonl "])
def test_a_file_of_another_name_is_named_and_harms_nothing(tmp_path, name):
    (tmp_path / name).write_text(line())
    (tmp_path / "good.jsonl").write_text(line())
    rows, problems = register_of(tmp_path)
    assert len(rows) == 1
    assert problems == [(name, None, "Its name ends in none of .json, .jsonl, .jsonl.gz, .log, .log.gz.")]


@pytest.mark.parametrize("name", ["gone", "gone.jsonl", "gone.json", "gone.log.gz"])
def test_a_source_that_is_missing_is_named(tmp_path, name):
    assert register_of(tmp_path / name) == ([], [(name, None, "This cannot be read: No such file or directory.")])


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.log.gz"])
def test_a_folder_with_the_name_of_a_file_is_named(tmp_path, name):
    (tmp_path / name).mkdir()
    assert register_of(tmp_path) == ([], [(name, None, "This is not a file.")])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.jsonl")
    assert register_of(tmp_path) == ([], [("a.jsonl", None, "This is not a file.")])


def test_a_link_to_nothing_is_named(tmp_path):
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "gone")
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "b.jsonl")
    assert [problem[0] for problem in register_of(tmp_path)[1]] == ["a.jsonl", "b.jsonl"]


def test_a_hidden_file_is_none_of_ours(tmp_path):
    (tmp_path / ".a.jsonl.swp").write_bytes(b"\0")
    assert register_of(tmp_path) == ([], [])


def test_a_file_that_may_not_be_read_is_named_and_the_rest_is_read(tmp_path_factory):
    folder = tmp_path_factory.mktemp("open")
    for parent in (folder, folder.parent, folder.parent.parent):
        parent.chmod(0o755)
    for name in ("a.jsonl", "b.jsonl", "c.json"):
        (folder / name).write_text(f"{line()}\n")
        (folder / name).chmod(0o644 if name == "b.jsonl" else 0)
    with without_rights():
        rows, problems = register_of(folder)
    assert [row["file"] for row in rows] == ["b.jsonl"]
    assert problems == [(name, None, "This cannot be read: Permission denied.") for name in ("a.jsonl", "c.json")]


def test_a_folder_that_may_not_be_listed_is_named(tmp_path_factory):
    folder = tmp_path_factory.mktemp("closed")
    for parent in (folder.parent, folder.parent.parent):
        parent.chmod(0o755)
    folder.chmod(0)
    with without_rights():
        found = register_of(folder)
    folder.chmod(0o755)
    assert found == ([], [(folder.name, None, "This cannot be read: Permission denied.")])


def test_a_file_whose_name_is_no_text_is_read(tmp_path):
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xe9.jsonl")).write_text(line())
    except OSError:
        pytest.skip("this file system has text for names only")
    [row], problems = register_of(tmp_path)
    assert (row["file"], problems) == ("?.jsonl", [])


def test_a_bad_recording_is_named_with_its_reason_and_the_rest_is_read(tmp_path):
    (tmp_path / "a.json").write_text("{}")
    shutil.copy(RECORDINGS[0], tmp_path)
    rows, problems = register_of(tmp_path)
    assert len(rows) == 1
    assert problems == [("a.json", None, "At /: the key format is missing.")]


def test_the_same_ticket_twice_among_recordings_is_a_problem_and_the_first_counts(tmp_path):
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        shutil.copy(FOLDER / "T-80001.json", folder)
    shutil.copy(FOLDER / "T-80001.json", tmp_path / "a" / "copy.json")
    rows, problems = register_of(tmp_path / "a", tmp_path / "b")
    assert [row["file"] for row in rows] == ["T-80001.json"]
    told_twice = "At /ticket/id: the ticket T-80001 is already in T-80001.json."
    assert problems == [("copy.json", None, told_twice), ("T-80001.json (2)", None, told_twice)]


def test_the_same_ticket_may_stand_in_logs_as_often_as_it_likes(log):
    rows, problems = log(line(), line(), line(run="r2"))
    assert (len(rows), problems) == (3, [])


def sentences_in(module):
    """The templates of all sentences that the module says."""
    calls = (node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Call))
    return {call.args[0].value for call in calls if getattr(call.func, "id", "") == "say"}


def test_every_sentence_of_the_register_is_said_of_something(tmp_path, scratch):
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(bad for _, bad, _ in BAD_LINES))
    (tmp_path / "b.jsonl").write_text("x\n" * MAX_PROBLEMS)
    (tmp_path / "a.gz.log.gz").write_bytes(b"x")
    (tmp_path / "a.log").mkdir()
    (tmp_path / "a.txt").touch()
    for name in ("a.json", "b.json"):
        shutil.copy(FOLDER / "T-80001.json", tmp_path / name)
    blocks = list(read([tmp_path]))
    said = {problem.why.template for block in blocks for problem in block.problems}
    said |= {problem.why.template for problem in whole(blocks)[1]}
    with pytest.raises(NotJson) as lost:
        texts_of(logged(scratch, Ticket("S-1", "C-1", ""), b"x", "{}"))
    assert sentences_in(register) <= said | {lost.value.why.template}


# Several files


def test_recordings_and_logs_in_one_folder_are_all_read(tmp_path):
    for path in RECORDINGS:
        shutil.copy(path, tmp_path)
    for name, text in (("a.jsonl", line()), ("z.log", line(ticket="S-2", run="r2"))):
        (tmp_path / name).write_text(f"{text}\n{end(verdict='rejected')}\n")
    with gzip.open(tmp_path / "b.jsonl.gz", "wt") as file:
        file.write(line(ticket="S-3", run=None))
    rows, problems = register_of(tmp_path)
    assert problems == []
    found = {(row["file"], row["ticket"], row["digest"] is None) for row in rows}
    of_recordings = {(path.name, path.stem, False) for path in RECORDINGS}
    assert found == of_recordings | {
        ("a.jsonl", "S-1", True),
        ("z.log", "S-2", True),
        ("b.jsonl.gz", "S-3", True),
    }
    verdicts = {path.stem: DOCUMENTS[path.stem]["verdict"]["status"] for path in RECORDINGS}
    assert {row["ticket"]: row["verdict"] for row in rows} == {**verdicts, "S-1": "rejected", "S-2": None, "S-3": None}


def test_files_of_one_name_are_told_apart(tmp_path):
    paths = []
    for number in range(3):
        path = tmp_path / str(number) / "a.jsonl"
        path.parent.mkdir()
        path.write_text(line(ticket=f"S-{number}"))
        paths.append(path)
    rows, _ = register_of(*paths[:2], paths[2].parent)
    assert [(row["file"], row["ticket"]) for row in rows] == [
        ("a.jsonl", "S-0"),
        ("a.jsonl (2)", "S-1"),
        ("a.jsonl (3)", "S-2"),
    ]


def test_without_sources_the_register_is_empty():
    assert register_of() == ([], [])
    assert whole([]) == (COLUMNS.empty_table(), [])


@pytest.mark.parametrize("block", [1000, 100_000, register.BLOCK])
def test_what_was_read_grows_to_all_there_is(tmp_path, monkeypatch, block):
    monkeypatch.setattr(register, "BLOCK", block)
    write_recordings(tmp_path, 1, 250)
    write_log(tmp_path / "a.jsonl", 2, 300)
    write_log(tmp_path / "b.log.gz", 3, 300)
    packed = (tmp_path / "b.log.gz").read_bytes()
    (tmp_path / "c.log.gz").write_bytes(packed[:-100])
    (tmp_path / "d.txt").write_bytes(b"x")
    blocks = list(read([tmp_path]))
    done = [each.done for each in blocks]
    total = sum(path.stat().st_size for path in tmp_path.iterdir() if path.suffix != ".txt")
    assert done == sorted(done)
    assert {each.total for each in blocks} == {total}
    assert (done[0] < total, done[-1]) == (True, total)


# In blocks, at once, and line by line


def read_line_by_line(path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(register, "_at_once", not_at_once)
        return register_of(path)


def not_at_once(*_):
    raise register._NotOurs


@pytest.mark.parametrize("block", [1, 100, 1000, 10_000])
def test_a_log_gives_the_same_rows_in_blocks_as_in_one_piece(tmp_path, monkeypatch, block):
    path = write_log(tmp_path / "a.jsonl", 1, 400, undated=5)
    path.write_bytes(path.read_bytes() + b"bad\n\n" + line(time="x").encode())
    rows, problems = register_of(path)
    assert (len(rows) > 150, [problem[1] for problem in problems]) == (True, [401, 403])
    monkeypatch.setattr(register, "BLOCK", block)
    assert register_of(path) == (rows, problems)


@pytest.mark.parametrize("bad", [bad for _, bad, _ in BAD_LINES], ids=[title for title, _, _ in BAD_LINES])
def test_line_by_line_gives_the_same_as_at_once(tmp_path, bad):
    (tmp_path / "log.jsonl").write_bytes(b"\n".join([line().encode(), bad, end().encode()]))
    assert read_line_by_line(tmp_path) == register_of(tmp_path)


def test_a_good_log_is_read_at_once(tmp_path, monkeypatch):
    path = write_log(tmp_path / "a.jsonl", 1, 2000, undated=3, flipped=3)
    expected = read_line_by_line(path)
    monkeypatch.setattr(register, "_line", None)
    assert register_of(path) == expected


def test_at_once_and_line_by_line_know_the_same_times(tmp_path):
    dates = (
        "2026-10-09",
        "0001-01-01",
        "9999-12-31",
        "1600-02-29",
        "20261009",
        "2026-W41-5",
        "2026-10-9",
        "-001-01-01",
    )
    clocks = (
        "T12:00:00",
        "T12:00",
        "T12",
        " 12:00:00",
        "t12:00:00",
        "T12:00:00.1",
        "T12:00:00.1234",
        "T12:00:00,5",
        "",
    )
    clocks += ("T12:00:00.1234567", "T24:00:00", "T23:59:60", "T120000", "T12:00:00.", "T1:00:00")
    zones = (
        "Z",
        "+00:00",
        "-00:00",
        "+05:30",
        "-0530",
        "+05",
        "+23:59",
        "+24:00",
        "+05:60",
        "",
        "z",
        " Z",
        "+5:30",
        "+05:30:15",
    )
    texts = [line(time=first + clock + zone, ticket="x") for first in dates for clock in clocks for zone in zones]
    path = tmp_path / "a.jsonl"
    alone, slowly = [], []
    for text in texts:
        path.write_text(text)
        alone.append(register_of(path))
        slowly.append(read_line_by_line(path))
    assert alone == slowly
    assert 100 < sum(bool(rows) for rows, _ in alone) < len(texts) - 100


values = st.none() | strategies.text | st.booleans() | st.integers() | st.lists(st.none() | strategies.text, max_size=2)
keys = st.sampled_from([*LINE, "verdict", "broken", "level"])


@st.composite
def nearly_lines(draw):
    """A line of a log with something changed, left out, said twice, cut out or put in; or any text or bytes."""
    written = dict(draw(st.sampled_from([LINE, END])))
    for key in draw(st.lists(keys, max_size=2)):
        written[key] = draw(values)
    for key in draw(st.lists(keys, max_size=2)):
        written.pop(key, None)
    pairs = list(written.items()) + draw(st.lists(st.tuples(keys, values), max_size=1))
    ascii_only = draw(st.booleans())
    text = ", ".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=ascii_only)}" for key, value in pairs)
    content = f"{{{text}}}".encode(errors="surrogatepass")
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(content)))
        put_in = draw(
            st.sampled_from([b"", b"\n", b"\r", b"}", b"{", b'"', b"\xff", b"{}", b"}\n{", b",", b"\\", b" "])
        )
        content = content[:place] + put_in + content[place + draw(st.integers(0, 1)) :]
    return content


lines_of_any_kind = st.lists(
    st.sampled_from([line().encode(), end().encode(), line(tool=None).encode(), end(verdict=None).encode(), b""])
    | nearly_lines()
    | st.binary(max_size=20),
    max_size=12,
)


@strategies.trying(300)
@given(lines_of_any_kind, st.booleans(), st.integers(1, 400), st.integers(1, 3))
def test_any_log_reads_the_same_at_once_line_by_line_and_in_blocks_of_any_size(scratch, lines, whole_end, block, few):
    scratch.write_bytes(b"\n".join(lines) + b"\n" * whole_end)
    rows, problems = register_of(scratch)
    assert read_line_by_line(scratch) == (rows, problems)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(register, "BLOCK", block)
        patch.setattr(register, "FEW", few)
        assert register_of(scratch) == (rows, problems)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(register, "FEW", 1)
        assert register_of(scratch) == (rows, problems)


@strategies.trying(300)
@given(lines_of_any_kind)
def test_each_line_is_a_row_an_end_a_problem_or_blank(scratch, lines):
    scratch.write_bytes(b"".join(each + b"\n" for each in lines))
    rows, problems = register_of(scratch)
    listed = [problem[1] for problem in problems]
    assert not {row["place"] for row in rows} & set(listed)
    for number, text in enumerate(scratch.read_bytes().split(b"\n"), start=1):
        is_row = number in {row["place"] for row in rows}
        assert is_row <= ("outcome" in fitting(text))
        assert (number in listed) == (not fitting(text) and bool(text.strip()))


def fitting(text):
    """The line if it is one of a log, as its schema and the strict reader say, and nothing if not."""
    try:
        read_text = read_json(text.removeprefix(b"\xef\xbb\xbf").decode())
    except (NotJson, UnicodeDecodeError):
        return {}
    if isinstance(read_text, RepeatedKey) or first_problem(register.LINE, read_text):
        return {}
    return read_text if read_text.get("time") is None or is_moment(read_text["time"]) else {}


def is_moment(text):
    try:
        return datetime.fromisoformat(text).astimezone(UTC) and datetime.fromisoformat(text).tzinfo is not None
    except (ValueError, OverflowError):
        return False


# The columns


def test_the_schema_of_a_line_names_what_the_log_writes():
    [decided, *_, concluded] = [
        event
        for event in events_of(proposing(asking_for("LK-1")), replying())
        if type(event).__name__ in ("Decided", "Concluded")
    ]
    ticket = Ticket("S-1", "C-1", "")
    written = {*json.loads(log_line(ticket, decided, "r")), *json.loads(end_line(ticket, concluded, "r"))}
    assert written == set(register.WRITTEN.names) == set(register.LINE["properties"])
    for text in (log_line(ticket, decided, "r"), end_line(ticket, concluded, "r")):
        assert first_problem(register.LINE, json.loads(text)) is None


def test_the_columns_are_of_a_fixed_type_whatever_is_read(tmp_path):
    (tmp_path / "a.jsonl").write_text(end())
    rows, _ = whole(read([tmp_path]))
    assert isinstance(rows, pa.Table)
    assert (rows.num_rows, rows.schema) == (0, COLUMNS)
