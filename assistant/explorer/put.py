"""Owns putting HTML, styles and scripts made here onto the page, as they are.

Streamlit shows what has a `_repr_html_` as it is. From a plain string it takes away the blanks of lines that hold
nothing else, which may be somebody's data, and that costs a twentieth of a run.
"""

from functools import cache
from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent
READ_ONCE = tuple(path for kind in ("css", "js") for path in HERE.glob(f"*.{kind}"))  # `fresh` watches them


class _AsItIs(str):
    def _repr_html_(self) -> str:
        return str(self)


def html(content: str) -> None:
    """HTML in which every value is escaped."""
    st.html(_AsItIs(content))


def script(content: str) -> None:
    """A script of ours, in which nothing from outside can take effect."""
    st.html(_AsItIs(f"<script>{content}</script>"), unsafe_allow_javascript=True)


def script_of(file: str) -> None:
    """A script of this folder."""
    script(_text(file))


def style_of(*files: str) -> None:
    """Style sheets of this folder."""
    html(f"<style>{''.join(_text(file) for file in files)}</style>")


@cache
def _text(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")
