"""The page runs the code as it is saved now, one window's run at a time.

This file also owns the copy of the project that the explorer's tests may break.
"""

import importlib
import os
import py_compile
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.machinery import SourcelessFileLoader
from pathlib import Path

import pytest

from assistant.explorer.fresh import SOURCE

ROOT = Path(__file__).parents[1]
APPLICATION = ("assistant", "recordings", "explorer_app.py")


@contextmanager
def own_modules():
    """Whoever is inside loads the application's modules for themselves, and leaves no trace of them."""
    kept, finders = _ours(), list(sys.meta_path)
    _forget(kept)
    try:
        yield
    finally:
        _forget(_ours())
        sys.modules.update(kept)
        sys.meta_path[:] = finders


def _ours():
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "assistant"}


def _forget(modules):
    for name in modules:
        sys.modules.pop(name, None)


@contextmanager
def copied_project(folder):
    """A copy of the application in the folder, and inside it `import assistant` loads that copy."""
    for name in APPLICATION:
        source = ROOT / name
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, folder / name, ignore=ignored) if source.is_dir() else shutil.copy(source, folder)
    with pytest.MonkeyPatch.context() as patch, own_modules():
        patch.setattr(sys, "dont_write_bytecode", False)
        patch.syspath_prepend(folder)
        yield folder


def save(path, content):
    """Write the file so that it is surely newer than it was."""
    later = path.stat().st_mtime_ns + 1_000_000_000 if path.exists() else None
    path.write_text(content, encoding="utf-8")
    if later:
        os.utime(path, ns=(later, later))


@pytest.fixture
def project(tmp_path):
    with copied_project(tmp_path) as folder:
        yield folder


def load_fresh():
    return importlib.import_module("assistant.explorer.fresh")


def run(module="assistant.tools"):
    """Begin a run of the page, as a press would, and return the module that it loads."""
    return load_fresh().begin(module)


def add_to(path, line):
    """Save the file with a further line."""
    save(path, f"{path.read_text(encoding='utf-8')}\n{line}\n")


def test_the_copy_is_what_is_loaded(project):
    assert Path(run().__file__) == project / "assistant" / "tools.py"


def test_code_that_nobody_saved_is_not_loaded_anew(project):  # noqa: ARG001
    assert run() is run()


@pytest.mark.parametrize("saved", ["tools.py", "barriers.py", "explorer/cards.py"])
def test_a_saved_module_makes_every_module_load_anew(project, saved):
    cards, tools = run("assistant.explorer.cards"), run()
    add_to(project / "assistant" / saved, "SAVED = True")
    assert run() is not tools
    assert run("assistant.explorer.cards") is not cards


def test_the_saved_code_is_what_runs(project):
    assert not hasattr(run("assistant.loop").tools, "SAVED")
    add_to(project / "assistant" / "tools.py", "SAVED = True")
    assert run("assistant.loop").tools.SAVED
    assert run().SAVED


def test_a_saved_catalogue_is_what_the_page_says(project):
    back = importlib.import_module("assistant.sentence").say("Back")
    assert run("assistant.explorer.language").FRENCH.tell(back) == "Retour"
    catalogue = project / "assistant" / "explorer" / "locale" / "fr_CA.po"
    save(catalogue, catalogue.read_text(encoding="utf-8").replace('msgstr "Retour"', 'msgstr "Vers l’arrière"'))
    assert run("assistant.explorer.language").FRENCH.tell(back) == "Vers l’arrière"


@pytest.mark.parametrize("name", ["style.css", "presenting.css", "handout.css", "page.js"])
def test_a_saved_style_sheet_or_script_makes_what_puts_it_onto_the_page_load_anew(project, name):
    put = run("assistant.explorer.put")
    add_to(project / "assistant" / "explorer" / name, "/* saved */")
    assert run("assistant.explorer.put") is not put


