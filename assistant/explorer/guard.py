"""Owns the last resort: when the page itself cannot be drawn, it names file and line, and follows the next save."""

import html
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from . import fresh


@contextmanager
def guarded() -> Iterator[None]:
    """Draw what is inside, and its failure in place of it if it fails."""
    try:
        yield
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        if fresh.is_outdated():
            st.rerun()
        st.set_page_config(layout="wide")
        st.html(_notice(error))


def _notice(error: BaseException) -> str:
    try:
        failures, notices = fresh.load("assistant.explorer.failure"), fresh.load("assistant.explorer.notices")
        languages = fresh.load("assistant.explorer.language")
        language = languages.LANGUAGES.get(st.query_params.get("lang", "")) or languages.of_browser(st.context.locale)
        return str(notices.failure(failures.failure_of(error), language))
    except Exception:  # what draws a notice is broken too
        place = traceback.extract_tb(error.__traceback__)[-1]
        file, line = getattr(error, "filename", None) or place.filename, getattr(error, "lineno", place.lineno)
        return f"<p>{html.escape(f'{Path(file).name}, line {line}: {error}')}</p>"
