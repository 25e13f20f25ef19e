"""Owns one run of the loop for the page: which recordings there are, and what the code makes of one of them now.

A bad recording, a broken file and an exception inside `assistant/` are values here, each with its place.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assistant.events import Decided, Diverged, Event
from assistant.recording import Recording, RecordingError, load_folder
from assistant.recording import load as load_recording
from assistant.replay import RecordedModel
from assistant.sentence import Sentence, say

from .failure import PROJECT, Failure, failure_of
from .fresh import load

# The lesson's four tickets in its order, each with what its text is about; nothing here tells what becomes of it.
LESSON_TICKETS: dict[str, Sentence] = {
    "T-80008": say("asks about their own order"),
    "T-80001": say("asks about a neighbour's order"),
    "T-65059": say("names no order"),
    "T-80009": say("names an order with 5 digits"),
}
RECORDINGS_VARIABLE = "EXPLORER_RECORDINGS"
ORDERS_VARIABLE = "EXPLORER_ORDERS"


@dataclass(frozen=True)
class Run:
    """One loop, run now over one recording: its events as far as they came, and what stopped it, if anything did."""

    recording: Recording
    events: tuple[Event, ...]
    failure: Failure | None = None

    def has_diverged(self, step: int) -> bool:
        """Whether what step `step` shows, or one before it, is not what was recorded."""
        found = self.divergence_step
        if found is None:
            return False
        last = self.events[found - 1]
        is_of_the_step_before = isinstance(last, Diverged) and not last.place.startswith("/calls/")
        return step >= found - is_of_the_step_before

    @property
    def has_error(self) -> bool:
        """Whether a decision was an error of ours, such as an order book that could not answer."""
        return any(isinstance(event, Decided) and event.decision.outcome.startswith("error:") for event in self.events)

    @property
    def divergence_step(self) -> int | None:
        """The step at which the replay leaves the recording, from 1, or None."""
        return next((n for n, event in enumerate(self.events, start=1) if isinstance(event, Diverged)), None)


def caption(ticket_id: str) -> Sentence | None:
    """What the lesson's ticket is about; of others nothing is known."""
    return LESSON_TICKETS.get(ticket_id)


def place_of(ticket_id: str) -> int:
    """Where a ticket stands: the lesson's four first and in its order, others after them."""
    order = list(LESSON_TICKETS)
    return order.index(ticket_id) if ticket_id in order else len(order)


def recordings() -> tuple[list[Recording], list[RecordingError]]:
    """Load the recordings of the folder that the environment names, or of the project's own. The lesson's four come
    first and in its order, others by file name."""
    loaded, errors = load_folder(recordings_folder(), _loaded)
    loaded.sort(key=lambda one: place_of(one.ticket.id))
    return loaded, errors


def _loaded(path: Path) -> Recording:
    """A recording, read once as long as its file does not change: there may be thousands of them."""
    found = _read(path, stamp(path))
    if isinstance(found, RecordingError):
        raise found
    return found


@lru_cache(maxsize=20_000)
def _read(path: Path, _stamp: tuple[int, int]) -> Recording | RecordingError:
    try:
        return load_recording(path)
    except RecordingError as error:
        return error


def recordings_folder() -> Path:
    """The folder of recordings."""
    return Path(os.environ.get(RECORDINGS_VARIABLE) or PROJECT / "recordings")


def orders_file() -> str | None:
    """The order book's file, or None for the sample orders."""
    return os.environ.get(ORDERS_VARIABLE) or None


def fingerprint() -> tuple[tuple[str, int, int], ...]:
    """Name, time of change and size of every file that a run depends on: equal for equal files."""
    found = [file for folder in (PROJECT / "assistant", recordings_folder()) for file in _files_in(folder)]
    if (orders := orders_file()) and Path(orders).is_file():
        found.append((orders, *stamp(Path(orders))))
    return tuple(sorted(found))


def _files_in(folder: Path) -> Iterator[tuple[str, int, int]]:
    with suppress(OSError), os.scandir(folder) as entries:  # asks the system less often than `Path.iterdir`
        for entry in entries:
            if entry.is_file():
                yield entry.path, *stamp(entry)


def stamp(path: "Path | os.DirEntry[str]") -> tuple[int, int]:
    """A file's time of change and its size; it may be gone."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def replay(recording: Recording) -> Run:
    """Run the loop over the recording with the code as it is now. Raises nothing for broken code or files."""
    events: list[Event] = []
    try:
        # Not at the top: a tools.py that cannot be imported is to stop this, and not the whole page.
        loop, orders = load("assistant.loop"), load("assistant.orders")
        for event in loop.run_loop(recording.ticket, RecordedModel(recording), orders.OrderBook(orders_file())):
            events.append(event)  # what came before an exception is kept
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        return Run(recording, tuple(events), failure_of(error))
    return Run(recording, tuple(events))
