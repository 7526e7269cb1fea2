"""A hostile web on loopback for `attacks`: a start page, healthy pages, and hosts that do what an attack says.

Every host has an address of its own, all one port. What was asked for, when, and how much was sent is noted. Nothing
lasts: connections, and the server itself, end in time.
"""

from __future__ import annotations

import asyncio
import re
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
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
    """What was asked for, where and when."""

    path: str  # with the query
    port: int
    address: str
    host: str  # by what name, without the port
    time: float  # on the monotonic clock


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


async def keeps_silent(request: Request, writer: asyncio.StreamWriter) -> None:
    """Take the request, and never answer."""
    await asyncio.sleep(CONNECTION_SECONDS)


def moves(status: str = "302 Found", *, to: str) -> Answer:
    """Redirect; "{port}" in the target is the server's."""
    return makes(lambda asked: page(b"", f"Location: {to.format(port=asked.port)}", status=status))


NO_ROBOTS = plays(page(b"", status="404 Not Found"))


class AttackServer:
    """One attack, served by a thread of its own for as long as a `with` block runs.

    `start` are the attack's urls on the start page, with spaces between them and "{port}" for the port. Beside the
    attacker's own there may be further addresses that answer as the attack says.
    """

    def __init__(
        self,
        answer: Answer,
        *,
        robots: Answer = NO_ROBOTS,
        start: str = f"http://{ATTACKER}:{{port}}/",
        addresses: Sequence[str] = (),
        healthy_pages: int = HEALTHY_PAGES,
        port: int = 0,
    ) -> None:
        self.port = port
        self.asked: Counter[str] = Counter()  # requests by address
        self.sent: Counter[str] = Counter()  # bytes by address
        self.log: list[Request] = []
        self._answer = answer
        self._robots = robots
        self._start = start
        self._addresses = [START, ATTACKER, HEALTHY, INNER, *addresses]
        self._healthy_pages = healthy_pages
        self._ready = threading.Event()
        self._connections: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    @property
    def seed(self) -> str:
        """The url of the page that links to the attack and to the healthy pages."""
        return f"http://{START}:{self.port}/"

    @property
    def start_urls(self) -> list[str]:
        """The attack's urls that the start page links to."""
        return self._start.format(port=self.port).split()

    @property
    def attacked(self) -> list[Request]:
        """What the attack's hosts were asked for, in order."""
        return [asked for asked in self.log if asked.address not in (START, HEALTHY, INNER)]

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
                    self._serve, self._addresses, port, limit=1 << 20, backlog=1000
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
        self._count_sent(address, writer)
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
            request = Request(path, self.port, address, _host(head), time.monotonic())
            self.log.append(request)
            await self._answer_of(request)(request, writer)

    def _count_sent(self, address: str, writer: asyncio.StreamWriter) -> None:
        write = writer.write

        def counted(data: bytes) -> None:
            self.sent[address] += len(data)
            write(data)

        writer.write = counted

    def _answer_of(self, asked: Request) -> Answer:
        own = {START: self._start_page, HEALTHY: self._healthy_page}.get(asked.address)
        if asked.path == "/robots.txt":
            return NO_ROBOTS if own else self._robots
        return makes(own) if own else self._answer

    def _start_page(self, asked: Request) -> bytes:
        links = " ".join(f'<a href="{url}">attack</a>' for url in self.start_urls)
        links += f' <a href="http://{HEALTHY}:{self.port}/1">bees</a>'
        return page(f"<title>Start</title><p>bees and honey</p>{links}".encode())

    def _healthy_page(self, asked: Request) -> bytes:
        """One of a chain, of which each is found only if the one before was read."""
        number = int(asked.path.strip("/"))
        link = f'<a href="/{number + 1}">more honey</a>' if number < self._healthy_pages else ""
        return page(f"<title>Bees {number}</title><p>bees and honey</p>{link}".encode())


def _host(head: bytes) -> str:
    named = re.search(rb"\r\nhost:[ \t]*([^\r]*)", head, re.IGNORECASE)
    return named[1].decode("latin-1").partition(":")[0] if named else ""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((START, 0))
        return int(probe.getsockname()[1])
