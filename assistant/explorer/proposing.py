"""Owns the page on which one puts a proposal of one's own to the checks, over the sample orders."""

import streamlit as st

from assistant.events import Decided, Proposed
from assistant.explorer import frame, put, told_apart, trying
from assistant.explorer.cases import ProposalCase, cases
from assistant.explorer.decided import decision_shown
from assistant.explorer.language import Language
from assistant.explorer.markup import Article, article, block, fold, sentence, shown
from assistant.explorer.so_far import asked_for
from assistant.explorer.trying import Field, Values
from assistant.explorer.view import View
from assistant.loop import decide
from assistant.model import log_line
from assistant.orders import OrderBook
from assistant.sentence import say
from assistant.ticket import Ticket

PAGE = "proposal"
FIELDS = (
    Field("tool", say("Tool name")),
    Field("arguments", say("Arguments, as the model wrote them"), 140),
    Field("customer", say("Customer of the ticket")),
)


def page() -> None:
    """Draw the page for the address as it is."""
    prepared = {case.name: case for case in cases().proposals}
    values = {name: values_of(case) for name, case in prepared.items()}
    place, asked, wrong = trying.read(values)
    language = frame.language_of(place)
    frame.top(PAGE, place, language)
    left, right = st.columns([4, 8], gap="large")
    with left, st.container(key="panel"):
        frame.title(say("Try a proposal"), language)
        said = say(
            "Be the model: propose what you like. The checks decide, over the sample orders, and nobody is told."
        )
        put.html(f'<p class="lead">{sentence(said, language)}</p>')
        trying.form(PAGE, place, asked, FIELDS, prepared, values, language)
    with right, st.container(key="result"):
        frame.notices(wrong, language)
        put.html(_result(asked, language))
        heading = sentence(say("Can the model tell a missing order from somebody else's?"), language)
        put.html(f"<h2>{heading}</h2>{told_apart.drawn(told_apart.compare(), language)}")
    frame.script(language, PAGE)


def values_of(case: ProposalCase) -> Values:
    """A prepared case as it would be typed."""
    values = {"tool": case.tool, "arguments": case.arguments, "customer": case.ticket.customer_id or ""}
    return {name: trying.typable(value) for name, value in values.items()}


def _result(asked: Values, language: Language) -> str:
    customer = asked["customer"] or None
    ticket = Ticket("", customer, "")
    proposal = Proposed(1, 1, 1, "", False, asked["tool"], asked["arguments"])
    decided = Decided(proposal, decide(proposal, ticket, OrderBook()), 0.0)
    order_id = asked_for(proposal)
    view = View(language, None, {order_id: len(order_id)} if order_id else {})
    call = block(f"{shown(asked['tool'])}({shown(asked['arguments'], view.marks)})", language, say("The proposal"))
    line = block(shown(log_line(ticket, decided)), language, say("The line of the decision log"))
    log = fold(view.says(say("The whole line of the decision log")), line)
    title = view.says(say("Checks the proposal: {outcome}", outcome=decided.decision.outcome))
    return article(
        Article("application current", view.says(say("application")), f"<span data-announce>{title}</span>", "decided"),
        f"{call}{decision_shown(decided.decision, view)}{log}",
    )
