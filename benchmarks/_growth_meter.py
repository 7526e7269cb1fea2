"""What reading an input costs, measured in a process of its own, which is ended when it takes too long."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from benchmarks._growth_inputs import HostileInput
from honeyguide.admission.traps import UrlTraps
from honeyguide.engine.prepare import Around, Preparer
from honeyguide.fetch.http import _MAX_HEADER_BYTES
from honeyguide.fetch.robots import MAX_BYTES, parse_robots, robots_directives
from honeyguide.model import Response
from honeyguide.parse import ParseOptions, parse_page
from honeyguide.parse.charset import decode
from honeyguide.parse.duplicates import looks_missing, signature
from honeyguide.parse.registry import mime_type
from honeyguide.parse.sitemap import parse_sitemap
from honeyguide.settings import ScopeSettings
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.urls import MAX_LENGTH, UrlPolicy, fingerprints, site_of

LIMIT_SECONDS = 20.0
"""More than any input of some megabytes may take."""

_URL = "http://h.example/a/b.html"
_ENOUGH_SECONDS = 0.1
_MAX_REPEATS = 2


class _Readers:
    """Everything that reads bytes of others, called as a crawl calls it."""

    def __init__(self) -> None:
        topic, policy = KeywordTopic("honey bees of the world"), UrlPolicy()
        everything = frozenset(("context relevance",))
        self._policy = policy
        self._traps = UrlTraps(ScopeSettings())
        self._plain = Preparer(topic, policy, frozenset(), 10_000, is_live=True)
        self._whole = Preparer(topic, policy, everything, 10_000, is_live=True)

    def page(self, body: bytes) -> None:
        self._plain.prepare([Response(_URL, 200, body, {"content-type": "text/html; charset=utf-8"})])

    def whole_page(self, body: bytes) -> None:
        self._whole.prepare([Response(_URL, 200, body, {"content-type": "text/html"})], Around.NUMBERS)

    def charset(self, body: bytes) -> None:
        decode(body, "text/html")

    def sitemap(self, body: bytes) -> None:
        parse_sitemap(body, _URL, "", ParseOptions())

    def robots(self, body: bytes) -> None:
        rules = parse_robots(body[:MAX_BYTES], "http://h.example/robots.txt", 0.0)
        path = body[: MAX_LENGTH // 2].decode("latin-1").replace("\n", "")
        for url in (_URL, f"http://h.example/{path}", "http://h.example/" + "a" * (MAX_LENGTH // 2)):
            rules.allows(url)
        _ = rules.sitemaps

    def headers(self, body: bytes) -> None:
        text = body[:_MAX_HEADER_BYTES].decode("latin-1")
        robots_directives({"x-robots-tag": text}, 0.0)
        mime_type(text)
        decode(b"", text)

    def addresses(self, body: bytes) -> None:
        text = body.decode("utf-8", "replace")
        pieces = [text[start : start + MAX_LENGTH] for start in range(0, len(text), MAX_LENGTH)]
        for piece in pieces:
            for url in (self._policy.canonical(piece, _URL), self._policy.canonical(f"http://{piece}")):
                if url is not None:
                    site_of(url.split("/", 3)[2])
                    fingerprints([url])
            path, _, query = piece.partition("?")
            self._traps.find(f"/{path}", query)

    def text(self, body: bytes) -> None:
        text = body.decode("utf-8", "replace")
        page = parse_page(body, _URL, "text/plain; charset=utf-8")
        signature(page.text)
        looks_missing(text, text, _URL)
        self._plain.topic.classify([text])
        self._plain.topic.judge([text[: len(text) // 2], text])

    def square(self, body: bytes) -> None:
        """What a reader must not be."""
        for _ in range(len(body)):
            body.count(b"y")


_OF_GRAMMAR = {
    "xml": ("sitemap", "page"),
    "addresses": ("addresses", "page"),
    "rules": ("robots", "text"),
    "headers": ("headers",),
    "charsets": ("charset", "whole_page"),
}


def readers_of(grammar: str) -> tuple[str, ...]:
    """Those for whom an input of a grammar is no mere noise."""
    return _OF_GRAMMAR.get(grammar, ("page", "whole_page"))


class Meter:
    """Processor time of readers, or infinity where it is more than LIMIT_SECONDS. Use it in a `with`."""

    def __enter__(self) -> Meter:
        self._process: BaseProcess | None = None
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def cost(self, reader: str, hostile: HostileInput, size: int) -> float:
        """Seconds to read so many bytes: the least of some times."""
        if self._process is None:
            self._start()
        self._pipe.send((reader, hostile, size))
        if not self._pipe.poll(3 * LIMIT_SECONDS):
            self._end()
            return math.inf
        try:
            return float(self._pipe.recv())
        except EOFError:  # it died, of too much memory for one
            self._end()
            return math.inf

    def _start(self) -> None:
        self._pipe, other = get_context("spawn").Pipe()
        self._process = get_context("spawn").Process(target=_measure, args=(other,), daemon=True)
        self._process.start()
        other.close()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None


def _measure(pipe: Connection) -> None:
    readers = _Readers()
    readers.page(b"<p>what is loaded at the first use is no cost of an input")
    while True:
        reader, hostile, size = pipe.recv()
        body = hostile.body(size)
        pipe.send(_least_seconds(getattr(readers, reader), body))


def _least_seconds(read: Callable[[bytes], None], body: bytes) -> float:
    least = total = math.inf
    for _ in range(_MAX_REPEATS):
        start = time.process_time()
        read(body)
        spent = time.process_time() - start
        least, total = min(least, spent), spent if total == math.inf else total + spent
        if total > _ENOUGH_SECONDS:
            break
    return least
