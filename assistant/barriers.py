"""Owns the reply's schema and the two barriers that a reply has to pass: the schema, then the business rules.

It judges and never mends. An order's status counts only when this run's own lookup returned it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .decision import State
from .schema import first_problem
from .sentence import Sentence, say
from .strict_json import NotJson, read_json
from .ticket import Ticket

REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "language": {"type": "string", "enum": ["en", "fr"]},
        "team": {"type": "string", "enum": ["delivery", "payment", "product", "account", "other"]},
        "needs_human": {"type": "boolean"},
        "reason": {"type": "string"},
        "confidence": {"type": "string", "enum": ["high", "medium", "low"]},
        "order": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "order_id": {"type": "string", "pattern": "^LK-[0-9]{6}$"},
                        "status": {"type": ["string", "null"]},
                    },
                    "required": ["order_id", "status"],
                    "additionalProperties": False,
                },
                {"type": "null"},
            ]
        },
        "reply": {"type": "string"},
    },
    "required": ["language", "team", "needs_human", "reason", "confidence", "order", "reply"],
    "additionalProperties": False,
}


class Reply(NamedTuple):
    """The model's final answer as it came: its text, a refusal in place of it, and why the model stopped."""

    content: object
    refusal: object = None
    finish_reason: object = None


class Judged(NamedTuple):
    """What a rule looks at: the reply as read from JSON, its ticket, and this run's lookups (order ID to status)."""

    reply: dict[str, Any]
    ticket: Ticket
    looked_up: Mapping[str, str]


class Finding(NamedTuple):
    """A rule's answer, with its evidence in one line."""

    passed: bool
    evidence: Sentence


@dataclass(frozen=True)
class RuleResult:
    """One rule's part in a verdict. `function` is the one that judged, or would have judged."""

    code: str
    question: Sentence
    state: State
    evidence: Sentence | None = None
    function: Callable[..., object] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class BarrierResult:
    """One barrier: what became of it, and of each of its rules in order."""

    name: Sentence
    state: State
    rules: tuple[RuleResult, ...]


@dataclass(frozen=True)
class Verdict:
    """`valid` or `rejected`, the broken rules' codes, and how both barriers came to it."""

    status: str
    broken: tuple[str, ...]
    barriers: tuple[BarrierResult, ...]

    def __str__(self) -> str:
        """The verdict in one line, as an outcome reads: `valid` or `rejected: CODE, CODE`."""
        return ": ".join(filter(None, (self.status, ", ".join(self.broken))))


class Rule(NamedTuple):
    """A question to a reply: its code, its words for people, and the function that answers."""

    code: str
    question: Sentence
    judge: Callable[[Any], Finding]


def judge_reply(reply: Reply, ticket: Ticket, looked_up: Mapping[str, str]) -> Verdict:
    """Put the reply to both barriers. A reply of any type and size gets a verdict."""
    return run_barriers(SCHEMA_RULES, BUSINESS_RULES, reply, ticket, looked_up)


def run_barriers(
    schema_rules: tuple[Rule, ...],
    business_rules: tuple[Rule, ...],
    reply: Reply,
    ticket: Ticket,
    looked_up: Mapping[str, str],
) -> Verdict:
    """Put the reply to the rules of both barriers. The second is run only when the first has passed."""
    schema = _run(say("Schema"), schema_rules, reply, stop_at_first=True)
    if schema.state is State.PASSED:
        judged = Judged(read_json(str(reply.content)), ticket, looked_up)
        business = _run(say("Business rules"), business_rules, judged, stop_at_first=False)
    else:
        business = BarrierResult(say("Business rules"), State.NOT_RUN, tuple(_not_run(business_rules)))
    barriers = (schema, business)
    broken = tuple(rule.code for barrier in barriers for rule in barrier.rules if rule.state is State.FAILED)
    return Verdict("rejected" if broken else "valid", broken, barriers)


def _run(name: Sentence, rules: tuple[Rule, ...], subject: object, stop_at_first: bool) -> BarrierResult:
    results: list[RuleResult] = []
    failed = False
    for rule in rules:
        if failed and stop_at_first:
            results.extend(_not_run((rule,)))
            continue
        passed, evidence = rule.judge(subject)
        failed = failed or not passed
        state = State.PASSED if passed else State.FAILED
        results.append(RuleResult(rule.code, rule.question, state, evidence, rule.judge))
    return BarrierResult(name, State.FAILED if failed else State.PASSED, tuple(results))


