"""Owns a live model for tests, which answers from a list, and the responses to put into it."""

import json

from assistant.loop import run_loop
from assistant.model import LiveModel
from assistant.orders import OrderBook
from tests.examples import GOOD_REPLY, TICKET

BOOK = OrderBook()
REPLY = {"choices": [{"message": {"role": "assistant", "content": json.dumps(GOOD_REPLY)}, "finish_reason": "stop"}]}


class Scripted(LiveModel):
    """Sends the given responses in turn, the last one for ever, and keeps the requests."""

    def __init__(self, *responses):
        self.responses = list(responses)
        self.requests = []

    def send(self, request):
        self.requests.append(json.loads(json.dumps(request)))
        return self.responses.pop(0) if len(self.responses) > 1 else self.responses[0]


def proposing(*calls, content=None):
    """A response with these tool calls."""
    return {"choices": [{"message": {"content": content, "tool_calls": list(calls)}, "finish_reason": "tool_calls"}]}


def asking_for(order_id, call_id="call_A"):
    """One tool call for an order; without an ID when `call_id` is None."""
    call = {"type": "function", "function": {"name": "get_order", "arguments": json.dumps({"order_id": order_id})}}
    return call if call_id is None else {"id": call_id, **call}


def replying(**changed):
    """A response with the good reply, but for these fields."""
    message = {"role": "assistant", "content": json.dumps({**GOOD_REPLY, **changed})}
    return {"choices": [{"message": message, "finish_reason": "stop"}]}


def events_of(*responses, ticket=TICKET, book=BOOK, **options):
    """Run the loop over these responses to its end."""
    return list(run_loop(ticket, Scripted(*responses), book, **options))


def only(kind, events):
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]
