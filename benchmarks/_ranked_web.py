"""A large web as arrays, to rank without fetching, parsing or storing: links of the sample web, texts of some pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks._figures import cpu_seconds
from honeyguide.model import ROOT, Page, Pages, Passages, Priorities, Status
from honeyguide.parse import ParseOptions, parse_page
from honeyguide.sample_web.web import SampleWeb
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.topics.keywords import KeywordTopic

BATCH = 32
TEXTS = 500
TOPIC = "bees"


@dataclass(frozen=True)
class Words:
    """Of a real page of the sample web: text, anchors and the words around links, and how relevant it is."""

    text: str
    anchors: list[str]
    contexts: Passages
    relevance: float


class RankedWeb:
    """The first `visited` pages of a sample web five times as large, in the order of a breadth-first crawl."""

    def __init__(self, visited: int) -> None:
        self.visited = visited
        self.web = SampleWeb(pages=5 * visited)
        self.topic = KeywordTopic(self.web.description(TOPIC))
        seeds = [self.web.number(url) for url in self.web.seeds(TOPIC)]
        self._numbers = list(dict.fromkeys(number for number in seeds if number is not None))
        self.seeds = len(self._numbers)
        ids = {number: url_id for url_id, number in enumerate(self._numbers, start=1)}
        self.links: list[np.ndarray] = []
        while len(self.links) < visited:
            targets = []
            for number in self.web.links(self._numbers[len(self.links)]):
                if number not in ids:
                    self._numbers.append(number)
                    ids[number] = len(self._numbers)
                targets.append(ids[number])
            self.links.append(np.array(targets, dtype=np.int32))

    @cached_property
    def hosts(self) -> np.ndarray:
        """Host of every url, the root's first, numbered in the order in which they are met."""
        firsts = np.array([self.web.hosts.first(host) for host in range(self.web.hosts.count)])
        hosts = np.append(0, np.searchsorted(firsts, self._numbers, side="right"))
        _, first, group = np.unique(hosts, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[group].astype(np.int32)

    @cached_property
    def urls(self) -> list[str]:
        """Every url, the root's first."""
        return ["", *(self.web.url(number) for number in self._numbers)]

    @cached_property
    def words(self) -> list[Words]:
        """Some pages as the parser reads them."""
        found, options = [], ParseOptions(context_words=20)
        for number in self._numbers[:TEXTS]:
            page = parse_page(self.web.html(number), self.web.url(number), "text/html", options)
            relevance = float(self.topic.judge([page.text])[0])
            found.append(
                Words(page.text, list(page.links.anchors), Passages.of(page.links.contexts), relevance)
            )
        return [words for words in found if words.anchors]


class Ranking:
    """One strategy ranks its way through the web; only its own work is timed."""

    def __init__(self, web: RankedWeb, strategy: Strategy) -> None:
        self._web = web
        self._strategy = strategy
        self._state = State()
        self._view = CrawlView(self._state, web.topic)
        self._state.declare(strategy.values, strategy.tables)
        self.seconds = 0.0
        self.marks = [(0, 0.0)]

    def run(self, pages: int) -> list[tuple[int, float]]:
        """Pages ranked and seconds spent, after every batch."""
        self._rank([ROOT], [np.arange(1, self._web.seeds + 1, dtype=np.int32)])
        every = self._strategy.refresh_every
        size = self._strategy.batch or BATCH
        for start in range(0, pages, size):
            end = min(start + size, pages)
            self._rank(list(range(start + 1, end + 1)), self._web.links[start:end])
            if every and start // every != end // every:
                self._take(self._timed(lambda: self._strategy.refresh(self._view)))
            self.marks.append((end, self.seconds))
        return self.marks

    def _rank(self, ids: list[int], links: list[np.ndarray]) -> None:
        self._grow(max(int(targets.max(initial=0)) for targets in links))
        pages = Pages([self._page(url_id, targets) for url_id, targets in zip(ids, links, strict=True)])
        self._state.settle(pages.ids, Status.FETCHED)
        self._state.set("relevance", pages.ids, pages.relevance)
        self._state.links.append(pages.ids, pages.link_counts, pages.targets)
        self._take(self._timed(lambda: self._strategy.prioritize(pages, self._view)))
        self._state.take_changes()

    def _page(self, url_id: int, targets: np.ndarray) -> Page:
        if url_id == ROOT:
            return Page(ROOT, "", 1.0, 0, targets)
        words = self._web.words[url_id % len(self._web.words)]
        places = [(url_id * 7 + at) % len(words.anchors) for at in range(len(targets))]
        return Page(
            url_id,
            "",
            words.relevance,
            1,
            targets,
            text=words.text,
            urls=[self._web.urls[target] for target in targets.tolist()],
            accepted=words.relevance >= self._web.topic.relevant_above,
            anchors=[words.anchors[at] for at in places],
            contexts=words.contexts.take(places),
        )

    def _grow(self, last: int) -> None:
        first = len(self._state)
        if last < first:
            return
        ids = np.arange(first, last + 1)
        prints = ids.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
        nobody = np.zeros(len(ids), dtype=np.int32)
        hosts = self._web.hosts[ids]
        for host in range(len(self._state.host_names), int(hosts.max()) + 1):
            self._state.host_id(f"www.host-{host}.example")
        self._state.add([""] * len(ids), prints, hosts, nobody, nobody)

    def _timed(self, work):  # type: ignore[no-untyped-def]
        start = cpu_seconds()
        result = work()
        self.seconds += cpu_seconds() - start
        return result

    def _take(self, wanted: Priorities) -> None:
        """As the frontier would, without its queues."""
        waiting = np.isin(self._state.urls["status"][wanted.ids], (Status.KNOWN, Status.QUEUED))
        self._state.set("priority", wanted.ids[waiting], wanted.priorities[waiting])
        self._state.set("status", wanted.ids[waiting], Status.QUEUED)
