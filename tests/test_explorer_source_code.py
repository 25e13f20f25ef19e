"""The code that decided, as it is running: taken when it was loaded, with its file and its line."""

import ast
import functools
import importlib
import inspect
from pathlib import Path

import pytest

from assistant.barriers import BUSINESS_RULES, SCHEMA_RULES, judge_reply
from assistant.decision import Check, Failed, Group, Passed, run_checks
from assistant.explorer import source_code
from assistant.explorer.ladder import code_fold, decisive, ladder
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.markup import NO_MARKS
from assistant.explorer.source_code import source_of
from assistant.sentence import say
from assistant.tools import CHECKS, ToolCall, decide, run_tool
from tests.examples import BAD_REPLIES, OWN_ORDER, REFUSALS, TICKET
from tests.scripted import BOOK
from tests.test_explorer_fresh import copied_project, run, save
from tests.test_explorer_markup import read
from tests.test_explorer_page import own_environment  # noqa: F401

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / "assistant" / "tools.py"
FUNCTIONS = [
    *(check.ask for check in CHECKS),
    *(rule.judge for rule in (*SCHEMA_RULES, *BUSINESS_RULES)),
    run_tool,
    decide,
    ToolCall.look_up,
    judge_reply,
]


# What decided is known.


def test_each_check_in_a_decision_names_the_function_that_was_or_would_have_been_asked():
    for refusal in REFUSALS:
        decision = decide(refusal.name, refusal.arguments, refusal.customer_id, BOOK)
        assert [check.function for check in decision.checks] == [check.ask for check in CHECKS]


def test_the_function_is_no_part_of_what_a_result_is():
    one = decide(*OWN_ORDER, BOOK).checks[0]
    asked = Check("known_tool", "unknown_tool", Group.WELL_FORMED, one.question, lambda _: Passed(one.evidence))
    other = run_checks([asked], ToolCall(*OWN_ORDER, BOOK), ToolCall.look_up).checks[0]
    assert one.function is not other.function
    assert one == other
    assert "function" not in repr(one)


# Where it is.


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_the_source_of_a_function_is_its_lines_in_its_file(function):
    source = source_of(function)
    path = ROOT / source.file
    lines = path.read_text(encoding="utf-8").splitlines()
    assert source.file.startswith("assistant/")
    assert inspect.getsourcelines(function)[1] == source.line
    count = len(source.text.splitlines())
    written = lines[source.line - 1 : source.line - 1 + count]
    assert [line.strip() for line in source.text.splitlines()] == [line.strip() for line in written]
    assert (
        inspect.cleandoc("\n" + inspect.getsource(function)).rstrip() == inspect.cleandoc("\n" + source.text).rstrip()
    )


def test_a_method_stands_at_the_margin():
    assert source_of(ToolCall.look_up).text.startswith("def look_up(self)")


@pytest.mark.parametrize(
    "nothing",
    [
        None,
        len,
        print,
        dict,
        ToolCall,
        "text",
        7,
        object(),
        functools.partial(run_tool, "get_order"),
        lambda: 1,
        inspect.getsource,
        test_a_method_stands_at_the_margin,
    ],
    ids=repr,
)
def test_what_is_no_function_of_a_module_that_keeps_its_source_has_none(nothing):
    assert source_of(nothing) is None
    assert code_fold(nothing, ENGLISH) == ""


# A module of one's own.

OWN = '''"""A module."""

import functools


def twice(function):
    @functools.wraps(function)
    def inner(*arguments):
        return function(*arguments)

    return inner


def kept(function):
    return function


def plain(x):
    return x


@kept
@kept
def kept_as_it_is(x):
    return "kept"


@twice
def wrapped(x):
    return "wrapped"


class Outer:
    class Inner:
        def method(self):
            return """a
b"""

    @staticmethod
    def fixed():
        return 1


async def later():
    return 1


def outer():
    def inner():
        # a comment at the end

        return inner  # and here

    return inner


small = lambda x: x  # noqa: E731
one_line = lambda x: x; other = lambda x: x  # noqa
def both(x): return x  # noqa
'''


