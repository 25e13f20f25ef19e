"""Owns the register: one row a decision, read in a stream from recordings and decision logs (JSON Lines, `.gz` too).

It shows what was recorded and decides nothing: what today's code makes of a row is `again`'s. A file or a line that
cannot be read is a Problem with its place, and harms no other. No row holds an order.
"""

import codecs
import gzip
import json
import stat
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, date, datetime
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from .files import unreadable
from .loop import proposals_of_call
from .model import NOT_JSON, as_text
from .recording import Recording, RecordingError, load
from .response import as_dict, message_of
from .schema import first_problem
from .sentence import Sentence, say
from .strict_json import NotJson, read_json

BLOCK = 8_000_000  # bytes of a log that are read at a time
THREADS = 2  # that parse them; reading stays one block ahead
FEW = 64  # lines that are read one by one when not all of them can be read at once
MAX_LINE = 1_000_000  # bytes
MAX_PROBLEMS = 1000
LOG_NAMES = (".jsonl", ".jsonl.gz", ".log", ".log.gz")

_TEXT = pa.string()
# What a line of a log holds, as `model.log_line` and `model.end_line` write it. A key that is null may be missing, but
# for those that LINE requires.
WRITTEN = pa.schema(
    [
        *((name, _TEXT) for name in ("time", "run", "ticket", "customer", "tool", "arguments")),
        ("not_text", pa.list_(_TEXT)),
        *((name, _TEXT) for name in ("outcome", "failed_check", "told", "verdict")),
        ("broken", pa.list_(_TEXT)),
    ]
)
_NULLABLE = {"type": ["string", "null"]}
_TEXT_TYPE = {"type": "string"}
_LIST = {"type": ["array", "null"], "items": _TEXT_TYPE}
LINE: dict[str, Any] = {
    "type": "object",
    "properties": {name: _LIST if name in ("not_text", "broken") else _NULLABLE for name in WRITTEN.names},
    "required": ["ticket"],
    "if": {"required": ["outcome"], "properties": {"outcome": {"not": {"type": "null"}}}},
    "then": {"required": ["tool", "arguments"]},
    "else": {"required": ["run", "verdict"], "properties": {"run": _TEXT_TYPE}},
}
# What a row of the register holds. `file` and `place` say where it is from: a line of a log (from 1), or a decision of
# a recording (from 1). `time` is in UTC, `day` is its day, or the one that a source without a time names. `digest` is
# that of a recording.
COLUMNS = pa.schema(
    [
        ("file", pa.dictionary(pa.int32(), _TEXT)),
        ("place", pa.int64()),
        ("digest", _TEXT),
        ("time", pa.timestamp("ms", tz="UTC")),
        ("day", pa.date32()),
        *((name, _TEXT) for name in ("run", "ticket", "customer", "tool", "arguments")),
        ("not_text", _TEXT),
        *((name, _TEXT) for name in ("outcome", "failed_check", "told", "verdict", "broken")),
        ("reconstructed", _TEXT),
    ]
)
_PROPOSED = ("tool", "arguments")
_FROM_LINE = (
    "run",
    "ticket",
    "customer",
    "tool",
    "arguments",
    "not_text",
    "outcome",
    "failed_check",
    "told",
    "verdict",
    "broken",
)


class Problem(NamedTuple):
    """What could not be read: the file's name, the line if it is one (from 1), and why."""

    file: str
    line: int | None
    why: Sentence


class Block(NamedTuple):
    """A part of what is read: rows of COLUMNS, verdicts by run, what could not be read, and how many bytes of how many
    were read when it was complete (what a `.gz` takes on the disk)."""

    rows: pa.Table
    ends: pa.Table
    problems: list[Problem]
    done: int
    total: int


ENDS = pa.schema([("run", _TEXT), ("verdict", _TEXT), ("broken", _TEXT)])


