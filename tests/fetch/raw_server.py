"""A server on loopback that plays raw bytes, and a client to ask it: what no well-behaved server would send."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from honeyguide.fetch.guard import AddressGuard
from honeyguide.fetch.http import HttpClient
from honeyguide.model import Response
from honeyguide.settings.sections import FetchSettings

LIFETIME_SECONDS = 120.0
LOOPBACK = ("127.0.0.0/8",)
Answer = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]


def plays(raw: bytes, closes: bool = True) -> Answer:
    """Send these bytes to every request, then close or do nothing."""

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)
        await writer.drain()
        if closes:
            writer.close()

    return answer


def repeats(start: bytes, block: bytes, seconds: float = 0.0) -> Answer:
    """Send a beginning, and then a block again and again for as long as somebody listens."""

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        while not writer.is_closing():
            writer.write(block)
            await writer.drain()
            await asyncio.sleep(seconds)

    return answer


def page(body: bytes, *headers: str, status: str = "200 OK", content_type: str = "text/html") -> bytes:
    """A proper reply."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    if content_type:
        lines.append(f"Content-Type: {content_type}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


@asynccontextmanager
async def raw_server(answer: Answer, **options: Any) -> AsyncIterator[str]:
    """Serve on a free port of loopback for as long as the block runs; gives the address as host:port."""
    running: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running.add(asyncio.current_task())  # type: ignore[arg-type]
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError, TimeoutError):
            async with asyncio.timeout(LIFETIME_SECONDS):
                while not writer.is_closing():
                    await answer(await reader.readuntil(b"\r\n\r\n"), writer)
        writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, **options)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


@asynccontextmanager
async def client(
    allow_networks: tuple[str, ...] = LOOPBACK, max_body_bytes: int = 100_000, **settings: Any
) -> AsyncIterator[HttpClient]:
    """A client that may ask loopback; a test in which it shall lose its patience says when."""
    patience = {"connect_seconds": 60.0, "read_seconds": 60.0, "total_seconds": 60.0} | settings
    made = HttpClient(
        user_agent="test-crawler",
        settings=FetchSettings(**patience),
        guard=AddressGuard(allow_networks),
        max_body_bytes=max_body_bytes,
    )
    try:
        yield made
    finally:
        await made.close()


def fetch(answer: Answer | bytes, get: dict[str, Any] | None = None, **settings: Any) -> Response:
    """Ask a server that answers so for one page."""

    async def run() -> Response:
        played = plays(answer) if isinstance(answer, bytes) else answer
        async with raw_server(played) as address, client(**settings) as asking:
            return await asking.get(f"http://{address}/", **(get or {}))

    return asyncio.run(run())
