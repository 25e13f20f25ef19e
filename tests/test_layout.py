"""The project's layout: which names there are, and which module may import what."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOP_LEVEL = {"README.md", "assistant", "explorer_app.py", "recordings", "requirements.txt", "tests", "try_tools.py"}
EXPLORER = "assistant/explorer/"


def application_files():
    """The application's Python files by name, from the root."""
    paths = [*ROOT.glob("*.py"), *(ROOT / "assistant").rglob("*.py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def imports_of(file):
    """The full names of all that a file imports, wherever in it."""
    package = Path(file).parent.parts
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            outer = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*outer, node.module) if node.module else outer)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def importers_of(name):
    """The application's files that import a module or something in it."""
    return [file for file in application_files() if any(f"{each}.".startswith(f"{name}.") for each in imports_of(file))]


def test_imports_are_found_in_every_form():
    assert {"assistant.orders.OrderBook", "re", "json"} <= set(imports_of("assistant/tools.py"))
    assert "assistant.tools" in set(imports_of("assistant/loop.py"))


def test_only_the_explorer_imports_streamlit():
    assert all(file.startswith(EXPLORER) or file == "explorer_app.py" for file in importers_of("streamlit"))


def test_only_the_order_book_imports_sqlite3():
    assert importers_of("sqlite3") == ["assistant/orders.py"]


def test_nothing_outside_the_explorer_imports_from_it():
    files = importers_of("assistant.explorer")
    assert all(file.startswith(EXPLORER) or file == "explorer_app.py" for file in files)


def test_the_lessons_tests_need_no_more_than_pytest_and_the_project():
    assert {each.partition(".")[0] for each in imports_of("tests/test_tools.py")} == {"pytest", "assistant"}
    assert not list(imports_of("tests/__init__.py"))


def test_there_is_no_other_top_level_name():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not in a git checkout")
    names = {path.partition("/")[0] for path in listed.split("\0") if path and (ROOT / path).exists()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_the_core_runs_where_streamlit_is_not_installed():
    code = (
        "import sys; sys.modules['streamlit'] = sys.modules['babel'] = None\n"
        "import assistant.loop, assistant.recording, assistant.replay, assistant.orders, try_tools\n"
        "from pathlib import Path\n"
        "read = assistant.recording.load(Path('recordings/T-80001.json'))\n"
        "model = assistant.replay.RecordedModel(read)\n"
        "print(list(assistant.loop.run_loop(read.ticket, model, assistant.orders.OrderBook()))[-1].verdict.status)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("valid\n", "")


def test_the_lessons_command_ends_in_seven_passed():
    code = (
        "import sys; sys.modules['hypothesis'] = sys.modules['_hypothesis_pytestplugin'] = None\n"
        "import pytest; sys.exit(pytest.main(['-p', 'no:cacheprovider', 'tests/test_tools.py']))"
    )
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "NO_COLOR": "1"}
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert " 7 passed in " in run.stdout.splitlines()[-1]
