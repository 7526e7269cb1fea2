"""Best-first (BFS-N): the N links whose pages are most similar to the topic (Menczer et al.; baseline of CC-BFS)."""

from __future__ import annotations

from typing import ClassVar

from honeyguide.model import Explanation, Floats, Pages
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Combine, Strategy
from honeyguide.strategies.folds import Fold
from honeyguide.strategies.soft_focus import explain_by_parents


class BestFirst(Strategy):
    """Priority of v = the best cosine of a page linking to it.

    BFS256 is `n = 256, queue = 256`: a bounded queue that drops the worst.
    """

    name: ClassVar[str] = "best-first"

    def __init__(self, n: int = 0, queue: int = 0, combine: Combine = "max") -> None:
        self.batch = n
        self.max_queue = queue
        self.combine = combine
        self.fold = Fold(combine)
        self.values = self.fold.values

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """Pass each page's similarity on to its links."""
        return pages.per_link(pages.relevance)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The linking pages by similarity."""
        return explain_by_parents(self.name, url_id, crawl)
