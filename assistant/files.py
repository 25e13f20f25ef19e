"""Owns reading the project's own text files (SQL, prompt) so that a broken one is named with its line."""

from pathlib import Path


class FileError(Exception):
    """A file of the project cannot be used: its name, the line if one is known, and the reason."""

    def __init__(self, file: str, line: int | None, reason: str) -> None:
        super().__init__(f"{file}, line {line}: {reason}" if line else f"{file}: {reason}")
        self.file = file
        self.line = line
        self.reason = reason


def read_text(path: Path) -> str:
    """Return the file's text, in UTF-8 with or without a byte order mark. Raises FileError."""
    try:
        content = path.read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise FileError(path.name, None, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise FileError(path.name, line, "not text in UTF-8") from error
