"""What reviewers say on the page: saved before the page says so, kept, marked, erased, and never in the way."""

import csv
import io
import os

import pytest

from assistant.explorer.opinions import OPINIONS, _save
from assistant.reviews import MAX_NOTE, Opinion, Reviews, Subject
from assistant.selection import key_of
from tests.test_explorer_page import own_environment, page_modules  # noqa: F401
from tests.test_explorer_reviewing import at_a_glance, log_of, orders_words, review, rows_found
from tests.test_explorer_site import assert_sound, drawn, go_on, says, sent
from tests.test_register import LINE_ROW, line

KEY = key_of(LINE_ROW)
OPEN = {"open": "1:log.jsonl"}
HOSTILE = "</script><img src=https://example.org/x.png> ![x](https://example.org/x.png) =1\n\u202e"


@pytest.fixture(autouse=True)
def log(monkeypatch, tmp_path):
    return log_of(monkeypatch, tmp_path, line(), line(ticket="S-2"))


def kept():
    return Reviews(os.environ["EXPLORER_REVIEWS"])


def give(page, opinion=Opinion.AGREE, note="", name="Grace"):
    """Fill the form and send it."""
    if opinion:
        page.radio(key=f"opinion-{KEY}").set_value(opinion)
    page.text_area(key=f"note-{KEY}").set_value(note)
    page.text_input(key="reviewer").set_value(name)
    (button,) = (each for each in page.button if each.label in ("Save the review", "Enregistrer l’avis"))
    page = button.click().run()
    assert_sound(page)
    return page


def history(page):
    return [each.texts("p") for each in drawn(page).all("div", kind="review")]


def add(opinion=Opinion.AGREE, note="a note", name="Zoe", validator="0" * 64):
    return kept().add(Subject(KEY, "S-1", LINE_ROW["outcome"], validator), opinion, note, name)


@pytest.mark.parametrize("opinion", Opinion)
def test_each_opinion_is_saved_with_what_it_was_about_before_the_page_says_so(opinion):
    page = give(review(**OPEN), opinion, "Because.")
    (saved,) = kept().all()
    assert (saved.opinion, saved.note, saved.name) == (opinion, "Because.", "Grace")
    subject = saved.subject
    assert (subject.key, subject.ticket, subject.outcome) == (KEY, "S-1", LINE_ROW["outcome"])
    assert len(subject.validator) == 64
    assert drawn(page).one("p", kind="saved").text == "Saved."
    ((head, *_),) = history(page)
    assert head.startswith(f"{OPINIONS[opinion]} Grace · ")
    assert page.text_area(key=f"note-{KEY}").value == ""
    assert page.text_input(key="reviewer").value == "Grace"
    assert not list(drawn(page.run()).all("p", kind="saved"))


def test_without_an_opinion_nothing_is_saved_and_nothing_typed_is_lost():
    page = give(review(**OPEN), None, "My note.")
    assert says(page) == ["Not saved: choose one of the three opinions first."]
    assert kept().all() == ()
    assert page.text_area(key=f"note-{KEY}").value == "My note."


def test_a_database_that_fails_is_told_and_nothing_typed_is_lost(monkeypatch, tmp_path):
    page = review(**OPEN)
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database, and long enough to be looked at by one" * 20)
    good = os.environ["EXPLORER_REVIEWS"]
    monkeypatch.setenv("EXPLORER_REVIEWS", f"sqlite:///{broken}")
    page = give(page, Opinion.DISAGREE, "My note.")
    said = says(page)
    assert "Not saved." in said
    assert "The file of the reviews is no SQLite database, or it is damaged." in said
    assert "The reviews are not shown. All else on this page goes on." in said
    assert not list(drawn(page).all("p", kind="saved"))
    assert page.text_area(key=f"note-{KEY}").value == "My note."
    assert rows_found(page) == 2
    monkeypatch.setenv("EXPLORER_REVIEWS", good)
    give(page, Opinion.DISAGREE, "My note.")
    assert [each.note for each in kept().all()] == ["My note."]


