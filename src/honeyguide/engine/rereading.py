"""Pages that a former revision of the topic has judged, read again from the archive: the most promising first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from honeyguide.engine.arrival import Arrival
from honeyguide.engine.prepare import Prepared, Preparer, word_finder
from honeyguide.engine.worded_pages import WordedPage, packed
from honeyguide.engine.worker import Read
from honeyguide.errors import HoneyguideError, Unreadable
from honeyguide.fetch.base import Fetcher
from honeyguide.model import Ids, Location, Response, Visit
from honeyguide.store.base import Store
from honeyguide.store.kept_words import KeptWords, page_key

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
        self,
        store: Store,
        fetcher: Fetcher,
        folder: Path,
        read_page: Callable[[Location], Response],
        revision: int,
    ) -> None:
        self._store = store
        self._fetcher = fetcher
        self._read_page = read_page
        self._words = KeptWords(folder)
        self.revision = revision
        self._task: asyncio.Task[list[ReadAgain]] | None = None
        self._left: Ids = store.judged_otherwise(revision)

    def __len__(self) -> int:
        return len(self._left)

    @property
    def is_busy(self) -> bool:
        """Whether something is left, or being read."""
        return len(self._left) > 0 or self._task is not None

    def turn_to(self, revision: int) -> None:
        """Judge everything again by another revision."""
        self.revision = revision
        self._left = self._store.judged_otherwise(revision)

    def note(self, arrivals: Sequence[Arrival]) -> None:
        """Pages that were being judged when the topic changed are to be judged again, too."""
        late = [one.url_id for one in arrivals if one.prepared and one.prepared.revision != self.revision]
        if late:
            self._left = np.concatenate((self._left, np.array(late, dtype=np.int32)))

    async def some(self, preparer: Preparer, read: ReadPages) -> list[ReadAgain]:
        """The next pages, judged again; those that cannot be had are left as they were judged.

        What was read once for this is judged by the words that were kept of it.
        """
        chosen, self._left = self._left[:AT_ONCE], self._left[AT_ONCE:]
        visits = [visit for url_id in chosen.tolist() if (visit := self._store.last_visit(url_id))]
        kept = self._kept(visits, preparer)
        others = [visit for visit in visits if visit.url_id not in kept]
        known = [visit for visit in visits if visit.url_id in kept]
        again = preparer.judged([kept[visit.url_id] for visit in known])
        return [
            ReadAgain(visit, own)
            for visit, own in [*zip(known, again, strict=True), *await self._read(others, preparer, read)]
            if isinstance(own, Prepared) and not own.is_listing
        ]

    def _kept(self, visits: Sequence[Visit], preparer: Preparer) -> dict[int, WordedPage]:
        if not preparer.keeps_words:
            return {}
        keys = {_key(visit, preparer): visit.url_id for visit in visits}
        found = {keys[key]: word_finder().unpacked(kept) for key, kept in self._words.get([*keys]).items()}
        return {url_id: page for url_id, page in found.items() if page}

    async def _read(
        self, visits: Sequence[Visit], preparer: Preparer, read: ReadPages
    ) -> list[tuple[Visit, Prepared | Unreadable]]:
        found = [(visit, response) for visit in visits if (response := await self._response(visit))]
        prepared = await read([response for _, response in found])
        pages = [(visit, own) for (visit, _), own in zip(found, prepared, strict=True)]
        self._words.put(
            {
                _key(visit, preparer): packed(own.words)
                for visit, own in pages
                if isinstance(own, Prepared) and own.words and visit.digest and not visit.noindex
            }
        )
        return pages

    def beside(self, preparer: Preparer, read: ReadPages) -> list[asyncio.Task[list[ReadAgain]]]:
        """Have some read while others are fetched, a few at a time, lest these wait; gives what to wait for."""
        if self._task is None and len(self._left):
            self._task = asyncio.create_task(self.some(preparer, read))
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

    def close(self) -> None:
        """Let go of the words that are kept."""
        self._words.close()

    async def _response(self, visit: Visit) -> Response | None:
        try:
            if visit.location:
                return self._read_page(visit.location)
            return None if self._fetcher.is_live else await self._fetcher.fetch(visit.url)
        except HoneyguideError:  # one page that is lost stays one page
            return None


def _key(visit: Visit, preparer: Preparer) -> int:
    return page_key(visit.url, visit.digest, preparer.manner)
