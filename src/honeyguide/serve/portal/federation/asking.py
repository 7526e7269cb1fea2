"""Asking other portals and our own collections, all at once, each with a limit of time and size."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from honeyguide.errors import HoneyguideError
from honeyguide.search.results import Results
from honeyguide.serve.portal.federation.answers import MOST_HITS, Answer, read_answer
from honeyguide.serve.portal.federation.portals import Portal
from honeyguide.serve.portal.shown import parameters, plain
from honeyguide.version import __version__
from honeyguide.wording import count

if TYPE_CHECKING:
    import aiohttp  # a seventh of the server's start, and most never ask another portal

SECONDS = 3.0
"""For an answer; a visitor waits no longer, and sees who was late."""
MOST_BYTES = 1_000_000
REST_SECONDS = 30.0
"""A portal that did not answer is left alone for so long: every search would wait for it."""
MOST_AT_ONCE = 8
"""Searches over all portals; further ones wait, lest one visitor make us flood the others."""
COLLECTIONS_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection of our own; `search` may block."""

    name: str
    path: str
    search: Callable[[], Results]


@dataclass(slots=True)
class _Rest:
    until: float
    problem: str


@dataclass(slots=True)
class Asker:
    """Asks, and remembers who did not answer lately. Of one event loop."""

    seconds: float = SECONDS
    _resting: dict[str, _Rest] = field(default_factory=dict)
    _searches: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))
    _ours: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(COLLECTIONS_AT_ONCE))

    async def ask(
        self, query: str, collections: Sequence[Collection], portals: Sequence[Portal]
    ) -> list[Answer]:
        """An answer of everybody, in this order; a problem is an answer, too."""
        async with self._searches:
            ours = asyncio.gather(*(self._ask_ours(query, one) for one in collections))
            others = await self._ask_portals(query, portals) if portals else []
            return [*await ours, *others]

    async def _ask_portals(self, query: str, portals: Sequence[Portal]) -> list[Answer]:
        async with _session(self.seconds) as session:
            return list(await asyncio.gather(*(self._ask_portal(session, query, one) for one in portals)))

    async def _ask_ours(self, query: str, collection: Collection) -> Answer:
        page = f"{collection.path}/search{parameters(q=query)}"
        told = Answer(collection.name, page, is_ours=True, path=collection.path)
        try:
            async with asyncio.timeout(self.seconds):
                async with self._ours:
                    results = await asyncio.to_thread(collection.search)
        except TimeoutError:
            return _failed(told, f"not searched within {self.seconds:g} seconds; search it alone")
        except HoneyguideError as error:
            return _failed(told, plain(str(error), 300))
        except Exception:  # whatever is wrong with one collection, the others have answers
            logging.getLogger(__name__).exception("searching %s failed", collection.name)
            return _failed(told, "could not be searched; the log of the server says why")
        return replace(
            told,
            hits=results.hits,
            total=results.total,
            suggestion=results.suggestion,
            ignored=results.ignored,
        )

    async def _ask_portal(self, session: aiohttp.ClientSession, query: str, portal: Portal) -> Answer:
        import aiohttp

        told = Answer(portal.name, portal.page + parameters(q=query))
        rest = self._resting.get(portal.api)
        if rest and time.monotonic() < rest.until:
            return _failed(told, f"{rest.problem}; not asked again for {REST_SECONDS:g} seconds")
        try:
            answer = await self._answer_of(session, query, portal, told)
            self._resting.pop(portal.api, None)
            return answer
        except TimeoutError:
            problem = f"did not answer within {self.seconds:g} seconds"
        except aiohttp.ClientError as error:
            problem = f"cannot be reached ({type(error).__name__})"
        except ValueError as error:
            problem = f"sent no usable answer: {plain(str(error), 200)}"
        self._resting[portal.api] = _Rest(time.monotonic() + REST_SECONDS, problem)
        return _failed(told, problem)

    async def _answer_of(
        self, session: aiohttp.ClientSession, query: str, portal: Portal, told: Answer
    ) -> Answer:
        headers = {"Authorization": f"Bearer {portal.token}"} if portal.token else {}
        # A redirect is not followed: the token is for this portal, and the operator named no other.
        async with session.get(
            portal.api + parameters(q=query, most=MOST_HITS), headers=headers, allow_redirects=False
        ) as response:
            if response.status != 200:
                raise ValueError(f"HTTP status {response.status}")
            hits, total, unusable = read_answer(await _body(response))
        problem = f"{count(unusable, 'result')} of it could not be used" if unusable else ""
        return Answer(told.name, told.page, hits, total, problem)


def _session(seconds: float) -> aiohttp.ClientSession:
    import aiohttp

    return aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=seconds),
        headers={
            "User-Agent": f"honeyguide/{__version__} (portal)",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        },
        auto_decompress=False,  # a small answer that unpacks to a large one is not unpacked
        cookie_jar=aiohttp.DummyCookieJar(),
    )


async def _body(response: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for piece in response.content.iter_chunked(65_536):
        body += piece
        if len(body) > MOST_BYTES:
            raise ValueError(f"it is larger than {MOST_BYTES:,} bytes")
    return bytes(body)


def _failed(told: Answer, problem: str) -> Answer:
    return replace(told, problem=problem)
