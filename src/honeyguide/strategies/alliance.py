"""Alliance coefficient: the neighbors known to be on topic over the other neighbors (future work of CC-BFS)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from honeyguide.model import Explanation, Floats, Pages, Part
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.folds import Sums

NO_OTHERS = 0.5
"""Stands for no other neighbors, so that one ally alone is worth more than one ally and one other."""


def alliance(allies: Floats, others: Floats) -> Floats:
    """The coefficient, finite also where there are no others."""
    coefficient: Floats = allies / np.where(others > 0, others, NO_OTHERS)
    return coefficient


FOLD = Sums(lambda is_ally: {"allies": is_ally, "others": 1.0 - is_ally}, alliance, ("allies", "others"))


class Alliance(Strategy):
    """Priority of v = linking pages on topic / other linking pages; on topic is what the topic accepts."""

    name: ClassVar[str] = "alliance"
    fold = FOLD
    values: Mapping[str, float] = FOLD.values

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """Count allies and others of everything linked to: 1 from an ally, 0 from any other."""
        is_ally = np.array([page.accepted and page.relevance > 0 for page in pages], dtype=np.float64)
        return pages.per_link(is_ally)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """Both counts."""
        allies, others = (float(crawl.value(name)[url_id]) for name in ("allies", "others"))
        summary = f"alliance: of the pages that link to it {allies:.0f} are on topic and {others:.0f} are not"
        return Explanation(
            summary, [Part("linking pages on topic", allies), Part("other linking pages", -others)]
        )
