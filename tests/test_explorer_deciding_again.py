"""Deciding the register again for the page: at once where it is quick, else when asked, and anew when it has to be."""

import json
import os

import pytest

from assistant.explorer import deciding_again
from tests.books import write_book
from tests.test_explorer_fresh import copied_project, save
from tests.test_explorer_page import own_environment, page_modules  # noqa: F401
from tests.test_explorer_reviewing import at_a_glance, log_of, review, rows_found
from tests.test_explorer_site import assert_sound, drawn, go_on, open_at, says
from tests.test_recording import FOLDER
from tests.test_register import line

FLIPS = "Decided differently today"
START = "start deciding"


def test_many_decisions_are_decided_again_only_when_asked(monkeypatch, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text((line() + "\n") * 30 + line(outcome="ok") + "\n", encoding="utf-8")
    monkeypatch.setenv("EXPLORER_LOGS", str(path))
    page = review()  # loads the page's modules
    assert at_a_glance(page)[FLIPS][0] == 1
    from assistant.explorer.fresh import load

    monkeypatch.setattr(load("assistant.explorer.deciding_again"), "BY_ITSELF", 5)
    other = tmp_path / "other.jsonl"
    other.write_bytes(path.read_bytes())
    monkeypatch.setenv("EXPLORER_LOGS", str(other))
    page = go_on(page)
    assert at_a_glance(page)[FLIPS] == ("not decided yet", None)
    page = page.button(key=START).click().run()
    assert_sound(page)
    assert at_a_glance(page)[FLIPS][0] == 1


def test_a_filter_by_it_says_that_nothing_was_decided_yet(monkeypatch, tmp_path):
    log_of(monkeypatch, tmp_path, *[line()] * 3)
    page = review()
    from assistant.explorer.fresh import load

    monkeypatch.setattr(load("assistant.explorer.deciding_again"), "BY_ITSELF", 0)
    other = tmp_path / "other.jsonl"
    other.write_text(line() + "\n", encoding="utf-8")
    monkeypatch.setenv("EXPLORER_LOGS", str(other))
    page = go_on(page, again="flipped")
    assert "Nothing was decided again yet, so that nothing can be told apart by it." in says(page)
    assert rows_found(page) == 1


def test_another_order_book_is_asked_anew(monkeypatch, tmp_path):
    monkeypatch.setenv("EXPLORER_LOGS", str(FOLDER))
    page = review()
    assert at_a_glance(page)[FLIPS][0] == 0
    monkeypatch.setenv("EXPLORER_ORDERS", str(write_book(tmp_path / "orders.db")))
    page = go_on(page)
    assert at_a_glance(page)[FLIPS][0] > 0


def test_a_saved_validator_is_asked_anew(tmp_path, monkeypatch):
    with copied_project(tmp_path) as folder:
        monkeypatch.setenv("EXPLORER_LOGS", str(folder / "recordings"))
        page = open_at("review", root=folder)
        assert at_a_glance(page)[FLIPS][0] == 0
        tools = folder / "assistant" / "tools.py"
        text = tools.read_text(encoding="utf-8")
        save(tools, text.replace("if isinstance(customer, str) and customer and owner == customer:", "if True:"))
        page = page.run()
        assert at_a_glance(page)[FLIPS][0] == 1
        assert at_a_glance(page)["Recordings that diverge"][0] == 1
        said = drawn(page).one("div", kind="today").texts("li")
        assert "T-80001: a replay leaves the recording at /decisions/0/outcome." in said
        save(tools, text)
        assert at_a_glance(page.run())[FLIPS][0] == 0


def test_a_flipped_reply_is_told_with_both_verdicts(monkeypatch, tmp_path):
    document = json.loads((FOLDER / "T-80001.json").read_text(encoding="utf-8"))
    document["verdict"] = {"status": "rejected", "broken": ["reply_not_json"]}
    (tmp_path / "a.json").write_text(json.dumps(document), encoding="utf-8")
    monkeypatch.setenv("EXPLORER_LOGS", str(tmp_path))
    today = drawn(review()).one("div", kind="today")
    assert "T-80001: the reply was rejected: reply_not_json and would be valid." in today.texts("li")
    assert "Replies, judged again today: 0 the same + 1 different + 0 could not be decided = 1 in all" in today.texts(
        "p"
    )


def test_a_bad_recording_is_no_reply(monkeypatch, tmp_path):
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    (tmp_path / "a.json").write_bytes((FOLDER / "T-80001.json").read_bytes())
    monkeypatch.setenv("EXPLORER_LOGS", str(tmp_path))
    page = review()
    assert "= 1 in all" in drawn(page).one("div", kind="today").texts("p")[1]
    assert len(drawn(page).one("ul", kind="places").texts("li")) == 1


def test_what_is_kept_is_plain(monkeypatch):
    monkeypatch.setenv("EXPLORER_LOGS", str(FOLDER))
    pieces = [("replies", ("a.json", "T-1", "flipped", None, "valid")), ("divergences", ("a.json", "T-1", "/x"))]
    found = deciding_again._finish(pieces)
    assert found["columns"].num_rows == 0
    assert json.loads(json.dumps([found["replies"], found["divergences"]]))


@pytest.mark.parametrize("separator", [os.pathsep])
def test_several_paths_are_read_together(monkeypatch, tmp_path, separator):
    log = tmp_path / "log.jsonl"
    log.write_text(line() + "\n", encoding="utf-8")
    monkeypatch.setenv("EXPLORER_LOGS", separator.join([str(log), "", str(FOLDER)]))
    assert rows_found(review()) == 5
