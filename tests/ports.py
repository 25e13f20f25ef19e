"""Owns finding a port that nobody listens on."""

import socket


def free_port() -> int:
    """A port of this machine that is free now. Another process may take it before it is used."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
