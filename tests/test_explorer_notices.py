"""What the page says beside the loop: each sentence on its own line, every value as text."""

import pytest

from assistant.explorer.failure import Failure
from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.notices import failure, left_out, notice
from assistant.recording import RecordingError
from assistant.sentence import say
from tests.test_explorer_markup import read

HOSTILE = '<img src="https://example.org/x.png">![x](https://example.org/x.png)'


def test_a_notice_has_a_line_for_each_sentence():
    page = read(notice(FRENCH, say("This is the start."), say("{file} is left out.", file="x.json")))
    assert page.texts("p") == ["C’est le début.", "x.json est laissé de côté."]
    assert page.one("div").attributes["role"] == "status"


def test_a_failure_names_file_line_and_reason():
    page = read(failure(Failure("assistant/tools.py", 12, "SyntaxError: invalid syntax"), FRENCH))
    assert page.one("strong").text == "assistant/tools.py, ligne 12, arrête la boucle."
    assert page.one("p", lang="en").text == "SyntaxError: invalid syntax"
    assert page.one("div").attributes["role"] == "alert"


@pytest.mark.parametrize("line", [None, 0])
def test_a_failure_without_a_line_names_the_file_alone(line):
    page = read(failure(Failure("assistant/prompt.md", line, "No such file"), ENGLISH))
    assert page.one("strong").text == "assistant/prompt.md stops the loop."


def test_a_reason_of_ours_is_told_in_the_pages_language():
    page = read(failure(Failure("assistant/prompt.md", 3, say("This is the start.")), FRENCH))
    assert page.texts("p")[0] == "C’est le début."
    assert not list(page.all(lang="en"))


def test_each_file_that_is_left_out_is_named_with_what_was_expected():
    errors = [
        RecordingError("a.json", "/ticket/id", say("At {place}: this.", place="/ticket/id")),
        RecordingError("notes.txt", "", say("A recording is a file whose name ends in .json.")),
    ]
    assert read(left_out(errors, ENGLISH)).texts("p") == [
        "a.json is left out. At /ticket/id: this.",
        "notes.txt is left out. A recording is a file whose name ends in .json.",
    ]


def test_nothing_in_a_notice_takes_effect():
    hostile = Failure(HOSTILE, 1, HOSTILE)
    errors = [RecordingError(HOSTILE, HOSTILE, say("{this}", this=HOSTILE))]
    for html, times in ((failure(hostile, FRENCH), 2), (left_out(errors, FRENCH), 2)):
        page = read(html)
        assert page.text.count(HOSTILE) == times
        assert {each.tag for each in page.all()} <= {"div", "p", "strong", "bdi"}