def read(sources: Iterable[Path]) -> Iterator[Block]:
    """Read every recording and log that the sources are, or that stand in them if they are folders, block by block."""
    files, problems = files_of(sources)
    total = sum(size for _, _, size in files)
    if problems:
        yield Block(COLUMNS.empty_table(), ENDS.empty_table(), problems, 0, total)
    before, tickets = 0, dict[str, str]()
    waiting: list[dict[str, Any]] = []
    errors: list[Problem] = []
    for path, name, size in files:
        if path.suffix == ".json":
            try:
                waiting.extend(_rows_of_recording(path, name, tickets))
            except RecordingError as error:
                errors.append(Problem(name, None, error.why))
            before += size
            if len(waiting) + len(errors) >= 200:
                yield Block(_table(waiting), ENDS.empty_table(), errors, before, total)
                waiting, errors = [], []
            continue
        for rows, ends, wrong, read_bytes in _read_log(path, name):
            yield Block(rows, ends, wrong, before + min(read_bytes, size), total)
        before += size
    yield Block(_table(waiting), ENDS.empty_table(), errors, total, total)


def whole(blocks: Iterable[Block]) -> tuple[pa.Table, list[Problem]]:
    """Put blocks together: each row once, with the verdict of its run. The first MAX_PROBLEMS problems are kept, and
    one that says where they stop."""
    kept = list(blocks)
    tables = [block.rows for block in kept]
    rows = pa.concat_tables(tables).unify_dictionaries() if tables else COLUMNS.empty_table()
    ends = pa.concat_tables([block.ends for block in kept]) if kept else ENDS.empty_table()
    problems = [problem for block in kept for problem in block.problems]
    if len(problems) > MAX_PROBLEMS:
        why = say("This is not listed from here on: more than {limit} could not be read.", limit=MAX_PROBLEMS)
        problems[MAX_PROBLEMS:] = [problems[MAX_PROBLEMS]._replace(why=why)]
    return _with_ends(rows, ends), problems


def texts_of(row: dict[str, Any]) -> tuple[object, object]:
    """The tool's name and the arguments of a row as they were proposed, but for halves of surrogate pairs, which read
    as question marks. Raises NotJson where the log could not keep them."""
    not_text = (row["not_text"] or "").split(",")
    return tuple(_proposed(row[name], name in not_text) for name in _PROPOSED)  # type: ignore[return-value]


def _proposed(logged: str | None, is_json: bool) -> object:
    if not is_json or logged is None:
        return logged
    if logged == NOT_JSON:
        raise NotJson(say("The log could not keep what was proposed."))
    return read_json(logged)


def files_of(sources: Iterable[Path]) -> tuple[list[tuple[Path, str, int]], list[Problem]]:
    """The files to read, each with the name that it has in the register and its size in bytes."""
    found: list[tuple[Path, str, int]] = []
    problems: list[Problem] = []
    names: set[str] = set()
    for source in sources:
        try:
            paths = sorted(source.iterdir()) if source.is_dir() else [source]
        except OSError as error:
            problems.append(Problem(source.name, None, unreadable(error)))
            continue
        for path in paths:
            if path.name.startswith("."):
                continue
            name, number = (file_name := _whole_characters(path.name)), 1
            while name in names:
                number += 1
                name = f"{file_name} ({number})"
            names.add(name)
            try:
                status = path.stat()
            except OSError as error:
                problems.append(Problem(name, None, unreadable(error)))
                continue
            if not path.name.endswith((".json", *LOG_NAMES)):
                expected = ", ".join((".json", *LOG_NAMES))
                problems.append(Problem(name, None, say("Its name ends in none of {endings}.", endings=expected)))
            elif not stat.S_ISREG(status.st_mode):  # to open a pipe is to wait for somebody to write
                problems.append(Problem(name, None, say("This is not a file.")))
            else:
                found.append((path, name, status.st_size))
    return found, problems


# Logs.


class _Part(NamedTuple):
    """Whole lines of a log, the number of the first (from 1), and how many bytes were read of the file until then."""

    text: bytes
    first_line: int
    position: int
    problems: list[Problem]


