"""The sample web, but that its pages change as time goes by, and a strategy that comes back to them."""

import re
import zlib

import numpy as np

from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.fetch.sample import SampleFetcher
from honeyguide.model import Priorities, Response, Validators
from honeyguide.sample_web.web import SampleWeb
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.distilled import TOP, _together
from honeyguide.strategies.wrapper import Wrapper

PERIOD = 60
"""Requests between two changes of a page; each has its own moment."""

_LINK = re.compile(rb"<a [^>]*>")


class ChangingWeb(Fetcher):
    """Pages as of a logical time, the number of requests that are committed: the same however often it is killed."""

    def __init__(self, web: SampleWeb) -> None:
        self._inner = SampleFetcher(web)
        self.time = 0

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        response = await self._inner.fetch(url)
        version = (self.time + zlib.crc32(url.encode()) % PERIOD) // PERIOD
        if (
            version % 7 == 6 and zlib.crc32(url.encode()) % 5 == 0
        ):  # for a while it points at its host's front page
            return Response(url, 302, b"", {"location": "/"})
        return Response(url, response.status, _changed(response.body, version), response.headers)

    async def close(self) -> None:
        await self._inner.close()


def _changed(body: bytes, version: int) -> bytes:
    """Every version lacks other links, and every other one much of the text."""
    found = 0

    def other(link: re.Match[bytes]) -> bytes:
        nonlocal found
        found += 1
        return b"<b>" if (found + version) % 4 == 0 else link[0]

    changed = _LINK.sub(other, body)
    middle = len(changed) // 2
    return changed.replace(b"the ", b"", 50)[: middle if version % 2 else None]


class Returning(Wrapper):
    """Any strategy, but that every 8 pages the next 4 of those that were fetched are fetched again."""

    name = "returning"
    fetches_again = True

    def __init__(self, inner: Strategy) -> None:
        super().__init__(inner)
        self.refresh_every = 8
        self.fetches_again = True

    def refresh(self, crawl: CrawlView) -> Priorities:
        kept = crawl.array("returned to")
        everything = np.arange(1, len(crawl), dtype=np.int32)
        pages = everything[crawl.is_fetched(everything)]
        later = pages[pages > (0 if kept is None else kept[0])]
        again = (later if len(later) >= 4 else pages)[:4]
        if not len(again):
            return self.inner.refresh(crawl)
        crawl.set_array("returned to", again[-1:].copy())
        wanted = Priorities(again, np.full(len(again), TOP), revisit=True)
        return _together(self.inner.refresh(crawl), wanted, crawl)
