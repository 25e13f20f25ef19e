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
        with suppress(OSError), socket.socket(fileno=os.dup(int(path.name))) as one:
            is_tcp = one.family in (socket.AF_INET, socket.AF_INET6) and one.type == socket.SOCK_STREAM
            if is_tcp and one.getsockname()[1] == port:
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                found += 1
    return found
