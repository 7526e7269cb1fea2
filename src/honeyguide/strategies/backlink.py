"""Backlink count: the url most linked to by fetched pages."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.model import Explanation, Floats, Pages, Part
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.folds import Fold


class Backlink(Strategy):
    """Priority = number of fetched pages that link to the url."""

    name: ClassVar[str] = "backlink"
    fold = Fold("sum")

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """One for every link."""
        return np.ones(len(pages.targets))

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The count."""
        count = len(crawl.inlinks(url_id))
        return Explanation(
            f"backlink: {count} fetched pages link to it", [Part("linking pages", float(count))]
        )
