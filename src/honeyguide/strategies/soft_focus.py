"""Soft focus: a link is as good as the page it stands on (Chakrabarti, van den Berg, Dom 1999)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.model import Explanation, Floats, Ids, Pages, Part, Priorities
from honeyguide.state.ordering import distinct
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Combine, Strategy
from honeyguide.strategies.folds import Fold
from honeyguide.topics.base import TopicModel

MOST_PARENTS = 64
"""The latest, that are looked at when pages are judged again."""

TRY_PENALTY = 2.0
"""More than the whole range of relevance, so that fewer tries always come first."""


class SoftFocus(Strategy):
    """Priority of v = relevance of the most relevant page linking to it; fewer tries come first."""

    name: ClassVar[str] = "soft-focus"

    def __init__(self, combine: Combine = "max") -> None:
        self.combine = combine
        self.fold = Fold(combine, per_try=TRY_PENALTY)
        self.values = self.fold.values

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """Pass each page's relevance on to its links."""
        return pages.per_link(pages.relevance)

    def judged_again(
        self, pages: Pages, before: Floats, topic_before: TopicModel, crawl: CrawlView
    ) -> Priorities:
        """Whatever they lead to is as good as the pages that link to it are now."""
        crawl.note_contributions(pages, self.contributions(pages, crawl))
        targets = distinct(pages.targets[~crawl.is_fetched(pages.targets)])
        place, parents = crawl.inlinks_of(targets, MOST_PARENTS)
        relevance = crawl.relevance[parents]
        judged = ~np.isnan(relevance)  # a url that moved here was never judged
        place, relevance = place[judged], relevance[judged]
        best = np.full(len(targets), -np.inf)
        if self.combine == "mean":
            count = np.bincount(place, minlength=len(targets))
            sums = np.bincount(place, relevance, minlength=len(targets))
            best = np.where(count > 0, sums / np.maximum(count, 1), -np.inf)
        else:
            np.maximum.at(best, place, relevance)
        known = np.isfinite(best) & np.isfinite(crawl.priority[targets])
        return Priorities(targets[known], best[known] - TRY_PENALTY * crawl.tries[targets[known]])

    def retry(self, ids: Ids, crawl: CrawlView) -> Priorities:
        """Behind everything that was tried less often."""
        return Priorities(ids, crawl.priority[ids] - TRY_PENALTY)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The linking pages by relevance."""
        return explain_by_parents(self.name, url_id, crawl)


def explain_by_parents(name: str, url_id: int, crawl: CrawlView, most: int = 10) -> Explanation:
    """For strategies that pass on the relevance of linking pages."""
    parents = crawl.inlinks(url_id)
    parents = parents[~np.isnan(crawl.relevance[parents])]  # a url that moved here was never judged
    relevance: Floats = crawl.relevance[parents]
    order = np.argsort(-relevance, kind="stable")[:most]
    parts = [Part("linked from", float(relevance[i]), int(parents[i])) for i in order]
    best = f"the best is relevant by {parts[0].number:.3f}" if parts else "no page seen so far links to it"
    return Explanation(f"{name}: {len(parents)} fetched pages link to it; {best}", parts)
