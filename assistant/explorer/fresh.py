"""Owns that the page runs the code as it is saved now.

Streamlit notices a save only in a window that is open, and only of a module that could be imported. So each run begins
by forgetting the project's modules if a file has changed since it was loaded, and a file that could not be loaded gets
a placeholder, through which Streamlit watches it.
"""

import sys
from pathlib import Path
from types import ModuleType

CODE = Path(__file__).parents[1]
PLACEHOLDER = f"{CODE.name}.not_loaded."
STAMP = "__loaded_from__"
THIS = sys.modules[__name__]

# Python keeps compiled files by size and whole second: a second save within one second would go unseen.
sys.dont_write_bytecode = True


def forget_if_changed() -> bool:
    """Forget all modules of the project if the file of one is no longer what was loaded. Return whether it was so."""
    modules = _modules()
    changed = any(module.__dict__.get(STAMP, _stamp(module)) != _stamp(module) for module in modules.values())
    if changed:
        for name in modules:
            sys.modules.pop(name, None)
    return changed


def remember() -> None:
    """Note what each module was loaded from, and let Streamlit watch what could not be loaded."""
    loaded = {module.__file__ for name, module in _modules().items() if not name.startswith(PLACEHOLDER)}
    for path in CODE.glob("*.py"):
        name = PLACEHOLDER + path.stem
        if str(path) in loaded:
            sys.modules.pop(name, None)
        elif name not in sys.modules:
            placeholder = ModuleType(name)
            placeholder.__file__ = str(path)
            sys.modules[name] = placeholder
    for module in _modules().values():
        module.__dict__.setdefault(STAMP, _stamp(module))


def is_outdated() -> bool:
    """Whether the modules were forgotten under this run, for another window: it may hold old ones and new ones."""
    return sys.modules.get(__name__) is not THIS


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
