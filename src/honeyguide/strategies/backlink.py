"""Backlink count: the url most linked to by fetched pages."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.model import Explanation, Pages, Part, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy, sum_of


class Backlink(Strategy):
    """Priority = number of fetched pages that link to the url."""

    name: ClassVar[str] = "backlink"

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """One more for every link."""
        return sum_of(pages.targets, np.ones(len(pages.targets)), crawl)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The count."""
        count = len(crawl.inlinks(url_id))
        return Explanation(
            f"backlink: {count} fetched pages link to it", [Part("linking pages", float(count))]
        )