def _read_log(path: Path, name: str) -> Iterator[tuple[pa.Table, pa.Table, list[Problem], int]]:
    """The log's parts in their order. pyarrow lets go of Python's lock, so that threads parse them at the same time."""
    ahead: deque[Future[tuple[pa.Table, pa.Table, list[Problem], int]]] = deque()
    with ThreadPoolExecutor(THREADS) as pool:
        for part in _parts_of_log(path, name):
            ahead.append(pool.submit(_read_part, part, name))
            if len(ahead) > THREADS:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def _parts_of_log(path: Path, name: str) -> Iterator[_Part]:
    """Parts of the log; what keeps it from being read to its end is a problem of the last one."""
    first_line, position = 1, 0
    try:
        with path.open("rb") as raw:
            file = gzip.GzipFile(fileobj=raw) if path.suffix == ".gz" else raw
            for block in _blocks(file):
                text = block.removeprefix(codecs.BOM_UTF8) if first_line == 1 else block
                position = raw.tell()
                yield _Part(text, first_line, position, [])
                first_line += _line_ends(block)
    except (OSError, EOFError, zlib.error) as error:
        why = unreadable(error) if isinstance(error, OSError) and error.strerror else say("This is no whole gzip file.")
        line = first_line if first_line > 1 else None
        yield _Part(b"", first_line, position, [Problem(name, line, why)])


def _read_part(part: _Part, name: str) -> tuple[pa.Table, pa.Table, list[Problem], int]:
    wrong: list[Problem] = []
    pieces = list(_parsed(part.text, name, part.first_line, wrong)) if part.text else []
    rows = pa.concat_tables([COLUMNS.empty_table(), *(rows for rows, _ in pieces)])
    ends = pa.concat_tables([ENDS.empty_table(), *(ends for _, ends in pieces)])
    return rows, ends, [*wrong, *part.problems], part.position


def _blocks(file: BufferedReader | gzip.GzipFile) -> Iterator[bytes]:
    """Parts of the file that end with a line, BLOCK bytes or a line longer. Of a line that is too long they hold no
    more than shows it."""
    rest = b""
    for part in _parts(file):
        end = part.rfind(b"\n") + 1
        if not end:
            rest = (rest + part)[: MAX_LINE + 1]
            continue
        yield rest + part[:end]
        rest = part[end:]
    if rest:
        yield rest


def _parts(file: BufferedReader | gzip.GzipFile) -> Iterator[bytes]:
    """BLOCK bytes at a time, and before an error what could be read until then."""
    parts: list[bytes] = []
    size = 0
    try:
        while part := file.read1(BLOCK - size):
            parts.append(part)
            size += len(part)
            if size >= BLOCK:
                yield b"".join(parts)
                parts, size = [], 0
    except (OSError, EOFError, zlib.error):
        yield b"".join(parts)
        raise
    yield b"".join(parts)


