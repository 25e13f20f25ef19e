"""Owns the tool that the model may ask for, and the five checks that decide on each proposal.

A proposal comes from outside. The ticket's customer comes from the support application, never from the model.
Nothing here repairs what the model wrote, and no refusal tells it more than the customer may know.
"""

import json
import re
from functools import cached_property
from typing import Any

from .decision import Check, Decision, Failed, Group, Passed, ToolAnswer, Unanswerable, run_checks
from .orders import OrderBook, OrderBookUnavailable, Owner
from .sentence import Sentence, say
from .strict_json import NotJson, RepeatedKey, read_json

ORDER_ID = re.compile(r"LK-[0-9]{6}")
MAX_ARGUMENTS = 4096
MAX_SHOWN = 64

GET_ORDER = {
    "type": "function",
    "function": {
        "name": "get_order",
        "description": (
            "Look up one order of the customer who wrote the ticket: status, dates, items and amounts. "
            "Use it only with an order ID that stands in the ticket. Orders of other customers are not available."
        ),
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string", "description": "The order ID: LK- followed by 6 digits."}},
            "required": ["order_id"],
            "additionalProperties": False,
        },
    },
}
TOOLS = [GET_ORDER]


class ToolRefused(Exception):
    """The application said no to a proposal. `code` is for the log; the message is what the model may read."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class LookupUnavailable(Unanswerable):
    """The order book could not answer, which is an error of ours and not a refusal."""

    code = "order_book_unavailable"
    message = say("The order lookup is unavailable right now.")


class ToolCall:
    """One proposal, whom it is for, and the order book: all that a check may look at. Name and arguments are
    the model's, of any type and size."""

    def __init__(self, name: object, arguments: object, customer_id: object, book: OrderBook) -> None:
        self.name = name
        self.arguments = arguments
        self.customer_id = customer_id
        self.book = book
        self.times_asked = 0

    @cached_property
    def values(self) -> Any:
        """What the arguments say, read once. Raises NotJson."""
        return read_json(self.arguments)  # type: ignore[arg-type]  # a check has ruled out what is no text

    @property
    def order_id(self) -> Any:
        """The order ID as the model wrote it. Means nothing before the arguments have been checked."""
        return self.values["order_id"]

    @cached_property
    def owner(self) -> Owner | None:
        """Whose the order is, asked of the order book once; None when there is no such order."""
        self.times_asked += 1
        try:
            return self.book.owner(self.order_id)
        except OrderBookUnavailable as error:
            raise LookupUnavailable(error.why) from error

    def look_up(self) -> dict[str, Any]:
        """Read the order for the model, without its owner. It has to be the one whose owner the checks saw."""
        self.times_asked += 1
        try:
            order = self.book.find(self.order_id)
        except OrderBookUnavailable as error:
            raise LookupUnavailable(error.why) from error
        if (None if order is None else Owner(order.pop("customer_id"))) != self.owner:
            raise LookupUnavailable(say("The order changed while it was looked up."))
        return {"ok": True, "order": order}


def the_tool_is_known(call: ToolCall) -> Passed | Failed:
    """Default deny: what is not named exactly get_order runs nothing."""
    name = shown(call.name)
    if isinstance(call.name, str) and call.name == "get_order":
        return Passed(say("The model asked for {name}.", name=name))
    return Failed(
        say("The model asked for {name}; the only tool is {known}.", name=name, known="get_order"),
        say("There is no tool named {name}.", name=name),
    )


def the_arguments_are_exact(call: ToolCall) -> Passed | Failed:
    """One JSON object with the one key `order_id`: a further key could smuggle in an identity."""
    text = call.arguments
    not_json = say("The arguments are not valid JSON.")
    if not isinstance(text, str):
        return Failed(say("The arguments are not text."), not_json)
    if len(text) > MAX_ARGUMENTS:
        evidence = say("{length} characters; at most {limit} are read.", length=len(text), limit=MAX_ARGUMENTS)
        return Failed(evidence, not_json)
    try:
        arguments = call.values
    except NotJson as error:
        return Failed(error.why, not_json)
    not_exact = say("get_order takes exactly one argument: order_id.")
    if isinstance(arguments, RepeatedKey):
        return Failed(say("The key {key} stands twice.", key=shown(arguments.key)), not_exact)
    if not isinstance(arguments, dict):
        return Failed(say("JSON, but not an object: {value}.", value=shown(text)), not_exact)
    if set(arguments) != {"order_id"}:
        return Failed(say("The keys are: {keys}.", keys=shown(", ".join(arguments) or "–")), not_exact)
    return Passed(say("One object with the one key {key}.", key="order_id"))


