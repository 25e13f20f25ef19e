"""Owns that the page runs the code as it is saved now.

Streamlit tells each open window of a save (`server.folderWatchList` in the project's configuration) and does no more:
it is told to leave our modules alone (`server.folderWatchBlacklist`), because it drops them under windows that are just
using them. Here they are dropped, and loaded, by one window at a time. This module and its packages stay.
"""

import sys
import threading
from importlib import import_module
from pathlib import Path
from types import ModuleType

LOCK = threading.RLock()
STAMP = "__loaded_from__"

_times_forgotten = 0
_run = threading.local()


def begin(name: str) -> ModuleType:
    """Begin a run of the page on the saved code: forget all modules if any file has changed, and load this one."""
    with LOCK:
        _forget_if_changed()
        _run.began = _times_forgotten
        return load(name)


def load(name: str) -> ModuleType:
    """Import a module of the project. Raises whatever its import raises."""
    with LOCK:
        try:
            return import_module(name)
        finally:
            for module in _modules().values():
                module.__dict__.setdefault(STAMP, _stamp(module))


def is_outdated() -> bool:
    """Whether another window has forgotten the modules since this run began: it may hold old ones and new ones."""
    return getattr(_run, "began", None) != _times_forgotten


def _forget_if_changed() -> None:
    global _times_forgotten
    modules = _modules()
    if all(module.__dict__[STAMP] == _stamp(module) for module in modules.values() if STAMP in module.__dict__):
        return
    for name in modules:
        parent, _, child = name.rpartition(".")
        sys.modules.pop(name, None)
        sys.modules[parent].__dict__.pop(child, None)  # or `from . import tools` would find the old one
    _times_forgotten += 1


def _modules() -> dict[str, ModuleType]:
    """The project's loaded modules, without this one and the packages that it is in."""
    package = __name__.partition(".")[0]
    return {
        name: module
        for name, module in list(sys.modules.items())
        if name.startswith(f"{package}.") and not __name__.startswith(name) and getattr(module, "__file__", None)
    }


def _stamp(module: ModuleType) -> tuple[int, int] | None:
    try:
        status = Path(str(module.__file__)).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
