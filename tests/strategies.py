"""Owns what Hypothesis draws for several test files: values of any kind, and proposals that are nearly right."""

import json

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st


def trying(examples):
    """Settings for this many examples, also on a machine that is busy."""
    return settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Stubborn:
    """A value that cannot be asked anything."""

    def __bool__(self):
        raise ValueError("no truth in this")

    __eq__ = __str__ = __repr__ = __len__ = __iter__ = __bool__
    __hash__ = object.__hash__


characters = st.characters(exclude_categories=())  # lone surrogates, too
text = st.text(characters)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=12,
)
anything = (
    json_values
    | st.binary()
    | st.sets(st.integers())
    | st.tuples(text, st.binary())
    | st.complex_numbers()
    | st.dictionaries(st.integers() | st.tuples(st.binary()), json_values, max_size=2)
    | st.just(Stubborn())
    | st.builds(object)
)

order_ids = st.sampled_from(
    ["LK-581106", "LK-615204", "LK-434088", "LK-000000", "LK-55190", "lk-581106", "LK-581106\n"]
)
customers = st.sampled_from(["C-81265", "C-20417", "C-38852", "", None, "C-81265 "])


@st.composite
def nearly_right(draw):
    """Well-formed arguments with up to three characters cut out or put in anywhere."""
    written = json.dumps({"order_id": draw(order_ids)}, separators=draw(st.sampled_from([(",", ":"), (", ", ": ")])))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(written)))
        cut = draw(st.integers(0, 2))
        put = draw(
            st.sampled_from(["", '"', "\\", "\0", "\n", "{", "}", "0", "\u0660", "\ufeff", ",", " "]) | characters
        )
        written = written[:place] + put + written[place + cut :]
    return written


names = st.sampled_from(["get_order", "get_order", "get_order", "Get_order", "get_order\n", ""]) | anything
arguments = nearly_right() | st.builds(json.dumps, json_values) | text | anything
