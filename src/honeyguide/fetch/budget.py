"""Room for large pages: how many bytes of them may be in memory at once, over all requests. Used by the HTTP client.

A page counts from the moment it turns out to be large until whoever asked for it has read it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType
from typing import Self

SMALL_BYTES = 1 << 18
"""Pages up to this size neither count nor wait; most are smaller."""
MAX_BYTES = 128 << 20
LARGE_AT_ONCE = 4
"""So many pages of the largest size that is allowed fit in at least, however large that is."""


class BytesInFlight:
    """Gives out room in order of asking. When nobody else holds any, one page gets what it needs."""

    def __init__(self, max_page_bytes: int) -> None:
        self.max_bytes = max(MAX_BYTES, LARGE_AT_ONCE * max_page_bytes)
        self.held = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    @property
    def waiting(self) -> int:
        """How many pages wait for room."""
        return sum(not turn.cancelled() for _, turn in self._waiting)

    def page(self) -> Room:
        """The room of one page, empty at first. Use it as a context: what it holds at its end is given back."""
        return Room(self)

    def done(self, size: int) -> None:
        """Take back the room of a page of this size that was kept beyond its context."""
        if size > SMALL_BYTES:
            self._give_back(size)

    async def _take(self, size: int) -> None:
        if not self._waiting and self._fits(size):
            self.held += size
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((size, turn))
        try:
            await turn
        except asyncio.CancelledError:
            # Given up while it waited, when others may have waited behind it; or just after its turn had come.
            self._give_back(0 if turn.cancelled() else size)
            raise

    def _give_back(self, size: int) -> None:
        self.held = max(self.held - size, 0)
        while self._waiting and (self._waiting[0][1].cancelled() or self._fits(self._waiting[0][0])):
            wanted, turn = self._waiting.popleft()
            if not turn.cancelled():
                self.held += wanted
                turn.set_result(None)

    def _fits(self, size: int) -> bool:
        return not self.held or self.held + size <= self.max_bytes


class Room:
    """What one page holds."""

    __slots__ = ("_all", "_held")

    def __init__(self, everything: BytesInFlight) -> None:
        self._all = everything
        self._held = 0

    async def take(self, size: int) -> None:
        """Wait until the page may have this many bytes. Ask once."""
        await self._all._take(size)
        self._held = size

    def keep(self, size: int) -> None:
        """Give back all but the size that the page has in the end; that is for `BytesInFlight.done`."""
        if self._held:
            self._all._give_back(self._held - size)
            self._held = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._held:
            self._all._give_back(self._held)
            self._held = 0
