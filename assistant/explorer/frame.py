"""Owns what is on every page: its look, the links between the pages, the language switch, and its script."""

import hashlib
import json
from html import escape
from urllib.parse import urlencode

import streamlit as st

from assistant.sentence import Sentence, say

from . import put
from .address import Located
from .language import LANGUAGES, Language, of_browser
from .markup import sentence
from .navigation import go
from .notices import notice
from .site import PAGES, link

MAX_ADDRESS = 8000


def language_of(place: Located) -> Language:
    """The language that the address asks for, or the browser's."""
    return LANGUAGES[place.setting.lang] if place.setting.lang else of_browser(st.context.locale)


def top(path: str, place: Located, language: Language) -> None:
    """The page's look, and the line above it: the other pages, what can be done with this one, the other language."""
    title = f"{language.tell(PAGES[path])} – {language.tell(say('Tool-loop explorer'))}"
    st.set_page_config(page_title=title, layout="wide")
    put.style_of("style.css", *(["presenting.css"] if place.setting.presenting else []))
    put.script_of("page.js")
    with st.container(key="top", horizontal=True, wrap=False, vertical_alignment="center"):
        put.html(_links(path, place, language))
        for other in LANGUAGES.values():
            if other != language:
                st.button(
                    other.name,
                    key="language",
                    type="tertiary",
                    icon=":material/translate:",
                    on_click=go,
                    args=(place.with_setting(place.setting._replace(lang=other.code)),),
                )


def title(words: Sentence, language: Language) -> None:
    """The page's heading."""
    put.html(f"<h1>{sentence(words, language)}</h1>")


def notices(said: list[Sentence], language: Language) -> None:
    """What was wrong with the address. The container is there also when nothing was, or what follows would be drawn
    anew when something is."""
    with st.container(key="notices"):
        if said:
            put.html(notice(language, *said))


def script(
    language: Language,
    page: str,
    chosen: int = -1,
    step: int = 0,
    answered: int = 0,
    edge: int = 0,
    opened: str = "",
    rows: str = "",
) -> None:
    """Tell the browser what is drawn: the language, which page, ticket and step, how many questions are answered, how
    often somebody pressed at an end, what is open beside a table and which rows that table has (any names), and the
    address that it was drawn for, in which nothing can take effect."""
    address = urlencode(st.query_params.to_dict())
    drawn = {
        "tag": language.tag,
        "page": page,
        "chosen": chosen,
        "step": step,
        "answered": answered,
        "edge": edge,
        "opened": _named(opened),
        "rows": _named(rows),
        "address": address if len(address) <= MAX_ADDRESS else None,
    }
    # Streamlit promises no order of scripts: whichever of the two comes last draws.
    put.script(f"window.toolLoopDrawn = {json.dumps(drawn)}; window.toolLoopPage?.(window.toolLoopDrawn);")


def _links(path: str, place: Located, language: Language) -> str:
    setting = place.setting
    current = ' aria-current="page"'
    pages = "".join(
        f'<li><a href="{escape(link(name, setting))}" data-here data-key="page-{name}"'
        f"{current if name == path else ''}>"
        f"{sentence(words, language)}</a></li>"
        for name, words in PAGES.items()
    )
    nav = f'<nav aria-label="{escape(language.tell(say("Pages")))}"><ul>{pages}</ul></nav>'
    words = say("Leave the presentation") if setting.presenting else say("Present")
    other = place.with_setting(setting._replace(presenting=not setting.presenting))
    present = f'<a href="{escape(link(path, other))}" data-here data-key="present">{sentence(words, language)}</a>'
    copy = say("Copy a link to this step") if not path else say("Copy a link to this page")
    done = escape(language.tell(say("Copied")))
    button = (
        f'<button type="button" data-copy-link data-key="link" data-done="{done}">{sentence(copy, language)}</button>'
    )
    return f'{"" if setting.presenting else nav}<p class="tools">{button}{present}</p>'


def _named(text: str) -> str:
    """A name for the script in which nothing can take effect."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:12] if text else ""
