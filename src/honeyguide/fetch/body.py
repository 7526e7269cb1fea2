"""Reading one body: unpacked as it comes, within its limit, in the room there is. Used by the HTTP client."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import aiohttp

from honeyguide.errors import FetchError, HostUnreachable, TooLarge
from honeyguide.fetch.budget import SMALL_BYTES, Room
from honeyguide.fetch.unpacking import Unpacker
from honeyguide.fetch.wire import Reply

_DRAINED_BYTES = 65_536
_DRAIN_SECONDS = 5.0


class BodyReader:
    """Reads what one request is for. With `cut`, the first bytes of what is too large are read."""

    def __init__(self, room: Room, deadline: asyncio.Timeout, limit: int, cut: bool) -> None:
        self._room = room
        self._deadline = deadline
        self._limit = limit
        self._cut = cut
        self.packed = b""  # what was read, as it was sent, where that can be kept

    async def read(self, reply: Reply, encoding: str) -> bytes:
        """The whole body. Raises FetchError, and whatever aiohttp raises."""
        limit = self._limit
        if reply.headers.get("Transfer-Encoding", "chunked").strip().lower() != "chunked":
            raise FetchError("the page is packed for the transfer in a way that was not asked for")
        if (reply.content_length or 0) > limit and not self._cut:
            raise TooLarge(f"the page has {reply.content_length} bytes, more than {limit}")
        page = Unpacker(encoding, limit, SMALL_BYTES)
        size = 0
        while block := await reply.content.readany():
            size += len(block)
            if size > limit:
                if not self._cut:
                    raise TooLarge(f"the page has more than {limit} bytes")
                block = block[: limit - size]
                reply.close()
            page.feed(block)
            block = b""  # what is still packed is kept once, however long the wait
            if page.is_full:
                await self._make_room(reply, page.is_packed)
                page.grow()
            if size > limit:
                break
        if reply.was_reset:
            raise HostUnreachable("the connection broke before the end of the page")
        body = page.finish()
        self.packed = page.sent
        return body

    async def drain(self, reply: Reply) -> None:
        """Read a short text that nobody needs, because that is cheaper for the host than a new connection."""
        if reply.content_length is None or reply.content_length > _DRAINED_BYTES:
            return
        seconds = min(_DRAIN_SECONDS, self._seconds_left() / 2)
        with suppress(aiohttp.ClientError, OSError):
            async with asyncio.timeout(seconds):
                while await reply.content.readany():
                    pass

    async def _make_room(self, reply: Reply, is_packed: bool) -> None:
        """Wait for room as long as it takes; the host has done nothing wrong, so its time does not run."""
        size = None if is_packed else reply.content_length
        seconds_left = self._seconds_left()
        self._deadline.reschedule(None)
        reply.pause()
        await self._room.take(min(size or self._limit, self._limit))
        reply.resume()
        self._deadline.reschedule(asyncio.get_running_loop().time() + seconds_left)

    def _seconds_left(self) -> float:
        ends = self._deadline.when()
        assert ends is not None
        return ends - asyncio.get_running_loop().time()
