"""Serves a sample web over HTTP on this machine: every host has a loopback address of its own, all one port.

Tests and benchmarks of the live crawler use it. Linux answers on all of 127.0.0.0/8 without being told to.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
import time
from collections import deque
from types import TracebackType
from typing import NamedTuple, Self

from aiohttp import web as http

from honeyguide.errors import SettingsError
from honeyguide.model import Response
from honeyguide.sample_web.web import SampleWeb

_SLOW_ONE_IN = 20
_PER_OCTET = 250
_LOG_LENGTH = 1_000_000
_START_SECONDS = 30.0
_SETTLE_SECONDS = 0.02
_HOST_URL = re.compile(rb"http://[a-z]+-([0-9]{1,9})\.example")


class Request(NamedTuple):
    """A line of the server's log; times are of the monotonic clock."""

    started: float
    ended: float
    host: str  # its address
    path: str  # with the query
    status: int


def serve(
    web: SampleWeb, port: int = 0, slow_seconds: float = 0.0, lifetime_seconds: float = 600.0
) -> SampleServer:
    """Make a server to be used in a `with` statement; port 0 takes any free one.

    Every twentieth host waits `slow_seconds` before it answers. The server ends itself after its lifetime.
    """
    return SampleServer(web, port, slow_seconds, lifetime_seconds)


class SampleServer:
    """A sample web on loopback addresses, served by a thread of its own."""

    def __init__(self, web: SampleWeb, port: int, slow_seconds: float, lifetime_seconds: float) -> None:
        self.web = web
        self.port = port
        self.log: deque[Request] = deque(maxlen=_LOG_LENGTH)
        self._slow_seconds = slow_seconds
        self._lifetime_seconds = lifetime_seconds
        self._hosts_by_address = {_address(host): host for host in range(web.hosts.count)}
        self._sockets: list[socket.socket] = []
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sample-server", daemon=True)

    def __enter__(self) -> Self:
        self._sockets = _listen(list(self._hosts_by_address), self.port)
        self.port = self._sockets[0].getsockname()[1]
        self._thread.start()
        if not self._ready.wait(_START_SECONDS):
            raise SettingsError(f"the sample server did not start within {_START_SECONDS:g} seconds")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def addresses(self) -> list[str]:
        """The loopback addresses of all hosts."""
        return list(self._hosts_by_address)

    def address_of(self, host: str) -> str:
        """Find the loopback address of a host of the sample web."""
        parts = self.web.split(f"http://{host}/")
        if parts is None:
            raise SettingsError(f"the sample web has no host {host!r}")
        return _address(parts[0])

    def url(self, number: int) -> str:
        """Give the url at which a page is served."""
        return self.served(self.web.url(number))

    def served(self, url: str) -> str:
        """Turn a url of the sample web into the one at which it is served."""
        return self._rewrite(url.encode()).decode()

    def _rewrite(self, text: bytes) -> bytes:
        return _HOST_URL.sub(lambda match: f"http://{_address(int(match[1]))}:{self.port}".encode(), text)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        runner = http.ServerRunner(http.Server(self._answer), shutdown_timeout=1.0)
        await runner.setup()
        for listening in self._sockets:
            await http.SockSite(runner, listening).start()
        self._ready.set()
        try:
            async with asyncio.timeout(self._lifetime_seconds):
                await self._stop.wait()
        except TimeoutError:
            pass
        finally:
            await _shut_down(runner, self._sockets)

    async def _answer(self, request: http.BaseRequest) -> http.StreamResponse:
        started = time.monotonic()
        address = _local_address(request)
        host = self._hosts_by_address[address]
        if self._slow_seconds and host % _SLOW_ONE_IN == _SLOW_ONE_IN - 1:
            await asyncio.sleep(self._slow_seconds)
        found = self.web.fetch(f"http://{self.web.hosts.names[host]}{request.raw_path}")
        answer = self._http(found)
        await answer.prepare(request)
        await answer.write_eof()
        self.log.append(Request(started, time.monotonic(), address, request.raw_path, found.status))
        return answer

    def _http(self, found: Response) -> http.Response:
        headers = {name: self._rewrite(value.encode()).decode() for name, value in found.headers.items()}
        return http.Response(status=found.status, body=self._rewrite(found.body), headers=headers)


async def _shut_down(runner: http.ServerRunner, sockets: list[socket.socket]) -> None:
    """Accept no more, let what was accepted become connections, then close them all.

    A connection that asyncio has accepted but not yet made when its server closes would never be closed.
    """
    for listening in sockets:
        asyncio.get_running_loop().remove_reader(listening)
    await asyncio.sleep(_SETTLE_SECONDS)
    await runner.cleanup()
    await asyncio.sleep(_SETTLE_SECONDS)


def _local_address(request: http.BaseRequest) -> str:
    transport = request.transport
    if transport is None:
        raise http.HTTPBadRequest
    address: str = transport.get_extra_info("sockname")[0]
    return address


def _address(host: int) -> str:
    """Return the loopback address of a host; 127.0.x.y is left to others."""
    high, low = divmod(host, _PER_OCTET)
    return f"127.{1 + high // _PER_OCTET}.{high % _PER_OCTET}.{1 + low}"


def _listen(addresses: list[str], port: int) -> list[socket.socket]:
    """Listen on each address alone: a socket for all addresses would be open to the network, too."""
    listening: list[socket.socket] = []
    try:
        for address in addresses:
            listening.append(_listener(address, port))
            port = listening[0].getsockname()[1]
    except OSError as error:
        for opened in listening:
            opened.close()
        raise SettingsError(
            f"cannot listen on {len(addresses)} loopback addresses at port {port} ({error}); "
            "try another port, fewer pages, or a higher limit of open files"
        ) from error
    return listening


def _listener(address: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening
