"""Owns naming the validator that is running: a hash of the source of all that decides and judges, as it was loaded."""

import hashlib
from pathlib import Path

from .fresh import SOURCE, load

MODULES = ("tools", "decision", "barriers", "schema", "strict_json")


def validator() -> str:
    """The SHA-256 of the modules' sources, in hexadecimal digits. It changes with a comment too."""
    digest = hashlib.sha256()
    for name in MODULES:
        module = load(f"assistant.{name}")
        source = module.__dict__.get(SOURCE) or Path(str(module.__file__)).read_text(encoding="utf-8", errors="replace")
        digest.update(f"{name}\0{source}\0".encode())
    return digest.hexdigest()
