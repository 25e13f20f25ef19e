"""The lesson's cases. What the project guarantees beyond them is in the other files."""

import pytest

from assistant.orders import OrderBook
from assistant.tools import ToolRefused, get_order, run_tool

BOOK = OrderBook()


def test_customers_may_see_their_own_order_but_not_its_customer_id():
    order = get_order("LK-581106", "C-81265", BOOK)
    assert order["status"] == "shipped"
    assert "customer_id" not in order


def test_another_customers_order_is_refused_in_the_words_of_a_missing_one():
    with pytest.raises(ToolRefused) as neighbours:
        get_order("LK-615204", "C-20417", BOOK)  # T-80001
    with pytest.raises(ToolRefused) as missing:
        get_order("LK-000001", "C-20417", BOOK)
    assert (neighbours.value.code, missing.value.code) == ("other_customer", "not_found")
    assert str(neighbours.value).split("LK-615204") == str(missing.value).split("LK-000001")


@pytest.mark.parametrize(
    "arguments",
    [
        '{"order_id": "LK-55190"}',
        '{"order_id": "1 OR 1=1"}',
        "not json",
        '{"order_id": "LK-615204", "customer_id": "C-38852"}',
    ],
)
def test_malformed_arguments_are_refused_whoever_asks(arguments):
    result, outcome = run_tool("get_order", arguments, "C-20417", BOOK)
    assert outcome == "refused: invalid_argument"
    assert result["ok"] is False


def test_a_tool_that_nobody_described_is_refused():
    result, outcome = run_tool("refund_order", '{"order_id": "LK-428830"}', "C-44702", BOOK)
    assert outcome == "refused: unknown_tool"
    assert result["ok"] is False
