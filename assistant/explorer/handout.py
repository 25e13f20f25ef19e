"""Owns the hand-out: a whole loop as one HTML file that needs nothing else, to print or to keep."""

from dataclasses import replace
from html import escape
from pathlib import Path

import streamlit as st

from assistant.events import Decided
from assistant.sentence import say

from . import notices, panel
from .cards import draw
from .language import Language
from .markup import label, sentence
from .run import Run
from .so_far import model_call_s, order_ids
from .view import View

HERE = Path(__file__).parent


def button(now: Run, language: Language) -> None:
    """Download the hand-out. It is made when somebody asks for it."""
    st.download_button(
        label(say("Hand-out of the whole loop"), language),
        data=lambda: document(now, language),
        file_name=f"{now.recording.ticket.id}.{language.code}.html",
        mime="text/html",
        key="handout",
        icon=":material/print:",
        type="tertiary",
        on_click="ignore",
    )


def document(now: Run, language: Language) -> str:
    """The whole loop as an HTML document in the page's language."""
    recording = now.recording
    view = View(language, recording, order_ids(now.events, recording.ticket.text))
    cards = []
    for number, event in enumerate(now.events, start=1):
        called = model_call_s(now.events, event) if isinstance(event, Decided) else None
        cards.append(draw(event, number, replace(view, model_call_s=called)))
    if now.failure:
        cards.append(notices.failure(now.failure, language))
    name = language.tell(say("Tool-loop explorer"))
    heading = sentence(say("Ticket {ticket}, step by step", ticket=recording.ticket.id), language)
    style = "".join((HERE / file).read_text(encoding="utf-8") for file in ("style.css", "handout.css"))
    # Unfolded, as paper cannot be: no value can hold this tag, as each is escaped.
    body = (panel.draw(now, now.events, view) + "".join(cards)).replace("<details", "<details open")
    return (
        f'<!doctype html>\n<html lang="{language.tag}">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(recording.ticket.id)} – {escape(name)}</title><style>{style}</style></head>\n"
        f'<body class="stApp"><main class="stHtml handout"><h1>{heading}</h1>{body}</main></body>\n</html>\n'
    )
