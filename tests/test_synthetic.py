"""The generator of synthetic decisions: as many as asked, as asked, and decided by the real code."""

import gzip
import json
from collections import Counter
from datetime import date, datetime, timedelta

import pytest

from assistant.again import Again, decider
from assistant.events import Concluded, Diverged, LimitReached
from assistant.loop import run_loop
from assistant.recording import load, parse
from assistant.register import read, whole
from assistant.replay import RecordedModel
from assistant.tools import CHECKS
from tests import synthetic
from tests.scripted import BOOK
from tests.synthetic import Shape, decisions, main, recordings, templates, write_log, write_recordings

OUTCOMES = {"ok", "error: order_book_unavailable", *(f"refused: {check.code}" for check in CHECKS)}
SURGE = {"days": 20, "surge": (12, "other_customer", 6.0)}


def rows_in(*paths):
    """The register's rows of these files; each could be read."""
    rows, problems = whole(read(paths))
    assert problems == []
    return rows.to_pylist()


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A log of 5,000 lines."""
    return write_log(tmp_path_factory.mktemp("log") / "synthetic.jsonl", 1, 5000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of 1,000 recordings."""
    return write_recordings(tmp_path_factory.mktemp("recordings"), 1, 1000)


# The same from the same seed


def test_the_same_seed_gives_the_same_lines_and_another_one_others():
    first, again, other = (list(decisions(seed, 500)) for seed in (1, 1, 2))
    assert first == again
    assert not set(first) & set(other)


