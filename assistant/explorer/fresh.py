"""Owns that the page runs the code as it is saved now.

Streamlit notices a save only in a window that is open, and only of a module that could be imported. So each run first
forgets the project's modules if a file has changed since it was loaded, and a file that could not be loaded gets a
placeholder, through which Streamlit watches it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

CODE = Path(__file__).parents[1]
PLACEHOLDER = f"{CODE.name}.not_loaded."
STAMP = "__loaded_from__"


@contextmanager
def code() -> Iterator[None]:
    """Run what is inside on the saved code."""
    _forget_if_changed()
    try:
        yield
    finally:
        _watch_what_is_not_loaded()
        for module in _modules().values():
            module.__dict__.setdefault(STAMP, _stamp(module))


def _forget_if_changed() -> None:
    modules = _modules()
    if any(module.__dict__.get(STAMP, _stamp(module)) != _stamp(module) for module in modules.values()):
        for name in modules:
            sys.modules.pop(name, None)


def _watch_what_is_not_loaded() -> None:
    loaded = {module.__file__ for name, module in _modules().items() if not name.startswith(PLACEHOLDER)}
    for path in CODE.glob("*.py"):
        name = PLACEHOLDER + path.stem
        if str(path) in loaded:
            sys.modules.pop(name, None)
        elif name not in sys.modules:
            placeholder = ModuleType(name)
            placeholder.__file__ = str(path)
            sys.modules[name] = placeholder


def _modules() -> dict[str, ModuleType]:
    return {
        name: module
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] == CODE.name and getattr(module, "__file__", None)
    }


def _stamp(module: ModuleType) -> tuple[int, int] | None:
    try:
        status = Path(str(module.__file__)).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
