"""Owns the last resort: when the page itself cannot be drawn, it names file and line, and follows the next save."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from . import fresh
from .failure import failure_of
from .language import LANGUAGES, of_browser
from .notices import failure


@contextmanager
def guarded() -> Iterator[None]:
    """Draw what is inside, and its failure in place of it if it fails."""
    try:
        yield
    except (Exception, SystemExit) as error:
        if fresh.is_outdated():
            st.rerun()
        language = LANGUAGES.get(st.query_params.get("lang", "")) or of_browser(st.context.locale)
        st.html(failure(failure_of(error), language))
