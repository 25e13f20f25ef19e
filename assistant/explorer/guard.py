"""Owns the last resort: when the page itself cannot be drawn, it names file and line, and follows the next save."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from . import fresh
from .failure import failure_of
from .language import ENGLISH, LANGUAGES, of_browser
from .notices import failure


@contextmanager
def guarded() -> Iterator[None]:
    """Draw what is inside with the code as it is saved now, and its failure in place of it if it fails."""
    with fresh.code():
        try:
            yield
        except Exception as error:
            language = LANGUAGES.get(st.query_params.get("lang", ""), of_browser(st.context.locale) or ENGLISH)
            st.html(failure(failure_of(error), language))
