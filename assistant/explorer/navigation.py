"""Owns moving: a press writes the whole address, and nothing else remembers where one is.

A press goes on from the address as it is then, not as it was drawn. `page.js` sees to it that a quick second press
comes only when the browser has the first one's address.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from . import address
from .address import Place

EDGE = "edge"


def go(place: Place) -> None:
    """Write the place into the address."""
    st.query_params.from_dict(place.parameters())


def move(tickets: Sequence[str], steps: int, step: Callable[[int], int]) -> None:
    """Go from where the person is to `step` of that, within the loop; note a press at either end."""
    asked, _ = address.read(st.query_params, tickets)
    place, _ = address.clamp(asked, steps)
    wanted = min(max(step(place.step), 0), steps)
    st.session_state[EDGE] = wanted == place.step
    go(place._replace(step=wanted))


def was_at_an_end() -> bool:
    """Whether a press at either end led to this run; asked once a run."""
    return bool(st.session_state.pop(EDGE, False))
