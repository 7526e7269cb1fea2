"""Connections that count every byte of an answer, whatever it is part of. Used by the HTTP client.

Headers, interim answers, chunk extensions, trailers and blank lines never show up as a body: without a count they
would flow for as long as a page may take.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection

from honeyguide.errors import TooLarge

SPARE_BYTES = 1 << 20
"""What an answer may have beside the largest body: headers, and some for every chunk."""


class CountingConnector(aiohttp.TCPConnector):
    """Makes connections whose answers end with TooLarge when they have more bytes in all than a body may have."""

    def __init__(self, *, max_body_bytes: int, **options: Any) -> None:
        super().__init__(**options)
        made = partial(_CountedAnswers, max_body_bytes + SPARE_BYTES, self._loop)
        self._factory = made  # type: ignore[assignment]  # a subclass does as well


class _CountedAnswers(ResponseHandler):
    """aiohttp's end of a connection, before either of its parsers."""

    def __init__(self, max_bytes: int, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._max_bytes = max_bytes
        self._bytes_left = max_bytes
        self.address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        peer = transport.get_extra_info("peername") or ("",)  # asked once, not for every answer
        self.address = str(peer[0])

    def set_response_params(self, **options: Any) -> None:
        self._bytes_left = self._max_bytes  # the next answer on the same connection
        super().set_response_params(**options)

    def data_received(self, data: bytes) -> None:
        self._bytes_left -= len(data)
        if self._bytes_left >= 0:
            super().data_received(data)
        elif self.transport is not None:
            self._give_up(self.transport)

    def _give_up(self, transport: asyncio.Transport) -> None:
        error = TooLarge(f"the answer has more than {self._max_bytes} bytes, with all that is not its body")
        self.set_exception(error)
        if self._payload is not None:
            self._payload.set_exception(error)
        transport.abort()


class Reply(aiohttp.ClientResponse):
    """A reply that remembers who sent it: the connection is given back before the caller can ask."""

    address = ""

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        """Read the headers."""
        self._peer = connection.protocol
        assert isinstance(self._peer, _CountedAnswers)
        self.address = self._peer.address
        return await super().start(connection)

    @property
    def was_reset(self) -> bool:
        """Whether the connection broke, where aiohttp takes any end of it for the end of the page."""
        return self._peer is not None and isinstance(self._peer.exception(), OSError)

    def pause(self) -> None:
        """Let the host wait: nothing more is read, and no time to read it runs."""
        if self._is_open():
            assert self._peer is not None
            self._peer.pause_reading()

    def resume(self) -> None:
        """Read on."""
        if self._is_open():
            assert self._peer is not None
            self._peer.resume_reading()

    def _is_open(self) -> bool:
        return self._peer is not None and self._peer.connected and not self.content.is_eof()
