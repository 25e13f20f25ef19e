"""Owns that the page runs the code as it is saved now.

Streamlit tells each open window of a save (`server.folderWatchList` in the project's configuration) and does no more:
it is told to leave our modules alone (`server.folderWatchBlacklist`), because it drops them under windows that are just
using them. Here they are dropped, and loaded, by one window at a time. This module and its packages stay.

Each module keeps the source that it was compiled from (`SOURCE`), for the page to show the code that is running. One
that reads other files once and keeps what they say names them (`ALSO`): they count as a part of it.
"""

import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import decode_source
from pathlib import Path
from types import ModuleType

LOCK = threading.RLock()
STAMPS = "__loaded_from__"
SOURCE = "__loaded_source__"
ALSO = "READ_ONCE"
OURS = f"{__name__.partition('.')[0]}."

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
        return import_module(name)


def is_outdated() -> bool:
    """Whether another window has forgotten the modules since this run began: it may hold old ones and new ones."""
    return getattr(_run, "began", None) != _times_forgotten


def _forget_if_changed() -> None:
    global _times_forgotten
    modules = _modules()
    if all(_stamp(path) == stamp for module in modules.values() for path, stamp in module.__dict__[STAMPS].items()):
        return
    for name in modules:
        parent, _, child = name.rpartition(".")
        sys.modules.pop(name, None)
        sys.modules[parent].__dict__.pop(child, None)  # or `from . import tools` would find the old one
    _times_forgotten += 1


def _modules() -> dict[str, ModuleType]:
    """The project's loaded modules, without this one and the packages that it is in."""
    return {
        name: module
        for name, module in list(sys.modules.items())
        if name.startswith(OURS) and not __name__.startswith(name) and STAMPS in module.__dict__
    }


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class _Loader(SourceFileLoader):
    """Loads a module from its source, never from a compiled file, and notes in it what was loaded."""

    def exec_module(self, module: ModuleType) -> None:
        path = Path(self.path)
        stamps = module.__dict__[STAMPS] = {path: _stamp(path)}  # before reading: a save in between counts as a change
        data = self.get_data(self.path)
        try:
            code = self.source_to_code(data, self.path)
        except (SyntaxError, ValueError) as error:
            if getattr(error, "filename", None):
                raise
            raise SyntaxError(str(error), (self.path, None, None, None)) from error
        with suppress(SyntaxError, UnicodeDecodeError):  # Python runs some files that are no text, and shows none
            module.__dict__[SOURCE] = decode_source(data)
        exec(code, module.__dict__)
        stamps.update((also, _stamp(also)) for also in module.__dict__.get(ALSO, ()))


class _Finder(MetaPathFinder):
    """Finds this project's modules where Python would, and gives them that loader."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname.startswith(OURS) else None
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder())
