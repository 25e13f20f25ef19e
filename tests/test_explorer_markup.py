"""Text from outside as HTML: it comes out as it is, and nothing in it takes effect.

This file also owns how the explorer's tests read HTML: with the standard library's parser, strictly.
"""

import json
import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.markup import block, fold, json_text, sentence, shown
from assistant.sentence import say
from tests.strategies import characters, text

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


class Element:
    """One element of the HTML, with what stands in it."""

    def __init__(self, tag="", attributes=()):
        self.tag = tag
        self.attributes = dict(attributes)
        self.parts = []

    @property
    def text(self):
        """All the text in it."""
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    def all(self, tag=None, **attributes):
        """Every element in it, in order, of this tag and with these attributes (`kind`: one of its classes)."""
        kind = attributes.pop("kind", None)
        for part in self.parts:
            if isinstance(part, str):
                continue
            has_kind = kind is None or kind in part.attributes.get("class", "").split()
            has_all = attributes.items() <= part.attributes.items()
            if has_kind and has_all and tag in (None, part.tag):
                yield part
            yield from part.all(tag, kind=kind, **attributes)

    def one(self, tag=None, **attributes):
        """The only such element."""
        (found,) = self.all(tag, **attributes)
        return found

    def first(self, tag=None, **attributes):
        """The first of such elements."""
        return next(iter(self.all(tag, **attributes)))

    def texts(self, tag=None, **attributes):
        """The text of every such element."""
        return [each.text for each in self.all(tag, **attributes)]


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = [Element()]

    def handle_starttag(self, tag, attributes):
        element = Element(tag, attributes)
        self.open[-1].parts.append(element)
        if tag != "br":
            self.open.append(element)

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag

    def handle_data(self, data):
        self.open[-1].parts.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    handle_decl = handle_pi = unknown_decl = handle_comment


