"""Hard focus: only links of pages that the topic's hard rule admits (Chakrabarti, van den Berg, Dom 1999)."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from honeyguide.model import Explanation, Pages, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.soft_focus import SoftFocus, explain_by_parents


class HardFocus(SoftFocus):
    """Priority of v as in soft focus, over the admitted pages alone; what only others link to is never fetched.

    The paper leaves the order of what survives open (but for fewer tries first); here it is soft focus's.
    """

    name: ClassVar[str] = "hard-focus"

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Pass the relevance of admitted pages on to their links."""
        admitted = np.repeat(np.array([page.accepted for page in pages], dtype=bool), pages.link_counts)
        return self._passed_on(pages.targets[admitted], pages.per_link(pages.relevance)[admitted], crawl)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The linking pages by relevance, or that none of them was admitted."""
        explanation = explain_by_parents(self.name, url_id, crawl)
        if np.isfinite(crawl.priority[url_id]):
            return explanation
        refused = "the topic's hard rule admits none of them, so it is not fetched"
        return replace(explanation, summary=f"{explanation.summary}; {refused}")
