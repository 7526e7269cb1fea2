"""Sites: an order over sites around any strategy, which orders the pages of each (Ester, Kriegel, Schubert 2004)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.site_relevance import Definition, evidence, expected_of, leaning
from honeyguide.model import ROOT, Bools, Explanation, Floats, Ids, Pages, Part, Priorities, Status
from honeyguide.state.sites import SITE_COLUMNS, SITES
from honeyguide.state.tables import KEY, Table
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.wrapper import Wrapper
from honeyguide.topics.base import TopicModel

PAGE_PRIORITY = "page_priority"
"""What the inner strategy gave; its own view of the crawl shows it as the priority."""
LEVELS = 7
"""Steps of what sites are worth; on one step the inner strategy decides between pages of different sites."""
SEVERAL_PAGES = 32
"""After so many pages of a site the next one is worth half as much: other sites have what it lacks."""
MOVES_PER_PAGE = 256
"""Urls that may be placed anew for each page judged, so that a page costs the same in a crawl of any size."""
_CREDIT = "sites credit"
_FINEST, _COARSEST = 1e-12, 1e15


class Sites(Wrapper):
    """Priority of u = the step that u's site stands on + the place of u by `inner`, squeezed between 0 and 1.

    A site is expected to bring what its pages of the present `budget` say (by the definition `relevance`), together
    with what it was before; of one not yet visited, what the pages of other sites say that link to it. Each budget
    that is used up makes what was found the expectation of the next: a site that stops paying is left for others,
    one that is found poor soon. As sites are looked for, what one has brought already makes its next page worth less.
    Everything lives in the table of sites and one value.
    """

    def __init__(self, inner: Strategy, relevance: Definition = "mean", budget: int = 8) -> None:
        super().__init__(inner)
        self.relevance: Definition = relevance
        self.budget = budget
        self.values = {**inner.values, PAGE_PRIORITY: -np.inf}
        self.tables = {**inner.tables, SITES: SITE_COLUMNS}

    @property
    def name(self) -> str:  # type: ignore[override]  # of a class, elsewhere
        """That of the inner strategy: its pages are ordered by it."""
        return self.inner.name

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Ask the inner strategy, note what the pages say of their sites and of those they link to."""
        wanted = self.inner.prioritize(pages, crawl.ranked_by(PAGE_PRIORITY))
        # A page that is visited again has said its part, and is not paid for out of its site's budget.
        first = Pages([page for page in pages if not page.is_revisit])
        leaned = leaning(first.relevance, crawl.topic.relevant_above)
        own = self._judged(first, evidence(self.relevance, leaned), crawl, is_new=True)
        linked = self._linked(first, leaned, crawl, is_new=True)
        self._earn(len(pages), crawl)
        return self._placed(wanted, np.concatenate((own, linked)), crawl)

    def judged_again(
        self, pages: Pages, before: Floats, topic_before: TopicModel, crawl: CrawlView
    ) -> Priorities:
        """Put what the pages say now in the place of what they said."""
        inner = crawl.ranked_by(PAGE_PRIORITY)
        wanted = self.inner.judged_again(pages, before, topic_before, inner)
        now = leaning(pages.relevance, crawl.topic.relevant_above)
        then = leaning(before, topic_before.relevant_above)
        more = evidence(self.relevance, now) - evidence(self.relevance, then)
        own = self._judged(pages, more, crawl, is_new=False)
        linked = self._linked(pages, now - then, crawl, is_new=False)
        self._earn(len(pages), crawl)
        return self._placed(wanted, np.concatenate((own, linked)), crawl)

    def redirect(self, sources: Ids, targets: Ids, crawl: CrawlView) -> Priorities:
        """A site that points to another one recommends it as much as it is worth itself."""
        wanted = self.inner.redirect(sources, targets, crawl.ranked_by(PAGE_PRIORITY))
        table = crawl.table(SITES)
        here, there = (_rows(ids, crawl) for ids in (sources, targets))
        away = here != there
        _add(table, "links", there[away], 1.0)
        _add(table, "trust", there[away], self.expected(here[away], table))
        return self._placed(wanted, there[away], crawl)

    def retry(self, ids: Ids, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it."""
        return self._placed(self.inner.retry(ids, crawl.ranked_by(PAGE_PRIORITY)), _nowhere(), crawl)

    def refresh(self, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it."""
        return self._placed(self.inner.refresh(crawl.ranked_by(PAGE_PRIORITY)), _nowhere(), crawl)

    def refresh_whole(self, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it; what is known of sites is in their shards, and counts there."""
        return self.inner.refresh_whole(crawl.ranked_by(PAGE_PRIORITY))

    def take_whole(self, wanted: Priorities, crawl: CrawlView) -> Priorities:
        """As the inner strategy has it, by sites."""
        wanted = self.inner.take_whole(wanted, crawl.ranked_by(PAGE_PRIORITY))
        return self._placed(wanted, _nowhere(), crawl)

    def own_learning(self, crawl: CrawlView) -> dict[str, NDArray[Any]]:
        """As the inner strategy has it; all that is known of a site is in one shard."""
        return self.inner.own_learning(crawl.ranked_by(PAGE_PRIORITY))

    def take_learning(self, crawl: CrawlView, others: Sequence[Mapping[str, NDArray[Any]]]) -> Priorities:
        """As the inner strategy has it."""
        wanted = self.inner.take_learning(crawl.ranked_by(PAGE_PRIORITY), others)
        return self._placed(wanted, _nowhere(), crawl)

    def hubs_marked(self, crawl: CrawlView) -> Priorities | None:
        """As the inner strategy has it."""
        wanted = self.inner.hubs_marked(crawl.ranked_by(PAGE_PRIORITY))
        return None if wanted is None else self._placed(wanted, _nowhere(), crawl)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The step of its site and its place there, and why the inner strategy put it at that place."""
        inner = self.inner.explain(url_id, crawl.ranked_by(PAGE_PRIORITY))
        table = crawl.table(SITES)
        row = table.find(crawl.sites(np.array([url_id], dtype=np.int32)).astype(np.uint64))
        page_priority = float(crawl.value(PAGE_PRIORITY)[url_id])
        if row[0] < 0 or not np.isfinite(page_priority):
            return Explanation(
                f"sites: nothing is known of its site yet; {inner.summary}", refers_to=inner.parts
            )
        level, pages = (float(table.value(name)[row[0]]) for name in ("level", "pages"))
        expected = float(self.expected(row, table)[0])
        return Explanation(
            f"sites: {pages:.0f} pages of its site were judged, and {expected:.2f} is expected of it;"
            f" among pages of such sites by {inner.summary}",
            [
                Part(f"the step of its site, of {LEVELS}", level),
                Part("its place by the inner strategy", float(squeezed(np.array([page_priority]))[0])),
            ],
            [*inner.parts, *inner.refers_to],
        )

    def expected(self, rows: Ids, table: Table) -> Floats:
        """What the next page of sites should bring, 0 to 1."""
        return expected_of(self.relevance, {name: table.value(name)[rows] for name in SITE_COLUMNS})

    def _judged(self, pages: Pages, said: Floats, crawl: CrawlView, *, is_new: bool) -> Ids:
        """Note what pages say of their own sites."""
        table = crawl.table(SITES)
        is_page = np.array([page.id != ROOT and not page.is_listing for page in pages], dtype=np.bool_)
        rows = _rows(pages.ids[is_page], crawl)
        _add(table, "evidence", rows, said[is_page])
        if is_new:
            _add(table, "pages", rows, 1.0)
            _add(table, "spent", rows, 1.0)
            used_up = np.unique(rows[table.value("spent")[rows] >= self.budget])
            found = self.expected(used_up, table)
            for name, number in (("before", found), ("spent", 0.0), ("evidence", 0.0)):
                table.set_value(name, used_up, number)
        return rows

    def _linked(self, pages: Pages, said: Floats, crawl: CrawlView, *, is_new: bool) -> Ids:
        """Note what pages say of other sites, each page once of each; what nobody gave says nothing."""
        is_heard = (pages.ids != ROOT) | (pages.relevance > 0)
        place = np.repeat(np.arange(len(pages)), pages.link_counts)
        there = crawl.sites(pages.targets)
        away = ((crawl.sites(pages.sources) != there) | (pages.sources == ROOT)) & is_heard[place]
        pairs = np.unique(np.stack((place[away], there[away])), axis=1)
        table = crawl.table(SITES)
        rows = table.rows(pairs[1].astype(np.uint64))
        _add(table, "trust", rows, said[pairs[0]])
        if is_new:
            _add(table, "links", rows, 1.0)
        return rows

    def _placed(self, wanted: Priorities, touched: Ids, crawl: CrawlView) -> Priorities:
        """Keep what the inner strategy wants; place these urls, and all of the sites that move to another step."""
        ids, numbers = _taken(wanted, crawl)
        is_first = np.isneginf(crawl.value(PAGE_PRIORITY)[ids])
        crawl.set_value(PAGE_PRIORITY, ids, numbers)
        table = crawl.table(SITES)
        rows = _rows(ids, crawl)
        _add(table, "ranked", rows[is_first], 1.0)
        moved = self._move(np.unique(np.concatenate((touched, rows))), table, crawl)
        others = [crawl.waiting_of(site) for site in table.columns[KEY][moved].tolist()]
        everyone = np.unique(np.concatenate((ids, *others)))
        priorities = crawl.value(PAGE_PRIORITY)[everyone]
        is_ranked = np.isfinite(priorities)
        everyone, priorities = everyone[is_ranked], priorities[is_ranked]
        levels = table.value("level")[_rows(everyone, crawl)]
        return Priorities(everyone, levels + squeezed(priorities), wanted.revisit)

    def _move(self, rows: Ids, table: Table, crawl: CrawlView) -> Ids:
        """Give sites their steps; those with urls placed before are returned, as far as the credit for these lasts."""
        now = table.value("level")[rows]
        steps = stepped(self.expected(rows, table), table.value("pages")[rows])
        is_new = now < 0
        table.set_value("level", rows[is_new], steps[is_new])
        is_moving = ~is_new & (steps != now)
        moving, steps = rows[is_moving], steps[is_moving]
        cost = np.maximum(table.value("ranked")[moving] - table.value("pages")[moving], 0.0)
        order = np.argsort(cost, kind="stable")
        credit = _credit(crawl)
        order = order[np.cumsum(cost[order]) <= credit]
        moved: Ids = moving[order]
        table.set_value("level", moved, steps[order])
        if len(moved):
            crawl.set_array(_CREDIT, np.array([credit - cost[order].sum()]))
        return moved

    def _earn(self, pages: int, crawl: CrawlView) -> None:
        crawl.set_array(_CREDIT, np.array([_credit(crawl) + MOVES_PER_PAGE * pages]))


def stepped(expected: Floats, pages: Floats) -> Floats:
    """The step that a site stands on, each for twice the worth of the one below; what it brought makes it worth less.

    >>> stepped(np.array([1.0, 0.5, 0.49, 0.1, 0.0, 0.9]), np.array([0.0, 0.0, 0.0, 0.0, 0.0, 96.0])).tolist()
    [6.0, 6.0, 5.0, 3.0, 0.0, 4.0]
    """
    worth = expected * SEVERAL_PAGES / (SEVERAL_PAGES + pages)
    steps: Floats = np.clip(np.floor(np.log2(np.maximum(worth, 2.0**-LEVELS))) + LEVELS, 0, LEVELS - 1)
    return steps


def squeezed(priorities: Floats) -> Floats:
    """Any priorities between 0 and 1, in the same order: by their logarithms, as some strategies give tiny ones.

    >>> squeezed(np.array([-3.0, 0.0, 1e-9, 2e-9, 1e6])).round(4).tolist()
    [0.2691, 0.5, 0.5555, 0.5611, 0.8332]
    """
    size = np.log1p(np.minimum(np.abs(priorities), _COARSEST) / _FINEST)
    place: Floats = 0.5 + np.sign(priorities) * size / (2.001 * np.log1p(_COARSEST / _FINEST))
    return place


def _taken(wanted: Priorities, crawl: CrawlView) -> tuple[Ids, Floats]:
    """What the frontier would take: of each url the last, and nothing of what is done with unless it is a revisit."""
    ids, places = np.unique(wanted.ids[::-1], return_index=True)
    status = crawl.status[ids]
    is_open: Bools = (status == Status.KNOWN) | (status == Status.QUEUED)
    if wanted.revisit:
        is_open |= (status == Status.FETCHED) | (status == Status.FAILED)
    return ids[is_open], wanted.priorities[::-1][places][is_open]


def _rows(ids: Ids, crawl: CrawlView) -> Ids:
    return crawl.table(SITES).rows(crawl.sites(ids).astype(np.uint64))


def _add(table: Table, name: str, rows: Ids, amounts: Floats | float) -> None:
    distinct, group = np.unique(rows, return_inverse=True)
    sums = np.bincount(group, np.broadcast_to(amounts, rows.shape), minlength=len(distinct))
    table.set_value(name, distinct, table.value(name)[distinct] + sums)


def _credit(crawl: CrawlView) -> float:
    kept = crawl.array(_CREDIT)
    return 0.0 if kept is None else float(kept[0])


def _nowhere() -> Ids:
    return np.empty(0, dtype=np.int32)