def _parsed(block: bytes, name: str, first_line: int, wrong: list[Problem]) -> Iterator[tuple[pa.Table, pa.Table]]:
    """The lines as tables: all at once, or in halves, down to line by line where one of them is no line of a log. What
    can be read at once reads the same line by line."""
    try:
        yield _at_once(block, name, first_line)
        return
    except (pa.ArrowException, UnicodeDecodeError, _NotOurs):
        pass
    lines = _line_ends(block) + (not block.endswith(b"\n"))
    if lines <= FEW:
        good = [
            (number, line)
            for number, text in enumerate(block.split(b"\n"), start=first_line)
            if text.strip() and (line := _line(text, name, number, wrong))
        ]
        numbers = pa.array([number for number, _ in good], pa.int64())
        yield _columns(pa.Table.from_pylist([line for _, line in good], WRITTEN), name, numbers)
        return
    middle = int(_lines(block)[1][lines // 2 - 1]) + 1
    yield from _parsed(block[:middle], name, first_line, wrong)
    yield from _parsed(block[middle:], name, first_line + lines // 2, wrong)


class _NotOurs(Exception):
    """Some line may be no line of a decision log; each has to be looked at."""


def _at_once(block: bytes, name: str, first_line: int) -> tuple[pa.Table, pa.Table]:
    block.decode()
    starts, ends = _lines(block)
    if not _look_like_objects(block, starts, ends):
        raise _NotOurs
    options = pa.json.ReadOptions(block_size=len(block) + 1, use_threads=False)
    # What it does not keep it reads less strictly than we do, so there must not be any.
    kept = pa.json.ParseOptions(explicit_schema=WRITTEN, unexpected_field_behavior="error")
    table = pa.json.read_json(pa.BufferReader(block), options, kept)
    has_null = any(pc.list_flatten(table[column]).null_count for column in ("not_text", "broken"))
    if table.num_rows != len(starts) or has_null:
        raise _NotOurs
    doubtful, wanted = _doubtful(table)
    for number, keys in zip(doubtful, wanted, strict=True):
        if not json.loads(block[starts[number] : ends[number]]).keys() >= keys:
            raise _NotOurs
    return _columns(table, name, pa.array(np.arange(first_line, first_line + len(starts))))


def _line_ends(block: bytes) -> int:
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))


def _lines(block: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Where each line starts, and where it ends (after its last byte, without the line end)."""
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
    if not block.endswith(b"\n"):
        ends = np.append(ends, len(block))
    return np.concatenate([[0], ends[:-1] + 1]), ends


def _look_like_objects(block: bytes, starts: np.ndarray, ends: np.ndarray) -> bool:
    """Whether every line begins and ends like an object and none is too long. If so, and there are as many objects as
    lines, each line is one: between two values no line can both end in `}` and be followed by one with `{`."""
    text = np.frombuffer(block, np.uint8)
    if (text[starts] != ord("{")).any() or (ends - starts).max() > MAX_LINE:
        return False
    last = ends - 1
    return bool((text[last - (text[last] == ord("\r"))] == ord("}")).all())


def _doubtful(table: pa.Table) -> tuple[list[int], list[set[str]]]:
    """The lines without something that LINE requires, and the keys they must have: a null looks the same in a table."""
    missing = {column: pc.is_null(table[column]) for column in ("outcome", "ticket", "run", "verdict", *_PROPOSED)}
    is_end = missing["outcome"]
    of_decision = pc.and_not(pc.or_(missing["tool"], missing["arguments"]), is_end)
    of_end = pc.and_(is_end, missing["verdict"])
    doubtful = pc.indices_nonzero(pc.or_(missing["ticket"], pc.or_(of_decision, of_end)))
    if pc.any(pc.and_(is_end, missing["run"])).as_py():
        raise _NotOurs
    ends = is_end.take(doubtful).to_pylist()
    return doubtful.to_pylist(), [{"ticket", *(("run", "verdict") if end else _PROPOSED)} for end in ends]


def _line(text: bytes, name: str, number: int, wrong: list[Problem]) -> dict[str, Any] | None:
    """One line as WRITTEN has it, or None and what is wrong with it."""
    try:
        return _read_line(text)
    except NotJson as error:
        if len(wrong) <= MAX_PROBLEMS:
            wrong.append(Problem(name, number, error.why))
        return None


def _read_line(text: bytes) -> dict[str, Any]:
    """Raises NotJson for what is no line of a log."""
    if len(text) > MAX_LINE:
        raise NotJson(say("The line is longer than {limit} bytes.", limit=MAX_LINE))
    try:
        line = read_json(text.decode())
    except UnicodeDecodeError:
        raise NotJson(say("This is not text in UTF-8.")) from None
    if problem := first_problem(LINE, line):
        raise NotJson(problem.why)
    if (written := line.get("time")) is not None:
        time, _ = _time(written)
        if time is None:
            where = {"place": "/time", "wanted": "ISO 8601, Z", "found": written[:80]}
            raise NotJson(say("At {place}: expected {wanted}, found {found}.", **where))
        line["time"] = time.isoformat(timespec="milliseconds")
    return {key: _whole_characters(line.get(key)) for key in WRITTEN.names}


def _whole_characters(value: Any) -> Any:
    """Halves of surrogate pairs are no text that a table can hold."""
    if isinstance(value, list):
        return [_whole_characters(each) for each in value]
    return value.encode(errors="replace").decode() if isinstance(value, str) else value


def _columns(table: pa.Table, name: str, numbers: pa.Array) -> tuple[pa.Table, pa.Table]:
    """Rows of the register, and ends of runs."""
    count = table.num_rows
    exactly = table["time"].cast(pa.timestamp("us", tz="UTC"))
    if not _within_years(exactly):
        raise _NotOurs
    time = pc.floor_temporal(exactly, unit="millisecond").cast(COLUMNS.field("time").type)
    joined = {column: pc.binary_join(table[column], ",") for column in ("not_text", "broken")}
    rows = pa.table(
        [
            pa.DictionaryArray.from_arrays(pa.nulls(count, pa.int32()).fill_null(0), pa.array([name])),
            numbers,
            pa.nulls(count, _TEXT),
            time,
            time.cast(pa.timestamp("ms")).cast(pa.date32()),
            *(joined.get(column, table[column]) for column in _FROM_LINE),
            pa.nulls(count, _TEXT),
        ],
        schema=COLUMNS,
    )
    is_row = pc.is_valid(table["outcome"])
    if pc.all(is_row).as_py():
        return rows, ENDS.empty_table()
    return rows.filter(is_row), rows.filter(pc.invert(is_row)).select(ENDS.names)


def _within_years(time: pa.ChunkedArray) -> bool:
    """Whether Python knows all of these moments (the years 1 to 9999)."""
    first, last = (pa.scalar(at.replace(tzinfo=UTC), time.type) for at in (datetime.min, datetime.max))
    found = pc.min_max(time)
    outside = pc.or_(pc.less(found["min"], first), pc.greater(found["max"], last))
    return not outside.as_py()


def _with_ends(rows: pa.Table, ends: pa.Table) -> pa.Table:
    """Give each row of a log the verdict of its run."""
    if not ends.num_rows or not rows.num_rows:
        return rows
    at = pc.index_in(rows["run"], value_set=ends["run"].combine_chunks())
    for name in ("verdict", "broken"):
        found = pc.take(ends[name].combine_chunks(), at)
        rows = rows.set_column(rows.schema.get_field_index(name), name, pc.coalesce(rows[name], found))
    return rows


# Recordings.


def _rows_of_recording(path: Path, name: str, files: dict[str, str]) -> Iterator[dict[str, Any]]:
    """The rows of one file; `files` holds those of the recordings before it, by ticket, and takes this one."""
    recording = load(path)
    ticket = recording.ticket.id
    if ticket in files:
        why = say(
            "At {place}: the ticket {id} is already in {file}.", place="/ticket/id", id=ticket, file=files[ticket]
        )
        raise RecordingError(name, "/ticket/id", why)
    files[ticket] = name
    yield from rows_of(recording, name)


def rows_of(recording: Recording, name: str) -> Iterator[dict[str, Any]]:
    """One row for each proposal that a recording holds."""
    time, day = _time(recording.recorded_at)
    verdict = recording.verdict or {}
    shared = {
        "file": name,
        "digest": recording.digest,
        "time": time,
        "day": day,
        "ticket": recording.ticket.id,
        "customer": recording.ticket.customer_id,
        "verdict": verdict.get("status"),
        "broken": ",".join(verdict["broken"]) if "broken" in verdict else None,
    }
    used_ids: set[str] = set()
    place = 0
    for number, call in enumerate(recording.calls, start=1):
        for proposal in proposals_of_call(number, message_of(call["response"]), used_ids):
            proposed = {"tool": proposal.name, "arguments": proposal.arguments}
            decisions = recording.decisions or ()
            decision = decisions[place] if place < len(decisions) else {}
            inside = f"/calls/{number - 1}/response/choices/0/message/tool_calls/{proposal.index - 1}/function"
            sources = {
                "tool": f"{inside}/name",
                "arguments": f"{inside}/arguments",
                "customer": "/ticket/customer_id",
                "time": "/recorded_at",
                "verdict": "/verdict",
                **{key: f"/decisions/{place}/{key}" for key in ("outcome", "failed_check")},
                "told": f"/decisions/{place}/result",
            }
            told = as_dict(decision.get("result")).get("error")
            place += 1
            yield {
                **shared,
                "place": place,
                **{key: as_text(value) for key, value in proposed.items()},
                "not_text": ",".join(key for key, value in proposed.items() if not isinstance(value, str | None)),
                "outcome": decision.get("outcome"),
                "failed_check": decision.get("failed_check"),
                "told": told if isinstance(told, str) else None,
                "reconstructed": ",".join(key for key, mark in sources.items() if recording.is_reconstructed(mark)),
            }


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    whole_rows = [{key: _whole_characters(value) for key, value in row.items()} for row in rows]
    return pa.Table.from_pylist(whole_rows, COLUMNS)


def _time(text: str | None) -> tuple[datetime | None, date | None]:
    """The moment in UTC and the day that the text names, as far as it does. Without a zone it names a day only."""
    try:
        found = datetime.fromisoformat(text or "")
        if found.tzinfo is None:
            return None, found.date()
        found = found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None, None
    return found, found.date()
