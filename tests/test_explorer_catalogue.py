"""The catalogue: every sentence of ours in every language, nothing missing, unused or stale."""

import ast
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from assistant.explorer.language import CATALOGUES, ENGLISH, FRENCH, LANGUAGES
from assistant.sentence import Sentence, gaps

ROOT = Path(__file__).parents[1]
FILES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.py"), *ROOT.glob("assistant/**/*.py")])
ALIKE = {
    "Code",
    "Note",
    "finish_reason",
    "Pages",
    "Total",
    "Verdict",
    "{what}",
    "application",
}  # the same word in both languages


def calls_of_say(file):
    """Every call of `say` in the file, also inside an f-string."""
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "say":
            yield node


def templates():
    """Every template of the application."""
    return {call.args[0].value for file in FILES for call in calls_of_say(file)}


def read_catalogue():
    with (CATALOGUES / "fr_CA.po").open("rb") as file:
        return read_po(file, locale="fr_CA", abort_invalid=True)


CATALOGUE = read_catalogue()
FRENCH_WORDS = {message.id: message.string for message in CATALOGUE if message.id}


def test_sentences_are_found_wherever_they_are_said():
    assert {"The tool is known", "This is the start.", "nothing", "Copied"} <= templates()


@pytest.mark.parametrize("file", FILES)
def test_every_sentence_is_a_literal_whose_gaps_are_filled(file):
    for call in calls_of_say(file):
        template = call.args[0]
        assert isinstance(template, ast.Constant), ast.unparse(call)
        filled = {keyword.arg for keyword in call.keywords}
        assert None in filled or filled == gaps(template.value), ast.unparse(call)


def test_no_sentence_is_without_its_french_words():
    assert sorted(template for template in templates() if not FRENCH_WORDS.get(template)) == []


def test_no_french_words_are_unused():
    assert sorted(set(FRENCH_WORDS) - templates()) == []


def test_no_french_words_are_stale():
    assert not [message.id for message in CATALOGUE if message.fuzzy]
    assert not CATALOGUE.obsolete


def test_both_languages_have_the_same_gaps():
    assert {each for each, words in FRENCH_WORDS.items() if gaps(each) != gaps(words)} == set()


def test_the_page_reads_every_entry_as_it_stands_in_the_file():
    assert {each: FRENCH.template(Sentence(each)) for each in FRENCH_WORDS} == FRENCH_WORDS


def test_only_words_that_are_the_same_in_both_languages_are_the_same():
    assert {each for each, words in FRENCH_WORDS.items() if each == words} <= ALIKE


@pytest.mark.parametrize(
    ("wrong", "pattern"),
    [
        ("a straight apostrophe", r"'"),
        ("a colon without a no-break space before it", r"(?<!\u00a0):(?!//)"),
        ("a guillemet without a no-break space inside it", r"«(?!\u00a0)|(?<!\u00a0)»"),
        ("straight or English quotation marks", r'["“”]'),
        ("a space before ; ? or !, which Canada does not use", r"\s[;?!]"),
        ("white space at an end or twice", r"^\s|\s$|\s\s"),
        ("three full stops for an ellipsis", r"\.\.\."),
    ],
)
def test_french_is_set_as_in_canada(wrong, pattern):
    assert [words for words in FRENCH_WORDS.values() if re.search(pattern, words)] == [], wrong


def test_both_languages_end_a_sentence_alike():
    """A full stop, colon or question mark at the end says what kind of words these are."""
    ends = {each: (each[-1], words[-1]) for each, words in FRENCH_WORDS.items()}
    assert {each for each, (ours, theirs) in ends.items() if (ours in ".:?") != (theirs in ".:?")} == set()


def test_every_language_but_the_codes_own_has_a_catalogue_and_every_catalogue_a_language():
    others = {language.locale for language in LANGUAGES.values() if language != ENGLISH}
    assert {path.stem for path in CATALOGUES.glob("*.po")} == others
