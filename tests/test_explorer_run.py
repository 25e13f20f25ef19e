"""One run of the loop for the page: over which recordings, with which order book, and what stopped it.

This file also owns the replays of the four recordings that the explorer's other tests draw.
"""

import os
import shutil
from pathlib import Path

import pytest

from assistant.events import Concluded, Decided, Diverged
from assistant.explorer import run
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.run import LESSON_TICKETS, caption, fingerprint, recordings, replay
from assistant.recording import load
from tests.books import write_book

FOLDER = Path(__file__).parents[1] / "recordings"
TICKETS = tuple(LESSON_TICKETS)


RECORDINGS = {ticket_id: load(FOLDER / f"{ticket_id}.json") for ticket_id in TICKETS}
EVENTS = {ticket_id: replay(one).events for ticket_id, one in RECORDINGS.items()}


def recording(ticket_id):
    """The recording of one of the lesson's tickets."""
    return RECORDINGS[ticket_id]


def events(ticket_id):
    """Its replay by the real code."""
    return EVENTS[ticket_id]


@pytest.fixture(autouse=True)
def nothing_in_the_environment(monkeypatch):
    monkeypatch.delenv(run.RECORDINGS_VARIABLE, raising=False)
    monkeypatch.delenv(run.ORDERS_VARIABLE, raising=False)


@pytest.mark.parametrize("ticket_id", TICKETS)
def test_each_recording_is_replayed_to_its_end_without_leaving_it(ticket_id):
    one = replay(recording(ticket_id))
    assert one.failure is None
    assert one.divergence_step is None
    assert len(one.events) == len(events(ticket_id))


def test_the_lessons_tickets_come_first_and_in_its_order_and_others_by_name(tmp_path, monkeypatch):
    for ticket_id in TICKETS:
        shutil.copy(FOLDER / f"{ticket_id}.json", tmp_path / f"x{ticket_id}.json")
    for other in ("b", "a"):
        content = (FOLDER / "T-80008.json").read_text(encoding="utf-8").replace('"T-80008"', f'"T-1{other}"')
        (tmp_path / f"{other}.json").write_text(content, encoding="utf-8")
    monkeypatch.setenv(run.RECORDINGS_VARIABLE, str(tmp_path))
    loaded, errors = recordings()
    assert [one.ticket.id for one in loaded] == [*TICKETS, "T-1a", "T-1b"]
    assert not errors


def test_a_recording_is_read_once_as_long_as_its_file_does_not_change(tmp_path, monkeypatch):
    monkeypatch.setenv(run.RECORDINGS_VARIABLE, str(tmp_path))
    good, bad = tmp_path / "T-1.json", tmp_path / "T-2.json"
    text = (FOLDER / "T-80008.json").read_text(encoding="utf-8")
    good.write_text(text, encoding="utf-8")
    bad.write_text("{", encoding="utf-8")
    read = []
    monkeypatch.setattr(run, "load_recording", lambda path: read.append(path.name) or load(path))
    for _ in range(2):
        (recording,), (error,) = run.recordings()
        assert (recording.ticket.id, error.file) == ("T-80008", "T-2.json")
    assert read == ["T-1.json", "T-2.json"]
    bad.write_text(text.replace("T-80008", "T-90001"), encoding="utf-8")
    recordings, errors = run.recordings()
    assert [one.ticket.id for one in recordings] == ["T-80008", "T-90001"]
    assert errors == []


def test_a_folder_that_is_missing_is_an_error_and_no_exception(tmp_path, monkeypatch):
    monkeypatch.setenv(run.RECORDINGS_VARIABLE, str(tmp_path / "nowhere"))
    loaded, (error,) = recordings()
    assert (loaded, error.file) == ([], "nowhere")


def test_an_empty_variable_is_none(monkeypatch):
    monkeypatch.setenv(run.RECORDINGS_VARIABLE, "")
    monkeypatch.setenv(run.ORDERS_VARIABLE, "")
    assert run.recordings_folder() == FOLDER
    assert run.orders_file() is None


def outcome_with(book, monkeypatch, ticket_id="T-80008"):
    monkeypatch.setenv(run.ORDERS_VARIABLE, str(book))
    one = replay(recording(ticket_id))
    (decided,) = [event for event in one.events if isinstance(event, Decided)]
    return one, decided.decision.outcome


