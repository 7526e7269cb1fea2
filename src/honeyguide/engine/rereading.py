"""Pages that a former revision of the topic has judged, read again from the archive: the most promising first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import numpy as np

from honeyguide.engine.arrival import Arrival
from honeyguide.engine.prepare import Prepared
from honeyguide.engine.worker import Read
from honeyguide.errors import HoneyguideError
from honeyguide.fetch.base import Fetcher
from honeyguide.model import Ids, Location, Response, Visit
from honeyguide.store.base import Store

AT_ONCE = 32

ReadPages = Callable[[Sequence[Response]], Awaitable[Read]]


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """A page as it was visited, and as it is judged now."""

    visit: Visit
    prepared: Prepared


class Rereading:
    """What is still to be judged again. After a restart it is found out anew from the store."""

    def __init__(
        self, store: Store, fetcher: Fetcher, read_page: Callable[[Location], Response], revision: int
    ) -> None:
        self._store = store
        self._fetcher = fetcher
        self._read_page = read_page
        self.revision = revision
        self._task: asyncio.Task[list[ReadAgain]] | None = None
        self._left: Ids = store.judged_otherwise(revision)

    def __len__(self) -> int:
        return len(self._left)

    def turn_to(self, revision: int) -> None:
        """Judge everything again by another revision."""
        self.revision = revision
        self._left = self._store.judged_otherwise(revision)

    def note(self, arrivals: Sequence[Arrival]) -> None:
        """Pages that were being judged when the topic changed are to be judged again, too."""
        late = [one.url_id for one in arrivals if one.prepared and one.prepared.revision != self.revision]
        if late:
            self._left = np.concatenate((self._left, np.array(late, dtype=np.int32)))

    async def some(self, read: ReadPages) -> list[ReadAgain]:
        """The next pages, read again; those that cannot be had are left as they were judged."""
        pages = await self._pages()
        prepared = await read([response for _, response in pages])
        return [
            ReadAgain(visit, own)
            for (visit, _), own in zip(pages, prepared, strict=True)
            if isinstance(own, Prepared) and not own.is_listing
        ]

    def beside(self, read: ReadPages) -> list[asyncio.Task[list[ReadAgain]]]:
        """Have some read while others are fetched, a few at a time, lest these wait; gives what to wait for."""
        if self._task is None and len(self._left):
            self._task = asyncio.create_task(self.some(read))
        return [self._task] if self._task else []

    def take(self) -> list[ReadAgain]:
        """What has been read beside."""
        if self._task is None or not self._task.done():
            return []
        task, self._task = self._task, None
        return task.result()

    def cancel(self) -> None:
        """Give up what is being read."""
        if self._task:
            self._task.cancel()

    async def _pages(self) -> list[tuple[Visit, Response]]:
        chosen, self._left = self._left[:AT_ONCE], self._left[AT_ONCE:]
        visits = [self._store.last_visit(url_id) for url_id in np.asarray(chosen).tolist()]
        found = [(visit, await self._response(visit)) for visit in visits if visit]
        return [(visit, response) for visit, response in found if response]

    async def _response(self, visit: Visit) -> Response | None:
        try:
            if visit.location:
                return self._read_page(visit.location)
            return None if self._fetcher.is_live else await self._fetcher.fetch(visit.url)
        except HoneyguideError:  # one page that is lost stays one page
            return None
