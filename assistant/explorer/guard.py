"""Owns the last resort: when the page itself cannot be drawn, it names file and line, and follows the next save."""

import html
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from . import fresh
from .failure import failure_of


@contextmanager
def guarded() -> Iterator[None]:
    """Draw what is inside, and its failure in place of it if it fails."""
    try:
        yield
    except (Exception, SystemExit) as error:
        if fresh.is_outdated():
            st.rerun()
        st.html(_notice(error))


def _notice(error: BaseException) -> str:
    failure = failure_of(error)
    try:
        languages, notices = fresh.load("assistant.explorer.language"), fresh.load("assistant.explorer.notices")
        language = languages.LANGUAGES.get(st.query_params.get("lang", "")) or languages.of_browser(st.context.locale)
        return str(notices.failure(failure, language))
    except Exception:  # what draws a notice is broken too
        return f"<p>{html.escape(f'{failure.file}, line {failure.line}: {failure.why}')}</p>"
