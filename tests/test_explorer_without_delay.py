"""What the server sends leaves at once: the socket that listens says so, and what it accepts takes it over."""

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from assistant.explorer.without_delay import OPEN_FILES, send_at_once

pytestmark = pytest.mark.skipif(not OPEN_FILES.is_dir(), reason=f"this system has no {OPEN_FILES}")


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """A socket as Streamlit makes its own."""
    send_at_once.cache_clear()
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        yield one


def port_of(one: socket.socket) -> int:
    port: int = one.getsockname()[1]
    return port


def leaves_at_once(one: socket.socket) -> bool:
    return one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


def test_a_connection_accepted_later_sends_at_once(listening: socket.socket) -> None:
    assert send_at_once(port_of(listening)) == 1
    with socket.create_connection(listening.getsockname()), closing(listening.accept()[0]) as accepted:
        assert leaves_at_once(accepted)


def test_a_connection_that_is_open_already_does_too(listening: socket.socket) -> None:
    with socket.create_connection(listening.getsockname()), closing(listening.accept()[0]) as accepted:
        assert not leaves_at_once(accepted)
        assert send_at_once(port_of(listening)) == 2
        assert leaves_at_once(accepted)


def test_sockets_on_other_ports_and_the_files_stay_as_they_were(listening: socket.socket) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        send_at_once(port_of(listening))
        assert not leaves_at_once(other)
    assert listening.fileno() > 0
    listening.getsockname()  # still open


def test_it_is_done_once_a_port(listening: socket.socket) -> None:
    send_at_once(port_of(listening))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)
    assert send_at_once(port_of(listening)) == 1
    assert not leaves_at_once(listening)


def test_no_file_is_left_open(listening: socket.socket, tmp_path: Path) -> None:
    with (tmp_path / "a file").open("w"):
        before = len(list(OPEN_FILES.iterdir()))
        send_at_once(port_of(listening))
        assert len(list(OPEN_FILES.iterdir())) == before
