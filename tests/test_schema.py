"""Validation against a JSON Schema, and JSON Pointers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.schema import first_problem, pointer, resolve
from tests import strategies

DOCUMENT = {"a": [{"b": 1}, None], "": 2, "c/d": {"~": 3}, "0": 4, "~1": 5}


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("", DOCUMENT),
        ("/a/0/b", 1),
        ("/a/1", None),
        ("/", 2),
        ("/c~1d/~0", 3),
        ("/0", 4),
        ("/~01", 5),
    ],
)
def test_a_pointer_leads_to_its_place(place, value):
    assert resolve(DOCUMENT, place) == value


@pytest.mark.parametrize(
    "place",
    [
        "a",
        "x",
        "/b",
        "/a/2",
        "/a/-1",
        "/a/-",
        "/a/01",
        "/a/+1",
        "/a/ 1",
        "/a/٠",
        "/a/" + "9" * 5000,
        "/a/0/b/c",
        "/a/x",
        "//",
    ],
)
def test_a_pointer_to_nothing_is_an_error(place):
    with pytest.raises(LookupError):
        resolve(DOCUMENT, place)


@strategies.trying(50)
@given(st.lists(st.text(max_size=5), max_size=5))
def test_a_written_pointer_leads_back(parts):
    document = 7
    for part in reversed(parts):
        document = {part: document}
    assert resolve(document, pointer(parts)) == 7


def test_a_value_that_fits_has_no_problem():
    assert first_problem({"type": "string", "pattern": "^a$"}, "a") is None


@pytest.mark.parametrize("value", ["a\n", "a\r", "\na", "ba", "a\u2028", ""])
def test_a_pattern_ends_where_the_text_ends(value):
    problem = first_problem({"pattern": "^a$"}, value)
    assert problem.place == ""
    assert str(problem.why).startswith("At /: expected ^a$, found ")


def test_a_pattern_says_nothing_of_what_is_not_text():
    assert first_problem({"pattern": "^a$"}, 5) is None


@pytest.mark.parametrize(
    ("value", "place", "why"),
    [
        ({"a": ["x", 5]}, "/a/1", "At /a/1: expected string, found 5."),
        ({"a": "x"}, "/a", 'At /a: expected array, null, found "x".'),
        ({}, "", "At /: the key a is missing."),
        ({"a": [], "b": 1}, "", "At /: the key b is not provided for."),
        ({"a": [], "c": 2}, "/c", "At /c: expected 1, found 2."),
        ({"a": [], "d": "z"}, "/d", 'At /d: expected x, y, found "z".'),
        ({"a": [], "e": -1}, "/e", "At /e: expected ≥ 0, found -1."),
        ([], "", "At /: expected object, found []."),
    ],
)
def test_a_problem_names_its_place_and_what_was_expected_there(value, place, why):
    properties = {
        "a": {"type": ["array", "null"], "items": {"type": "string"}},
        "c": {"const": 1},
        "d": {"enum": ["x", "y"]},
        "e": {"minimum": 0},
    }
    schema = {"type": "object", "properties": properties, "required": ["a"], "additionalProperties": False}
    problem = first_problem(schema, value)
    assert (problem.place, str(problem.why)) == (place, why)


@pytest.mark.parametrize("value", ["x" * 1_000_000, [1] * 1_000_000, {"x" * 1_000_000: 1}], ids=["text", "list", "key"])
def test_a_problem_is_told_in_few_words_whatever_was_found(value):
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    assert len(str(first_problem(schema, value).why)) < 200
