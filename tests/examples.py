"""Owns the named tables of examples that several test files share: refused proposals, replies, a short tools.py.

Plain Python and the project's own nouns only: tests that have no more than requirements.txt may import it.
"""

import json
from typing import Any, NamedTuple

from assistant.barriers import Reply
from assistant.ticket import Ticket

OWN_ORDER = ("get_order", '{"order_id":"LK-581106"}', "C-81265")  # the proposal of T-80008
OWN_ORDER_FOR_THE_MODEL = {
    "order_id": "LK-581106",
    "status": "shipped",
    "ordered_on": "2026-10-01",
    "shipped_on": "2026-10-05",
    "delivered_on": None,
    "shipping_fee": 0.0,
    "total": 899.0,
    "currency": "CAD",
    "items": [{"product": "garden shed", "quantity": 1, "unit_price": 899.0}],
}
UNOWNED_ORDER = "LK-434088"


class Refusal(NamedTuple):
    """A proposal, the check that refuses it, and the exact words that the model gets."""

    title: str
    check: str
    code: str
    message: str
    name: object
    arguments: object
    customer_id: object


def _unknown_tool(title: str, name: object, named: str) -> Refusal:
    message = f"There is no tool named {named}."
    return Refusal(title, "known_tool", "unknown_tool", message, name, '{"order_id":"LK-581106"}', "C-81265")


def _not_json(title: str, arguments: object) -> Refusal:
    message = "The arguments are not valid JSON."
    return Refusal(title, "exact_arguments", "invalid_argument", message, "get_order", arguments, "C-81265")


def _not_exact(title: str, arguments: object) -> Refusal:
    message = "get_order takes exactly one argument: order_id."
    return Refusal(title, "exact_arguments", "invalid_argument", message, "get_order", arguments, "C-81265")


def _bad_form(title: str, order_id: object) -> Refusal:
    message = "The order ID must be LK- followed by 6 digits."
    arguments = json.dumps({"order_id": order_id})
    return Refusal(title, "order_id_form", "invalid_argument", message, "get_order", arguments, "C-81265")


def _missing(title: str, order_id: str) -> Refusal:
    message = f"No order {order_id} is available for this customer."
    arguments = json.dumps({"order_id": order_id})
    return Refusal(title, "order_exists", "not_found", message, "get_order", arguments, "C-98373")


def _not_theirs(title: str, order_id: str, customer_id: object) -> Refusal:
    message = f"No order {order_id} is available for this customer."
    arguments = json.dumps({"order_id": order_id})
    return Refusal(title, "own_order", "other_customer", message, "get_order", arguments, customer_id)


