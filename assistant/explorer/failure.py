"""Owns naming what broke: an exception becomes a file, a line and a reason, none of which is ever Markdown."""

import traceback
from dataclasses import dataclass
from pathlib import Path

from assistant.files import FileError

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Failure:
    """Something in the project's own files that stopped the loop: file, line where known, and what went wrong."""

    file: str
    line: int | None
    what: str


def failure_of(error: Exception) -> Failure:
    """Name the place of an exception: the file that it names itself, else the innermost line of this project."""
    if isinstance(error, FileError):
        return Failure(error.file, error.line, error.reason)
    if isinstance(error, SyntaxError) and error.filename:
        return Failure(_in_project(error.filename), error.lineno, f"{type(error).__name__}: {error.msg}")
    what = f"{type(error).__name__}: {error}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename)]
    return Failure(_in_project(frames[-1].filename), frames[-1].lineno, what) if frames else Failure("?", None, what)


def _is_ours(filename: str) -> bool:
    return Path(filename).is_relative_to(PROJECT / "assistant")


def _in_project(filename: str) -> str:
    path = Path(filename)
    return path.relative_to(PROJECT).as_posix() if path.is_relative_to(PROJECT) else path.name
