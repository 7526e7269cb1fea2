"""A strategy with a stopwatch: what ranking costs, apart from fetching, parsing, judging pages and storing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar, TypeVar

from honeyguide.model import Floats, Ids, Pages, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.wrapper import Wrapper
from honeyguide.topics.base import TopicModel

Result = TypeVar("Result")


class TimedStrategy(Wrapper):
    """Does what another strategy does, and notes the processor time of its rankings."""

    name: ClassVar[str] = "timed"

    def __init__(self, inner: Strategy) -> None:
        super().__init__(inner)
        self.pages = 0
        self.seconds = 0.0
        self.marks: list[tuple[int, float]] = [(0, 0.0)]  # pages ranked and seconds spent by then

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Timed."""
        self.pages += len(pages)
        return self._timed(lambda: self.inner.prioritize(pages, crawl))

    def refresh(self, crawl: CrawlView) -> Priorities:
        """Timed."""
        return self._timed(lambda: self.inner.refresh(crawl))

    def refresh_whole(self, crawl: CrawlView) -> Priorities:
        """Timed."""
        return self._timed(lambda: self.inner.refresh_whole(crawl))

    def judged_again(
        self, pages: Pages, before: Floats, topic_before: TopicModel, crawl: CrawlView
    ) -> Priorities:
        """Timed."""
        return self._timed(lambda: self.inner.judged_again(pages, before, topic_before, crawl))

    def redirect(self, sources: Ids, targets: Ids, crawl: CrawlView) -> Priorities:
        """Timed."""
        return self._timed(lambda: self.inner.redirect(sources, targets, crawl))

    def retry(self, ids: Ids, crawl: CrawlView) -> Priorities:
        """Timed."""
        return self._timed(lambda: self.inner.retry(ids, crawl))

    def _timed(self, rank: Callable[[], Result]) -> Result:
        start = time.process_time()
        result = rank()
        self.seconds += time.process_time() - start
        self.marks.append((self.pages, self.seconds))
        return result
