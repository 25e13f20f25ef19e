"""Owns moving: a press writes the whole address, and nothing else remembers where one is.

A press goes on from the address as it is then, not as it was drawn. `page.js` sees to it that a quick second press
comes only when the browser has the first one's address.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from . import address
from .address import Located

EDGE = "edge"
TIMES = "times at an end"


def go(place: Located) -> None:
    """Write the place into the address."""
    st.query_params.from_dict(place.parameters())


def move(
    tickets: Sequence[str],
    steps: int,
    step: Callable[[int], int],
    valid: Callable[[tuple[str, ...]], tuple[str, ...]] = tuple,
) -> None:
    """Go from where the person is to `step` of that, within the loop as far as it may be shown; note a press at
    either end. Who starts over is asked anew. `valid` gives those of the address's guesses that are answers."""
    asked, _ = address.read(st.query_params, tickets)
    place, _ = address.clamp(asked, steps)
    place = place._replace(guesses=None if place.guesses is None else valid(place.guesses))
    wanted = min(max(step(place.step), 0), steps)
    st.session_state[EDGE] = wanted == place.step
    st.session_state[TIMES] = times_at_an_end() + (wanted == place.step)
    go(place._replace(step=wanted) if wanted else place.at_ticket(place.ticket))


def was_at_an_end() -> bool:
    """Whether a press at either end led to this run; asked once a run."""
    return bool(st.session_state.pop(EDGE, False))


def times_at_an_end() -> int:
    """How many presses of this visit have led nowhere."""
    return int(st.session_state.get(TIMES, 0))
