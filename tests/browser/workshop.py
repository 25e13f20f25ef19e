"""Owns a project folder whose files a test edits while the page is open, as a learner does."""

import os
from pathlib import Path

from .server import Server


class Workshop:
    """A served copy of the project, and what has been changed in it."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.before: dict[Path, bytes | None] = {}
        self.server = Server(project)

    def read(self, name: str) -> str:
        return (self.project / name).read_text(encoding="utf-8")

    def save(self, name: str, text: str) -> Path:
        """Save a file in its place, as most editors do."""
        path = self._keep(name)
        path.write_text(text, encoding="utf-8")
        return path

    def replace(self, name: str, text: str, changed_ns: int | None = None) -> None:
        """Save a file by putting a new one in its place, as other editors do; `changed_ns` sets its time."""
        path = self._keep(name)
        saved = self.project / f"{path.name}.new"
        saved.write_text(text, encoding="utf-8")
        if changed_ns is not None:
            os.utime(saved, ns=(changed_ns, changed_ns))
        saved.replace(path)

    def edit(self, name: str, old: str, new: str) -> None:
        """Save the file with a passage changed. The passage has to be there once."""
        text = self.read(name)
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.save(name, text.replace(old, new))

    def replace_within_the_same_second(self, name: str, text: str) -> None:
        """Save a file so that only the fraction of a second of its time differs from what it was."""
        was = (self.project / name).stat().st_mtime_ns
        second = was // 1_000_000_000 * 1_000_000_000
        self.replace(name, text, second + (was - second + 1_000_000) % 1_000_000_000)

    def remove(self, name: str) -> None:
        self._keep(name).unlink()

    def put_back(self) -> None:
        """Undo every change."""
        for path, content in self.before.items():
            if content is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(content)
        self.before = {}

    def _keep(self, name: str) -> Path:
        path = self.project / name
        self.before.setdefault(path, path.read_bytes() if path.exists() else None)
        return path
