"""Owns the request to the model: system text, ticket, conversation so far, tools and the reply's schema.

It never sends a customer ID: what the model does not know, it can neither leak nor choose.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import tools
from .barriers import REPLY_SCHEMA
from .files import FileError, read_text
from .response import Message
from .sentence import say
from .ticket import Ticket

PROMPT = Path(__file__).with_name("prompt.md")
MODEL = "chat-small"


def build_request(ticket: Ticket, conversation: Sequence[Message] = ()) -> dict[str, Any]:
    """Return a Chat Completions request. `conversation` is what followed the ticket. Reads `prompt.md` each time
    (FileError when it can't)."""
    system: Message = {"role": "system", "content": read_text(PROMPT)}
    user: Message = {"role": "user", "content": fenced(ticket.text)}
    return {
        "model": MODEL,
        "messages": [system, user, *conversation],
        "tools": _tools(),
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": REPLY_SCHEMA},
        },
    }


def _tools() -> list[dict[str, Any]]:
    described = getattr(tools, "TOOLS", None)
    if not isinstance(described, list):
        raise FileError("tools.py", None, say("There is no list TOOLS in this file."))
    return described


def fenced(text: str) -> str:
    """Put the text between fences longer than any run of backticks in it, so that it can't close them
    (CommonMark's rule for code fences)."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}ticket\n{text}\n{fence}"
