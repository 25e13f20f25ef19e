"""Owns the question whether the model can tell a missing order from somebody else's: two results, byte by byte."""

import json
from typing import NamedTuple

from assistant.orders import OrderBook
from assistant.sentence import Sentence, say
from assistant.tools import run_tool

from .cases import ANOTHERS, MISSING, ProposalCase
from .language import Language
from .markup import block, sentence, shown


class Told(NamedTuple):
    """One proposal's result as the model reads it (UTF-8), and the outcome for the log."""

    case: ProposalCase
    result: bytes
    outcome: str


class Compared(NamedTuple):
    """Two results: where their bytes differ, and whether all of that is what the model itself wrote."""

    one: Told
    other: Told
    differing: frozenset[int]
    is_the_models_own: bool


def compare(one: ProposalCase = MISSING, other: ProposalCase = ANOTHERS) -> Compared:
    """Ask the running `run_tool` both, over the sample orders."""
    book = OrderBook()
    first, second = _told(one, book), _told(other, book)
    length = max(len(first.result), len(second.result))
    differing = frozenset(
        index for index in range(length) if first.result[index : index + 1] != second.result[index : index + 1]
    )
    return Compared(first, second, differing, _only_ids_differ(first.result, _asked(one), second.result, _asked(other)))


def drawn(compared: Compared, language: Language) -> str:
    """Both results with the bytes marked that differ, both lines of the log, and the answer, as HTML."""
    cells = "".join(_cell(told, compared.differing, language) for told in (compared.one, compared.other))
    said = sentence(answer(compared), language)
    return f'<div class="told-apart"><div class="cells">{cells}</div><p><strong>{said}</strong></p></div>'


def answer(compared: Compared) -> Sentence:
    """What the bytes say."""
    length = max(len(compared.one.result), len(compared.other.result))
    if not compared.is_the_models_own:
        return say(
            "Yes: of {all} bytes {differing} differ, and not only in the order ID.",
            all=length,
            differing=len(compared.differing),
        )
    return say(
        "No: of {all} bytes {same} are the same, and the others are the order ID that the model itself wrote. Only the"
        " log tells {one} from {other}.",
        all=length,
        same=length - len(compared.differing),
        one=compared.one.outcome,
        other=compared.other.outcome,
    )


def _told(case: ProposalCase, book: OrderBook) -> Told:
    result, outcome = run_tool(case.tool, case.arguments, str(case.ticket.customer_id), book)
    return Told(case, json.dumps(result).encode(), outcome)


def _only_ids_differ(one: bytes, own: bytes, other: bytes, others: bytes) -> bool:
    """Whether both say the same where neither names, at the same place, the ID that it was asked for."""
    at, there = 0, 0
    while at < len(one) or there < len(other):
        if one.startswith(own, at) and other.startswith(others, there):
            at, there = at + len(own), there + len(others)
        elif one[at : at + 1] == other[there : there + 1]:
            at, there = at + 1, there + 1
        else:
            return False
    return True


def _asked(case: ProposalCase) -> bytes:
    return str(json.loads(case.arguments)["order_id"]).encode()


def _cell(told: Told, differing: frozenset[int], language: Language) -> str:
    # The result is ASCII (json.dumps), so that a byte is a character.
    text = "".join(
        f'<mark class="differs">{shown(chr(byte))}</mark>' if index in differing else shown(chr(byte))
        for index, byte in enumerate(told.result)
    ).replace('</mark><mark class="differs">', "")
    title = f"<h3>{sentence(told.case.title, language)}</h3>"
    reads = block(text, language, say("The result for the model"), "en")
    return f"<div>{title}{reads}{block(shown(told.outcome), language, say('The outcome for the log'))}</div>"