def _not_run(rules: tuple[Rule, ...]) -> Iterator[RuleResult]:
    return (RuleResult(rule.code, rule.question, State.NOT_RUN, function=rule.judge) for rule in rules)


# Barrier 1: each rule may rely on those before it.


def the_reply_is_whole(reply: Reply) -> Finding:
    """`length` means that the model was cut off by a limit on tokens."""
    if reply.finish_reason == "length":
        return Finding(False, say("The model stopped at its limit of tokens."))
    if reply.finish_reason is None:
        return Finding(True, say("Why the model stopped is not recorded; nothing says that it was cut off."))
    return Finding(True, say("finish_reason is {reason}.", reason=reply.finish_reason))


def the_model_did_not_refuse(reply: Reply) -> Finding:
    """A refusal comes in a field of its own, or as a provider's content filter."""
    if reply.refusal:
        return Finding(False, say("The model refused: {words}", words=reply.refusal))
    if reply.finish_reason == "content_filter":
        return Finding(False, say("The provider's content filter withheld the reply."))
    return Finding(True, say("The response holds no refusal."))


def the_reply_is_not_empty(reply: Reply) -> Finding:
    """No content at all, or nothing but white space."""
    if isinstance(reply.content, str) and reply.content.strip():
        return Finding(True, say("{length} characters.", length=len(reply.content)))
    return Finding(False, say("The response holds no text."))


def the_reply_is_json(reply: Reply) -> Finding:
    """Read as strictly as a tool's arguments."""
    try:
        read_json(str(reply.content))
    except NotJson as error:
        return Finding(False, error.why)
    return Finding(True, say("One JSON value."))


def the_reply_fits_the_schema(reply: Reply) -> Finding:
    """The same schema that the request sent as strict structured output."""
    problem = first_problem(REPLY_SCHEMA, read_json(str(reply.content)))
    if problem is None:
        return Finding(True, say("Every field is there and of the right type."))
    return Finding(False, problem.why)


SCHEMA_RULES: tuple[Rule, ...] = (
    Rule("reply_cut_off", say("The reply is whole"), the_reply_is_whole),
    Rule("reply_refused", say("The model did not refuse to reply"), the_model_did_not_refuse),
    Rule("reply_empty", say("There is a reply"), the_reply_is_not_empty),
    Rule("reply_not_json", say("The reply is JSON"), the_reply_is_json),
    Rule("reply_not_in_schema", say("The reply fits the schema"), the_reply_fits_the_schema),
)


# Barrier 2: the support desk's rules on what a well-formed reply may say.


def the_order_stands_in_the_ticket(judged: Judged) -> Finding:
    """Support policy: the assistant speaks only of an order that the customer named. Whole IDs count."""
    if judged.reply["order"] is None:
        return Finding(True, say("The reply names no order."))
    order_id = judged.reply["order"]["order_id"]
    if stands_in(order_id, judged.ticket.text):
        return Finding(True, say("{order_id} appears in the ticket.", order_id=order_id))
    return Finding(False, say("{order_id} does not appear in the ticket.", order_id=order_id))


def stands_in(order_id: str, text: str) -> bool:
    """Whether the whole ID stands in the text: LK-551902 does not stand in one that says LK-5519023."""
    return re.search(rf"(?<!\w)(?<!\w-){re.escape(order_id)}(?!\w)(?!-\w)", text) is not None


def the_status_is_from_the_lookup(judged: Judged) -> Finding:
    """Support policy: a status is stated only as this run's lookup returned it for that very order."""
    order = judged.reply["order"]
    if order is None or order["status"] is None:
        return Finding(True, say("The reply states no status."))
    values = {"order_id": order["order_id"], "status": order["status"]}
    if order["order_id"] not in judged.looked_up:
        return Finding(False, say("No lookup returned {order_id}, but the reply says {status}.", **values))
    found = judged.looked_up[order["order_id"]]
    if found == order["status"]:
        return Finding(True, say("The lookup of {order_id} returned {status}.", **values))
    return Finding(
        False,
        say("The lookup of {order_id} returned {found}, but the reply says {status}.", found=found, **values),
    )


BUSINESS_RULES: tuple[Rule, ...] = (
    Rule("order_not_in_ticket", say("The reply's order appears in the ticket"), the_order_stands_in_the_ticket),
    Rule("status_not_from_lookup", say("The order's status comes from the lookup"), the_status_is_from_the_lookup),
)
