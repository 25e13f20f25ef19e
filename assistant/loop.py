"""Owns the loop: a ticket, a model and an order book in, a stream of events out.

It asks the model, decides on each proposal, answers it and asks again, until there is a reply or a limit is reached.
What the model proposes is never trusted here: the deciding is `tools`', the judging is `barriers`'.
"""

import json
import time
from collections.abc import Callable, Iterator

from . import tools
from .barriers import Reply, judge_reply
from .decision import Decision, ToolAnswer
from .events import Concluded, Decided, Diverged, Event, LimitReached, ModelCalled, Proposed, Replied, ResultSent
from .files import FileError
from .model import Model
from .orders import OrderBook
from .request import build_request
from .response import Message, as_dict, as_list, finish_reason_of, message_of, usage_of
from .sentence import Sentence, say
from .ticket import Ticket

MAX_MODEL_CALLS = 6


def run_loop(ticket: Ticket, model: Model, book: OrderBook, max_model_calls: int = MAX_MODEL_CALLS) -> Iterator[Event]:
    """Yield every event of one ticket's loop. It ends with Concluded, LimitReached or Diverged."""
    for event in _events(ticket, model, book, max_model_calls):
        divergence = model.observe(ticket, event)
        yield event
        if divergence:
            yield divergence
            return


def _events(ticket: Ticket, model: Model, book: OrderBook, max_model_calls: int) -> Iterator[Event]:
    conversation: list[Message] = []
    looked_up: dict[str, str] = {}
    used_ids: set[str] = set()
    for number in range(1, max_model_calls + 1):
        request = build_request(ticket, conversation)
        answer = model.respond(request)
        if isinstance(answer, Diverged):
            yield answer
            return
        message, finish_reason = message_of(answer.response), finish_reason_of(answer.response)
        usage = usage_of(answer.response)
        yield ModelCalled(number, request, answer.response, usage, answer.latency_s, finish_reason)
        proposals = proposals_of_call(number, message, used_ids)
        if not proposals:
            reply = Reply(message.get("content"), message.get("refusal"), finish_reason)
            yield Replied(number, reply)
            yield Concluded(judge_reply(reply, ticket, looked_up))
            return
        assistant_message = _assistant_message(message, proposals)
        conversation.append(assistant_message)
        for proposal in proposals:
            yield proposal
            started = time.perf_counter()
            decision = decide(proposal, ticket, book)
            yield Decided(proposal, decision, time.perf_counter() - started)
            looked_up.update(status_looked_up(decision))
            content = json.dumps(decision.result)
            tool_message = {"role": "tool", "tool_call_id": proposal.call_id, "content": content}
            conversation.append(tool_message)
            yield ResultSent(proposal, decision, assistant_message, tool_message)
    yield LimitReached(max_model_calls)


def decide(proposal: Proposed, ticket: Ticket, book: OrderBook) -> Decision:
    """Let `run_tool` decide, whoever wrote it. One that returns a plain pair, as the lesson's, tells no checks."""
    run_tool = getattr(tools, "run_tool", None)
    if run_tool is None:
        raise _broken(None, say("There is no run_tool in this file."))
    answer = run_tool(proposal.name, proposal.arguments, ticket.customer_id, book)
    match answer:
        case (dict(result), str(outcome)):
            decision = answer.decision if isinstance(answer, ToolAnswer) else Decision(outcome, result)
        case _:
            why = say(
                "run_tool must return a dict for the model and text for the log, and returned {returned}.",
                returned=f"{answer!r:.200}",
            )
            raise _broken(run_tool, why)
    try:
        json.dumps(decision.result)
    except (TypeError, ValueError, RecursionError) as error:
        raise _broken(
            run_tool, say("What run_tool returned for the model is no JSON: {reason}.", reason=error)
        ) from error
    return decision


def _broken(function: Callable[..., object] | None, why: Sentence) -> FileError:
    code = getattr(function, "__code__", None)
    return FileError("tools.py", code.co_firstlineno if code else None, why)


def status_looked_up(decision: Decision) -> dict[str, str]:
    """The status that a lookup returned, by order ID; it is all that a reply may state."""
    order = as_dict(decision.result.get("order"))
    return {str(order.get("order_id")): str(order.get("status"))} if decision.outcome == "ok" and order else {}


def proposals_of_call(number: int, message: Message, used_ids: set[str]) -> list[Proposed]:
    """What the model asks for in its call `number`. `used_ids` holds the IDs of earlier calls, and takes new ones."""
    calls = [as_dict(call) for call in as_list(message.get("tool_calls"))]
    content = message.get("content")
    proposals: list[Proposed] = []
    for index, call in enumerate(calls, start=1):
        function = as_dict(call.get("function"))
        call_id, is_given = _call_id(call.get("id"), number, index, used_ids)
        used_ids.add(call_id)
        text = content if index == 1 and isinstance(content, str) and content else None
        name, arguments = function.get("name"), function.get("arguments")
        proposals.append(Proposed(number, index, len(calls), call_id, is_given, name, arguments, text))
    return proposals


def _call_id(from_response: object, number: int, index: int, used_ids: set[str]) -> tuple[str, bool]:
    """Return an ID that no earlier call has, and whether the application had to give it."""
    if isinstance(from_response, str) and from_response and from_response not in used_ids:
        return from_response, False
    call_id = f"call_{number}_{index}"
    while call_id in used_ids:
        call_id += "_"
    return call_id, True


def _assistant_message(message: Message, proposals: list[Proposed]) -> Message:
    """The model's own message, repeated, with the IDs that the tool messages answer to."""
    return {
        "role": "assistant",
        "content": message.get("content"),
        "tool_calls": [
            {
                "id": proposal.call_id,
                "type": "function",
                "function": {"name": proposal.name, "arguments": proposal.arguments},
            }
            for proposal in proposals
        ],
    }