def test_the_order_book_that_the_environment_names_is_asked(tmp_path, monkeypatch):
    book = write_book(tmp_path / "orders.db", [("LK-581106", "C-00000", "shipped")])
    one, outcome = outcome_with(book, monkeypatch)
    assert outcome == "refused: other_customer"
    assert one.divergence_step == 4


def test_an_order_book_that_is_missing_is_a_decision_and_no_failure(tmp_path, monkeypatch):
    one, outcome = outcome_with(tmp_path / "missing.db", monkeypatch)
    assert outcome == "error: order_book_unavailable"
    assert one.failure is None
    assert isinstance(one.events[-1], Diverged)
    assert not (tmp_path / "missing.db").exists()


def test_a_malformed_id_never_reaches_even_a_missing_order_book(tmp_path, monkeypatch):
    one, outcome = outcome_with(tmp_path / "missing.db", monkeypatch, "T-80009")
    assert outcome == "refused: invalid_argument"
    assert one.divergence_step is None


def test_the_events_before_an_exception_are_kept(monkeypatch):
    def broken(*_):
        raise RuntimeError("![x](https://example.org)")

    monkeypatch.setattr("assistant.tools.run_tool", broken)
    one = replay(recording("T-80008"))
    assert one.events == events("T-80008")[:2]
    assert one.failure.file == "assistant/loop.py"
    assert one.failure.line
    assert one.failure.why == "RuntimeError: ![x](https://example.org)"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A small project of its own: its code, its recordings and its order book, to be changed by a test."""
    (tmp_path / "assistant").mkdir()
    (tmp_path / "recordings").mkdir()
    for name in ("assistant/tools.py", "assistant/prompt.md", "assistant/orders.sql", "recordings/T-1.json", "book.db"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    monkeypatch.setattr(run, "PROJECT", tmp_path)
    monkeypatch.setenv(run.ORDERS_VARIABLE, str(tmp_path / "book.db"))
    return tmp_path


FILES = ("assistant/tools.py", "assistant/prompt.md", "assistant/orders.sql", "recordings/T-1.json", "book.db")


def test_a_fingerprint_stays_while_no_file_changes(files):  # noqa: ARG001
    assert fingerprint() == fingerprint()


@pytest.mark.parametrize("name", FILES)
def test_a_fingerprint_changes_with_a_files_size(files, name):
    before = fingerprint()
    times = (files / name).stat()
    (files / name).write_text("xy", encoding="utf-8")
    os.utime(files / name, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert fingerprint() != before


@pytest.mark.parametrize("name", FILES)
def test_a_fingerprint_changes_with_a_files_time(files, name):
    before = fingerprint()
    os.utime(files / name, ns=(5, 5))
    assert fingerprint() != before


@pytest.mark.parametrize("name", FILES)
def test_a_fingerprint_changes_when_a_file_goes(files, name):
    before = fingerprint()
    (files / name).unlink()
    assert fingerprint() != before


def test_a_fingerprint_changes_when_a_recording_comes(files):
    before = fingerprint()
    (files / "recordings" / "T-2.json").write_text("x", encoding="utf-8")
    assert fingerprint() != before


def test_a_fingerprint_needs_no_folder(files, monkeypatch):
    monkeypatch.setenv(run.RECORDINGS_VARIABLE, str(files / "nowhere"))
    assert {Path(name).parent.name for name, _, _ in fingerprint()} == {"assistant", files.name}


# The captions.


def test_a_caption_tells_what_the_ticket_is_about_and_nothing_that_becomes_of_it():
    told = " ".join(ENGLISH.tell(caption(ticket_id)) for ticket_id in LESSON_TICKETS)
    ends = {
        event.verdict.status for ticket_id in TICKETS for event in events(ticket_id) if isinstance(event, Concluded)
    }
    assert ends == {"valid", "rejected"}
    for word in (*ends, "ok", "refused", "found", "LK-"):
        assert word not in told


def test_a_ticket_that_is_not_the_lessons_has_no_caption():
    assert caption("T-1") is None
    assert FRENCH.tell(caption("T-65059")) == "ne nomme aucune commande"