def the_order_id_has_its_form(call: ToolCall) -> Passed | Failed:
    """`LK-` and six ASCII digits, nothing before and nothing after. Strict mode sends any string."""
    order_id = call.order_id
    message = say("The order ID must be LK- followed by 6 digits.")
    if not isinstance(order_id, str):
        return Failed(say("{order_id} is not text.", order_id=shown(json.dumps(order_id))), message)
    if ORDER_ID.fullmatch(order_id):
        return Passed(say("{order_id} is LK- and 6 digits.", order_id=order_id))
    if digits := re.fullmatch(r"LK-([0-9]+)", order_id):
        count = len(digits[1])
        evidence = say("{order_id} has {count} digits after LK-, not 6.", order_id=shown(order_id), count=count)
        return Failed(evidence, message)
    return Failed(say("{order_id} is not LK- and 6 digits.", order_id=shown(order_id)), message)


def the_order_exists(call: ToolCall) -> Passed | Failed:
    """Ask the order book for the owner only."""
    if call.owner is not None:
        return Passed(say("{order_id} is in the order book.", order_id=call.order_id))
    return Failed(say("{order_id} is not in the order book.", order_id=call.order_id), not_available(call.order_id))


def the_order_is_the_customers(call: ToolCall) -> Passed | Failed:
    """The policy's H4: nobody gets another customer's order. Who has no customer ID owns nothing."""
    owner = call.owner.customer_id if call.owner else None
    customer = call.customer_id
    if isinstance(customer, str) and customer and owner == customer:
        return Passed(say("Ticket and order both belong to {customer_id}.", customer_id=customer))
    if not isinstance(customer, str) or not customer:
        evidence = say("The ticket names no customer, so no order is theirs.")
    elif not owner:
        evidence = say("The order has no owner, so it is nobody's to see.")
    else:
        evidence = say(
            "The ticket belongs to {customer_id}, the order to another customer.", customer_id=shown(customer)
        )
    return Failed(evidence, not_available(call.order_id))


def not_available(order_id: object) -> Sentence:
    """The one wording for a missing order and for another customer's, so that the two can't be told apart."""
    return say("No order {order_id} is available for this customer.", order_id=order_id)


def shown(value: object) -> str:
    """A value from outside, cut to a length that can be echoed; what is not text is only named as such."""
    if not isinstance(value, str):
        return "(not text)"
    return value if len(value) <= MAX_SHOWN else value[:MAX_SHOWN] + "…"


CHECKS: tuple[Check[ToolCall], ...] = (
    Check("known_tool", "unknown_tool", Group.WELL_FORMED, say("The tool is known"), the_tool_is_known),
    Check(
        "exact_arguments",
        "invalid_argument",
        Group.WELL_FORMED,
        say("The arguments are one JSON object with exactly the key order_id"),
        the_arguments_are_exact,
    ),
    Check(
        "order_id_form",
        "invalid_argument",
        Group.WELL_FORMED,
        say("order_id is LK- and 6 digits"),
        the_order_id_has_its_form,
    ),
    Check("order_exists", "not_found", Group.ALLOWED, say("The order exists"), the_order_exists),
    Check(
        "own_order",
        "other_customer",
        Group.ALLOWED,
        say("The order belongs to this ticket's customer"),
        the_order_is_the_customers,
    ),
)


def decide(name: object, arguments: object, customer_id: object, book: OrderBook) -> Decision:
    """Put one proposal to the five checks, and look the order up only when all five have passed."""
    return run_checks(CHECKS, ToolCall(name, arguments, customer_id, book), ToolCall.look_up)


def get_order(order_id: str, customer_id: str, book: OrderBook) -> dict[str, Any]:
    """Return the customer's own order without its owner; raise ToolRefused when any check says no."""
    text = order_id if isinstance(order_id, str) and len(order_id) <= MAX_SHOWN else None  # None has no form either
    decision = decide("get_order", json.dumps({"order_id": text}), customer_id, book)
    if decision.outcome != "ok":
        _, _, code = decision.outcome.partition(": ")
        raise ToolRefused(code, str(decision.message))
    order: dict[str, Any] = decision.result["order"]
    return order


def run_tool(name: str, arguments: str, customer_id: str, book: OrderBook) -> tuple[dict[str, Any], str]:
    """Decide on one proposed call. Return (the result for the model, the outcome for the log)."""
    return ToolAnswer(decide(name, arguments, customer_id, book))
