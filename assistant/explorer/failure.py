"""Owns naming what broke: an exception becomes a file, a line and a reason, none of which is ever Markdown."""

import os
import traceback
from dataclasses import dataclass
from pathlib import Path

from assistant.files import FileError
from assistant.sentence import Sentence

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Failure:
    """Something in the project's own files that stopped the loop: file, line where known, and why: a sentence of ours,
    or an exception's own English text."""

    file: str
    line: int | None
    why: Sentence | str


def failure_of(error: BaseException) -> Failure:
    """Name the place of an exception: the file that it names itself, else the innermost line of this project."""
    if isinstance(error, FileError):
        return Failure(f"assistant/{error.file}", error.line, error.why)
    if isinstance(error, SyntaxError) and error.filename and _is_ours(error.filename):
        return Failure(_in_project(error.filename), error.lineno, f"{type(error).__name__}: {error.msg}")
    why = f"{type(error).__name__}: {error}".replace(f"{PROJECT}{os.sep}", "")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename)]
    return Failure(_in_project(frames[-1].filename), frames[-1].lineno, why) if frames else Failure("?", None, why)


def _is_ours(filename: str) -> bool:
    return Path(filename).is_relative_to(PROJECT / "assistant")


def _in_project(filename: str) -> str:
    path = Path(filename)
    return path.relative_to(PROJECT).as_posix() if path.is_relative_to(PROJECT) else path.name
