"""Breadth-first: in order of discovery."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.model import Explanation, Floats, Pages, Part
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.folds import Fold


class BreadthFirst(Strategy):
    """Every url has priority 0; ties leave the frontier in order of discovery."""

    name: ClassVar[str] = "breadth-first"
    fold = Fold("first")

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """Queue what is new, change nothing."""
        return np.zeros(len(pages.targets))

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """Its place is its number."""
        return Explanation(
            f"breadth-first: in order of discovery, {crawl.depth[url_id]} links from the seeds' root",
            [Part("place in the order of discovery", float(url_id))],
        )
