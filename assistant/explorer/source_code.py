"""Owns showing the code that decided: the source of a function as it was when its module was loaded."""

import inspect
import textwrap
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from .failure import PROJECT
from .fresh import SOURCE


class SourceCode(NamedTuple):
    """Lines of a file of this project, from line `line` (counted from 1)."""

    file: str
    line: int
    text: str


def source_of(function: Callable[..., object] | None) -> SourceCode | None:
    """Return the function's source, or None for what is no function of a module that keeps its source."""
    code = getattr(function, "__code__", None)
    source = getattr(function, "__globals__", {}).get(SOURCE)
    if not isinstance(code, CodeType) or not isinstance(source, str):
        return None
    file_of_module = getattr(function, "__globals__", {}).get("__file__")
    if code.co_name == "<lambda>" or code.co_filename != file_of_module:  # a dataclass's methods stand in no file
        return None
    first = code.co_firstlineno
    text = textwrap.dedent(_block(source, first))
    path = Path(code.co_filename)
    file = path.relative_to(PROJECT).as_posix() if path.is_relative_to(PROJECT) else path.name
    return SourceCode(file, first, text)


@lru_cache(maxsize=128)
def _block(source: str, first: int) -> str:
    """The lines of the function whose code begins on this line, from its first decorator to its end.

    Read token by token: `ast.parse` in several threads at once raises SystemError on Python 3.11
    (https://github.com/python/cpython/issues/106905), and here every visitor is one.
    """
    return "".join(inspect.getblock([f"{line}\n" for line in source.split("\n")[first - 1 :]])).rstrip("\n")
