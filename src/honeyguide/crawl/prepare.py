"""Reading and judging: from a response to a parsed page and its relevance. Pure work, done here or in another process.

A `Preparer` is small and picklable; `Worker` runs one beside the process that fetches, on another core.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection

from honeyguide.errors import HoneyguideError
from honeyguide.model import ParsedPage, Response
from honeyguide.parse import parse_page
from honeyguide.parse.duplicates import NO_SIGNATURE, looks_missing, signature
from honeyguide.parse.sitemap import may_be_sitemap, parse_sitemap
from honeyguide.topics.base import TopicModel
from honeyguide.urls import UrlPolicy

CONTEXT_WORDS = 20


@dataclass(frozen=True, slots=True)
class Prepared:
    """A page read and judged."""

    parsed: ParsedPage
    relevance: float
    accepted: bool = False  # by the topic's hard rule
    signature: int = NO_SIGNATURE
    is_missing: bool = False  # it says that there is no such page
    is_listing: bool = False  # a sitemap or feed: only links


@dataclass(frozen=True)
class Preparer:
    """Parses and judges batches of responses."""

    topic: TopicModel
    policy: UrlPolicy
    needs: frozenset[str]
    max_links: int
    is_live: bool  # then copies, missing pages and sitemaps are looked for

    def prepare(self, responses: Sequence[Response]) -> list[Prepared]:
        """Read and judge a batch."""
        listings = [self._listing(response) for response in responses]
        parsed = [found or self._parse(response) for found, response in zip(listings, responses, strict=True)]
        if not parsed:
            return []
        judged = self.topic.classify([readable(page) for page in parsed])
        verdicts = zip(judged.relevance.tolist(), judged.accepted.tolist(), strict=True)
        return [
            Prepared(page, 0.0, is_listing=True) if listing else self._prepared(page, response, *verdict)
            for page, response, verdict, listing in zip(parsed, responses, verdicts, listings, strict=True)
        ]

    def _prepared(self, page: ParsedPage, response: Response, relevance: float, accepted: bool) -> Prepared:
        if not self.is_live:
            return Prepared(self._slim(page), relevance, accepted)
        if looks_missing(page.title, page.text, response.url):
            return Prepared(self._slim(page), 0.0, signature=signature(page.text), is_missing=True)
        return Prepared(self._slim(page), relevance, accepted, signature(page.text))

    def _listing(self, response: Response) -> ParsedPage | None:
        """A sitemap or feed as a page of links; None for everything else."""
        if not self.is_live or not may_be_sitemap(response.url, response.content_type):
            return None
        return parse_sitemap(response.body, response.url, self.policy)

    def _parse(self, response: Response) -> ParsedPage:
        return parse_page(
            response.body,
            response.url,
            response.content_type,
            policy=self.policy,
            context_words=CONTEXT_WORDS if "context" in self.needs else 0,
            with_dom_paths="dom_path" in self.needs,
            max_links=self.max_links,
        )

    def _slim(self, page: ParsedPage) -> ParsedPage:
        # The text is the bulk of what would travel between processes, and few strategies read it.
        return page if "text" in self.needs else replace(page, text="")


def readable(page: ParsedPage) -> str:
    """What the topic judges of a page."""
    return f"{page.title}\n{page.text}"


class Worker:
    """A process that prepares. It ends with this one, however this one ends: then its pipe is closed."""

    def __init__(self, preparer: Preparer) -> None:
        ours, theirs = socket.socketpair()
        # A fresh interpreter, not a fork and not multiprocessing: it inherits no sockets, locks or database of
        # ours, and does not run the user's own script a second time.
        command = [sys.executable, "-m", __name__, str(theirs.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
        theirs.close()
        self._pipe = Connection(ours.detach())
        self._pipe.send(preparer)

    def prepare(self, responses: Sequence[Response]) -> list[Prepared]:
        """Read and judge a batch over there; blocks."""
        try:
            self._pipe.send(responses)
            answer: list[Prepared] | str = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise HoneyguideError(
                f"the process that parses pages died ({error}); go on with `honeyguide resume`"
            ) from error
        if isinstance(answer, str):
            raise HoneyguideError(f"parsing or judging failed:\n{answer}")
        return answer

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def serve(pipe: Connection) -> None:
    """The other end of a `Worker`: answer batches until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the crawler, which ends us in its own time
    with suppress(EOFError, ConnectionError):
        preparer: Preparer = pipe.recv()
        while True:
            responses = pipe.recv()
            try:
                pipe.send(preparer.prepare(responses))
            except Exception:
                pipe.send(traceback.format_exc())


if __name__ == "__main__":
    # By its full name, so that classes are the same on both ends.
    from honeyguide.crawl import prepare

    prepare.serve(Connection(int(sys.argv[1])))
