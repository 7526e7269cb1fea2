"""Distilled: any other strategy, with what the best hubs link to raised to the top (Chakrabarti et al. 1999)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.hits import HubMarks, best_of_scores, distill
from honeyguide.model import ROOT, Explanation, Floats, Ids, Pages, Part, Priorities
from honeyguide.plugins import find_plugin
from honeyguide.settings import parse_assignments
from honeyguide.settings.plugin_settings import plugin_keywords
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy, is_due
from honeyguide.strategies.wrapper import Wrapper

TOP = 1e6
"""Above every priority of an ordinary strategy."""


class Distilled(Wrapper):
    """Priorities of `inner`; now and then the distiller finds the best hubs, and what they cite unvisited comes first.

    `settings` are those of the inner strategy, as in `["beta=0.5"]`. The distiller runs every `every` pages, but not
    before the crawl has grown by the share `growth`. The `revisits` best hubs are also fetched again, each once.
    What failed is tried again as the inner strategy has it: a second try need not be at the top. What people said of
    pages counts as their relevance; hubs that they marked come first, or hand out nothing and are not visited again.
    """

    name: ClassVar[str] = "distilled"

    def __init__(
        self,
        inner: str = "soft-focus",
        settings: tuple[str, ...] = (),
        every: int = 500,
        growth: float = 0.1,
        hubs: int = 50,
        revisits: int = 0,
        top_share: float = 0.15,
        iterations: int = 50,
        between_sites: bool = True,
    ) -> None:
        super().__init__(_made(inner, settings))
        self.in_shards = "no" if self.inner.in_shards == "no" else "by job"
        self.whole_every = every
        self.every = every
        self.growth = growth
        self.hubs = hubs
        self.revisits = revisits
        self.top_share = top_share
        self.iterations = iterations
        self.between_sites = between_sites
        self.values = {**self.inner.values, "hub": 0.0, "authority": 0.0, "raised": 0.0, "revisited": 0.0}
        self.fetches_again = self.inner.fetches_again or revisits > 0
        self.refresh_every = math.gcd(every, self.inner.refresh_every)

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it; what was raised stays so."""
        return _still_raised(self.inner.prioritize(pages, crawl), crawl)

    def redirect(self, sources: Ids, targets: Ids, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it; what was raised stays so."""
        return _still_raised(self.inner.redirect(sources, targets, crawl), crawl)

    def refresh(self, crawl: CrawlView) -> Priorities:
        """The inner strategy's own refresh, and the distiller when its time has come."""
        inner = Priorities.none()
        if self.inner.refresh_every and is_due("inner", self.inner.refresh_every, 0.0, crawl):
            inner = _still_raised(self.inner.refresh(crawl), crawl)
        if crawl.is_part or not is_due(self.name, self.every, self.growth, crawl):
            return inner
        return _together(inner, self._distill(crawl), crawl)

    def refresh_whole(self, crawl: CrawlView) -> Priorities:
        """The distiller; and what the inner strategy cannot do in shards, either."""
        inner = Priorities.none()
        if self.inner.in_shards == "by job":
            inner = _still_raised(self.inner.refresh_whole(crawl), crawl)
        return _together(inner, self._distill(crawl), crawl)

    def take_learning(self, crawl: CrawlView, others: Sequence[Mapping[str, NDArray[Any]]]) -> Priorities:
        """As the inner strategy has it; what was raised stays so."""
        return _still_raised(self.inner.take_learning(crawl, others), crawl)

    def hubs_marked(self, crawl: CrawlView) -> Priorities:
        """The distiller follows at once; in shards, when it runs the next time."""
        return Priorities.none() if crawl.is_part else self._distill(crawl)

    def _distill(self, crawl: CrawlView) -> Priorities:
        everything = np.arange(len(crawl), dtype=np.int32)
        relevance = crawl.relevance.copy()
        relevance[ROOT] = np.nan
        labelled, is_relevant = crawl.labelled()
        relevance[labelled] = np.where(np.isnan(relevance[labelled]), np.nan, is_relevant)
        marks = HubMarks.of(*crawl.marked_hubs())
        found = distill(
            *crawl.links(),
            relevance,
            crawl.sites(everything) if self.between_sites else None,
            marks=marks,
            top_share=self.top_share,
            iterations=self.iterations,
        )
        for name, scores in (("hub", found.hub), ("authority", found.authority)):
            changed = np.flatnonzero(scores != crawl.value(name)).astype(np.int32)
            crawl.set_value(name, changed, scores[changed])
        fallen = self._lower(marks.bad, crawl)
        best = best_of_scores(found.hub, self.hubs)
        cited, priorities = self._raise(best, found.hub, crawl)
        again = best[: self.revisits]
        again = again[crawl.value("revisited")[again] == 0]
        crawl.set_value("revisited", again, 1.0)
        fallen = np.setdiff1d(fallen, cited)  # what a good hub cites as well stays at the top
        ids = np.concatenate((fallen, again, cited))
        wanted = np.concatenate((np.zeros(len(fallen)), TOP + found.hub[again], priorities))
        return Priorities(ids, wanted, revisit=True)

    def _lower(self, hubs: Ids, crawl: CrawlView) -> Ids:
        """Unvisited pages that had been raised as these hubs cite them: they wait for another reason to be fetched."""
        cited = np.unique(crawl.outlinks_of(hubs)[1])
        lowered: Ids = cited[crawl.is_open(cited) & (crawl.value("raised")[cited] > 0)]
        crawl.set_value("raised", lowered, 0.0)
        return lowered

    def _raise(self, hubs: Ids, scores: Floats, crawl: CrawlView) -> tuple[Ids, Floats]:
        """Unvisited pages that hubs cite; those of the best hub first."""
        place, cited = crawl.outlinks_of(hubs)
        waiting = crawl.is_open(cited)
        ids, group = np.unique(cited[waiting], return_inverse=True)
        best = np.zeros(len(ids))
        np.maximum.at(best, group, scores[hubs[place[waiting]]])
        crawl.set_value("raised", ids, TOP + best)
        return ids, TOP + best

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """As the inner strategy explains it, and whether a hub raised it."""
        inner = self.inner.explain(url_id, crawl)
        hub, authority = (float(crawl.value(name)[url_id]) for name in ("hub", "authority"))
        raised = (
            "it was raised to the top, as a hub cites it" if crawl.value("raised")[url_id] else "not raised"
        )
        return Explanation(
            f"distilled: {raised}; {inner.summary}",
            inner.parts,
            [*inner.refers_to, Part("its hub score", hub), Part("its authority score", authority)],
        )


def _made(name: str, settings: tuple[str, ...]) -> Strategy:
    from honeyguide.strategies import STRATEGIES  # here, as this strategy is itself among them

    strategy = find_plugin("strategies", name, STRATEGIES)
    return strategy(**plugin_keywords(strategy, parse_assignments(settings), "strategy"))


def _still_raised(wanted: Priorities, crawl: CrawlView) -> Priorities:
    raised = crawl.value("raised")[wanted.ids]
    return Priorities(wanted.ids, np.where(raised > 0, raised, wanted.priorities), wanted.revisit)


def _together(inner: Priorities, raised: Priorities, crawl: CrawlView) -> Priorities:
    """Both at once: later ones win, and only what the distiller names may be fetched again."""
    waiting = crawl.is_open(inner.ids)
    return Priorities(
        np.concatenate((inner.ids[waiting], raised.ids)),
        np.concatenate((inner.priorities[waiting], raised.priorities)),
        revisit=True,
    )
