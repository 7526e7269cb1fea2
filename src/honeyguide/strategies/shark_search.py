"""Shark-search: promise that fades along irrelevant pages, and the link's neighborhood (Hersovici et al. 1998).

SS1 is the keyword topic, SS2 any trained topic model: the strategy is the same, what judges differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Explanation, Floats, Ids, Pages, Part, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Combine, Strategy, largest_first
from honeyguide.strategies.folds import Fold
from honeyguide.strategies.link_context import judge_contexts, judge_texts
from honeyguide.topics.cosine import CosineTopic
from honeyguide.topics.keywords import KeywordTopic


class SharkSearch(Strategy):
    """Priority of u -> v = `gamma * inherited(v) + (1 - gamma) * neighborhood(v)`; the best parent counts.

    inherited = `delta * sim(u)` if u is similar, else `delta * inherited(u)`;
    neighborhood = `beta * sim(anchor) + (1 - beta) * context`, context = 1 if the anchor is similar, else
    sim(words around the link). Similar means above `similar_above`; unset it is 0, as in the paper, for a keyword
    topic, and the threshold of any other, as a trained model is never quite 0.
    """

    name: ClassVar[str] = "shark-search"
    needs = frozenset({"context relevance"})
    hands_on: Mapping[str, Literal["copied"]] = {"inherited": "copied"}

    def __init__(
        self,
        delta: float = 0.5,
        beta: float = 0.8,
        gamma: float = 0.5,
        similar_above: float | None = None,
        combine: Combine = "max",
    ) -> None:
        self.delta = delta
        self.beta = beta
        self.gamma = gamma
        self.similar_above = similar_above
        self.combine = combine
        self.fold = Fold(combine)
        self.values = {"inherited": 0.0, **self.fold.values}

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """Hand down what pages have or inherited, and judge anchors and the words around them."""
        wanted = np.flatnonzero(~crawl.is_fetched(pages.targets))
        targets = pages.targets[wanted]
        inherited = pages.per_link(self._handed_down(pages, crawl))[wanted]
        near = self._neighborhood(pages, wanted, crawl)
        ids, group = np.unique(targets, return_inverse=True)
        best = crawl.value("inherited")[ids]
        np.maximum.at(best, group, inherited)
        crawl.set_value("inherited", ids, best)
        promised = np.full(len(pages.targets), np.nan)
        promised[wanted] = self.gamma * inherited + (1 - self.gamma) * near
        return promised

    def _handed_down(self, pages: Pages, crawl: CrawlView) -> Floats:
        own = crawl.value("inherited")[pages.ids]
        return self.delta * np.where(pages.relevance > self._above(crawl), pages.relevance, own)

    def _above(self, crawl: CrawlView) -> float:
        if self.similar_above is not None:
            return self.similar_above
        by_words = (KeywordTopic.name, CosineTopic.name)
        return 0.0 if crawl.topic.name in by_words else crawl.topic.relevant_above

    def _neighborhood(self, pages: Pages, wanted: NDArray[np.int64], crawl: CrawlView) -> Floats:
        anchor = np.nan_to_num(judge_texts(pages, (page.anchors for page in pages), wanted, crawl.topic))
        context = np.ones(len(wanted))
        far = np.flatnonzero(anchor <= self._above(crawl))
        around = judge_contexts(pages, wanted[far], crawl.topic)
        context[far] = np.nan_to_num(around)
        return self.beta * anchor + (1 - self.beta) * context

    def redirect(self, sources: Ids, targets: Ids, crawl: CrawlView) -> Priorities:
        """The target takes what was inherited."""
        inherited = crawl.value("inherited")
        crawl.set_value("inherited", targets, np.maximum(inherited[targets], inherited[sources]))
        return super().redirect(sources, targets, crawl)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """What was inherited, and what the link's neighborhood brought."""
        inherited = float(crawl.value("inherited")[url_id])
        priority = float(crawl.priority[url_id])
        near = priority - self.gamma * inherited if np.isfinite(priority) else 0.0
        parts = [Part("inherited", self.gamma * inherited), Part("anchor and words around the link", near)]
        parents = len(crawl.inlinks(url_id))
        summary = (
            f"shark-search: {parents} pages link to it; it inherited {inherited:.3f} from the best of them"
            f" (a page hands {self.delta:g} of its relevance down, or of what it inherited if it has none)"
        )
        return Explanation(summary, largest_first(parts))
