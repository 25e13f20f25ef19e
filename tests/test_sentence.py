"""Sentences for people: a template, and data that is never one."""

import pytest

from assistant.sentence import Sentence, gaps, say


def test_a_sentence_fills_its_gaps():
    assert str(say("{count} of {total}.", count=2, total="five")) == "2 of five."


def test_a_sentence_without_gaps_stands_as_it_is():
    assert str(say("Nothing here.")) == "Nothing here."


@pytest.mark.parametrize("hostile", ["{total}", "{", "}}", "{0.__class__}", "%s", "\ud800", "\0", "\u2028"])
def test_a_value_is_never_a_template(hostile):
    assert str(say("{count} of {total}.", count=hostile, total=5)) == f"{hostile} of 5."


def test_equal_sentences_are_equal_and_can_be_keys():
    assert {say("{a}", a=1)} == {Sentence("{a}", (("a", "1"),))}


def test_a_templates_gaps_are_known_by_name():
    assert gaps("{a} and {b}, {{not this}}, {a}") == {"a", "b"}
    assert gaps("none") == set()
