"""Owns what is reviewed: which recordings and decision logs there are, and the register that is read from them."""

import os
import time
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import streamlit as st

from assistant import counts, register, selection
from assistant.register import Block, Problem
from assistant.selection import Order
from assistant.sentence import Sentence, say

from . import put
from .language import Language
from .run import recordings_folder
from .work import Job, forget, outcome

LOGS_VARIABLE = "EXPLORER_LOGS"
LOOK_EVERY_S = 2.0


class Register(NamedTuple):
    """The register as far as it was read: its rows, how many of each outcome a day, what could not be read, and the
    part that was read (1 is all). `kept` holds what was worked out from it, for everybody."""

    rows: pa.Table
    by_day: pa.Table
    problems: list[Problem]
    done: float
    key: Hashable
    kept: dict[str, Any]

    def ordered(self, order: Order) -> pa.Array:
        """The rows' numbers in an order, sorted once."""
        if order not in self.kept:
            self.kept[str(order)] = selection.ordered(self.rows, order)
        return self.kept[str(order)]


def paths() -> list[Path]:
    """The files and folders that are reviewed: those that the environment names, or the page's recordings."""
    named = [Path(each) for each in os.environ.get(LOGS_VARIABLE, "").split(os.pathsep) if each.strip()]
    return named or [recordings_folder()]


def read(language: Language) -> Register | None:
    """The register of these paths; it is read by the first who asks, and not again before somebody wants it."""
    sources = paths()
    key = tuple(str(path) for path in sources)
    job = _job(sources, key)
    came = outcome(job, language)
    if came is None:
        return None
    found = came.result
    problems = [Problem(file, line, Sentence(template, values)) for file, line, template, values in found["problems"]]
    if came.is_whole and found["files"] != _files(key):
        _offer_anew(job, language)
    return Register(found["rows"], found["by_day"], problems, came.done, (key, found["files"]), found["kept"])


def _offer_anew(job: Job, language: Language) -> None:
    from .markup import label
    from .notices import notice

    with st.container(key="changed", horizontal=True, vertical_alignment="center"):
        put.html(notice(language, say("The files have changed since they were read.")))
        st.button(label(say("Read them again"), language), key="read again", on_click=forget, args=(job,))


def _job(sources: list[Path], key: tuple[str, ...]) -> Job:
    files = _files(key)

    def start() -> Iterator[tuple[float, Block]]:
        for block in register.read(sources):
            yield (block.done / block.total if block.total else 1), block

    def finish(blocks: list[Block]) -> dict[str, Any]:
        rows, problems = register.whole(blocks)
        told = [(one.file, one.line, one.why.template, one.why.values) for one in problems]
        return {"rows": rows, "by_day": counts.by_day(rows), "problems": told, "files": files, "kept": {}}

    return Job("reading", key, start, finish, say("Read the recordings and logs"))


def _files(key: tuple[str, ...]) -> tuple[tuple[str, int, int], ...]:
    """Name, time of change and size of each file, looked up no more often than every LOOK_EVERY_S for all visitors."""
    looked = _looked()
    known = looked.get(key)
    if known is None or time.monotonic() - known[0] > LOOK_EVERY_S:
        found = []
        for path, name, _ in register.files_of(map(Path, key))[0]:
            try:
                status = path.stat()
            except OSError:  # gone in between
                continue
            found.append((name, status.st_mtime_ns, status.st_size))
        looked[key] = known = (time.monotonic(), tuple(found))
    return known[1]


@st.cache_resource(show_spinner=False)
def _looked() -> dict[tuple[str, ...], tuple[float, tuple[tuple[str, int, int], ...]]]:
    return {}
