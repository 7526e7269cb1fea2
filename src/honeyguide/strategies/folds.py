"""How what several links contribute to a url becomes its priority, and how a link that is gone is taken back.

A strategy says what each link contributes, one number; a fold keeps the priority that follows. Where pages are fetched
again, links remember their numbers (`CrawlView.remembers_links`), so that those of a page's former version can be taken
back; elsewhere nothing is kept but the priority itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Floats, Ids, Pages, Part, Priorities, Version
from honeyguide.state.ordering import grouped
from honeyguide.state.view import CrawlView

MOST_LINKS = 1_000
"""Into one url, the latest, that are looked at when the best of them is gone."""

NOBODY_LINKS = 0.0
"""Priority of a url that was linked to, but is no more: no page hands on less."""


@dataclass(frozen=True, slots=True)
class Fold:
    """The best, the mean, the sum or the first of all links into a url; each failed try takes off `per_try`."""

    kind: Literal["max", "mean", "sum", "first"]
    per_try: float = 0.0

    @property
    def values(self) -> dict[str, float]:
        """What it keeps on urls."""
        return {"parents": 0.0} if self.kind == "mean" else {}

    def take(self, pages: Pages, scores: Floats, crawl: CrawlView) -> Priorities:
        """Take in what links of a batch contribute, NaN for nothing; former versions of its pages are taken back."""
        crawl.note_contributions(pages, scores)
        again = pages.changed()
        if (
            again is None or self.kind == "first"
        ):  # whose place stays that of the first, whoever links to it now
            return self.add(pages.targets, scores, crawl)
        if self.kind == "max":
            return self._best_anew(pages.targets, scores, again.targets, crawl)
        targets, scores, signs = more_and_less(pages, scores, again)
        return self._added(targets, scores - self.per_try * crawl.tries[targets], signs, crawl)

    def add(self, targets: Ids, scores: Floats, crawl: CrawlView) -> Priorities:
        """Take in what further links contribute."""
        counts = ~np.isnan(scores)
        if not counts.all():
            targets, scores = targets[counts], scores[counts]
        if self.per_try:
            scores = scores - self.per_try * crawl.tries[targets]
        if self.kind == "first":
            ids, index = np.unique(targets, return_index=True)
            new = np.isneginf(crawl.priority[ids])
            return Priorities(ids[new], scores[index][new])
        if self.kind != "max":
            return self._added(targets, scores, np.ones(len(scores)), crawl)
        ids, group = grouped(targets)
        best = crawl.priority[ids]
        np.maximum.at(best, group, scores)
        return Priorities(ids, best)

    def _added(self, targets: Ids, scores: Floats, signs: Floats, crawl: CrawlView) -> Priorities:
        """The sum or mean with some links more and some less."""
        known = ~np.isnan(scores)
        targets, scores, signs = targets[known], scores[known], signs[known]
        ids, group = grouped(targets)
        before = crawl.priority[ids]
        is_ranked = np.isfinite(before)
        before = np.where(is_ranked, before, 0.0)
        added = np.bincount(group, signs * scores, minlength=len(ids)).astype(np.float64)
        if self.kind == "sum":
            return Priorities(ids, before + added)
        # A url ranked by a redirect has no parent on record; what it was given counts as one.
        count = np.where(is_ranked, np.maximum(crawl.value("parents")[ids], 1.0), 0.0)
        total: Floats = count + np.bincount(group, signs, minlength=len(ids))
        crawl.set_value("parents", ids, np.maximum(total, 0.0))
        return Priorities(ids, np.where(total > 0, (before * count + added) / np.maximum(total, 1.0), 0.0))

    def _best_anew(self, targets: Ids, scores: Floats, former: Ids, crawl: CrawlView) -> Priorities:
        """Where a link is gone or hands on less, the best of those that are left."""
        raised = self.add(targets, scores, crawl)
        ids = np.unique(former)
        best, is_known = best_of_links(ids, crawl)
        ids, best = ids[is_known], best[is_known] - self.per_try * crawl.tries[ids[is_known]]
        return Priorities(np.concatenate((raised.ids, ids)), np.concatenate((raised.priorities, best)))


def best_of_links(ids: Ids, crawl: CrawlView) -> tuple[Floats, NDArray[np.bool_]]:
    """The best that the links into each url contribute, and whether that is known of any, or nobody links to it."""
    place, _, contributed = crawl.contributions_into(ids, MOST_LINKS)
    links = np.bincount(place, minlength=len(ids))
    known = ~np.isnan(contributed)
    best = np.full(len(ids), -np.inf)
    np.maximum.at(best, place[known], contributed[known])
    return np.where(links > 0, best, NOBODY_LINKS), np.isfinite(best) | (links == 0)


def contributing_links(url_id: int, crawl: CrawlView, most: int = 10) -> list[Part]:
    """What each link into a url contributes, the largest first; nothing where links do not remember it."""
    _, pages, contributed = crawl.contributions_into(np.array([url_id], dtype=np.int32), MOST_LINKS)
    known = ~np.isnan(contributed)
    links = sorted(zip((-contributed[known]).tolist(), pages[known].tolist(), strict=True))[:most]
    return [Part("linked from", -less, page) for less, page in links]


def more_and_less(pages: Pages, scores: Floats, former: Version) -> tuple[Ids, Floats, Floats]:
    """What is to be added up for a batch with pages fetched again: targets, contributions, and their signs.

    Where it is not known what a link had contributed, it stays as it was counted.
    """
    counted = scores.copy()
    ends = np.cumsum(pages.link_counts).tolist()
    for page, end in zip(pages, ends, strict=True):
        if page.former is not None:
            unknown = page.former.targets[np.isnan(page.former.contributions)]
            counted[end - len(page.targets) : end][np.isin(page.targets, unknown)] = np.nan
    return (
        np.concatenate((pages.targets, former.targets)),
        np.concatenate((counted, former.contributions)),
        np.repeat((1.0, -1.0), (len(counted), len(former.targets))),
    )


@dataclass(frozen=True, slots=True)
class Sums:
    """Named sums over the links into a url, kept as values, and the priority that follows from them.

    `amounts` says what a link adds to each sum, by what it contributes.
    """

    amounts: Callable[[Floats], Mapping[str, Floats]]
    priority: Callable[..., Floats]
    names: Sequence[str]

    @property
    def values(self) -> dict[str, float]:
        """What it keeps on urls."""
        return dict.fromkeys(self.names, 0.0)

    def take(self, pages: Pages, scores: Floats, crawl: CrawlView) -> Priorities:
        """Take in what each link of a batch contributes; former versions of its pages are taken back."""
        crawl.note_contributions(pages, scores)
        targets, signs = pages.targets, np.ones(len(scores))
        if (again := pages.changed()) is not None:
            targets, scores, signs = more_and_less(pages, scores, again)
        known = ~np.isnan(scores)
        ids, group = np.unique(targets[known], return_inverse=True)
        sums = []
        for name, amount in self.amounts(scores[known]).items():
            added = np.bincount(group, signs[known] * amount, minlength=len(ids))
            sums.append(crawl.value(name)[ids] + added)
            crawl.set_value(name, ids, sums[-1])
        return Priorities(ids, self.priority(*sums))