def test_the_same_seed_gives_the_same_recordings_and_another_one_others():
    first, again, other = (list(recordings(seed, 200)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_the_same_seed_gives_the_same_bytes_under_any_name(tmp_path, name):
    first = write_log(tmp_path / name, 3, 300).read_bytes()
    assert write_log(tmp_path / f"other-{name}", 3, 300).read_bytes() == first


def test_a_compressed_log_holds_the_same_lines(tmp_path):
    plain, packed = (write_log(tmp_path / name, 4, 300) for name in ("a.jsonl", "a.jsonl.gz"))
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()


# As many as asked


@pytest.mark.parametrize("count", [0, 1, 2, 59, 61, 1000])
def test_there_are_exactly_as_many_lines_and_recordings_as_asked(count):
    assert len(list(decisions(1, count))) == count
    assert len({name for name, _ in recordings(1, count)}) == count


def test_they_lie_on_every_day_that_was_asked_for(log, folder):
    asked = {date(2026, 9, 1) + timedelta(days=day) for day in range(60)}
    assert {row["day"] for row in rows_in(log)} == asked
    assert {row["day"] for row in rows_in(folder)} == asked


def test_lines_stand_in_the_order_of_their_runs(log):
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    starts = {}
    for line in lines:
        starts.setdefault(line["run"], line["time"])
    assert list(starts.values()) == sorted(starts.values())


def test_a_gap_holds_no_data(tmp_path):
    shape = {"days": 20, "gap": (7, 3), "first": date(2026, 1, 1)}
    missing = {date(2026, 1, 8), date(2026, 1, 9), date(2026, 1, 10)}
    asked = {date(2026, 1, 1) + timedelta(days=day) for day in range(20)} - missing
    assert {row["day"] for row in rows_in(write_log(tmp_path / "a.jsonl", 1, 2000, **shape))} == asked
    assert {row["day"] for row in rows_in(write_recordings(tmp_path / "r", 1, 400, **shape))} == asked


@pytest.mark.parametrize("undated", [0, 1, 40])
def test_exactly_as_many_as_asked_are_undated(tmp_path, undated):
    rows = rows_in(write_log(tmp_path / "a.jsonl", 5, 1000, undated=undated))
    assert sum(row["day"] is None for row in rows) == undated
    read_again = (parse(text, name) for name, text in recordings(5, 300, undated=undated))
    assert sum(recording.recorded_at is None for recording in read_again) == undated


def share_by_day(rows, outcome):
    """The share of the outcome on each day, oldest first."""
    all_of = Counter(row["day"] for row in rows)
    some_of = Counter(row["day"] for row in rows if row["outcome"] == outcome)
    return [some_of[day] / all_of[day] for day in sorted(all_of)]


def test_a_surge_lies_on_its_day_and_of_its_code_only(tmp_path):
    rows = rows_in(write_log(tmp_path / "a.jsonl", 6, 40_000, **SURGE))
    *others, highest = sorted(share_by_day(rows, "refused: other_customer"))
    assert share_by_day(rows, "refused: other_customer").index(highest) == 12
    assert highest > 2 * max(others)
    other_codes = share_by_day(rows, "refused: not_found")
    assert other_codes[12] < max(other_codes[:12] + other_codes[13:])


def test_without_a_surge_no_day_stands_out(tmp_path):
    shares = share_by_day(rows_in(write_log(tmp_path / "a.jsonl", 6, 40_000, days=20)), "refused: other_customer")
    assert max(shares) < 2 * min(shares)


@pytest.mark.parametrize("asked", [{"flipped": 11}, {"undated": 11}])
def test_more_than_there_are_cannot_be_marked(asked):
    with pytest.raises(ValueError, match="larger than population"):
        list(decisions(1, 10, days=1, **asked))


# Decided by the real code


def test_every_kind_of_outcome_and_of_end_is_there(log):
    rows = rows_in(log)
    assert {row["outcome"] for row in rows} == OUTCOMES
    assert {row["verdict"] for row in rows} == {"valid", "rejected", None}
    assert max(Counter(row["run"] for row in rows).values()) == 6
    assert {row["not_text"] for row in rows} == {"", "tool", "arguments"}


def test_the_code_decides_every_line_as_it_is_recorded_but_for_errors(log):
    decide_again = decider(BOOK)
    found = Counter((decide_again(row).again, row["outcome"].partition(":")[0]) for row in rows_in(log))
    assert {kind for again, kind in found if again is Again.UNCHANGED} == {"ok", "refused"}
    assert {kind for again, kind in found if again is Again.UNDECIDED} == {"error"}
    assert not [kind for again, kind in found if again is Again.FLIPPED]


def end_of(recording):
    *_, end = run_loop(recording.ticket, RecordedModel(recording), BOOK)
    return end


def test_every_recording_loads_and_replays_to_its_end(folder):
    ends = Counter(type(end_of(load(path))) for path in folder.iterdir())
    assert set(ends) == {Concluded, LimitReached}
    assert ends.total() == 1000


def test_every_template_without_an_error_replays_and_its_flipped_one_does_not():
    values = {"time": "null", "ticket": "S-000001"}
    for template in templates():
        if template.kind != "error":
            assert isinstance(end_of(parse(template.recording % values, "x")), Concluded | LimitReached)
            end = end_of(parse(template.flipped_recording % values, "x"))
            assert isinstance(end, Diverged)
            assert end.place == "/decisions/0/outcome"


@pytest.mark.parametrize("flipped", [0, 1, 25])
def test_exactly_as_many_as_asked_are_flipped(tmp_path, flipped):
    decide_again = decider(BOOK)
    rows = rows_in(write_log(tmp_path / "a.jsonl", 7, 1000, flipped=flipped))
    assert sum(decide_again(row).again is Again.FLIPPED for row in rows) == flipped
    ends = [end_of(parse(text, name)) for name, text in recordings(7, 200, flipped=flipped)]
    assert sum(isinstance(end, Diverged) for end in ends) == flipped


def test_what_is_not_asked_for_changes_nothing_else():
    plain, marked = (list(decisions(8, 400, **shape)) for shape in ({}, {"flipped": 5, "undated": 3}))
    differing = [pair for pair in zip(plain, marked, strict=True) if pair[0] != pair[1]]
    assert 5 <= len(differing) <= 8
    for line, other in (map(json.loads, pair) for pair in differing):
        changed = {key for key in line if line[key] != other[key]}
        assert changed <= {"time"} or changed - {"time"} <= {"outcome", "failed_check", "told"}


def test_there_are_a_few_hundred_templates_and_each_kind_has_its_share():
    assert 200 <= len(templates()) <= 500
    assert {template.kind for template in templates()} == set(synthetic.SHARES)
    assert sum(synthetic.SHARES.values()) == 1000


# Marked as synthetic


def test_every_line_and_recording_says_that_it_is_synthetic(log, folder):
    for number, run in enumerate(dict.fromkeys((row["run"], row["ticket"]) for row in rows_in(log)), start=1):
        assert run[1] == f"S-{number:06}"
    for path in folder.iterdir():
        recording = load(path)
        assert path.name == f"{recording.ticket.id}.json"
        assert recording.ticket.id.startswith("S-")
        assert recording.model == {"name": "synthetic"}
        assert recording.ticket.text.startswith("Synthetic ticket: ")


def test_times_are_within_their_day_and_in_utc(log):
    for line in log.read_text().splitlines():
        time = datetime.fromisoformat(json.loads(line)["time"])
        assert time.utcoffset() == timedelta(0)


def test_no_line_holds_an_order(log):
    text = log.read_text()
    assert not [word for word in ("shipped", "garden", "CAD", "899.0", "total", "unit_price") if word in text]


# The command


def test_the_command_writes_what_the_functions_write(tmp_path):
    log, folder = tmp_path / "a.jsonl", tmp_path / "r"
    shape = ["--days", "9", "--first", "2026-02-03", "--surge", "4:not_found:3", "--gap", "1:2", "--undated", "2"]
    arguments = ["--seed", "5", "--log", str(log), "--lines", "90", "--recordings", str(folder), "--count", "20"]
    assert main([*arguments, *shape, "--flipped", "3"]) == 0
    asked = Shape(9, date(2026, 2, 3), (4, "not_found", 3.0), (1, 2), 2, 3)._asdict()
    assert log.read_text().splitlines() == list(decisions(5, 90, **asked))
    assert {path.name: path.read_text() for path in folder.iterdir()} == dict(recordings(5, 20, **asked))


@pytest.mark.parametrize("wrong", [[], ["--log", "x", "--surge", "often"], ["--log", "x", "--first", "today"]])
def test_the_command_says_what_it_did_not_understand(capsys, wrong):
    with pytest.raises(SystemExit) as stopped:
        main(wrong)
    assert stopped.value.code == 2
    assert "error: " in capsys.readouterr().err
