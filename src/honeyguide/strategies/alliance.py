"""Alliance coefficient: the neighbors known to be on topic over the other neighbors (future work of CC-BFS)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from honeyguide.model import Explanation, Floats, Pages, Part, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy

NO_OTHERS = 0.5
"""Stands for no other neighbors, so that one ally alone is worth more than one ally and one other."""


class Alliance(Strategy):
    """Priority of v = linking pages on topic / other linking pages; on topic is what the topic accepts."""

    name: ClassVar[str] = "alliance"
    values: Mapping[str, float] = {"allies": 0.0, "others": 0.0}

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Count allies and others of everything linked to."""
        is_ally = np.array([page.accepted and page.relevance > 0 for page in pages], dtype=np.float64)
        ids, group = np.unique(pages.targets, return_inverse=True)
        added = np.bincount(group, pages.per_link(is_ally), minlength=len(ids))
        allies = crawl.value("allies")[ids] + added
        others = crawl.value("others")[ids] + np.bincount(group, minlength=len(ids)) - added
        crawl.set_value("allies", ids, allies)
        crawl.set_value("others", ids, others)
        return Priorities(ids, alliance(allies, others))

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """Both counts."""
        allies, others = (float(crawl.value(name)[url_id]) for name in ("allies", "others"))
        summary = f"alliance: of the pages that link to it {allies:.0f} are on topic and {others:.0f} are not"
        return Explanation(
            summary, [Part("linking pages on topic", allies), Part("other linking pages", -others)]
        )


def alliance(allies: Floats, others: Floats) -> Floats:
    """The coefficient, finite also where there are no others."""
    coefficient: Floats = allies / np.where(others > 0, others, NO_OTHERS)
    return coefficient
