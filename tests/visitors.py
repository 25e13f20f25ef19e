"""Owns visitors without a browser: they speak Streamlit's own websocket protocol, as its front end does.

One is some kilobytes and no process, so that a machine has room for hundreds. What a browser keeps of a page, a visitor
keeps: the address, the elements of the last run, and the larger messages that the server may then name instead of
sending again.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

STREAM = "_stcore/stream"


class Run(NamedTuple):
    """What one run of the page sent: its elements in their order, the seconds until it was whole, and its bytes."""

    elements: list[Element]
    seconds: float
    size: int

    @property
    def text(self) -> str:
        """All HTML of the page."""
        return "\n".join(one.html.body for one in self.elements if one.WhichOneof("type") == "html")


class Failed(Exception):
    """The server's run ended with an exception, or in another way than with a page."""


@dataclass
class Visitor(AbstractAsyncContextManager["Visitor"]):
    """One open page of the server at `url` (`http://HOST:PORT/`), from `async with` to its end.

    `cookie` goes along with the connection, and so does what a proxy needs to find the right process.
    """

    url: str
    query: dict[str, str] = field(default_factory=dict)
    page: str = ""
    cookie: str = ""
    locale: str = "en-CA"
    patience_s: float = 30
    run: Run = field(init=False)
    socket: ClientConnection = field(init=False)
    _kept: dict[str, ForwardMsg] = field(init=False, default_factory=dict)

    async def __aenter__(self) -> Self:
        await self.connect()
        await self.rerun()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.socket.close()

    async def connect(self) -> None:
        """Connect, anew if need be, with the address that the visitor has. Sends nothing yet."""
        there = urlsplit(self.url)
        self.socket = await connect(
            f"ws://{there.netloc}{there.path}{STREAM}",
            additional_headers={"Cookie": self.cookie} if self.cookie else None,
            origin=f"http://{there.netloc}",  # type: ignore[arg-type]
            subprotocols=["streamlit"],  # type: ignore[list-item]
            compression=None,
            max_size=None,
            open_timeout=self.patience_s,
        )

    async def rerun(self, pressed: str = "") -> Run:
        """Have the page run for the address, with one button pressed if one is named by its key.

        Raises `Failed`, `TimeoutError`, or what `websockets` raises when the connection is gone.
        """
        state = ClientState(
            query_string=urlencode(self.query), page_name=self.page, cached_message_hashes=list(self._kept)
        )
        state.context_info.locale = self.locale
        state.context_info.timezone = "America/Toronto"
        state.context_info.url = self.url + self.page
        if pressed:
            state.widget_states.widgets.add(id=self._button(pressed), trigger_value=True)
        started = time.perf_counter()
        await self.socket.send(BackMsg(rerun_script=state).SerializeToString())
        self.run = await self._whole_run(started)
        return self.run

    async def _whole_run(self, started: float) -> Run:
        places: dict[tuple[int, ...], Element] = {}
        size = 0
        async with asyncio.timeout(self.patience_s):
            while True:
                data = await self.socket.recv(decode=False)
                size += len(data)
                message = self._message(data)
                kind = message.WhichOneof("type")
                if kind == "new_session":
                    places.clear()
                elif kind == "page_info_changed":
                    self.query = dict(parse_qsl(message.page_info_changed.query_string))
                elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                    element = message.delta.new_element
                    if element.WhichOneof("type") == "exception":
                        raise Failed(element.exception.message)
                    places[tuple(message.metadata.delta_path)] = element
                elif kind == "script_finished":
                    if message.script_finished != ForwardMsg.FINISHED_SUCCESSFULLY:
                        if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                            continue
                        raise Failed(ForwardMsg.ScriptFinishedStatus.Name(message.script_finished))
                    elements = [places[place] for place in sorted(places)]
                    return Run(elements, time.perf_counter() - started, size)

    def _message(self, data: bytes) -> ForwardMsg:
        message = ForwardMsg()
        message.ParseFromString(data)
        if message.WhichOneof("type") == "ref_hash":
            kept = ForwardMsg()
            kept.CopyFrom(self._kept[message.ref_hash])
            kept.metadata.CopyFrom(message.metadata)
            return kept
        if message.metadata.cacheable and message.hash:
            self._kept[message.hash] = message
        return message

    def _button(self, key: str) -> str:
        found = next((one for one in self._buttons() if one.endswith(f"-{key}")), None)
        if found is None:
            raise Failed(f"There is no button with the key {key}.")
        return found

    def _buttons(self) -> Iterator[str]:
        return (one.button.id for one in self.run.elements if one.WhichOneof("type") == "button")
