"""A strategy around another: what it does not do itself, the other does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from honeyguide.model import Explanation, Floats, Ids, Learned, Pages, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.topics.base import TopicModel


class Wrapper(Strategy):
    """All that a strategy declares and does, passed on to `inner`; only its name is its own."""

    def __init__(self, inner: Strategy) -> None:
        self.inner = inner
        self.needs = inner.needs
        self.values = inner.values
        self.tables = inner.tables
        self.fold = inner.fold
        self.in_shards = inner.in_shards
        self.whole_every = inner.whole_every
        self.hands_on = inner.hands_on
        self.fetches_again = inner.fetches_again
        self.refresh_every = inner.refresh_every
        self.batch = inner.batch
        self.max_queue = inner.max_queue

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """As the inner strategy has it."""
        return self.inner.contributions(pages, crawl)

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it."""
        return self.inner.prioritize(pages, crawl)

    def refresh(self, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it."""
        return self.inner.refresh(crawl)

    def refresh_whole(self, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it."""
        return self.inner.refresh_whole(crawl)

    def gathered(
        self, crawl: CrawlView, shards: Sequence[Mapping[str, NDArray[Any]]]
    ) -> dict[str, NDArray[Any]]:
        """As the inner strategy has it."""
        return self.inner.gathered(crawl, shards)

    def take_whole(self, wanted: Priorities, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it."""
        return self.inner.take_whole(wanted, crawl)

    def check(self, topic: TopicModel) -> None:
        """As the inner strategy has it."""
        self.inner.check(topic)

    def judged_again(
        self, pages: Pages, before: Floats, topic_before: TopicModel, crawl: CrawlView
    ) -> Priorities:
        """As the inner strategy has it."""
        return self.inner.judged_again(pages, before, topic_before, crawl)

    def own_learning(self, crawl: CrawlView) -> dict[str, NDArray[Any]]:
        """As the inner strategy has it."""
        return self.inner.own_learning(crawl)

    def take_learning(self, crawl: CrawlView, others: Sequence[Mapping[str, NDArray[Any]]]) -> Priorities:
        """As the inner strategy has it."""
        return self.inner.take_learning(crawl, others)

    def hubs_marked(self, crawl: CrawlView) -> Priorities | None:
        """As the inner strategy has it."""
        return self.inner.hubs_marked(crawl)

    def redirect(self, sources: Ids, targets: Ids, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it."""
        return self.inner.redirect(sources, targets, crawl)

    def retry(self, ids: Ids, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it."""
        return self.inner.retry(ids, crawl)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """As the inner strategy has it."""
        return self.inner.explain(url_id, crawl)

    def learned(self, crawl: CrawlView) -> Learned:
        """As the inner strategy has it."""
        return self.inner.learned(crawl)
