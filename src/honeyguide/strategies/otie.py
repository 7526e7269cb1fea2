"""OTIE: on-line topical importance, cash that flows to the relevant (Wang, Guan et al. 2009)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np

from honeyguide.model import ROOT, Explanation, Floats, Ids, Pages, Part, Priorities, Status
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy, largest_first
from honeyguide.strategies.cash import touched
from honeyguide.strategies.link_context import predicted_similarity


class Otie(Strategy):
    """Priority = cash. Seeds share 1; a fetched page's cash is revised by its relevance and split by similarity.

    Revision: `cash += cash * max(-1, a * (2r - 1)^d)`, with `neutral` where the paper has .5. Share of link j:
    `sim'(j) / sum of sim'`, with the true relevance of what is fetched and the link-context prediction of what is not.
    Every `redistribute_every` pages the richest fetched page gives away what came in since; its links are known, so
    nothing is fetched again.
    """

    name: ClassVar[str] = "otie"
    needs = frozenset({"context relevance"})
    values: Mapping[str, float] = {"cash": 0.0, "predicted": 0.0, "given": 0.0, "weights": 0.0}
    hands_on: Mapping[str, Literal["split"]] = {"cash": "split"}

    def __init__(
        self,
        a: float = 0.85,
        d: float = 3.0,
        beta: float = 0.25,
        redistribute_every: int = 50,
        neutral: float = 0.5,
    ) -> None:
        self.a = a
        self.d = d
        self.neutral = neutral
        self.beta = beta
        self.refresh_every = redistribute_every

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Let the cash of each page flow to its links, in the order the pages were fetched."""
        similarity = self._similarity(pages, crawl)
        batch = touched(pages, crawl.destinations(pages.targets))
        cash = crawl.value("cash")[batch.ids]
        given, weights = np.zeros(len(pages)), np.zeros(len(pages))
        for number, (page, own, links) in enumerate(zip(pages, batch.pages, batch.links, strict=True)):
            # The root has what the seeds share; there is nothing to revise.
            given[number] = (
                page.relevance * page.share if page.id == ROOT else self._revised(cash[own], page.relevance)
            )
            cash[own] = 0.0
            shares, weights[number] = _shares(similarity[number])
            np.add.at(cash, links, given[number] * shares)
        crawl.set_value("cash", batch.ids, cash)
        self._note(pages.ids, given, weights, crawl)
        return Priorities(batch.ids, cash)

    def _similarity(self, pages: Pages, crawl: CrawlView) -> list[Floats]:
        """The similarity sim' of each link of each page."""
        unfetched = np.flatnonzero(~crawl.is_fetched(pages.targets))
        predicted = predicted_similarity(pages, unfetched, self.beta, crawl)
        crawl.set_value("predicted", pages.targets[unfetched], predicted)
        similarity = crawl.relevance[pages.targets]
        similarity[unfetched] = predicted
        return np.split(similarity, np.cumsum(pages.link_counts)[:-1])

    def _revised(self, cash: float, relevance: float) -> float:
        """Reward or punish a page; an odd power keeps the sign."""
        distance = relevance - self.neutral
        leaning = distance / ((1 - self.neutral if distance > 0 else self.neutral) or 1.0)
        return cash * (1 + max(-1.0, self.a * math.copysign(abs(leaning) ** self.d, leaning)))

    def _note(self, ids: Ids, given: Floats, weights: Floats, crawl: CrawlView) -> None:
        crawl.set_value("given", ids, crawl.value("given")[ids] + given)
        crawl.set_value("weights", ids, weights)

    def refresh(self, crawl: CrawlView) -> Priorities:
        """The richest fetched page gives away what it got since it was fetched."""
        cash = crawl.value("cash")
        richest = int(np.where(crawl.outcome == Status.FETCHED, cash, -1.0).argmax())
        if cash[richest] <= 0:
            return Priorities.none()
        page = np.array([richest], dtype=np.int32)
        given = self._revised(float(cash[richest]), float(crawl.relevance[richest]))
        targets = crawl.destinations(crawl.outlinks(richest))
        shares, weight = _shares(_known_similarity(targets, crawl))
        crawl.set_value("cash", page, 0.0)
        ids, group = np.unique(targets, return_inverse=True)
        richer = crawl.value("cash")[ids] + given * np.bincount(group, shares, minlength=len(ids))
        crawl.set_value("cash", ids, richer)
        self._note(page, np.array([given]), np.array([weight]), crawl)
        return Priorities(ids, richer)

    def redirect(self, sources: Ids, targets: Ids, crawl: CrawlView) -> Priorities:
        """The target takes the cash, and what was predicted."""
        cash = crawl.value("cash")[targets] + crawl.value("cash")[sources]
        crawl.set_value("cash", targets, cash)
        crawl.set_value("cash", sources, 0.0)
        crawl.set_value("predicted", targets, crawl.value("predicted")[sources])
        return Priorities(targets, cash)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """Which parents gave how much, and why."""
        parents = crawl.inlinks(url_id)
        parents = parents[crawl.is_fetched(parents)]
        similarity = float(_known_similarity(np.array([url_id], dtype=np.int32), crawl)[0])
        gains = [self._gain(parent, similarity, crawl) for parent in parents.tolist()]
        summary = (
            f"otie: cash {crawl.value('cash')[url_id]:.3g} from {len(parents)} linking pages; its similarity"
            f" {similarity:.3f} decides its share of what each of them gave"
        )
        return Explanation(summary, largest_first(gains))

    def _gain(self, parent: int, similarity: float, crawl: CrawlView) -> Part:
        given, weights = float(crawl.value("given")[parent]), float(crawl.value("weights")[parent])
        share = similarity / weights if weights else 1 / max(1, len(crawl.outlinks(parent)))
        relevance = float(crawl.relevance[parent])
        label = f"about {min(share, 1.0):.1%} of the {given:.3g} given by a page relevant by {relevance:.3f}:"
        return Part(label, given * min(share, 1.0), parent)


def _shares(similarity: Floats) -> tuple[Floats, float]:
    """Parts of 1, and the sum of similarities; equal parts where nothing is similar."""
    total = float(similarity.sum())
    if total > 0:
        return similarity / total, total
    return np.full(len(similarity), 1.0 / max(1, len(similarity))), 0.0


def _known_similarity(ids: Ids, crawl: CrawlView) -> Floats:
    """True relevance where fetched, else what the last link to it promised."""
    return np.where(crawl.is_fetched(ids), crawl.relevance[ids], crawl.value("predicted")[ids])