REFUSALS = (
    _unknown_tool("a tool of another name", "refund_order", "refund_order"),
    _unknown_tool("the tool's name in capitals", "GET_ORDER", "GET_ORDER"),
    _unknown_tool("the tool's name and a space", "get_order ", "get_order "),
    _unknown_tool("the tool's name and a line end", "get_order\n", "get_order\n"),
    _unknown_tool("the tool's name and NUL", "get_order\0", "get_order\0"),
    _unknown_tool("an empty name", "", ""),
    _unknown_tool("a name of 64 characters", "x" * 64, "x" * 64),
    _unknown_tool("a name of 65 characters", "x" * 65, "x" * 64 + "…"),
    _unknown_tool("a name of a million characters", "\ud83d" * 1_000_000, "\ud83d" * 64 + "…"),
    _unknown_tool("a name that is half a surrogate pair", "\ud800", "\ud800"),
    _unknown_tool("a name with gaps", "{name} {0}", "{name} {0}"),
    _unknown_tool("no name", None, "(not text)"),
    _unknown_tool("a name in bytes", b"get_order", "(not text)"),
    _unknown_tool("a name that is a number", 7, "(not text)"),
    _unknown_tool("a name that is an object", {"get_order": "get_order"}, "(not text)"),
    _unknown_tool("a name that is a list", ["get_order"], "(not text)"),
    _not_json("words", "not json"),
    _not_json("no characters at all", ""),
    _not_json("NaN", '{"order_id": NaN}'),
    _not_json("Infinity", '{"order_id": Infinity}'),
    _not_json("minus Infinity", '{"order_id": -Infinity}'),
    _not_json("NaN beside a good ID", '{"order_id": "LK-581106", "x": NaN}'),
    _not_json("100,000 brackets", "[" * 100_000),
    _not_json("65 brackets, closed", "[" * 65 + "]" * 65),
    _not_json("65 brackets around the ID", '{"order_id": ' + "[" * 64 + '"LK-581106"' + "]" * 64 + "}"),
    _not_json("a 5,000-digit number", '{"order_id": ' + "9" * 5000 + "}"),
    _not_json("a 2,000-digit number", '{"order_id": ' + "9" * 2000 + "}"),
    _not_json("a 2,000-digit fraction", '{"order_id": 0.' + "9" * 2000 + "}"),
    _not_json("a number too large for a float", '{"order_id": 1e999}'),
    _not_json("4,097 characters, good but for the length", '{"order_id":"LK-581106"}' + " " * 4073),
    _not_json("a trailing comma", '{"order_id":"LK-581106",}'),
    _not_json("single quotes", "{'order_id':'LK-581106'}"),
    _not_json("two objects", '{"order_id":"LK-581106"}{"order_id":"LK-581106"}'),
    _not_json("a comment", '{"order_id":"LK-581106"} // mine'),
    _not_json("a byte order mark", '\ufeff{"order_id":"LK-581106"}'),
    _not_json("NUL after the object", '{"order_id":"LK-581106"}\0'),
    _not_json("a bare line end in the ID", '{"order_id":"LK-581106\n"}'),
    _not_json("an unclosed object", '{"order_id":"LK-581106"'),
    _not_json("half a surrogate pair", "\ud800"),
    _not_json("nothing", None),
    _not_json("bytes", b'{"order_id":"LK-581106"}'),
    _not_json("an object that nobody wrote as text", {"order_id": "LK-581106"}),
    _not_json("a bare number", 581106),
    _not_exact("no key", "{}"),
    _not_exact("another key", '{"id":"LK-581106"}'),
    _not_exact("the key in capitals", '{"ORDER_ID":"LK-581106"}'),
    _not_exact("the key and a space", '{"order_id ":"LK-581106"}'),
    _not_exact("a further key", '{"order_id":"LK-581106","customer_id":"C-81265"}'),
    _not_exact("a further key of no value", '{"order_id":"LK-581106","x":null}'),
    _not_exact("the key twice", '{"order_id":"LK-615204","order_id":"LK-581106"}'),
    _not_exact("the key twice with the same ID", '{"order_id":"LK-581106","order_id":"LK-581106"}'),
    _not_exact("the key twice, once in escapes", '{"order_id":"LK-615204","\\u006frder_id":"LK-581106"}'),
    _not_exact("a list", '["LK-581106"]'),
    _not_exact("a list of one object", '[{"order_id":"LK-581106"}]'),
    _not_exact("a string", '"LK-581106"'),
    _not_exact("a string of JSON", '"{\\"order_id\\":\\"LK-581106\\"}"'),
    _not_exact("a number", "581106"),
    _not_exact("null", "null"),
    _bad_form("five digits", "LK-55190"),
    _bad_form("seven digits", "LK-5811060"),
    _bad_form("no digits", "LK-"),
    _bad_form("an empty ID", ""),
    _bad_form("lower case", "lk-581106"),
    _bad_form("another hyphen", "LK‑581106"),
    _bad_form("a space before", " LK-581106"),
    _bad_form("a space after", "LK-581106 "),
    _bad_form("a line end after", "LK-581106\n"),
    _bad_form("a carriage return after", "LK-581106\r"),
    _bad_form("a line separator after", "LK-581106\u2028"),
    _bad_form("NUL after", "LK-581106\0"),
    _bad_form("full-width digits", "LK-５８１１０６"),
    _bad_form("Arabic digits", "LK-٥٨١١٠٦"),
    _bad_form("full-width letters", "ＬＫ-581106"),
    _bad_form("words of SQL", "1 OR 1=1"),
    _bad_form("a good ID and words of SQL", "LK-581106' OR '1'='1"),
    _bad_form("a wildcard", "LK-58110%"),
    _bad_form("half a surrogate pair", "\ud800"),
    _bad_form("an ID of 4,000 characters", "LK-" + "5" * 3900),
    _bad_form("null for an ID", None),
    _bad_form("true for an ID", True),
    _bad_form("a number for an ID", 581106),
    _bad_form("a list for an ID", ["LK-581106"]),
    _bad_form("an object for an ID", {"order_id": "LK-581106"}),
    _missing("the model's zeros", "LK-000000"),
    _missing("an ID that no order has", "LK-999999"),
    _not_theirs("the neighbour's order", "LK-615204", "C-20417"),
    _not_theirs("an order without an owner", UNOWNED_ORDER, "C-20417"),
    _not_theirs("an order without an owner for nobody", UNOWNED_ORDER, None),
    _not_theirs("an order without an owner for an empty customer", UNOWNED_ORDER, ""),
    _not_theirs("a ticket without a customer", "LK-581106", None),
    _not_theirs("a ticket with an empty customer", "LK-581106", ""),
    _not_theirs("a customer in bytes", "LK-581106", b"C-81265"),
    _not_theirs("a customer that is a number", "LK-581106", 81265),
    _not_theirs("a customer that is true", "LK-581106", True),
    _not_theirs("a customer that is a list", "LK-581106", ["C-81265"]),
    _not_theirs("a customer and a space", "LK-581106", "C-81265 "),
    _not_theirs("a customer and a line end", "LK-581106", "C-81265\n"),
    _not_theirs("a customer in lower case", "LK-581106", "c-81265"),
    _not_theirs("half of a customer", "LK-581106", "C-812"),
    _not_theirs("a customer in full-width digits", "LK-581106", "C-８１２６５"),
    _not_theirs("a customer of a million characters", "LK-581106", "C" * 1_000_000),
)
MALFORMED = tuple(refusal for refusal in REFUSALS if refusal.code in {"unknown_tool", "invalid_argument"})


