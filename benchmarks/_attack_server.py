"""A hostile web on loopback for `attacks`: a start page, healthy pages, and a host that does what an attack says.

Every host has an address of its own, all one port. Nothing lasts: connections, and the server itself, end in time.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple, Self

NETWORK = "127.66.0.0/16"
START, ATTACKER, HEALTHY = "127.66.0.1", "127.66.0.2", "127.66.0.3"
INNER = "127.67.0.1"
"""Stands for a machine that a crawl must never talk to: it is outside of the network that is allowed."""
HEALTHY_PAGES = 5

CONNECTION_SECONDS = 30.0
LIFETIME_SECONDS = 180.0
START_SECONDS = 10.0
PORT_TRIES = 20
TLS_HANDSHAKE = b"\x16"


class Request(NamedTuple):
    """What was asked for."""

    path: str  # with the query
    port: int


Answer = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


def page(body: bytes, *headers: str, status: str = "200 OK", content_type: str = "text/html") -> bytes:
    """A proper reply."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", f"Content-Type: {content_type}", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def makes(reply: Callable[[Request], bytes]) -> Answer:
    """Answer each request with the bytes made for it."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(request))
        await writer.drain()

    return answer


def html(write: Callable[[Request], str], content_type: str = "text/html") -> Answer:
    """Answer each request with the HTML written for it."""
    return makes(lambda asked: page(write(asked).encode(), content_type=content_type))


def plays(raw: bytes, *, closes: bool = False) -> Answer:
    """Answer every request with these bytes."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)
        await writer.drain()
        if closes:
            writer.close()

    return answer


def repeats(start: bytes, block: bytes, seconds: float = 0.0) -> Answer:
    """Send a beginning, and then a block again and again for as long as somebody listens."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        while not writer.is_closing():
            writer.write(block)
            await writer.drain()
            await asyncio.sleep(seconds)

    return answer


async def resets(request: Request, writer: asyncio.StreamWriter) -> None:
    """Break the connection instead of answering."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def moves(status: str = "302 Found", *, to: str) -> Answer:
    """Redirect; "{port}" in the target is the server's."""
    return makes(lambda asked: page(b"", f"Location: {to.format(port=asked.port)}", status=status))


NO_ROBOTS = plays(page(b"", status="404 Not Found"))


class AttackServer:
    """One attack, served by a thread of its own for as long as a `with` block runs."""

    def __init__(
        self,
        answer: Answer,
        *,
        robots: Answer = NO_ROBOTS,
        start: str = f"http://{ATTACKER}:{{port}}/",
        port: int = 0,
    ) -> None:
        self.port = port
        self.asked: Counter[str] = Counter()  # requests by address
        self._answer = answer
        self._robots = robots
        self._start = start
        self._ready = threading.Event()
        self._connections: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    @property
    def seed(self) -> str:
        """The url of the page that links to the attack and to the healthy pages."""
        return f"http://{START}:{self.port}/"

    @property
    def is_closed(self) -> bool:
        """Whether the server has ended."""
        return self._ready.is_set() and not self._thread.is_alive()

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(START_SECONDS):
            raise OSError("the attack server did not start")
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        servers = await self._listen()
        self._ready.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), LIFETIME_SECONDS)
        for server in servers:
            server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _listen(self) -> list[asyncio.Server]:
        for _ in range(PORT_TRIES):
            port = self.port or _free_port()
            try:
                server = await asyncio.start_server(
                    self._serve, [START, ATTACKER, HEALTHY, INNER], port, limit=1 << 20
                )
            except OSError:  # another program has this port on one of the addresses
                await asyncio.sleep(0.05)
                continue
            self.port = port
            return [server]
        raise OSError("no port is free on all addresses")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        with suppress(OSError, EOFError, ValueError, asyncio.LimitOverrunError, asyncio.CancelledError):
            async with asyncio.timeout(CONNECTION_SECONDS):
                await self._talk(reader, writer)
        writer.transport.abort()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = writer.get_extra_info("sockname")[0]
        while not writer.is_closing():
            first = await reader.readexactly(1)
            if first == TLS_HANDSHAKE:  # who asks for TLS is answered in plain text
                writer.write(page(b"", status="400 Bad Request"))
                await writer.drain()
                await reader.read(1 << 16)
                return
            head = first + await reader.readuntil(b"\r\n\r\n")
            self.asked[address] += 1
            path = head.split(b" ", 2)[1].decode("latin-1")
            await self._answer_of(address, path)(Request(path, self.port), writer)

    def _answer_of(self, address: str, path: str) -> Answer:
        if path == "/robots.txt":
            return self._robots if address == ATTACKER else NO_ROBOTS
        if address == START:
            attack = self._start.format(port=self.port)
            links = f'<a href="{attack}">attack</a> <a href="http://{HEALTHY}:{self.port}/1">bees</a>'
            return plays(page(f"<title>Start</title><p>bees and honey</p>{links}".encode()))
        return makes(_healthy_page) if address == HEALTHY else self._answer


def _healthy_page(asked: Request) -> bytes:
    """One of a chain, of which each is found only if the one before was read."""
    number = int(asked.path.strip("/"))
    link = f'<a href="/{number + 1}">more honey</a>' if number < HEALTHY_PAGES else ""
    return page(f"<title>Bees {number}</title><p>bees and honey</p>{link}".encode())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((START, 0))
        return int(probe.getsockname()[1])