def test_two_saves_within_one_second_are_both_seen(project, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # as explorer_app.py has it
    path = project / "assistant" / "tools.py"
    good = path.read_text(encoding="utf-8")
    for number in (1, 2, 3):
        path.write_text(f"{good}\nSAVED = {number}\n", encoding="utf-8")
        saved = run().SAVED
        assert saved == number


def test_a_file_that_could_not_be_loaded_is_loaded_once_it_is_mended(project):
    path = project / "assistant" / "tools.py"
    good = path.read_text(encoding="utf-8")
    save(path, "def broken(:\n")
    with pytest.raises(SyntaxError):
        run("assistant.loop")
    save(path, good)
    add_to(path, "SAVED = True")
    assert run("assistant.loop").tools.SAVED


def test_a_save_is_seen_also_of_a_module_that_was_loaded_before_another_one_broke(project):
    save(project / "assistant" / "tools.py", "from . import decision\n\ndef broken(:\n")
    with pytest.raises(SyntaxError):
        run("assistant.loop")
    add_to(project / "assistant" / "decision.py", "SAVED = True")
    assert run("assistant.decision").SAVED


def test_a_module_whose_file_is_gone_is_forgotten(project):
    run("assistant.ticket")
    (project / "assistant" / "ticket.py").unlink()
    with pytest.raises(ModuleNotFoundError):
        run("assistant.ticket")


# What was loaded.


def source(module):
    """The source that a module keeps, line by line."""
    return vars(module)[SOURCE].splitlines()


def test_every_module_of_the_page_keeps_the_source_that_it_was_loaded_from(project):
    run()
    run("assistant.explorer.stepping")
    loaded = {name: module for name, module in _ours().items() if name.count(".") and hasattr(module, SOURCE)}
    assert {"assistant.tools", "assistant.barriers", "assistant.decision"} <= set(loaded)
    for module in loaded.values():
        assert source(module) == Path(module.__file__).read_text(encoding="utf-8").splitlines()
        assert Path(module.__file__).is_relative_to(project)


def test_the_source_that_a_module_keeps_is_what_was_loaded_also_when_its_file_has_changed(project):
    path = project / "assistant" / "tools.py"
    tools = run()
    loaded = path.read_text(encoding="utf-8").splitlines()
    add_to(path, "SAVED = True")
    assert source(tools) == loaded
    assert source(run()) == [*loaded, "", "SAVED = True"]
    assert source(tools) == loaded


@pytest.mark.parametrize(
    "written",
    ["# -*- coding: latin-1 -*-\nSAVED = 'é’'\n", "\ufeffSAVED = 'é’'\n", "SAVED = 'é’'\r\nMORE = 1\r\n"],
    ids=["in another encoding", "with a mark of its encoding", "with the line ends of Windows"],
)
def test_a_file_is_read_as_python_reads_it(project, written):
    encoding = "cp1252" if "latin" in written else "utf-8"
    written = written.replace("latin-1", encoding)
    (project / "assistant" / "saved.py").write_bytes(written.encode(encoding))
    saved = run("assistant.saved")
    assert saved.SAVED == "é’"
    assert source(saved) == written.removeprefix("\ufeff").splitlines()


def test_a_save_while_a_file_is_being_read_is_not_missed(project, monkeypatch):
    path = project / "assistant" / "tools.py"
    loader = load_fresh()._Loader
    read = loader.get_data

    def read_then_saved(self, name):
        data = read(self, name)
        if Path(name) == path and b"SAVED" not in data:
            add_to(path, "SAVED = True")
        return data

    monkeypatch.setattr(loader, "get_data", read_then_saved)
    assert not hasattr(run(), "SAVED")
    assert run().SAVED


def test_a_save_while_a_module_is_being_loaded_is_not_missed(project):
    path = project / "assistant" / "saved.py"
    path.write_text(
        "from pathlib import Path\nPath(__file__).write_text('SAVED = 2000')\nSAVED = 1\n", encoding="utf-8"
    )
    assert [run("assistant.saved").SAVED for _ in range(2)] == [1, 2000]


def test_a_compiled_file_is_never_used(project):
    path = project / "assistant" / "saved.py"
    path.write_text("SAVED = 1\n", encoding="utf-8")
    status = path.stat()
    compiled = py_compile.compile(str(path), doraise=True)
    path.write_text("SAVED = 2\n", encoding="utf-8")
    os.utime(path, ns=(status.st_mtime_ns, status.st_mtime_ns))  # so that Python would take it for the newer one's
    stale = {}
    exec(SourcelessFileLoader("saved", compiled).get_code("saved"), stale)
    assert (stale["SAVED"], run("assistant.saved").SAVED) == (1, 2)


def test_no_compiled_file_is_left_of_what_was_loaded(project):
    run("assistant.explorer.stepping")
    assert not sys.dont_write_bytecode
    loaded = {Path(module.__file__).stem for module in _ours().values() if hasattr(module, SOURCE)} - {"__init__"}
    written = {path.name.partition(".")[0] for path in project.rglob("*.pyc")}
    assert loaded
    assert not loaded & written


def test_only_the_projects_own_modules_are_loaded_in_this_way(project):  # noqa: ARG001
    run("assistant.explorer.stepping")
    others = [name for name, module in list(sys.modules.items()) if hasattr(module, SOURCE)]
    assert [name for name in others if not name.startswith("assistant.")] == []


def test_a_run_is_outdated_once_another_window_has_loaded_the_modules_anew(project):
    run()
    with ThreadPoolExecutor(1) as other_window:
        other_window.submit(run).result()
        assert not load_fresh().is_outdated()
        add_to(project / "assistant" / "tools.py", "SAVED = True")
        assert not load_fresh().is_outdated()
        other_window.submit(run).result()
        assert load_fresh().is_outdated()
    run()
    assert not load_fresh().is_outdated()


def test_windows_that_begin_at_once_run_on_the_same_modules(project):
    before = run()
    add_to(project / "assistant" / "tools.py", "SAVED = True")
    with ThreadPoolExecutor(8) as windows:
        loaded = {id(each.result()) for each in [windows.submit(run) for _ in range(8)]}
    assert len(loaded) == 1
    assert id(before) not in loaded
