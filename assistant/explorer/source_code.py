"""Owns showing the code that decided: the source of a function as it was when its module was loaded."""

import ast
import textwrap
from collections.abc import Callable, Mapping
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
    lines = _functions(source).get((code.co_name, code.co_firstlineno))
    if lines is None:
        return None
    first, last = lines
    text = textwrap.dedent("\n".join(source.split("\n")[first - 1 : last]))
    path = Path(code.co_filename)
    file = path.relative_to(PROJECT).as_posix() if path.is_relative_to(PROJECT) else path.name
    return SourceCode(file, first, text)


@lru_cache(maxsize=32)
def _functions(source: str) -> Mapping[tuple[str, int], tuple[int, int]]:
    """First and last line of each function in the source, by its name and the line that its code begins on."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[node.name, first] = (first, node.end_lineno or first)
    return found
