"""Owns what the page says beside the loop itself: a wrong address, files left out, code that stopped or decides
otherwise. All of it is HTML made here with every value escaped; nothing of it is Markdown."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.sentence import Sentence, say

from .failure import Failure
from .language import Language
from .markup import sentence, shown

if TYPE_CHECKING:
    from assistant.recording import RecordingError


def notice(language: Language, *said: Sentence) -> str:
    """Sentences set apart, each on its own line."""
    lines = "".join(f"<p>{sentence(one, language)}</p>" for one in said)
    return f'<div class="notice" role="status">{lines}</div>'


def failure(stopped: Failure, language: Language) -> str:
    """Where the code stopped, and why."""
    where = say("{file} stops the loop.", file=stopped.file)
    if stopped.line:
        where = say("{file}, line {line} stops the loop.", file=stopped.file, line=stopped.line)
    help_ = sentence(say("Save the file again once it is fixed: the page follows."), language)
    head = sentence(where, language)
    return (
        f'<div class="notice failure" role="alert"><strong>{head}</strong>{_why(stopped, language)}<p>{help_}</p></div>'
    )


def left_out(errors: "Iterable[RecordingError]", language: Language) -> str:
    """The files in the folder of recordings that are none, each with its place and what was expected there."""
    items = []
    for error in errors:
        file = sentence(say("{file} is left out.", file=error.file), language)
        items.append(f"<p><strong>{file}</strong> {sentence(error.why, language)}</p>")
    return f'<div class="notice" role="status">{"".join(items)}</div>'


def _why(stopped: Failure, language: Language) -> str:
    """Our own words in the page's language; Python's are English, whatever the page's."""
    if isinstance(stopped.why, Sentence):
        return f"<p>{sentence(stopped.why, language)}</p>"
    return f'<p lang="en" class="data">{shown(stopped.why)}</p>'
