"""The interface of a strategy, and the few ways in which several parents of a link combine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal

import numpy as np

from honeyguide.model import Explanation, Floats, Ids, Learned, Pages, Part, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.topics.base import TopicModel

Combine = Literal["max", "mean"]
"""How several parents of a link combine: the best of them, as most papers have it, or their mean."""


class Strategy(ABC):
    """Decides which link next. Holds parameters only; what it learns lives in the crawl's columns.

    Constructor keywords are its configuration: `[strategy] name = "best-first"`, `n = 256`.
    """

    name: ClassVar[str]
    needs: frozenset[str] = frozenset()  # of "context", "context relevance", "text": what is kept of a page
    values: Mapping[str, float] = {}  # values it keeps on urls, with their initial numbers
    tables: Mapping[
        str, Mapping[str, float]
    ] = {}  # the same of "hosts", or of rows of its own, found by keys
    refresh_every: int = 0  # pages between two calls of `refresh`; 0 = never
    batch: int = 0  # pages to take at once; 0 = as the crawl order says
    max_queue: int = 0  # frontier bound it asks for; 0 = as the crawl order says

    @abstractmethod
    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Priorities that these newly judged pages change. The first batch is the root page with the seeds."""

    def refresh(self, crawl: CrawlView) -> Priorities:
        """Whole-graph recomputation, every `refresh_every` pages, and whenever the queue is empty."""
        return Priorities.none()

    def check(self, topic: TopicModel) -> None:  # noqa: B027 - most go with any topic
        """Raise TopicError or SettingsError if it cannot work with a topic; asked before a crawl is begun."""

    def redirect(self, sources: Ids, targets: Ids, crawl: CrawlView) -> Priorities:
        """A url turned out to point elsewhere: by default the target takes its priority if that is higher."""
        return best_of(targets, crawl.priority[sources], crawl)

    def retry(self, ids: Ids, crawl: CrawlView) -> Priorities:
        """A url failed and will be tried again: by default at the same priority."""
        return Priorities(ids, crawl.priority[ids])

    def judged_again(
        self, pages: Pages, before: Floats, topic_before: TopicModel, crawl: CrawlView
    ) -> Priorities:
        """Pages that were ranked before have another relevance now, by a later revision of the topic.

        By default what they led to stays where it is, and only what is found from here on is ranked by the new topic.
        """
        return Priorities.none()

    def hubs_marked(self, crawl: CrawlView) -> Priorities | None:
        """Somebody said of a hub that it is good or bad (`CrawlView.marked_hubs`); None if that changes nothing."""
        return None

    @abstractmethod
    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """Why a url has the priority it has."""

    def learned(self, crawl: CrawlView) -> Learned:
        """What it has learned so far that holds for all urls; most learn nothing."""
        return Learned(f"{self.name} learns nothing on the way: its order follows from its settings alone")


def best_of(targets: Ids, scores: Floats, crawl: CrawlView) -> Priorities:
    """Keep the best of several parents, the ones before this batch included."""
    ids, group = np.unique(targets, return_inverse=True)
    best = crawl.priority[ids]
    np.maximum.at(best, group, scores)
    return Priorities(ids, best)


def mean_of(targets: Ids, scores: Floats, crawl: CrawlView) -> Priorities:
    """The mean over all parents, the ones before this batch included; needs the value "parents"."""
    ids, group = np.unique(targets, return_inverse=True)
    before = crawl.priority[ids]
    is_ranked = np.isfinite(before)
    # A url ranked by a redirect has no parent on record; what it was given counts as one.
    count = np.where(is_ranked, np.maximum(crawl.value("parents")[ids], 1.0), 0.0)
    total: Floats = count + np.bincount(group, minlength=len(ids)).astype(np.float64)
    added = np.bincount(group, scores, minlength=len(ids))
    crawl.set_value("parents", ids, total)
    return Priorities(ids, (np.where(is_ranked, before, 0.0) * count + added) / total)


def combined(combine: Combine, targets: Ids, scores: Floats, crawl: CrawlView) -> Priorities:
    """The best of all parents or their mean."""
    return (mean_of if combine == "mean" else best_of)(targets, scores, crawl)


def values_for(combine: Combine) -> dict[str, float]:
    """What `combined` keeps on urls."""
    return {"parents": 0.0} if combine == "mean" else {}


def sum_of(targets: Ids, scores: Floats, crawl: CrawlView) -> Priorities:
    """Add up all parents, the ones before this batch included."""
    ids, group = np.unique(targets, return_inverse=True)
    before = crawl.priority[ids]
    added = np.bincount(group, scores, minlength=len(ids)).astype(np.float64)
    return Priorities(ids, np.where(np.isfinite(before), before, 0.0) + added)


def first_of(targets: Ids, scores: Floats, crawl: CrawlView) -> Priorities:
    """Only urls without a priority get one: that of the first parent."""
    ids, index = np.unique(targets, return_index=True)
    new = np.isneginf(crawl.priority[ids])
    return Priorities(ids[new], scores[index][new])


def largest_first(parts: Iterable[Part]) -> list[Part]:
    """In the order of an explanation."""
    return sorted(parts, key=lambda part: -part.number)


def is_due(name: str, every: int, growth: float, crawl: CrawlView) -> bool:
    """Whether so many pages came since the last time, and so large a share of all; notes the time if they did.

    Work over the whole graph then costs the same per page however large the crawl grows.
    """
    noted = crawl.array(f"{name} last at")
    pages, last = crawl.pages_fetched, 0 if noted is None else int(noted[0])
    if pages - last < max(every, growth * last):
        return False
    crawl.set_array(f"{name} last at", np.array([pages]))
    return True
