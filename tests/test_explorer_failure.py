"""What broke, by file, line and reason."""

import importlib

import pytest

from assistant.explorer.failure import PROJECT, failure_of
from assistant.files import FileError
from assistant.sentence import say
from tests.test_explorer_fresh import copied_project, save


@pytest.fixture
def project(tmp_path):
    with copied_project(tmp_path) as folder:
        yield folder


def failure_with(project, file, content):
    """What the page says of a replay with this file."""
    save(project / file, content)
    run = importlib.import_module("assistant.explorer.run")
    return run.replay(run.recordings()[0][0]).failure


BROKEN_TOOLS = (
    ("TOOLS = []\ndef run_tool(:\n", 2, "SyntaxError"),
    ("TOOLS = []\n  run_tool = 1\n", 2, "IndentationError"),
    ("\n\nimport no_such_module\n", 3, "ModuleNotFoundError"),
    ("\nfrom .orders import NoSuchBook\n", 2, "ImportError"),
    ("from . import nothing_of_the_kind\n", 1, "ImportError"),
    ("TOOLS = []\nraise RuntimeError('![x](y)')\n", 2, "RuntimeError: ![x](y)"),
    ("TOOLS = []\n\ndef run_tool(*_):\n    return 1 / 0\n", 4, "ZeroDivisionError"),
    ("TOOLS = []\ndef run_tool(*_):\n    def inner():\n        raise KeyError('x')\n    inner()\n", 4, "KeyError"),
    ("TOOLS = []\nimport json\ndef run_tool(*_):\n    json.loads('{')\n", 4, "JSONDecodeError"),
    ("TOOLS = []\ndef run_tool(*_):\n    return run_tool()\n", 3, "RecursionError"),
    ("TOOLS = []\ndef run_tool(*_):\n    compile('a b', '<learned>', 'exec')\n", 3, "SyntaxError"),
)


@pytest.mark.parametrize(("content", "line", "why"), BROKEN_TOOLS, ids=[each[2] for each in BROKEN_TOOLS])
def test_a_broken_tools_file_is_named_with_its_line(project, content, line, why):
    failure = failure_with(project, "assistant/tools.py", content)
    assert (failure.file, failure.line) == ("assistant/tools.py", line)
    assert failure.why.startswith(why)


@pytest.mark.parametrize("ending", ["import sys; sys.exit()", "exit(1)", "raise SystemExit('done')"])
def test_a_tools_file_that_ends_the_program_does_not_end_the_page(project, ending):
    failure = failure_with(project, "assistant/tools.py", f"TOOLS = []\n{ending}\n")
    assert (failure.file, failure.line) == ("assistant/tools.py", 2)
    assert failure.why.startswith("SystemExit")


@pytest.mark.parametrize(("content", "missing"), [("", "TOOLS"), ("TOOLS = []\n", "run_tool")])
def test_a_tools_file_without_what_the_loop_needs_is_told(project, content, missing):
    failure = failure_with(project, "assistant/tools.py", content)
    assert failure.file == "assistant/tools.py"
    assert missing in str(failure.why)


@pytest.mark.parametrize("returned", ["None", "{}", "('words', {})", "({}, 'ok', 3)", "({}, None)"])
def test_a_run_tool_that_returns_something_else_is_told(project, returned):
    failure = failure_with(project, "assistant/tools.py", f"TOOLS = []\ndef run_tool(*_):\n    return {returned}\n")
    assert str(failure.why).startswith("run_tool must return")
    assert (failure.file, failure.line) == ("assistant/tools.py", 2)


def test_a_run_tool_whose_result_is_no_json_is_told(project):
    content = "TOOLS = []\ndef run_tool(*_):\n    return {'ids': {1, 2}}, 'ok'\n"
    failure = failure_with(project, "assistant/tools.py", content)
    assert (failure.file, failure.line) == ("assistant/tools.py", 2)
    assert str(failure.why).startswith("What run_tool returned for the model is no JSON: ")


def test_a_broken_sql_file_is_named_with_its_line(project):
    failure = failure_with(project, "assistant/orders.sql", "-- Nothing.\n\nCREATE TABEL orders;\n")
    assert failure.file.endswith("orders.sql")
    assert failure.line == 3


def test_a_prompt_that_is_no_text_is_named_with_its_line(project):
    (project / "assistant" / "prompt.md").write_bytes(b"One\ntwo\n\xff\n")
    run = importlib.import_module("assistant.explorer.run")
    failure = run.replay(run.recordings()[0][0]).failure
    assert failure.file.endswith("prompt.md")
    assert failure.line == 3


def test_a_prompt_that_is_missing_is_named(project):
    (project / "assistant" / "prompt.md").unlink()
    run = importlib.import_module("assistant.explorer.run")
    failure = run.replay(run.recordings()[0][0]).failure
    assert failure.file.endswith("prompt.md")
    assert failure.line is None


def test_a_file_that_names_itself_is_believed():
    why = say("This cannot be read: {reason}.", reason="x")
    failure = failure_of(FileError("orders.sql", 12, why))
    assert failure.file.endswith("orders.sql")
    assert (failure.line, failure.why) == (12, why)


def test_a_syntax_error_in_a_file_that_is_not_the_projects_is_not_laid_on_it():
    failure = failure_of(SyntaxError("invalid", ("/usr/lib/python3/secret/module.py", 7, 1, "x")))
    assert (failure.file, failure.line) == ("?", None)


def test_an_exception_from_nowhere_in_the_project_has_no_place():
    failure = failure_of(ValueError("x"))
    assert (failure.file, failure.line, failure.why) == ("?", None, "ValueError: x")


def test_no_failure_tells_where_the_project_lies(project):
    failure = failure_with(project, "assistant/tools.py", "TOOLS = []\nraise ValueError\n")
    assert str(project) not in f"{failure}"
    assert str(PROJECT) not in f"{failure}"
