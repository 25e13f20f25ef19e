"""Strict reading of JSON from outside."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.strict_json import MAX_DEPTH, MAX_DIGITS, NotJson, RepeatedKey, read_json, too_deep
from tests import strategies


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("NaN", "Not JSON: NaN stands for no JSON value."),
        ("[Infinity]", "Not JSON: Infinity stands for no JSON value."),
        ('{"a": -Infinity}', "Not JSON: -Infinity stands for no JSON value."),
        ("[" * 100_000, "Not JSON that is read here: nested deeper than 64"),
        ('{"a":' * 65 + "1" + "}" * 65, "Not JSON that is read here: nested deeper than 64"),
        ("9" * 5000, "Not JSON that is read here: a number of more than 999 digits"),
        ("-" + "9" * 5000, "Not JSON that is read here: a number of more than 999 digits"),
        ("0." + "9" * 5000, "Not JSON that is read here: a number of more than 999 digits"),
        ("1e999", "Not JSON that is read here: a number too large."),
        ("-1e999", "Not JSON that is read here: a number too large."),
        ("", "Not JSON at line 1, column 1: Expecting value"),
        ("[1,\n 2,]", "Not JSON at line 2, column "),
        ('"\n"', "Not JSON at line 1, column 2: Invalid control character"),
        ('"\\x"', "Not JSON at line 1, column 2: Invalid"),
        ('\ufeff"a"', "Not JSON at line 1, column 1: Expecting value"),
        ("01", "Not JSON at line 1, column 2: Extra data"),
        ("٣", "Not JSON at line 1, column 1: Expecting value"),
        ("'a'", "Not JSON at line 1, column 1: Expecting value"),
        ("[1] [2]", "Not JSON at line 1, column 5: Extra data"),
        ("\ud800", "Not JSON at line 1, column 1: Expecting value"),
        ("null\0", "Not JSON at line 1, column 5: Extra data"),
    ],
)
def test_what_is_not_json_is_refused_with_its_reason(text, reason):
    with pytest.raises(NotJson) as error:
        read_json(text)
    assert str(error.value).startswith(reason)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"a":1,"a":2}', "a"),
        ('{"a":1,"\\u0061":1}', "a"),
        ('{"b":0,"":1,"a":2,"":3}', ""),
        ('{"\\ud800":1,"\\ud800":2}', "\ud800"),
    ],
)
def test_an_object_with_a_key_twice_is_no_object(text, key):
    read = read_json(text)
    assert isinstance(read, RepeatedKey)
    assert read.key == key
    assert not isinstance(read, dict)
    assert repr(key) in repr(read)


def test_a_key_twice_is_found_at_any_depth():
    assert isinstance(read_json('[{"a":{"b":1,"b":2}}]')[0]["a"], RepeatedKey)


def test_the_limits_themselves_are_read():
    assert read_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert read_json("9" * MAX_DIGITS) == int("9" * MAX_DIGITS)


def test_brackets_in_strings_are_not_depth():
    text = json.dumps({"a": '[{"\\' * 1000, '"]]]': ["[" * 1000]})
    assert not too_deep(text)
    assert read_json(text) == json.loads(text)


def test_closing_brackets_do_not_make_room_for_more():
    with pytest.raises(NotJson):
        read_json("]" * 1000 + "[" * 1000)
    assert too_deep("[]" * 1000 + "[" * 65)


@pytest.mark.parametrize(
    "text",
    ["[" * 65 + '"' + '\\"' * 500_000, "[" * 65 + '"[' * 500_000, "[" * 65 + '"' + "\\" * 1_000_001, '"[' * 500_001],
    ids=["escaped quotes", "quotes and brackets", "backslashes", "strings"],
)
def test_a_megabyte_of_quotes_is_refused_at_once(text):
    started = time.process_time()
    with pytest.raises(NotJson):
        read_json(text)
    assert time.process_time() - started < 1


@strategies.trying(300)
@given(strategies.text | st.text('[]{}",:\\ 019eE.-+u\n') | st.builds(json.dumps, strategies.json_values))
def test_any_text_is_read_as_the_standard_reader_does_or_refused(text):
    try:
        read = read_json(text)
    except NotJson:
        return
    assert read == json.loads(text) or " twice>" in repr(read)


@strategies.trying(200)
@given(strategies.json_values)
def test_what_the_standard_writer_writes_in_json_is_read_back(value):
    text = json.dumps(value)
    if "NaN" not in text and "Infinity" not in text:
        assert read_json(text) == json.loads(text)
