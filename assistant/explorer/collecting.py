"""Owns when Python looks for garbage in a server that draws pages."""

import gc
from functools import cache

# Objects made, less those freed, before Python looks again. A run of the page makes thousands and frees nearly all.
MADE = 10_000


@cache
def spare_what_stays() -> None:
    """Have what is loaded by now never be looked through again, and what comes less often; once a process. Otherwise
    a look at everything stops all visitors' runs at once, for some tenths of a second."""
    gc.freeze()
    gc.set_threshold(MADE, *gc.get_threshold()[1:])
