"""The command that decides again: what it prints, and its exit status."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assistant import tools
from assistant.decide_again import BAD_INPUT, FLIPS, SAME, main
from tests.books import write_book
from tests.synthetic import write_log, write_recordings
from tests.test_recording import FOLDER, open_folder, without_rights  # noqa: F401
from tests.test_register import LINE, line

ROOT = Path(__file__).parents[1]
FLIP = {"outcome": "ok", "failed_check": None, "told": None}


def run(capsys, *arguments):
    """The exit status, and the lines on both outputs."""
    status = main([str(each) for each in arguments])
    out, err = capsys.readouterr()
    return status, out.splitlines(), err.splitlines()


def log_of(tmp_path, *lines):
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")
    return path


def test_the_four_recordings_are_decided_as_they_were(capsys):
    assert run(capsys, FOLDER) == (
        SAME,
        [
            "4 decisions: 4 unchanged, 0 flipped, 0 could not be decided",
            "4 replies: 4 unchanged, 0 flipped, 0 could not be decided",
            "0 recordings diverge",
        ],
        [],
    )


def test_a_flip_is_listed_with_its_place_and_both_ends(capsys, tmp_path):
    status, out, err = run(capsys, log_of(tmp_path, line(), line(**FLIP)))
    assert (status, err) == (FLIPS, [])
    assert out[0] == "log.jsonl, 2: ticket S-1: ok -> refused: invalid_argument at order_id_form"
    assert out[1] == "2 decisions: 1 unchanged, 1 flipped, 0 could not be decided"


def test_a_changed_validator_is_found_in_ci(capsys, monkeypatch):
    monkeypatch.setattr(tools, "CHECKS", tools.CHECKS[:-1])
    status, out, _ = run(capsys, FOLDER)
    assert status == FLIPS
    assert "T-80001.json, 1: ticket T-80001: refused: other_customer at own_order -> ok" in out
    assert out[-1] == "1 recordings diverge"


def test_a_flipped_reply_is_listed_too(capsys, tmp_path):
    document = json.loads((FOLDER / "T-80001.json").read_text(encoding="utf-8"))
    document["verdict"] = {"status": "rejected", "broken": ["reply_not_json"]}
    (tmp_path / "a.json").write_text(json.dumps(document), encoding="utf-8")
    status, out, _ = run(capsys, tmp_path)
    assert status == FLIPS
    assert out[0] == "a.json: ticket T-80001: reply rejected: reply_not_json -> valid"


def test_logs_and_recordings_go_together_and_every_planted_flip_is_found(capsys, tmp_path):
    log = write_log(tmp_path / "log.jsonl.gz", 1, 300, flipped=2)
    folder = write_recordings(tmp_path / "recordings", 2, 40, flipped=3)
    status, out, err = run(capsys, log, folder)
    assert (status, err) == (FLIPS, [])
    assert sum(" -> " in each for each in out) == 5


def test_the_order_book_can_be_named(capsys, tmp_path):
    book = write_book(tmp_path / "orders.db")
    assert run(capsys, FOLDER, "--orders", book)[0] in (SAME, FLIPS)
    status, _, err = run(capsys, FOLDER, "--orders", tmp_path / "nowhere.db")
    assert status == BAD_INPUT
    assert "OrderBookUnavailable" in err[0]


def test_a_missing_path_is_bad_input(capsys, tmp_path):
    status, _, err = run(capsys, FOLDER, tmp_path / "nowhere.jsonl")
    assert status == BAD_INPUT
    assert err[0].startswith("nowhere.jsonl: ")


def test_a_bad_line_is_named_and_the_rest_is_decided(capsys, tmp_path):
    status, out, err = run(capsys, log_of(tmp_path, line(), "not JSON", line(**FLIP)))
    assert status == BAD_INPUT
    assert [each.partition(":")[0] for each in err] == ["log.jsonl, line 2"]
    assert out[0].startswith("log.jsonl, 3: ")


def test_a_bad_recording_is_bad_input(capsys, tmp_path):
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    shutil.copy(FOLDER / "T-80001.json", tmp_path)
    status, out, err = run(capsys, tmp_path)
    assert (status, len(err)) == (BAD_INPUT, 1)
    assert out[0] == "1 decisions: 1 unchanged, 0 flipped, 0 could not be decided"


def test_a_file_that_may_not_be_read_is_bad_input(capsys, open_folder):  # noqa: F811
    path = log_of(open_folder, line())
    path.chmod(0)
    with without_rights():
        assert run(capsys, path)[0] == BAD_INPUT


@pytest.mark.parametrize("lines", [[], [line(outcome="error: order_book_unavailable")]], ids=["none", "errors only"])
def test_nothing_decided_is_never_a_success(capsys, tmp_path, lines):
    status, _, err = run(capsys, log_of(tmp_path, *lines))
    assert (status, err) == (BAD_INPUT, ["Nothing could be decided again."])


@pytest.mark.parametrize("arguments", [[], ["--orders"], ["--unknown", "x"]])
def test_wrong_arguments_are_bad_input(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == BAD_INPUT
    assert "usage:" in capsys.readouterr().err


HOSTILE = 'x\n0 decisions: 9 unchanged\r\x1b[2J\x1b]0;t\x07\u2028\u202e\x85"'


def test_hostile_text_forges_no_line_and_steers_no_terminal(capsys, tmp_path):
    row = {**LINE, **FLIP, "ticket": HOSTILE, "arguments": "5", "customer": HOSTILE}
    status, out, err = run(capsys, log_of(tmp_path, json.dumps(row), json.dumps({**row, "outcome": HOSTILE})))
    assert (status, err, len(out)) == (FLIPS, [], 5)
    assert all(each.isprintable() for each in out)
    assert "\\n0 decisions" in out[0]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def run_tool(", "SyntaxError"),
        ("import nowhere", "ModuleNotFoundError"),
        ("raise SystemExit(0)", "SystemExit"),
    ],
)
def test_a_tools_py_that_cannot_be_imported_is_bad_input_and_no_flip(tmp_path, code, said):
    shutil.copytree(
        ROOT / "assistant", tmp_path / "assistant", ignore=shutil.ignore_patterns("__pycache__", "explorer")
    )
    (tmp_path / "assistant" / "tools.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "assistant.decide_again", str(FOLDER)]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == BAD_INPUT
    assert ended.stderr.startswith(f"The code cannot run: {said}")
    assert "Traceback" not in ended.stderr


def test_a_learners_run_tool_that_always_crashes_is_bad_input(capsys, monkeypatch):
    def run_tool(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(tools, "run_tool", run_tool)
    status, _, err = run(capsys, FOLDER)
    assert status == BAD_INPUT
    assert err


def test_the_command_of_the_readme_runs():
    command = [sys.executable, "-m", "assistant.decide_again", "recordings"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (SAME, "")
    assert "python -m assistant.decide_again recordings" in (ROOT / "README.md").read_text(encoding="utf-8")