@pytest.fixture
def own(tmp_path):
    """A module of the copied project, loaded as the page loads one."""
    with copied_project(tmp_path) as project:
        save(project / "assistant" / "own.py", OWN)
        module = run("assistant.own")
        yield project, module, importlib.import_module("assistant.explorer.source_code").source_of


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("plain", "def plain(x):", "    return x"),
        ("kept_as_it_is", "@kept", '    return "kept"'),
        ("later", "async def later():", "    return 1"),
        ("outer", "def outer():", "    return inner"),
        ("both", "def both(x): return x  # noqa", "def both(x): return x  # noqa"),
    ],
)
def test_a_function_is_shown_from_its_first_decorator_to_its_last_line(own, name, first, last):
    _, module, source_of_its_own = own
    source = source_of_its_own(getattr(module, name))
    lines = source.text.splitlines()
    assert (source.file, lines[0], lines[-1]) == ("assistant/own.py", first, last)
    assert OWN.splitlines()[source.line - 1] == first


def test_what_a_decorator_put_in_its_place_is_what_runs_and_so_what_is_shown(own):
    _, module, source_of_its_own = own
    source = source_of_its_own(module.wrapped)
    assert source.text.splitlines()[:2] == ["@functools.wraps(function)", "def inner(*arguments):"]


def test_functions_inside_others_are_found_where_they_stand(own):
    _, module, source_of_its_own = own
    assert source_of_its_own(module.outer()).text.splitlines()[0] == "def inner():"
    assert source_of_its_own(module.outer()).text.endswith("return inner  # and here")
    assert source_of_its_own(module.Outer.fixed).text.splitlines()[0] == "@staticmethod"
    method = source_of_its_own(module.Outer.Inner.method)
    assert method.text.splitlines()[0].strip() == "def method(self):"
    assert source_of_its_own(module.Outer.Inner().method) == method


def test_a_lambda_has_no_source_of_its_own(own):
    _, module, source_of_its_own = own
    assert source_of_its_own(module.small) is None
    assert source_of_its_own(module.other) is None


def test_a_string_over_several_lines_is_shown_as_it_is_written(own):
    _, module, source_of_its_own = own
    assert source_of_its_own(module.Outer.Inner.method).text.endswith('return """a\nb"""')


def test_the_text_is_what_was_loaded_although_the_file_has_changed_since(own):
    project, module, source_of_its_own = own
    before = source_of_its_own(module.plain)
    save(project / "assistant" / "own.py", "\n\n\ndef plain(x):\n    return 'changed'\n")
    assert source_of_its_own(module.plain) == before
    (project / "assistant" / "own.py").unlink()
    assert source_of_its_own(module.plain) == before
    save(project / "assistant" / "own.py", "\n\n\ndef plain(x):\n    return 'changed'\n")
    assert source_of_its_own(run("assistant.own").plain) == (
        "assistant/own.py",
        4,
        "def plain(x):\n    return 'changed'",
    )


def test_what_a_page_shows_of_the_running_checks_is_what_was_loaded(own):
    project, _, source_of_its_own = own
    tools = run()
    before = source_of_its_own(tools.CHECKS[0].ask)
    path = project / "assistant" / "tools.py"
    save(path, "# A new line at the top.\n" + path.read_text(encoding="utf-8"))
    assert source_of_its_own(tools.CHECKS[0].ask) == before
    assert source_of_its_own(run().CHECKS[0].ask).line == before.line + 1


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("a declared encoding", "# -*- coding: latin-1 -*-\n\ndef own():\n    return 'é'\n".encode("latin-1")),
        ("a byte order mark", "\n\ndef own():\n    return 'é'\n".encode("utf-8-sig")),
        ("Windows line ends", b"\r\n\r\ndef own():\r\n    return '\xc3\xa9'\r\n"),
        ("old Mac line ends", b"\r\rdef own():\r    return '\xc3\xa9'\r"),
    ],
)
def test_a_file_of_any_encoding_and_line_ends_is_shown(tmp_path, kind, content):
    with copied_project(tmp_path) as project:
        (project / "assistant" / "own.py").write_bytes(content)
        module = run("assistant.own")
        source = importlib.import_module("assistant.explorer.source_code").source_of(module.own)
        assert (source.line, source.text) == (3, "def own():\n    return 'é'"), kind


