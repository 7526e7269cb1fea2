"""A recorded web as experiments crawl it: closed, without giveaways, every page parsed once and judged once.

Links that leave the recording are no links here: nobody recorded what was behind them. The crawl itself is the one
users run; only what would be the same work every time is remembered between the runs of an experiment.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from honeyguide.engine.prepare import CONTEXT_WORDS, WORDS_AROUND, Around, Prepared, Preparer
from honeyguide.errors import HttpStatusError
from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.fetch.replay import open_recording
from honeyguide.lab.tasks.labels import Labels, read_labels, without_giveaways
from honeyguide.lab.tasks.rules import rules_of, web_labels
from honeyguide.model import (
    MOST_REDIRECTS,
    Bools,
    Floats,
    ParsedLinks,
    ParsedPage,
    Passages,
    Response,
    Validators,
)
from honeyguide.parse import ParseOptions, parse_page, readable, tidied
from honeyguide.topics.base import TopicModel
from honeyguide.topics.examples import Example
from honeyguide.topics.text import count_stems
from honeyguide.urls import DEFAULT_POLICY, fingerprints

NOWHERE = -1
_ALL_ANY_STRATEGY_NEEDS = ParseOptions(context_words=CONTEXT_WORDS)


class ClosedWeb:
    """The pages of a recording that have the label `within` and not the label `without`, and links between them."""

    def __init__(self, folder: Path, within: str = "", without: str = "") -> None:
        self.corpus = folder.name
        self._rules = rules_of(folder)
        self.labels: Labels = web_labels(folder, self._rules) if self._rules else read_labels(folder)
        self.urls = [
            url
            for url, own in self.labels.items()
            if (not within or within in own) and (not without or without not in own)
        ]
        self.numbers = {url: number for number, url in enumerate(self.urls)}
        self._recording = open_recording(folder)
        self._destinations: dict[str, int] = dict(self.numbers)
        self._parsed: dict[str, ParsedPage] = {}
        self._bodies: dict[str, bytes] = {}
        self._slim: dict[tuple[str, frozenset[str]], ParsedPage] = {}

    def response(self, url: str) -> Response | None:
        """What is at a url; None if it leads nowhere in this web."""
        if self.destination(url) == NOWHERE:
            return None
        response = self._recording.response(url)
        return response and replace(response, body=self._shown(response))

    def _shown(self, response: Response) -> bytes:
        """A page's body without giveaways, remembered: to find them takes as long as to crawl the page."""
        if not self._rules:
            return without_giveaways(self.corpus, response.body)
        if response.url not in self._bodies:
            body = self._rules.without_giveaways(response.body, response.content_type)
            self._bodies[response.url] = zlib.compress(body, 1)
        return zlib.decompress(self._bodies[response.url])

    def destination(self, url: str) -> int:
        """Number of the page that a url leads to, through redirects; NOWHERE for one that is not recorded."""
        if url not in self._destinations:
            self._destinations[url] = self._redirected(url)
        return self._destinations[url]

    def _redirected(self, url: str) -> int:
        at: str | None = url
        for _ in range(MOST_REDIRECTS):
            response = self._recording.response(at) if at else None
            if response is None or response.redirect is None or not at:
                return NOWHERE
            at = DEFAULT_POLICY.canonical(response.redirect, at)
            if at in self.numbers:
                return self.numbers[at]
        return NOWHERE

    def parsed(self, url: str) -> ParsedPage:
        """A page read with all that any strategy may need; of its text, what a topic judges."""
        if url not in self._parsed:
            response = self.response(url)
            assert response is not None, f"{url} is not in this web"
            page = parse_page(response.body, url, response.content_type, _ALL_ANY_STRATEGY_NEEDS)
            self._parsed[url] = replace(tidied(page), links=self._closed(page.links))
        return self._parsed[url]

    def _closed(self, links: ParsedLinks) -> ParsedLinks:
        kept = [at for at, url in enumerate(links.urls) if self.destination(url) != NOWHERE]
        return ParsedLinks(
            urls=[links.urls[at] for at in kept],
            anchors=[links.anchors[at] for at in kept],
            nofollow=[False] * len(kept),  # nobody is left who could be spared
            contexts=Passages.of(links.contexts).take(kept),
        )

    def page(self, url: str, needs: frozenset[str]) -> ParsedPage:
        """A page as a strategy with these needs is given it."""
        key = (url, needs)
        if key not in self._slim:
            page = self.parsed(url)
            links = page.links if needs & WORDS_AROUND else replace(page.links, contexts=())
            self._slim[key] = replace(page, text=page.text if "text" in needs else "", links=links)
        return self._slim[key]

    def text(self, url: str) -> str:
        """What a topic judges of a page."""
        return readable(self.parsed(url))

    def examples(self, urls: Sequence[str]) -> list[Example]:
        """Pages to learn from."""
        return [Example(self.text(url), url) for url in urls]

    @cached_property
    def graph(self) -> csr_array:
        """Which page links to which, redirects followed."""
        rows, columns = [], []
        for number, url in enumerate(self.urls):
            targets = {self.destination(target) for target in self.parsed(url).links.urls} - {number}
            rows.extend([number] * len(targets))
            columns.extend(sorted(targets))
        ones = np.ones(len(rows), dtype=np.int8)
        return csr_array((ones, (rows, columns)), shape=(len(self.urls), len(self.urls)))

    @cached_property
    def _fingerprints(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Fingerprints of all urls that lead anywhere, sorted, and the numbers of the pages they lead to."""
        assert self.graph.shape  # all pages have been read by now, so that all urls are known
        leading = {url: number for url, number in self._destinations.items() if number != NOWHERE}
        keys, numbers = fingerprints(list(leading)), np.array(list(leading.values()))
        order = np.argsort(keys)
        return keys[order], numbers[order]

    def numbers_of(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Numbers of the pages that urls with these fingerprints lead to."""
        known, numbers = self._fingerprints
        return numbers[np.searchsorted(known, keys)]

    @cached_property
    def _vectors(self) -> csr_array:
        """TF-IDF of every page, of unit length."""
        _, counts = count_stems([self.text(url) for url in self.urls])
        frequency = np.bincount(counts.indices, minlength=counts.shape[1])
        counts.data = (1 + np.log(counts.data)) * np.log(len(self.urls) / frequency)[counts.indices]
        lengths = np.sqrt(counts.multiply(counts).sum(axis=1))
        counts.data /= np.maximum(np.repeat(lengths, np.diff(counts.indptr)), 1e-12)
        return counts

    def similarities(self, urls: Sequence[str]) -> Floats:
        """Cosine of every page with the description of some: the sum of what they say."""
        chosen = [self.numbers[url] for url in urls if url in self.numbers]
        described = np.asarray(self._vectors[chosen].sum(axis=0)).ravel()
        length = float(np.linalg.norm(described))
        return self._vectors @ described / length if length else np.zeros(len(self.urls))


class ClosedWebFetcher(Fetcher):
    """Fetches from a closed web, which stays open for the next crawl."""

    def __init__(self, web: ClosedWeb) -> None:
        self._web = web

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        """The recorded page or redirect."""
        response = self._web.response(url)
        if response is None or response.status >= 400:
            raise HttpStatusError(404 if response is None else response.status)
        return response

    async def close(self) -> None:
        """Nothing: the web is used again."""


class Guide:
    """A topic model that judges each page of a web once, however many crawls it guides.

    To see what a poor one costs, a share of the pages may be judged the wrong way round: always the same, by a hash.
    """

    def __init__(self, topic: TopicModel, web: ClosedWeb, flipped: float = 0.0) -> None:
        self.topic = topic
        self.web = web
        self.flipped = flipped
        self._judged: dict[str, tuple[float, bool]] = {}

    def judge(self, urls: Sequence[str]) -> list[tuple[float, bool]]:
        """Relevance of each page, and whether the hard rule accepts it."""
        new = [url for url in dict.fromkeys(urls) if url not in self._judged]
        if new:
            judged = self.topic.classify([self.web.text(url) for url in new])
            is_flipped = self.is_flipped(new)
            relevance = np.where(is_flipped, 1.0 - judged.relevance, judged.relevance)
            verdicts = zip(relevance.tolist(), (judged.accepted ^ is_flipped).tolist(), strict=True)
            self._judged.update(zip(new, verdicts, strict=True))
        return [self._judged[url] for url in urls]

    def is_flipped(self, urls: Sequence[str]) -> Bools:
        """Which pages are judged the wrong way round."""
        places = [int.from_bytes(sha256(f"flipped {url}".encode()).digest()[:4]) for url in urls]
        return np.array(places, dtype=np.float64) < self.flipped * 2**32

    def relevance(self) -> Floats:
        """Of every page of the web."""
        return np.array([relevance for relevance, _ in self.judge(self.web.urls)])


@dataclass(frozen=True)
class RememberingPreparer(Preparer):
    """Gives pages as they were read and judged the first time."""

    guide: Guide

    @property
    def keeps_words(self) -> bool:
        """Nothing: all is remembered as it was read."""
        return False

    def revised(self, topic: TopicModel, revision: int) -> Self:
        """Guided by another revision of the topic, which judges each page once."""
        guide = Guide(topic, self.guide.web, self.guide.flipped)
        return replace(self, topic=topic, revision=revision, guide=guide)

    def prepare(self, responses: Sequence[Response], around: Around = Around.WORDS) -> Sequence[Prepared]:
        """A batch, remembered, with words for strategies to judge."""
        urls = [response.url for response in responses]
        return [
            Prepared(self.guide.web.page(url, self.needs), relevance, accepted, revision=self.revision)
            for url, (relevance, accepted) in zip(urls, self.guide.judge(urls), strict=True)
        ]
