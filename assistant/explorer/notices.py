"""Owns what the page says beside the loop itself: a wrong address, files left out, code that stopped or decides
otherwise. All of it is HTML made here with every value escaped; nothing of it is Markdown."""

from collections.abc import Iterable

from assistant.recording import RecordingError
from assistant.sentence import Sentence, say

from .failure import Failure
from .language import Language
from .markup import sentence


def notice(language: Language, *said: Sentence) -> str:
    """Sentences set apart, each on its own line."""
    lines = "".join(f"<p>{sentence(one, language)}</p>" for one in said)
    return f'<div class="notice" role="status">{lines}</div>'


def failure(stopped: Failure, language: Language) -> str:
    """Where the code stopped, and why."""
    where = say("{file} stops the loop.", file=stopped.file)
    if stopped.line:
        where = say("{file}, line {line} stops the loop.", file=stopped.file, line=stopped.line)
    what = sentence(say("{what}", what=stopped.what), language)
    help_ = sentence(say("Save the file again when it is mended: the page follows."), language)
    head = sentence(where, language)
    return (
        f'<div class="notice failure" role="alert"><strong>{head}</strong><p lang="en">{what}</p><p>{help_}</p></div>'
    )


def left_out(errors: Iterable[RecordingError], language: Language) -> str:
    """The files in the folder of recordings that are none, each with its place and what was expected there."""
    items = []
    for error in errors:
        place = f"{sentence(say('At {place}:', place=error.place), language)} " if error.place else ""
        file = sentence(say("{file} is left out.", file=error.file), language)
        items.append(f"<p><strong>{file}</strong> {place}{sentence(error.expected, language)}</p>")
    return f'<div class="notice" role="status">{"".join(items)}</div>'
