"""Owns reading the project's own text files (SQL, prompt) so that a broken one is named with its line."""

from pathlib import Path

from .sentence import Sentence, say


class FileError(Exception):
    """A file of the project cannot be used: its name, the line if one is known, and why, as a sentence for people."""

    def __init__(self, file: str, line: int | None, why: Sentence) -> None:
        super().__init__(f"{file}, line {line}: {why}" if line else f"{file}: {why}")
        self.file = file
        self.line = line
        self.why = why


def read_text(path: Path) -> str:
    """Return the file's text, in UTF-8 with or without a byte order mark. Raises FileError."""
    try:
        content = path.read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise FileError(path.name, None, unreadable(error)) from error
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise FileError(path.name, line, say("This is not text in UTF-8.")) from error


def unreadable(error: OSError) -> Sentence:
    """Say what the operating system says, without the path."""
    return say("This cannot be read: {reason}.", reason=error.strerror or type(error).__name__)
