"""Owns that what the server sends leaves at once.

Streamlit 1.67 makes its own listening socket and leaves its protocol at 0; asyncio then does not see that it is TCP and
keeps Nagle's algorithm (https://github.com/Kludex/uvicorn/issues/3149 tells of the same in uvicorn). Every press of a
button then waits for the browser's delayed acknowledgement: 40 ms on Linux, more than all that the page does.
A connection takes the option over from the socket that listens; those that are open already are set as well.
"""

import os
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path

OPEN_FILES = Path("/dev/fd")  # Linux and macOS; elsewhere nothing is changed


@cache
def send_at_once(port: int) -> int:
    """Switch Nagle's algorithm off for all TCP sockets of this process on this port, once. Returns how many."""
    found = 0
    for path in list(OPEN_FILES.iterdir()) if OPEN_FILES.is_dir() else []:
        with suppress(OSError):
            if path.is_socket():
                found += _set(os.dup(int(path.name)), port)
    return found


def _set(number: int, port: int) -> bool:
    """Set one socket by a number of its own, which is closed here. Returns whether it is of this port."""
    try:
        one = socket.socket(fileno=number)
    except OSError:
        os.close(number)
        raise
    with one:
        is_tcp = one.family in (socket.AF_INET, socket.AF_INET6) and one.type == socket.SOCK_STREAM
        if not is_tcp or one.getsockname()[1] != port:
            return False
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return True
