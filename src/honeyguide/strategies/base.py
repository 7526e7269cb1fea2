"""The interface of a strategy, and what several of them share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import SettingsError
from honeyguide.model import Explanation, Floats, Ids, Learned, Pages, Part, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.folds import Fold, Sums
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
    fold: Fold | Sums = Fold("max")  # how what several links contribute becomes the priority of their target
    in_shards: Literal["yes", "by job", "no"] = "yes"  # "by job": what needs all links is in `refresh_whole`
    whole_every: int = 50  # pages of a divided crawl, at least, between two calls of `refresh_whole`
    hands_on: Mapping[str, Literal["split", "copied"]] = {}  # values that go from a page to what it links to
    fetches_again: bool = False  # whether it asks for pages again: then links remember what they contributed
    refresh_every: int = 0  # pages between two calls of `refresh`; 0 = never
    batch: int = 0  # pages to take at once; 0 = as the crawl order says
    max_queue: int = 0  # frontier bound it asks for; 0 = as the crawl order says

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """What each link of newly judged pages brings to its target, in the order of `pages.targets`; NaN: nothing.

        The first batch is the root page with the seeds.
        """
        raise NotImplementedError(f"{self.name} has neither `contributions` nor a `prioritize` of its own")

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Priorities that these newly judged pages change: by default what their links contribute, folded."""
        return self.fold.take(pages, self.contributions(pages, crawl), crawl)

    def refresh(self, crawl: CrawlView) -> Priorities:
        """Whole-graph recomputation, every `refresh_every` pages, and whenever the queue is empty."""
        return Priorities.none()

    def refresh_whole(self, crawl: CrawlView) -> Priorities:
        """What a shard cannot do, as it has not all links: asked of a view of the whole crawl, by a job beside it.

        Priorities and the values that it sets are brought to the shards, which are views that say `is_part`; what it
        keeps in arrays, the next job finds.
        """
        return self.refresh(crawl)

    def gathered(
        self, crawl: CrawlView, shards: Sequence[Mapping[str, NDArray[Any]]]
    ) -> dict[str, NDArray[Any]]:
        """Arrays for a view of the whole crawl, made of those that its shards keep; most need none."""
        return {}

    def take_whole(self, wanted: Priorities, crawl: CrawlView) -> Priorities:
        """What `refresh_whole` wants of urls of this shard, as they are to be placed here."""
        return wanted

    def check(self, topic: TopicModel) -> None:  # noqa: B027 - most go with any topic
        """Raise TopicError or SettingsError if it cannot work with a topic; asked before a crawl is begun."""

    def redirect(self, sources: Ids, targets: Ids, crawl: CrawlView) -> Priorities:
        """A url turned out to point elsewhere: by default the target takes its priority if that is higher."""
        return Fold("max").add(targets, crawl.priority[sources], crawl)

    def retry(self, ids: Ids, crawl: CrawlView) -> Priorities:
        """A url failed and will be tried again: by default at the same priority."""
        return Priorities(ids, crawl.priority[ids])

    def judged_again(
        self, pages: Pages, before: Floats, topic_before: TopicModel, crawl: CrawlView
    ) -> Priorities:
        """Pages that were ranked before have another relevance now, by a later revision of the topic.

        By default what their links contribute is put in the place of what they did, where links remember that;
        elsewhere what they led to stays where it is, and only what is found from here on is ranked by the new topic.
        """
        if type(self).contributions is Strategy.contributions or not crawl.remembers_links:
            return Priorities.none()
        pages = crawl.with_former(pages)
        return self.fold.take(pages, self.contributions(pages, crawl), crawl)

    def own_learning(self, crawl: CrawlView) -> dict[str, NDArray[Any]]:
        """What this shard of a crawl has learned so far and others can add to their own; most learn nothing.

        All of it every time: what comes twice, or not at all for a while, does no harm.
        """
        return {}

    def take_learning(self, crawl: CrawlView, others: Sequence[Mapping[str, NDArray[Any]]]) -> Priorities:
        """Add what all other shards have learned, in place of what they had learned before, and rank by it."""
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


def check_in_shards(strategy: Strategy) -> None:
    """Raise SettingsError if a strategy cannot work on a part of a crawl; asked before one is begun."""
    if strategy.in_shards == "no":
        raise SettingsError(
            f"{strategy.name} looks at all links of a crawl together, and as it is set up no job can do that for"
            " shards, which know only links into their own sites; crawl without shards, or choose another strategy"
            " (docs/scale.md tells which work)"
        )


def explain_whole(name: str, url_id: int, crawl: CrawlView) -> Explanation:
    """In a shard, of one that ranks by all links: a shard has not what it would take to say more."""
    priority = float(crawl.priority[url_id])
    if not np.isfinite(priority):
        return Explanation(f"{name}: the last job over all links of the crawl gave it no place")
    summary = f"{name}: its place is by the last job over all links of the crawl, or by the page that led to it since"
    return Explanation(summary, [Part("priority", priority)])


def largest_first(parts: Iterable[Part]) -> list[Part]:
    """In the order of an explanation."""
    return sorted(parts, key=lambda part: -part.number)


def is_due(name: str, every: int, growth: float, crawl: CrawlView, elsewhere: int = 0) -> bool:
    """Whether so many pages came since the last time, and so large a share of all; notes the time if they did.

    Work over the whole graph then costs the same per page however large the crawl grows. Pages that other shards have
    fetched, `elsewhere`, count as well.
    """
    noted = crawl.array(f"{name} last at")
    pages, last = crawl.pages_fetched + elsewhere, 0 if noted is None else int(noted[0])
    if pages - last < max(every, growth * last):
        return False
    crawl.set_array(f"{name} last at", np.array([pages]))
    return True
