"""Owns what the tests take from the README: what stands there is what runs."""

import re
import shlex
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def block(heading: str, kind: str, text: str | None = None) -> str:
    """The first block of this kind (`sh`, `nginx`) below this heading. Raises LookupError when there is none."""
    whole = README.read_text(encoding="utf-8") if text is None else text
    pattern = rf"^#+ {re.escape(heading)}$(?:(?!^## ).)*?^```{kind}\n(.*?)^```$"
    found = re.search(pattern, whole, re.MULTILINE | re.DOTALL)
    if not found:
        raise LookupError(f"The README has no {kind} block below {heading!r}.")
    return found[1]


def class_options() -> list[str]:
    """What the README's command for a class adds to `streamlit run explorer_app.py`."""
    command = shlex.split(block("A class at once", "sh"))
    return command[command.index("explorer_app.py") + 1 :]
