"""Owns turning text from outside into HTML that shows it as it is: escaped, invisible characters made visible,
order IDs marked, reconstructed values underlined. Every value of a card goes through here.
"""

import html
import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from string import Formatter
from types import MappingProxyType
from typing import NamedTuple

from assistant.schema import pointer
from assistant.sentence import Sentence, say

from .language import Language

# Line end and tab show themselves; other control, format, surrogate and private characters can hide or reorder text.
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


# What to mark in texts: order IDs as whole words, each with how many of its first characters somebody wrote.
# A count below the ID's length means that the rest is the model's invention.
Marks = Mapping[str, int]
NO_MARKS: Marks = MappingProxyType({})


def shown(text: str, marks: Marks = NO_MARKS, write: Callable[[str], str] = str) -> str:
    """The text as HTML: nothing in it takes effect, and the marked IDs stand out. `write` puts each part of it into
    another notation, which could hide where an ID begins (`\\nLK-581106` in JSON)."""
    found = [order_id for order_id in marks if order_id in text]
    if not found:
        return _escaped(write(text))
    longest_first = sorted(found, key=len, reverse=True)
    pattern = "|".join(re.escape(order_id) for order_id in longest_first)
    pieces = re.split(rf"(?<!\w)(?<!\w-)({pattern})(?!\w)(?!-\w)", text)
    return "".join(
        _marked(piece, marks[piece], write) if index % 2 else _escaped(write(piece))
        for index, piece in enumerate(pieces)
    )


def _marked(order_id: str, written: int, write: Callable[[str], str]) -> str:
    end = _escaped(write(order_id[written:]))
    invented = f'<span class="invented">{end}</span>' if written < len(order_id) else ""
    return f'<mark class="id">{_escaped(write(order_id[:written]))}{invented}</mark>'


def _escaped(text: str) -> str:
    if not text.isascii() or not text.isprintable():
        text = "".join(map(_visible, text))
    return html.escape(text)


def _visible(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in _HIDDEN:
        return character
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def sentence(said: Sentence, language: Language, marks: Marks = NO_MARKS) -> str:
    """The sentence as HTML in the page's language, its values set off as data."""
    values = dict(said.values)
    parts = []
    for literal, gap in _parts(language.template(said)):
        parts.append(literal)
        if gap is not None:
            kind = "" if values.get(gap, gap)[:1].isdigit() else ' class="data"'
            parts.append(f"<bdi{kind}>{shown(values.get(gap, gap), marks)}</bdi>")
    return "".join(parts)


@lru_cache(maxsize=2000)
def _parts(template: str) -> tuple[tuple[str, str | None], ...]:
    """What stands between a template's gaps, as HTML, each with the gap that follows it."""
    return tuple((html.escape(literal), gap) for literal, gap, _, _ in Formatter().parse(template))


_JOINER = "\N{WORD JOINER}"
_MARKS = re.compile(r"[\\`*\[\]<>$~|#!{}&]|(?<![^\W_])_|_(?![^\W_])|^[-+=]|(?<=\d)[.)](?=\s)", re.MULTILINE)
# What no backslash keeps from becoming a link, an icon or a symbol.
_JOINED = re.compile(r":(?=\S)|(?<=www)(?=\.)|(?=@)|(?<=[-<>~])(?=[-=])|(?<=-)(?=>)", re.IGNORECASE)


def label(said: Sentence, language: Language) -> str:
    """The sentence for a widget's label, which renders Markdown: nothing in it takes effect there. What would not is
    left alone, for the label as it is written here is also what a screen reader says."""
    joined = _JOINED.sub(lambda found: found[0] + _JOINER, " ".join(language.tell(said).split()))
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", joined)


def json_text(
    value: object,
    marks: Marks = NO_MARKS,
    kind: Callable[[str], str] = lambda _place: "",
    place: str = "",
    indent: int | None = 0,
) -> str:
    """JSON as indented HTML text. `kind` names what sets off the value at a place (a JSON Pointer), if anything:
    `reconstructed` or `leaked`. Without an `indent` all is on one line."""
    inner = "" if indent is None else "\n" + "  " * (indent + 1)
    deeper, end = (None, "") if indent is None else (indent + 1, "\n" + "  " * indent)
    comma = ", " if indent is None else ","
    if isinstance(value, dict) and value:
        lines = [
            f"{inner}{_scalar(str(key), marks)}: {json_text(item, marks, kind, place + pointer([key]), deeper)}"
            for key, item in value.items()
        ]
        return "{" + comma.join(lines) + end + "}"
    if isinstance(value, list | tuple) and value:
        lines = [inner + json_text(item, marks, kind, f"{place}/{index}", deeper) for index, item in enumerate(value)]
        return "[" + comma.join(lines) + end + "]"
    text, is_of = _scalar(value, marks), kind(place)
    return f'<span class="{is_of}">{text}</span>' if is_of else text


def _scalar(value: object, marks: Marks) -> str:
    if isinstance(value, str):
        return f"&quot;{shown(value, marks, lambda part: json.dumps(part, ensure_ascii=False)[1:-1])}&quot;"
    return shown(json.dumps(value, ensure_ascii=False, default=str))


def block(content: str, language: Language, label: Sentence, recorded_in: str | None = None) -> str:
    """A block of data (HTML made here) that can be copied. `recorded_in` is the data's own language (BCP 47)."""
    own = f' lang="{html.escape(recorded_in)}"' if recorded_in else ""
    name = html.escape(language.tell(label))
    copy = html.escape(language.tell(say("Copy")))
    copy_name = html.escape(language.tell(say("Copy: {name}", name=language.tell(label))))
    copied = html.escape(language.tell(say("Copied")))
    kind = "block" if content.startswith(("{", "[")) else "block line"
    return (
        f'<div class="{kind}"><pre tabindex="0" role="group" aria-label="{name}"{own}>{content}</pre>'
        f'<button type="button" data-copy data-done="{copied}" aria-label="{copy_name}">{copy}</button></div>'
    )


def fold(title: str, content: str, is_long: bool = False) -> str:
    """Something that can be unfolded. Both are HTML made here. What is long and stands elsewhere too is not printed."""
    kind = ' class="long"' if is_long else ""
    return f"<details{kind}><summary>{title}</summary>{content}</details>"


class Article(NamedTuple):
    """What stands in the head of a card: who acts, as a class and as HTML, a title as HTML, an ID, and a number."""

    actor: str
    who: str
    title: str
    id: str
    number: int | None = None


def article(head: Article, content: str) -> str:
    """A card. Title, actor and content are HTML made here."""
    step = "" if head.number is None else f' data-step="{head.number}"'
    number = "" if head.number is None else f'<span class="number" aria-hidden="true">{head.number}</span>'
    return (
        f'<article class="card {head.actor}"{step} aria-labelledby="{head.id}"><header>{number}'
        f'<h2 id="{head.id}">{head.title}</h2><span class="who">{head.who}</span></header>{content}</article>'
    )
