"""Owns moving: a press writes the whole address, and nothing else remembers where one is.

One thing has to be kept for that. A quick second press reaches the server with the address from before the first one,
because the browser has not heard of the new one yet. So the places written since the browser last moved by itself are
kept as a trail: an address from the trail is a late one, and its end is where the person really is.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from . import address
from .address import Place

TRAIL = "trail"
PRESSED = "pressed"
EDGE = "edge"


def go(place: Place) -> None:
    """Write the place into the address."""
    st.session_state[TRAIL] = [*st.session_state.get(TRAIL, []), place]
    st.session_state[PRESSED] = True
    st.query_params.from_dict(place.parameters())


def move(tickets: Sequence[str], steps: int, step: Callable[[int], int]) -> None:
    """Go from where the person is to `step` of that, within the loop; note a press at either end."""
    place, _ = address.clamp(_here(tickets), steps)
    wanted = min(max(step(place.step), 0), steps)
    st.session_state[EDGE] = wanted == place.step
    go(place._replace(step=wanted))


def arrived(place: Place) -> bool:
    """Note that a run shows this place. Return whether a press at either end led here."""
    if not st.session_state.pop(PRESSED, False):
        st.session_state[TRAIL] = [place]
    return bool(st.session_state.pop(EDGE, False))


def _here(tickets: Sequence[str]) -> Place:
    asked, _ = address.read(st.query_params, tickets)
    trail: list[Place] = st.session_state.get(TRAIL, [])
    return trail[-1] if asked in trail else asked