TICKET = Ticket("T-1", "C-81265", "Where is my order LK-581106? Not LK-5519023, nor XLK-551904 or LK-551905-2.")
GOOD_REPLY: dict[str, Any] = {
    "language": "en",
    "team": "delivery",
    "needs_human": False,
    "reason": "The customer asks where the order is.",
    "confidence": "high",
    "order": {"order_id": "LK-581106", "status": "shipped"},
    "reply": "It has been shipped.",
}
LOOKED_UP = {"LK-581106": "shipped"}


def reply_with(**changed: Any) -> Reply:
    """A good reply, but for the fields that are given."""
    return Reply(json.dumps({**GOOD_REPLY, **changed}), None, "stop")


def reply_on(order_id: object, status: object = None) -> Reply:
    """A good reply, but for the order that it names."""
    return reply_with(order={"order_id": order_id, "status": status})


class BadReply(NamedTuple):
    """A reply to TICKET, and the code of the one rule that it breaks."""

    title: str
    code: str
    reply: Reply
    looked_up: dict[str, str] = LOOKED_UP


_GOOD = json.dumps(GOOD_REPLY)
_WITHOUT_TEAM = json.dumps({key: value for key, value in GOOD_REPLY.items() if key != "team"})

BAD_REPLIES = (
    BadReply("cut off in the middle", "reply_cut_off", Reply(_GOOD[:40], None, "length")),
    BadReply("cut off, though it happens to be whole", "reply_cut_off", Reply(_GOOD, None, "length")),
    BadReply("a refusal", "reply_refused", Reply(None, "I can't help with that.", "stop")),
    BadReply("a refusal beside a good reply", "reply_refused", Reply(_GOOD, "I can't help with that.", "stop")),
    BadReply("withheld by a content filter", "reply_refused", Reply("", None, "content_filter")),
    BadReply("no content", "reply_empty", Reply(None)),
    BadReply("empty content", "reply_empty", Reply("", None, "stop")),
    BadReply("white space", "reply_empty", Reply(" \n\t", None, "stop")),
    BadReply("content that is not text", "reply_empty", Reply([{"type": "text", "text": _GOOD}], None, "stop")),
    BadReply("words", "reply_not_json", Reply("It has been shipped.", None, "stop")),
    BadReply("JSON in a code fence", "reply_not_json", Reply(f"```json\n{_GOOD}\n```", None, "stop")),
    BadReply("NaN", "reply_not_json", Reply('{"needs_human": NaN}', None, "stop")),
    BadReply("100,000 brackets", "reply_not_json", Reply("[" * 100_000, None, "stop")),
    BadReply("a 5,000-digit number", "reply_not_json", Reply("9" * 5000, None, "stop")),
    BadReply("a good reply twice", "reply_not_json", Reply(_GOOD * 2, None, "stop")),
    BadReply("a field is missing", "reply_not_in_schema", Reply(_WITHOUT_TEAM, None, "stop")),
    BadReply("a further field", "reply_not_in_schema", reply_with(customer_id="C-81265")),
    BadReply("a field twice", "reply_not_in_schema", Reply('{"team":"other",' + _GOOD[1:], None, "stop")),
    BadReply("a team that there is not", "reply_not_in_schema", reply_with(team="Delivery")),
    BadReply("text for true", "reply_not_in_schema", reply_with(needs_human="true")),
    BadReply("no order at all is null, not empty", "reply_not_in_schema", reply_with(order={})),
    BadReply("an order without a status", "reply_not_in_schema", reply_with(order={"order_id": "LK-581106"})),
    BadReply("an ID of five digits", "reply_not_in_schema", reply_on("LK-58110")),
    BadReply("an ID and a line end", "reply_not_in_schema", reply_on("LK-581106\n")),
    BadReply("an ID in full-width digits", "reply_not_in_schema", reply_on("LK-５８１１０６")),
    BadReply("an ID after a space", "reply_not_in_schema", reply_on(" LK-581106")),
    BadReply("a list", "reply_not_in_schema", Reply("[]", None, "stop")),
    BadReply("null", "reply_not_in_schema", Reply("null", None, "stop")),
    BadReply("an ID that nobody wrote", "order_not_in_ticket", reply_on("LK-123456")),
    BadReply("the front of a longer ID", "order_not_in_ticket", reply_on("LK-551902")),
    BadReply("the end of a longer word", "order_not_in_ticket", reply_on("LK-551904")),
    BadReply("the front of a longer number", "order_not_in_ticket", reply_on("LK-551905")),
    BadReply("a status that no lookup returned", "status_not_from_lookup", reply_on("LK-581106", "shipped"), {}),
    BadReply("another status than the lookup's", "status_not_from_lookup", reply_on("LK-581106", "delivered")),
    BadReply("the lookup's status in capitals", "status_not_from_lookup", reply_on("LK-581106", "Shipped")),
    BadReply("an empty status", "status_not_from_lookup", reply_on("LK-581106", "")),
    BadReply(
        "the status of another order",
        "status_not_from_lookup",
        reply_on("LK-581106", "delivered"),
        {"LK-581106": "shipped", "LK-328807": "delivered"},
    ),
)

# What a learner's file may look like: the lesson's form, with no more than it needs, in our words.
SHORT_TOOLS = """
import json

from .orders import OrderBook

TOOLS = [{"type": "function", "function": {"name": "get_order", "parameters": {"type": "object"}}}]


def run_tool(name, arguments, customer_id, book):
    order = book.find(json.loads(arguments)["order_id"])
    if name != "get_order" or order is None or order["customer_id"] != customer_id:
        return {"ok": False, "error": "Nothing for you here."}, "refused: my_own_code"
    del order["customer_id"]
    return {"ok": True, "order": order}, "ok"
"""