def test_other_line_ends_inside_a_text_do_not_shift_the_lines(tmp_path):
    content = 'TEXT = """a\x0cb\u2028c\x85d"""\n\n\ndef own():\n    return TEXT\n'
    with copied_project(tmp_path) as project:
        save(project / "assistant" / "own.py", content)
        module = run("assistant.own")
        source = importlib.import_module("assistant.explorer.source_code").source_of(module.own)
        assert (source.line, source.text) == (4, "def own():\n    return TEXT")


def test_what_stands_in_no_file_has_no_source(tmp_path):
    with copied_project(tmp_path) as project:
        save(
            project / "assistant" / "own.py", "from dataclasses import dataclass\n\n@dataclass\nclass A:\n    x: int\n"
        )
        module = run("assistant.own")
        assert importlib.import_module("assistant.explorer.source_code").source_of(module.A.__init__) is None


def test_it_is_found_without_parsing_which_two_visitors_cannot_do_at_once(monkeypatch):
    def mismatch(*_arguments, **_options):
        raise SystemError("AST constructor recursion depth mismatch")

    monkeypatch.setattr(ast, "parse", mismatch)
    source_code._block.cache_clear()
    assert source_of(run_tool).text.startswith("def run_tool(")


# Where it stands on the page.


def test_no_path_of_a_machine_is_shown():
    for function in FUNCTIONS:
        assert not Path(source_of(function).file).is_absolute()
        assert str(ROOT) not in code_fold(function, FRENCH)


@pytest.mark.parametrize("language", [ENGLISH, FRENCH], ids=lambda language: language.code)
def test_the_fold_names_file_and_line_and_holds_the_code_as_text(language):
    source = source_of(run_tool)
    page = read(code_fold(run_tool, language))
    said = say("The code that decided: {file}, line {line}", file="assistant/tools.py", line=source.line)
    assert page.one("summary").text == language.tell(said)
    assert page.one("pre").text == source.text
    assert page.one("pre").attributes["lang"] == "en"


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.title)
def test_under_the_check_that_stopped_a_proposal_stands_its_code_and_under_no_other(refusal):
    decision = decide(refusal.name, refusal.arguments, refusal.customer_id, BOOK)
    page = read(ladder(decision.checks, ENGLISH, NO_MARKS))
    folds = [list(rung.all("details")) for rung in page.all("li", kind="rung")]
    names = [check.name for check in CHECKS]
    assert [bool(fold) for fold in folds] == [name == refusal.check for name in names]
    (fold,) = folds[names.index(refusal.check)]
    assert fold.one("pre").text == source_of(CHECKS[names.index(refusal.check)].ask).text


def test_where_every_check_said_yes_the_last_one_decided():
    decision = decide(*OWN_ORDER, BOOK)
    assert [check.name for check in decisive(decision.checks)] == [CHECKS[-1].name]


@pytest.mark.parametrize("bad", BAD_REPLIES, ids=lambda bad: bad.title)
def test_every_broken_rule_is_decisive(bad):
    verdict = judge_reply(bad.reply, TICKET, bad.looked_up)
    rules = [rule for barrier in verdict.barriers for rule in barrier.rules]
    assert [rule.code for rule in decisive(rules)] == list(verdict.broken)


def test_hostile_code_is_shown_as_text(monkeypatch):
    def asked(_call):
        return Failed(say("x"), say("y"))

    hostile = source_code.SourceCode("<img>.py", 1, "</pre><script>alert(1)</script>\0\u202e")
    monkeypatch.setattr("assistant.explorer.ladder.source_of", lambda _function: hostile)
    page = read(code_fold(asked, ENGLISH))
    assert not {"script", "img"} & {each.tag for each in page.all()}
    assert "<script>alert(1)</script>" in page.one("pre").text
