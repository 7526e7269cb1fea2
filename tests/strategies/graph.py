"""Crawls as a few lines of text, to hand-compute priorities on."""

import numpy as np

from honeyguide.crawl.state import State
from honeyguide.crawl.view import CrawlView
from honeyguide.model import Page, Pages, Priorities, Status
from honeyguide.strategies.base import Strategy
from honeyguide.topics.keywords import KeywordTopic


class TinyCrawl:
    """Urls are letters; id 0 is the root. `fetch(("a", 0.9, "bc"))` fetches a, judged .9, with links to b and c.

    Capital letters are on a second host, everything else is on the first.
    """

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.state = State()
        self.hosts = [self.state.host_id(name) for name in ("small.example", "capital.example")]
        self.ids: dict[str, int] = {}
        for name, initial in strategy.values.items():
            self.state.declare_value(name, initial)
        self.view = CrawlView(self.state, KeywordTopic("bees"))
        self.id("root")

    def id(self, name: str) -> int:
        if name not in self.ids:
            self.ids[name] = len(self.ids)
            zero = np.zeros(1, dtype=np.int32)
            host = zero + self.hosts[name.isupper()]
            self.state.add([name], np.array([len(self.ids) * 7919], dtype=np.uint64), host, zero, zero)
        return self.ids[name]

    def seed(self, names: str) -> dict[str, float]:
        return self.fetch(("root", 1.0, names))

    def fetch(self, *pages: tuple[str, float, str]) -> dict[str, float]:
        """Fetch a batch; the priorities the strategy gave."""
        judged = []
        for name, relevance, links in pages:
            targets = np.array([self.id(link) for link in links], dtype=np.int32)
            judged.append(Page(self.id(name), name, relevance, 0, targets))
        ids = np.array([page.id for page in judged], dtype=np.int32)
        self.state.set("status", ids, Status.FETCHED)
        self.state.set("relevance", ids, [page.relevance for page in judged])
        batch = Pages(judged)
        self.state.links.append(ids, batch.link_counts, batch.targets)
        return self.apply(self.strategy.prioritize(batch, self.view))

    def apply(self, wanted: Priorities) -> dict[str, float]:
        names = {url_id: name for name, url_id in self.ids.items()}
        self.state.set("priority", wanted.ids, wanted.priorities)
        return {names[i]: p for i, p in zip(wanted.ids.tolist(), wanted.priorities.tolist(), strict=True)}
