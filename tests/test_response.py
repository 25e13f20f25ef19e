"""Reading a model's response, whatever it is."""

import pytest
from hypothesis import given

from assistant.events import Usage
from assistant.response import as_dict, as_list, finish_reason_of, message_of, usage_of
from tests import strategies

WHOLE = {
    "choices": [{"message": {"content": "x"}, "finish_reason": "stop"}, {"message": {"content": "y"}}],
    "usage": {"prompt_tokens": 3, "completion_tokens": 0},
}
AWKWARD = [
    {},
    None,
    [],
    "text",
    5,
    {"choices": None},
    {"choices": []},
    {"choices": {}},
    {"choices": "x"},
    {"choices": [None]},
    {"choices": [[]]},
    {"choices": [{}]},
    {"choices": [{"message": None, "finish_reason": 5}]},
    {"choices": [{"message": "x", "finish_reason": ["stop"]}]},
    {"choices": [{"message": ["x"]}]},
    {"error": {"message": "rate limit"}},
]


def test_a_whole_response_is_read_from_its_first_choice():
    assert message_of(WHOLE) == {"content": "x"}
    assert finish_reason_of(WHOLE) == "stop"
    assert usage_of(WHOLE) == Usage(3, 0)


@pytest.mark.parametrize("response", AWKWARD, ids=repr)
def test_what_is_not_there_reads_as_nothing(response):
    assert message_of(response) == {}
    assert finish_reason_of(response) is None
    assert usage_of(response) == Usage(None, None)


@pytest.mark.parametrize("count", [None, "3", -1, True, 1.5, [], {}])
def test_tokens_that_are_no_count_are_not_recorded(count):
    assert usage_of({"usage": {"prompt_tokens": count, "completion_tokens": 7}}) == Usage(None, 7)


@strategies.trying(200)
@given(strategies.json_values)
def test_any_value_can_be_read(value):
    for response in (
        value,
        {"choices": value, "usage": value},
        {"choices": [{"message": value, "finish_reason": value}]},
    ):
        assert isinstance(message_of(response), dict)
        assert isinstance(finish_reason_of(response), str | None)
        assert isinstance(usage_of(response), Usage)
    assert as_dict(value) == (value if isinstance(value, dict) else {})
    assert as_list(value) == (value if isinstance(value, list) else [])
