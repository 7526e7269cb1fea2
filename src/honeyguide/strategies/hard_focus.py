"""Hard focus: only links of pages that the topic's hard rule admits (Chakrabarti, van den Berg, Dom 1999)."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from honeyguide.model import Bools, Explanation, Floats, Pages
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Combine
from honeyguide.strategies.folds import Fold
from honeyguide.strategies.soft_focus import SoftFocus, explain_by_parents


class HardFocus(SoftFocus):
    """Priority of v as in soft focus, over the admitted pages alone; what only others link to is never fetched.

    The paper leaves the order of what survives open (but for fewer tries first); here it is soft focus's, or with
    `order = "discovery"` first in, first out, as in the thesis on topic maps.
    """

    name: ClassVar[str] = "hard-focus"

    def __init__(
        self, combine: Combine = "max", order: Literal["relevance", "discovery"] = "relevance"
    ) -> None:
        super().__init__(combine)
        self.order = order
        if order == "discovery":
            self.fold = Fold("first")

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """Pass the relevance of admitted pages on to their links, or let these queue up."""
        # What only others linked to is known, too: the time it is let in counts, not its number.
        in_order = np.full(len(pages), -float(len(crawl)))
        handed_on = in_order if self.order == "discovery" else pages.relevance
        return pages.per_link(np.where(is_admitted(pages), handed_on, np.nan))

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The linking pages by relevance, or that none of them was admitted."""
        explanation = explain_by_parents(self.name, url_id, crawl)
        if np.isfinite(crawl.priority[url_id]):
            if self.order == "relevance":
                return explanation
            let_in = f"{self.name}: let in when {-crawl.priority[url_id]:,.0f} urls were known; first in, first out"
            return Explanation(let_in, refers_to=explanation.refers_to)
        refused = "none of them is on the topic, so it is not fetched"
        return replace(explanation, summary=f"{explanation.summary}; {refused}")


def is_admitted(pages: Pages) -> Bools:
    """Which pages' links are followed: those the hard rule accepts, and the seeds, which somebody chose."""
    return np.array([page.accepted or page.depth == 0 for page in pages], dtype=np.bool_)