@pytest.mark.parametrize("url", ["postgresql://nobody:secret@127.0.0.1:1/x", "nonsense", "mysql://root:secret@x/y"])
def test_without_a_database_the_rest_of_the_page_goes_on_and_no_secret_is_told(monkeypatch, url):
    monkeypatch.setenv("EXPLORER_REVIEWS", url)
    page = review(**OPEN)
    assert "Which decisions are reviewed is not known now. All else goes on." in says(page)
    assert rows_found(page) == 2
    assert drawn(page).one("article")
    assert "secret" not in sent(page)


def test_history_is_kept_newest_first():
    page = review(**OPEN)
    for name in ("Ada", "Bo"):
        page = give(page, Opinion.AGREE, name=name)
    assert [lines[0].split(" ")[2] for lines in history(page)] == ["Bo", "Ada"]


def test_a_review_given_under_other_rules_is_marked_and_one_of_today_is_not():
    add()
    page = give(review(**OPEN))
    today, before = history(page)
    said = "↺ Given under earlier rules: the validator has changed since."
    assert said in before
    assert said not in today


def test_the_figure_and_the_filter_know_what_was_reviewed():
    page = give(review(**OPEN))
    count, there = at_a_glance(page)["Reviewed"]
    assert (count, there) == (1, "review?reviewed=yes")
    assert rows_found(go_on(page, reviewed="yes")) == 1
    assert rows_found(go_on(page, reviewed="no")) == 1


def test_erasing_takes_note_and_name_from_page_and_file_and_leaves_the_rest():
    given = add(note="secret note", name="Zoe")
    page = review(**OPEN)
    page = page.button(key=f"erase {given.id}").click().run()
    assert_sound(page)
    assert drawn(page).one("p", kind="saved").text == "Note and name are erased."
    (lines,) = history(page)
    assert lines[0].startswith("I agree no name · ")
    assert lines[1].startswith("Note and name were erased on ")
    assert "secret note" not in sent(page)
    (left,) = kept().all()
    assert (left.note, left.name, left.opinion) == ("", "", Opinion.AGREE)
    assert not [button for button in page.button if button.key == f"erase {given.id}"]


@pytest.mark.parametrize("locale", ["en-CA", "fr-CA"])
def test_hostile_notes_and_names_take_no_effect(locale):
    add(note=HOSTILE, name=HOSTILE[:90])
    page = review(locale, **OPEN)
    for button in (*page.button, *page.get("popover")):
        assert "example.org" not in str(button)
    assert HOSTILE.replace("\u202e", "\\u202e") in drawn(page).one("blockquote", kind="note-text").text


def test_a_forged_note_that_is_too_long_is_refused_with_the_reason(monkeypatch):
    import streamlit as st

    state = {f"opinion-{KEY}": "agree", f"note-{KEY}": "x" * (MAX_NOTE + 1)}
    monkeypatch.setattr(st, "session_state", state)
    _save(KEY, LINE_ROW)
    assert state["not saved"][1][0] == "A note has at most {limit} characters, not {length}."
    assert kept().all() == ()


def test_the_files_hold_exactly_the_chosen_rows_with_their_reviews(monkeypatch):
    made = {}
    import streamlit as st

    real = st.download_button

    def button(words, data, name, *rest, **more):
        made[name] = data
        return real(words, data, name, *rest, **more)

    monkeypatch.setattr(st, "download_button", button)
    add(note="=1+1")
    review(ticket="S-1")
    lines = list(csv.DictReader(io.StringIO(made["decisions.csv"]().decode("utf-8-sig"), newline="")))
    assert [(each["ticket"], each["reviews"], each["note"]) for each in lines] == [("S-1", "1", "'=1+1")]
    assert made["decisions.jsonl"]().count(b"\n") == 1
    review()
    assert made["decisions.jsonl"]().count(b"\n") == 2
    assert not [word for word in orders_words() if word.encode() in made["decisions.jsonl"]()]
