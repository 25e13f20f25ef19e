"""Text from outside as HTML: it comes out as it is, and nothing in it takes effect.

This file also owns how the explorer's tests read HTML: with the standard library's parser, strictly.
"""

import json
import re
import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.explorer.language import ENGLISH, FRENCH
from assistant.explorer.markup import Article, article, block, fold, json_text, label, sentence, shown
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


@given(json_values)
def test_json_without_an_indent_is_what_python_writes_of_the_same_value(value):
    page = read(json_text(value, indent=None))
    assert page.text == json.dumps(value, ensure_ascii=False)
    assert not list(page.all())


@given(st.lists(anything) | st.dictionaries(anything, anything))
def test_on_one_line_too_no_string_makes_an_element_or_hides_a_character(value):
    page = read(json_text(value, indent=None))
    assert not list(page.all())
    assert not [each for each in page.text if unicodedata.category(each) in HIDDEN]


@pytest.mark.parametrize("indent", [0, None])
def test_a_place_is_set_off_by_the_kind_that_is_named_for_it_and_no_other_is(indent):
    value = {"a": "x", "b": {"c/d": ["y", "z"], "m~n": 1}, "e": None, "f": []}
    kinds = {"/a": "reconstructed", "/b/c~1d/1": "leaked", "/b/m~0n": "leaked", "/f": "reconstructed"}
    asked = []
    page = read(json_text(value, {}, lambda place: asked.append(place) or kinds.get(place, ""), indent=indent))
    assert page.texts(kind="reconstructed") == ['"x"', "[]"]
    assert page.texts(kind="leaked") == ['"z"', "1"]
    assert [each.tag for each in page.all()] == ["span"] * 4
    assert list(dict.fromkeys(asked)) == ["/a", "/b/c~1d/0", "/b/c~1d/1", "/b/m~0n", "/e", "/f"]


@given(st.lists(anything, min_size=1) | st.dictionaries(anything, anything, min_size=1))
def test_setting_off_every_place_takes_nothing_from_the_text_and_adds_nothing_to_it(value):
    assert read(json_text(value, {}, lambda _place: "leaked")).text == read(json_text(value)).text


# The label of a widget is Markdown: what stands in it must come out as it is. A browser test shows that it does.


JOINER = "\N{WORD JOINER}"
BACKSLASH = "\\"
TAKE_EFFECT = "\\`*[]<>$~|#!{}&"


def test_every_character_that_means_something_in_markdown_wherever_it_stands_loses_its_meaning_in_a_label():
    told = label(say("{all}", all=f"x{TAKE_EFFECT}x"), FRENCH)
    assert told == f"x{''.join(f'{BACKSLASH}{each}' for each in TAKE_EFFECT)}x"


@pytest.mark.parametrize("words", ["order_id is LK- and 6 digits", "The reply, as it was written", "It's (not) 5; 6?"])
def test_a_label_that_holds_no_markdown_is_left_alone_as_it_is_read_out(words):
    assert label(say("{words}", words=words), ENGLISH) == words


@pytest.mark.parametrize(
    "hostile",
    [
        ":material/home:",
        ":red[x]",
        "$x$",
        "$$x$$",
        "![a](b)",
        "[a](b)",
        "<b>x</b>",
        "`x`",
        "**x**",
        "~~x~~",
        ":smile:",
        "# x",
        "1. x",
        "\\",
        "\\*x\\*",
        "&lt;",
    ],
)
def test_in_a_label_no_mark_of_markdown_stands_without_a_backslash(hostile):
    told = label(say("{words}", words=hostile), ENGLISH)
    unescaped = told.replace("\\\\", "")
    for each in set(hostile) & set(TAKE_EFFECT) - {"\\"}:
        assert unescaped.count(each) == unescaped.count(f"\\{each}") == hostile.count(each)
    assert not re.search(r":(?=[A-Za-z/])", told)


@pytest.mark.parametrize(
    ("words", "joined"),
    [
        ("a:b : c:", "a:|b : c:"),
        ("www.example.com", "www|.example.com"),
        ("WWW.example.com", "WWW|.example.com"),
        ("a@example.com", "a|@example.com"),
        ("a -- b", "a -|- b"),
        ("a -> b", "a -|\\> b"),
    ],
)
def test_what_no_backslash_keeps_from_taking_effect_is_parted_by_a_joiner(words, joined):
    assert label(say("{words}", words=words), ENGLISH) == joined.replace("|", JOINER)


# What Streamlit makes one sign of, a backslash or none before it: it looks at the text that Markdown leaves.
SYMBOL = re.compile(r"(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)")


@pytest.mark.parametrize("sign", ["<->", "->", "<-", "--", ">=", "<=", "~="])
def test_two_signs_do_not_become_one_in_a_label(sign):
    for words in (f"a {sign} b", sign, f"{sign} b", f"a {sign}"):
        told = label(say("{words}", words=words), ENGLISH)
        assert not SYMBOL.search(told.replace(BACKSLASH, ""))


@pytest.mark.parametrize("words", ["_x_", "__x__", "___x___", "a __x__ b"])
def test_an_underscore_that_is_not_within_a_word_has_a_backslash_however_many_there_are(words):
    assert label(say("{words}", words=words), ENGLISH) == words.replace("_", "\\_")


@given(text)
def test_a_label_without_its_backslashes_and_joiners_is_the_sentence(words):
    told = label(say("{words}", words=words.replace(JOINER, "")), FRENCH)
    characters_of_it = iter(told.replace(JOINER, ""))
    plain = "".join(next(characters_of_it) if each == "\\" else each for each in characters_of_it)
    assert plain == " ".join(words.replace(JOINER, "").split())


def test_a_label_is_in_the_pages_language():
    assert label(say("Back"), FRENCH) == "Retour"


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


@given(anything, anything)
def test_an_articles_number_stands_in_its_head_and_on_it_only_where_there_is_one(title, content):
    title, content = shown(title), shown(content)
    without = read(article(Article("model", "who", title, "here"), content)).one("article")
    numbered = read(article(Article("model", "who", title, "here", 3), content)).one("article")
    assert "data-step" not in without.attributes
    assert not list(without.all(kind="number"))
    assert (numbered.attributes["data-step"], numbered.one(kind="number").text) == ("3", "3")
    for one in (without, numbered):
        assert one.attributes["class"] == "card model"
        assert one.attributes["aria-labelledby"] == one.one("h2").attributes["id"] == "here"
        assert one.one("h2").text == read(title).text
        assert one.one(kind="who").text == "who"


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
