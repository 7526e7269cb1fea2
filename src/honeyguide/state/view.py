"""What a strategy may see and write of a crawl: columns, values, tables, links, and the topic to judge texts with."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import ROOT, Bools, Floats, Ids, Pages, Status
from honeyguide.state.ordering import grouped
from honeyguide.state.sites import SiteIndex
from honeyguide.state.state import State
from honeyguide.state.tables import Table
from honeyguide.state.verdicts import Verdicts
from honeyguide.topics.base import TopicModel

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class CrawlView:
    """Arrays indexed by url id. Take them anew in every call: they are replaced as the crawl grows."""

    def __init__(self, state: State, topic: TopicModel, revision: int = 0) -> None:
        self._state = state
        self.topic = topic
        self.revision = revision  # of the topic
        self._site_index = SiteIndex(state)
        self._ranked_by = "priority"

    def __len__(self) -> int:
        return len(self._state)

    @property
    def is_part(self) -> bool:
        """Whether these are the urls of one shard of a crawl, which has not all links."""
        return self._state.is_part

    @property
    def relevance(self) -> Floats:
        """Relevance of every url, NaN where it is not fetched."""
        return self._column("relevance")

    @property
    def priority(self) -> Floats:
        """Priority of every url, -inf where none was given yet."""
        return self._column(self._ranked_by)

    def ranked_by(self, value: str) -> CrawlView:
        """The same crawl as one sees it whose priorities are kept in a value, because another places the urls."""
        seen = copy.copy(self)
        seen._ranked_by = value
        return seen

    @property
    def tries(self) -> NDArray[Any]:
        """Failed attempts so far."""
        return self._column("tries")

    @property
    def depth(self) -> NDArray[Any]:
        """Links from the root along the path of first discovery."""
        return self._column("depth")

    @property
    def host(self) -> Ids:
        """Host of every url, as a number."""
        return self._column("host")

    @property
    def fingerprint(self) -> NDArray[Any]:
        """64-bit fingerprint of every url."""
        return self._column("fingerprint")

    @property
    def status(self) -> NDArray[Any]:
        """Where every url stands now: a `Status`."""
        return self._column("status")

    @property
    def outcome(self) -> NDArray[Any]:
        """What its last visit left every url as: a `Status`, `KNOWN` if there was none."""
        return self._column("outcome")

    @property
    def pages_fetched(self) -> int:
        """How many pages have been fetched."""
        fetched = np.count_nonzero(self.outcome == Status.FETCHED)
        return int(fetched) - int(len(self) > 0 and self.outcome[ROOT] == Status.FETCHED)

    def sites(self, ids: Ids) -> Ids:
        """Site of each of the urls, as a number; all hosts of one registrable domain share it."""
        numbers: Ids = self._site_index.of_hosts()[self.host[ids]]
        return numbers

    def waiting_of(self, site: int) -> Ids:
        """Urls of a site that wait, or might."""
        return self._site_index.waiting(site)

    def is_fetched(self, ids: Ids) -> Bools:
        """Which of the urls have been fetched; they may be waiting to be fetched again."""
        return self._state.outcome_is(ids, Status.FETCHED)

    def is_open(self, ids: Ids) -> Bools:
        """Which of the urls wait for their first visit, or are known and may."""
        status, outcome = self.status[ids], self.outcome[ids]
        is_waiting: Bools = (status == Status.KNOWN) | (status == Status.QUEUED)
        is_new: Bools = (outcome == Status.KNOWN) | (outcome == Status.FAILED)
        return is_waiting & is_new

    def value(self, name: str) -> Floats:
        """A value the strategy declared, for every url. Read only: write with `set_value`."""
        return self._column(name)

    def set_value(self, name: str, ids: Ids, values: Floats | float) -> None:
        """Write a declared value; it survives a restart."""
        self._state.set(name, ids, values)

    def labelled(self) -> tuple[Ids, Bools]:
        """Pages of which somebody said whether they are on the topic, and what."""
        return self._said(self._state.labels)

    def marked_hubs(self) -> tuple[Ids, Bools]:
        """Pages of which somebody said whether they are good hubs, and what."""
        return self._said(self._state.hub_marks)

    def _said(self, verdicts: Verdicts) -> tuple[Ids, Bools]:
        fingerprints, is_good = verdicts.all()
        ids = self._state.find(fingerprints)
        return ids[ids >= 0], is_good[ids >= 0]

    def table(self, name: str) -> Table:
        """A table the strategy declared; the rows of that of hosts are numbered as in `host`."""
        return self._state.tables[name]

    def array(self, name: str) -> NDArray[Any] | None:
        """What was kept under a name with `set_array`, or None. Read only."""
        return self._state.arrays.get(name)

    def set_array(self, name: str, array: NDArray[Any]) -> None:
        """Keep a whole array across restarts, for what is no number of a url; an empty one forgets the name."""
        self._state.set_array(name, array)

    def find(self, fingerprints: NDArray[np.uint64]) -> Ids:
        """The urls with these fingerprints, -1 for those that are not known."""
        return self._state.find(fingerprints)

    def destinations(self, ids: Ids) -> Ids:
        """Where links lead in the end: a url that turned out to point elsewhere stands for that one."""
        return self._state.destinations(ids)

    def outlinks(self, url_id: int) -> Ids:
        """Where a fetched page links to."""
        return self._state.links.outlinks(url_id)

    def inlinks(self, url_id: int) -> Ids:
        """Fetched pages that link to a url, latest first."""
        return self._state.links.inlinks(url_id)

    def outlinks_of(self, ids: Ids) -> tuple[NDArray[np.int64], Ids]:
        """Links of many pages at once: for each link the place of its page in `ids`, and its target."""
        return self._state.links.outlinks_of(ids)

    def inlinks_of(self, ids: Ids, most: int) -> tuple[NDArray[np.int64], Ids]:
        """Of many urls the latest `most` links into each: the place of the url in `ids`, and the linking page."""
        return self._state.links.inlinks_of(ids, most)

    def links_beside(
        self, ids: Ids, most: int, reach: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], Ids]:
        """What stands next to the latest `most` links into each url, at most `reach` links away on the same page.

        For each neighbor the place of the url in `ids`, how far away it is, and its target. Of a page of another shard
        too few links are known to tell what stands beside what.
        """
        place, distance, targets, sources = self._state.links.beside(ids, most, reach)
        is_whole = self.outcome[sources] != Status.FOREIGN
        return place[is_whole], distance[is_whole], targets[is_whole]

    @property
    def remembers_links(self) -> bool:
        """Whether links remember what they contributed: where pages are fetched again."""
        return self._state.links.remembers

    def note_contributions(self, pages: Pages, contributed: Floats) -> None:
        """Note what each link of a batch brings to its target, one number, where links remember it."""
        self._state.note_contributions(pages, contributed)

    def with_former(self, pages: Pages) -> Pages:
        """Pages that were read again, with what their links are known to have brought; those with other links go."""
        versions = [(page, self._state.version_of(page.id)) for page in pages]
        return Pages(
            [
                replace(page, former=former)
                for page, former in versions
                if former is not None and np.array_equal(former.targets, page.targets)
            ]
        )

    def contributions_into(self, ids: Ids, most: int) -> tuple[NDArray[np.int64], Ids, NDArray[np.float32]]:
        """Of the latest `most` links into each url: its place in `ids`, the linking page, and what the link brings.

        That is NaN where it is not known.
        """
        return self._state.links.contributions_into(ids, most)

    def links(self) -> tuple[Ids, Ids]:
        """All links seen so far as (sources, targets), in order of discovery."""
        return self._state.links.pairs()

    def graph(self) -> csr_array:
        """The link graph seen so far, as a sparse matrix."""
        return self._state.links.graph()

    def _column(self, name: str) -> NDArray[Any]:
        column = self._state.urls[name]
        column.flags.writeable = False  # of this view alone: a change made here would never reach the store
        return column

    def judge(self, texts: Sequence[str]) -> Floats:
        """The topic's relevance of link contexts or other short texts."""
        return self.topic.judge(texts)


def add_to(table: Table | CrawlView, rows: Ids, amounts: Mapping[str, Floats]) -> Ids:
    """Add to values of urls or of a table's rows, of which one may come several times; gives each row once."""
    distinct, group = grouped(rows)
    for name, amount in amounts.items():
        added = np.bincount(group, amount, minlength=len(distinct))
        table.set_value(name, distinct, table.value(name)[distinct] + added)
    return distinct
