"""Breadth-first: in order of discovery."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.model import Explanation, Pages, Part, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy, first_of


class BreadthFirst(Strategy):
    """Every url has priority 0; ties leave the frontier in order of discovery."""

    name: ClassVar[str] = "breadth-first"

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Queue what is new, change nothing."""
        return first_of(pages.targets, np.zeros(len(pages.targets)), crawl)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """Its place is its number."""
        return Explanation(
            f"breadth-first: in order of discovery, {crawl.depth[url_id]} links from the seeds' root",
            [Part("place in the order of discovery", float(url_id))],
        )
