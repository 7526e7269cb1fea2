"""Crawls as a few lines of text, to hand-compute priorities on."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from honeyguide.model import Page, Pages, Priorities, Status
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.topics.base import TopicModel
from honeyguide.topics.cosine import CosineTopic


class TinyCrawl:
    """Urls are letters; id 0 is the root. `fetch(("a", 0.9, "bc"))` fetches a, judged .9, with links to b and c.

    Capital letters are on a second host, everything else is on the first. A fourth part of a page has further fields,
    as in `("a", 0.9, "b", {"anchors": ["bees"]})`.
    """

    def __init__(self, strategy: Strategy, topic: TopicModel | None = None) -> None:
        self.strategy = strategy
        self.state = State()
        self.hosts = [self.state.host_id(name) for name in ("small.example", "capital.example")]
        self.ids: dict[str, int] = {}
        self.seeds: Sequence[str] = ()
        self.state.declare(strategy.values, strategy.tables)
        self.view = CrawlView(self.state, topic or CosineTopic("bees"))
        self.id("root")

    def id(self, name: str) -> int:
        if name not in self.ids:
            self.ids[name] = len(self.ids)
            zero = np.zeros(1, dtype=np.int32)
            host = zero + self.hosts[name.isupper()]
            self.state.add([name], np.array([len(self.ids) * 7919], dtype=np.uint64), host, zero, zero)
        return self.ids[name]

    def ids_of(self, names: Sequence[str]) -> np.ndarray:
        return np.array([self.id(name) for name in names], dtype=np.int32)

    def seed(self, names: Sequence[str]) -> dict[str, float]:
        self.seeds = names
        return self.fetch(("root", 1.0, names))

    def fetch(self, *pages: tuple[Any, ...]) -> dict[str, float]:
        """Fetch a batch; the priorities the strategy gave."""
        judged = []
        for name, relevance, links, *further in pages:
            targets = self.ids_of(links)
            depth = int(name not in ("root", *self.seeds))
            fields = {"former": self.state.version_of(self.id(name)), **(further[0] if further else {})}
            judged.append(Page(self.id(name), name, relevance, depth, targets, **fields))
        ids = np.array([page.id for page in judged], dtype=np.int32)
        self.state.settle(ids, Status.FETCHED)
        self.state.set("relevance", ids, [page.relevance for page in judged])
        batch = Pages(judged)
        self.state.links.append(ids, batch.link_counts, batch.targets)
        return self.apply(self.strategy.prioritize(batch, self.view))

    def redirect(self, source: str, target: str) -> dict[str, float]:
        sources, targets = self.ids_of(source), self.ids_of(target)
        self.state.settle(sources, Status.MOVED)
        self.state.links.append(sources, [1], targets)
        return self.apply(self.strategy.redirect(sources, targets, self.view))

    def refresh(self) -> dict[str, float]:
        return self.apply(self.strategy.refresh(self.view))

    def apply(self, wanted: Priorities) -> dict[str, float]:
        """Take priorities in as the frontier does: fetched urls have none to give."""
        names = {url_id: name for name, url_id in self.ids.items()}
        waiting = np.isin(self.state.urls["status"][wanted.ids], (Status.KNOWN, Status.QUEUED))
        if wanted.revisit:
            waiting[:] = True
        ids, priorities = wanted.ids[waiting], wanted.priorities[waiting]
        self.state.set("priority", ids, priorities)
        self.state.set("status", ids, Status.QUEUED)
        return {names[i]: p for i, p in zip(ids.tolist(), priorities.tolist(), strict=True)}

    def told(self, name: str) -> dict[str, float]:
        """The parts of an explanation, with names for ids."""
        names = {url_id: f" {own}" for own, url_id in self.ids.items()}
        parts = self.strategy.explain(self.id(name), self.view).parts
        return {f"{part.label}{names.get(part.url_id, '')}": part.number for part in parts}

    def values(self, name: str, urls: Sequence[str]) -> list[float]:
        return self.view.value(name)[self.ids_of(urls)].tolist()
