"""Owns the page on which one puts a reply of one's own to the two barriers."""

import streamlit as st

from assistant.barriers import Reply, judge_reply
from assistant.explorer import frame, put, trying
from assistant.explorer.cases import ReplyCase, cases
from assistant.explorer.decided import verdict_shown
from assistant.explorer.language import Language
from assistant.explorer.markup import Article, article, block, sentence, shown
from assistant.explorer.trying import Field, Values
from assistant.explorer.view import View, raw
from assistant.sentence import Sentence, say
from assistant.ticket import Ticket

PAGE = "reply"
FIELDS = (
    Field("reply", say("The reply, as the model wrote it"), 200),
    Field("ticket", say("The ticket's text"), 90),
    Field("returned", say("What the lookups returned, one a line: order ID, colon, status"), 70),
    Field("finish", say("Why the model stopped (finish_reason)")),
    Field("refusal", say("A refusal in place of a reply, if any")),
)


def page() -> None:
    """Draw the page for the address as it is."""
    prepared = {case.name: case for case in cases().replies}
    values = {name: values_of(case) for name, case in prepared.items()}
    place, asked, wrong = trying.read(values)
    language = frame.language_of(place)
    frame.top(PAGE, place, language)
    looked_up, unread = read_lookups(asked["returned"])
    left, right = st.columns([4, 8], gap="large")
    with left, st.container(key="panel"):
        frame.title(say("Try a reply"), language)
        said = say("Be the model: answer the ticket. Two barriers judge the reply before anybody is sent it.")
        put.html(f'<p class="lead">{sentence(said, language)}</p>')
        trying.form(PAGE, place, asked, FIELDS, prepared, values, language)
    with right, st.container(key="result"):
        frame.notices([*wrong, *unread], language)
        put.html(_result(asked, looked_up, language))
    frame.script(language, PAGE)


def values_of(case: ReplyCase) -> Values:
    """A prepared case as it would be typed."""
    reply = case.reply
    values = {
        "reply": raw(reply.content) if reply.content is not None else "",
        "ticket": case.ticket.text,
        "returned": "\n".join(f"{order_id}: {status}" for order_id, status in case.looked_up.items()),
        "finish": str(reply.finish_reason or ""),
        "refusal": str(reply.refusal or ""),
    }
    return {name: trying.typable(value) for name, value in values.items()}


def read_lookups(text: str) -> tuple[dict[str, str], list[Sentence]]:
    """Return order IDs with their status, and a notice for each line that is none. Nothing of a line is repaired but
    the spaces around its two parts."""
    looked_up, unread = {}, []
    for number, line in enumerate(text.split("\n"), start=1):
        order_id, colon, status = (part.strip() for part in line.partition(":"))
        if colon and order_id and status:
            looked_up[order_id] = status
        elif line.strip():
            unread.append(say("Lookups, line {number}: expected an order ID, a colon and a status.", number=number))
    return looked_up, unread


def _result(asked: Values, looked_up: dict[str, str], language: Language) -> str:
    reply = Reply(asked["reply"], asked["refusal"] or None, asked["finish"] or None)
    verdict = judge_reply(reply, Ticket("", None, asked["ticket"]), looked_up)
    view = View(language, None, {})
    text = block(shown(asked["reply"]), language, say("The reply"))
    log = block(shown(str(verdict)), language, say("The verdict for the log"))
    title = view.says(say("Two barriers: {verdict}", verdict=verdict))
    return article(
        Article("application current", view.says(say("application")), f"<span data-announce>{title}</span>", "judged"),
        f"{text}{verdict_shown(verdict, view)}<h3>{view.says(say('The log reads'))}</h3>{log}",
    )
