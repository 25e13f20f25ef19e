"""Owns which pages there are, in their order, and what a link to one of them looks like."""

from copy import copy
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from assistant.sentence import Sentence, say

from .address import Located, Setting

# By the path in the address; the first is where one arrives. Each is a file in `pages/`.
PAGES: dict[str, Sentence] = {
    "": say("Step through"),
    "exercise": say("Predict"),
    "remove": say("Remove a check"),
    "proposal": say("Try a proposal"),
    "reply": say("Try a reply"),
    "compare": say("Side by side"),
    "review": say("Review"),
}
FILES = Path(__file__).with_name("pages")


def pages() -> list[st.Page]:
    """The pages as Streamlit wants them. It notes in them which one is running, so each run has its own."""
    return [copy(one) for one in _made()]


@cache
def _made() -> tuple[st.Page, ...]:
    return tuple(st.Page(FILES / f"{path or 'step'}.py", default=not path) for path in PAGES)


def link(path: str, place: Located | Setting) -> str:
    """The relative address of a place on a page. Not escaped for HTML."""
    query = urlencode(place.parameters())
    return (path or "./") + (f"?{query}" if query else "")
