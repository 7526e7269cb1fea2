"""The bounds every strategy is measured against: what could be had at best, and what the guide's judgment is worth.

`oracle` knows the targets and all links. `peek` knows the guide's judgment of pages before they are fetched: oracle
minus peek is the error of the guide, peek minus a strategy is the strategy's error in foreseeing judgments. Where there
are many seeds, much of that is not to be foreseen by anybody: `peek-but-seeds` has to fetch a seed to know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from honeyguide.lab.results import ORACLE, PEEK, PEEK_BUT_SEEDS
from honeyguide.lab.tasks.closed_web import NOWHERE, ClosedWeb, Guide
from honeyguide.lab.tasks.tasks import Task
from honeyguide.model import Bools, Explanation, Floats, Pages, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy

Numbers = NDArray[np.int64]
FAR = np.iinfo(np.int64).max


class Foreseeing(Strategy):
    """Priority of a link = what a page is worth that nobody has fetched yet. A bound, not a strategy."""

    name: ClassVar[str] = "foreseeing"
    batch = 1  # a bound waits for nothing

    def __init__(self, web: ClosedWeb, worth: Floats) -> None:
        self._web = web
        self._worth = worth

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Look up what each link leads to."""
        ids = np.unique(pages.targets)
        return Priorities(ids, self._worth[self._web.numbers_of(crawl.fingerprint[ids])])

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The worth itself."""
        return Explanation(f"it is worth {crawl.priority[url_id]:g}, which no crawler can know")


class Oracle(Foreseeing):
    """Fetches targets as soon as they are linked, and otherwise goes the shortest way to the next."""

    name: ClassVar[str] = ORACLE

    def __init__(self, task: Task, web: ClosedWeb, pages: int) -> None:
        is_target = np.zeros(len(web.urls), dtype=bool)
        is_target[[web.numbers[url] for url in task.targets if url in web.numbers]] = True
        order = best_order(web.graph, seed_numbers(task, web), is_target, pages)
        worth = np.full(len(web.urls), -float(len(web.urls)))
        worth[order] = -np.arange(len(order), dtype=np.float64)
        super().__init__(web, worth)


class Peek(Foreseeing):
    """Fetches what the guide will find most relevant."""

    name: ClassVar[str] = PEEK

    def __init__(self, guide: Guide) -> None:
        super().__init__(guide.web, guide.relevance())


class PeekButSeeds(Foreseeing):
    """The same, but a seed is worth what a page is that is as likely relevant as not, since no page vouches for it."""

    name: ClassVar[str] = PEEK_BUT_SEEDS

    def __init__(self, task: Task, guide: Guide) -> None:
        worth = guide.relevance()
        worth[seed_numbers(task, guide.web)] = guide.topic.relevant_above
        super().__init__(guide.web, worth)


def make_bound(name: str, task: Task, guide: Guide, pages: int) -> Foreseeing:
    """The bound of this name."""
    if name == ORACLE:
        return Oracle(task, guide.web, pages)
    return Peek(guide) if name == PEEK else PeekButSeeds(task, guide)


def seed_numbers(task: Task, web: ClosedWeb) -> list[int]:
    """Pages a task starts from; a seed that is not recorded leads nowhere."""
    return [number for url in task.seeds if (number := web.destination(url)) != NOWHERE]


def reachable(graph: csr_array, seeds: Sequence[int]) -> Bools:
    """Pages that can be reached from the seeds."""
    return distances(graph, seeds) < FAR


def distances(graph: csr_array, starts: Sequence[int] | Numbers, closed: Bools | None = None) -> Numbers:
    """Links from the nearest start to every page, never through a closed one; FAR where no way leads."""
    found = np.full(graph.shape[0], FAR)
    level = np.unique(np.asarray(starts, dtype=np.int64))
    steps = 0
    while len(level):
        found[level] = steps
        level = np.unique(_linked(graph, level))
        level = level[found[level] == FAR]
        if closed is not None:
            level = level[~closed[level]]
        steps += 1
    return found


def _linked(graph: csr_array, pages: Numbers) -> Numbers:
    """Where pages link to, all together."""
    indptr, indices = graph.indptr, graph.indices
    counts = indptr[pages + 1] - indptr[pages]
    ends = np.cumsum(counts)
    places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(indptr[pages] - (ends - counts), counts)
    linked: Numbers = indices[places].astype(np.int64)
    return linked


def best_order(graph: csr_array, seeds: Sequence[int], is_target: Bools, pages: int) -> list[int]:
    """In what order somebody who knows everything fetches.

    Targets that are linked come first, of several the one that links to most new ones. When none is linked, the way
    goes on by the page from which a target is nearest. The very best order cannot be computed in reasonable time.
    """
    backward = csr_array(graph.T)
    left = is_target & reachable(graph, seeds)
    fetched = np.zeros(len(left), dtype=bool)
    is_linked = np.zeros(len(left), dtype=bool)
    is_linked[list(seeds)] = True
    order: list[int] = []
    while len(order) < pages and left.any():
        linked = np.flatnonzero(is_linked & ~fetched)
        candidates = linked[left[linked]]
        if not len(candidates):
            candidates = _nearest(backward, linked, left, fetched)
        gains = _gains(graph, candidates, left & ~is_linked)
        page = int(candidates[np.argmax(gains)])
        order.append(page)
        fetched[page], left[page] = True, False
        is_linked[graph.indices[graph.indptr[page] : graph.indptr[page + 1]]] = True
    return order


def _nearest(backward: csr_array, linked: Numbers, left: Bools, fetched: Bools) -> Numbers:
    ways = distances(backward, np.flatnonzero(left), closed=fetched)[linked]
    nearest: Numbers = linked[ways == ways.min()]
    return nearest


def _gains(graph: csr_array, pages: Numbers, is_new: Bools) -> Numbers:
    """How many new targets each page links to."""
    counts = graph.indptr[pages + 1] - graph.indptr[pages]
    rows = np.repeat(np.arange(len(pages)), counts)
    return np.bincount(rows[is_new[_linked(graph, pages)]], minlength=len(pages))