def read(html):
    """Read HTML; every element has to be closed in its place."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    (root,) = reader.open
    return root


plain = st.text(st.characters(exclude_categories=HIDDEN) | st.sampled_from("\n\t<>&\"'`$:!["), max_size=40)
lively = st.sampled_from(
    ["<b>", "</mark>", "<!--", "<![CDATA[", "<?x", "&lt;", "&#60;", "&amp;", "<script>", "\0", "\u202e", "LK-581106"]
)
anything = st.lists(lively | text, max_size=6).map("".join)


def test_the_reader_of_these_tests_refuses_html_that_is_not_closed_in_its_place():
    with pytest.raises(AssertionError):
        read("<b><i></b></i>")
    with pytest.raises(ValueError, match="unpack"):
        read("<b>")


@given(plain)
def test_any_text_comes_out_as_it_is(written):
    page = read(shown(written))
    assert page.text == written
    assert not list(page.all())


@given(anything)
def test_no_text_makes_an_element_or_hides_a_character(written):
    page = read(shown(written))
    assert not list(page.all())
    assert not [each for each in page.text if each not in "\n\t" and unicodedata.category(each) in HIDDEN]


@given(characters.filter(lambda each: unicodedata.category(each) in HIDDEN and each not in "\n\t"))
def test_a_hidden_character_is_shown_by_its_number(character):
    read_back = read(shown(f"a{character}b")).text
    assert read_back[:2] + read_back[-1] == "a\\b"
    assert int(read_back[3:-1], 16) == ord(character)


@pytest.mark.parametrize(
    ("hidden", "visible"),
    [
        ("\0", r"\u0000"),
        ("\r", r"\u000d"),
        ("\x1b", r"\u001b"),
        ("\x7f", r"\u007f"),
        ("\u00ad", r"\u00ad"),  # soft hyphen
        ("\u200b", r"\u200b"),  # zero-width space
        ("\u202e", r"\u202e"),  # right-to-left override
        ("\u2066", r"\u2066"),  # left-to-right isolate
        ("\u2028", r"\u2028"),
        ("\ufeff", r"\ufeff"),
        ("\ud800", r"\ud800"),
        ("\ue000", r"\ue000"),
        ("\U000e0041", r"\U000e0041"),  # a tag character
    ],
)
def test_hidden_characters_are_visible(hidden, visible):
    assert read(shown(f"LK-{hidden}581106")).text == f"LK-{visible}581106"


@pytest.mark.parametrize("kept", ["\n", "\t", "é", "’", "\u00a0", "注文", "🙂", "e\u0301"])
def test_characters_that_show_themselves_stay(kept):
    assert read(shown(kept)).text == kept


MARKED = (
    ("My order LK-55190 never arrived.", ["LK-55190"]),
    ("LK-55190", ["LK-55190"]),
    ('{"order_id":"LK-55190"}', ["LK-55190"]),
    ("LK-55190, LK-55190; (LK-55190)", ["LK-55190"] * 3),
    ("<LK-55190>&LK-55190", ["LK-55190"] * 2),
    ("LK-551902", ["LK-551902"]),
    ("LK-5519023", []),
    ("XLK-55190", []),
    ("LK-55190X", []),
    ("LK-55190é", []),
    ("LK-55190-2", []),
    ("2-LK-55190", []),
    ("lk-55190", []),
    ("LK-\u200b55190", []),
)


@pytest.mark.parametrize(("written", "marked"), MARKED)
def test_an_id_under_question_is_marked_where_it_stands_whole(written, marked):
    page = read(shown(written, {"LK-55190": 8, "LK-551902": 8}))
    assert page.texts("mark") == marked


def test_the_digit_that_nobody_wrote_is_set_apart():
    page = read(shown("LK-551902 or LK-55190?", {"LK-55190": 8, "LK-551902": 8}))
    assert page.text == "LK-551902 or LK-55190?"
    assert page.texts(kind="invented") == ["2"]
    assert page.one(kind="invented").text in next(page.all("mark")).text


@given(anything, st.dictionaries(st.text(characters, min_size=1), st.integers(0, 9), min_size=1, max_size=3))
def test_marking_takes_nothing_from_the_text_and_adds_nothing_to_it(written, marks):
    assert read(shown(written, marks)).text == read(shown(written)).text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | plain,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(plain, inner, max_size=4),
    max_leaves=10,
)


@given(json_values)
def test_json_is_shown_as_json_of_the_same_value(value):
    page = read(json_text(value))
    assert json.loads(page.text) == value
    assert not list(page.all())


@given(st.lists(anything) | st.dictionaries(anything, anything))
def test_no_string_in_json_makes_an_element_or_hides_a_character(value):
    page = read(json_text(value))
    assert not list(page.all())
    assert not [each for each in page.text if each != "\n" and unicodedata.category(each) in HIDDEN]


def test_json_is_indented_by_two():
    assert read(json_text({"a": [1, {}], "b": {"c": None}, "d": []})).text == (
        '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": {\n    "c": null\n  },\n  "d": []\n}'
    )


@pytest.mark.parametrize("before", ["\n", "\t", "\b", "\r", "\\", '"', "\x1f"])
def test_an_id_is_marked_in_json_also_after_a_character_that_json_escapes(before):
    page = read(json_text({"reply": f"Hello,{before}LK-581106"}, {"LK-581106": 9}))
    assert page.texts("mark") == ["LK-581106"]
    assert json.loads(page.text) == {"reply": f"Hello,{before}LK-581106"}


def test_an_id_is_marked_in_json_also_where_it_is_a_key():
    assert read(json_text({"LK-581106": 1}, {"LK-581106": 9})).texts("mark") == ["LK-581106"]


@pytest.mark.parametrize("odd", [{1: 2}, {None: object()}, [{1}, b"x"], float("nan"), ("a", "b"), {"x": range(3)}])
def test_values_that_json_does_not_know_are_shown_as_well(odd):
    assert read(json_text(odd)).text


def test_reconstructed_places_are_underlined_and_no_others():
    value = {"a": "x", "b": {"c/d": ["y", "z"]}, "e": None}
    asked = []
    page = read(json_text(value, is_reconstructed=lambda place: asked.append(place) or place in {"/a", "/b/c~1d/1"}))
    assert page.texts(kind="reconstructed") == ['"x"', '"z"']
    assert asked == ["/a", "/b/c~1d/0", "/b/c~1d/1", "/e"]


@given(anything)
def test_a_sentences_value_is_never_a_template_and_never_html(value):
    page = read(sentence(say("{order_id} is not text.", order_id=value), FRENCH))
    assert page.text == read(shown(value)).text + " n’est pas du texte."
    assert [each.tag for each in page.all()] == ["bdi"]


@pytest.mark.parametrize("hostile", ["{count}", "{", "}}", "{0.__class__}", "{order_id!r}", "%(order_id)s"])
def test_braces_in_a_value_stay_braces(hostile):
    said = say("{order_id} has {count} digits after LK-, not 6.", order_id=hostile, count=5)
    assert read(sentence(said, ENGLISH)).text == f"{hostile} has 5 digits after LK-, not 6."


def test_a_sentences_own_words_are_escaped():
    assert read(sentence(say("<b> & {this}", this="<i>"), ENGLISH)).text == "<b> & <i>"


def test_a_sentences_value_is_set_off_as_data_unless_it_is_a_number():
    page = read(sentence(say("{order_id} has {count} digits after LK-, not 6.", order_id="LK-1", count=1), ENGLISH))
    assert page.texts("bdi", kind="data") == ["LK-1"]
    assert page.texts("bdi") == ["LK-1", "1"]


def test_an_id_in_a_sentence_is_marked():
    said = say("{order_id} is in the order book.", order_id="LK-581106")
    assert read(sentence(said, FRENCH, {"LK-581106": 9})).texts("mark") == ["LK-581106"]


def test_a_block_names_what_it_holds_and_can_be_copied():
    page = read(block(shown("<x>"), FRENCH, say("The reply")))
    assert page.one("pre").text == "<x>"
    assert page.one("pre").attributes["aria-label"] == "La réponse finale"
    assert page.one("button").text == "Copier"
    assert page.one("button").attributes["aria-label"].endswith("La réponse finale")
    assert page.one("button").attributes["data-done"] == "Copié"


def test_a_block_escapes_its_label_and_language():
    hostile = '"><img src=x>'
    page = read(block("x", ENGLISH, say("{label}", label=hostile), hostile))
    assert page.one("pre").attributes["aria-label"] == hostile
    assert page.one("pre").attributes["lang"] == hostile
    assert {each.tag for each in page.all()} == {"div", "pre", "button"}


def test_a_block_says_no_language_that_it_does_not_know():
    assert "lang" not in read(block("x", FRENCH, say("The reply"))).one("pre").attributes


def test_what_is_folded_stands_behind_its_title():
    page = read(fold("title", "<p>content</p>"))
    assert page.one("details").one("summary").text == "title"
    assert page.one("details").one("p").text == "content"
