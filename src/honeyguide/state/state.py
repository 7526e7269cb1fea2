"""The crawl's state: everything known of every url as columns indexed by its id. The store is its durable copy.

The crawler writes it, strategies read it through `CrawlView`, the frontier orders it, the store saves what changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import MOST_REDIRECTS, ROOT, Bools, Ids, Pages, Status, Version
from honeyguide.state.columns import Columns
from honeyguide.state.links import Links
from honeyguide.state.seen import SeenSet
from honeyguide.state.tables import HOSTS, Table, distinct_rows, kind_of
from honeyguide.state.verdicts import Verdicts

UNRANKED = -np.inf
"""Priority of a url that no strategy has ranked yet."""

MUTABLE = ("status", "outcome", "tries", "priority", "relevance")
"""Columns that change after a url is known; any strategy's values join them."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What one batch did to the state; the store saves it in one transaction."""

    first_url: int
    urls: list[str]
    url_columns: dict[str, NDArray[Any]]  # fingerprint, host, depth, via of the new urls
    first_host: int
    hosts: list[str]
    columns: dict[str, tuple[Ids, NDArray[Any]]] = field(default_factory=dict)  # name -> (ids, new values)
    tables: dict[str, dict[str, tuple[Ids, NDArray[Any]]]] = field(
        default_factory=dict
    )  # the same of each table
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)  # kept whole; an empty one is forgotten
    contributions: Mapping[int, NDArray[Any]] = field(
        default_factory=dict
    )  # of pages: what their links brought
    statuses: tuple[int, ...] = ()  # how many urls there are of each status, with those of earlier batches


class State:
    """Columns over urls, columns over hosts, a strategy's tables, the link graph and the seen-set."""

    def __init__(self, is_part: bool = False) -> None:
        self.is_part = is_part  # of a crawl that is divided into shards
        self.urls = Columns(
            fingerprint=(np.uint64, 0),
            host=(np.int32, 0),
            depth=(np.uint16, 0),
            via=(np.int32, ROOT),
            status=(np.uint8, Status.KNOWN),
            outcome=(np.uint8, Status.KNOWN),  # of the last visit
            tries=(np.uint8, 0),
            priority=(np.float64, UNRANKED),
            relevance=(np.float64, np.nan),
            saved_status=(np.uint8, Status.KNOWN),  # as of the last commit
        )
        self._statuses = np.zeros(len(Status), dtype=np.int64)
        self.hosts = Columns(
            urls=(np.int32, 0),
            first_url=(np.int32, np.iinfo(np.int32).max),
            ready_at=(np.float64, 0.0),
            barren=(np.int32, 0),  # these two are counted by `HostYield`
            given=(np.int32, 0),
            trust=(np.uint8, 0),
        )
        self.links = Links()
        self.host_names: list[str] = []
        self._host_ids: dict[str, int] = {}
        self._seen = SeenSet()
        self._new_urls: list[str] = []
        self._first_new_host = 0
        self._changed: dict[str, list[Ids]] = {}
        self._value_names: list[str] = []
        self.tables = {HOSTS: Table(self.hosts)}
        self.arrays: dict[str, NDArray[Any]] = {}
        self._changed_arrays: set[str] = set()
        self._array_marks: dict[str, int] = {}  # of what they said when they were last set
        self._contributed: dict[int, NDArray[Any]] = {}
        self.labels = Verdicts()  # whether pages are on the topic
        self.hub_marks = Verdicts()  # whether what pages link to is worth following

    def __len__(self) -> int:
        return len(self.urls)

    def declare(self, values: Mapping[str, float], tables: Mapping[str, Mapping[str, float]]) -> None:
        """Make room for what a strategy keeps: values of urls, and its tables."""
        for name, initial in values.items():
            self.declare_value(name, initial)
        for name, columns in tables.items():
            self.declare_table(name, columns)

    def declare_table(self, name: str, columns: Mapping[str, float]) -> None:
        """Add a table, or columns to one."""
        if name not in self.tables:
            self.tables[name] = Table()
        for column, initial in columns.items():
            self.tables[name].declare(column, initial)

    def declare_value(self, name: str, initial: float = 0.0) -> None:
        """Give every url a number of this name, kept across restarts."""
        if name not in self.urls:
            self.urls.declare(name, kind_of(initial), initial)
            self._value_names.append(name)

    @property
    def mutable_columns(self) -> list[str]:
        """Names of the columns that the store must keep up to date."""
        return [*MUTABLE, *self._value_names]

    def find(self, fingerprints: NDArray[np.uint64]) -> Ids:
        """Ids of known urls, -1 for the others."""
        return self._seen.find(fingerprints, self.urls["fingerprint"])

    def add(
        self,
        texts: Sequence[str],
        fingerprints: NDArray[np.uint64],
        hosts: Ids,
        depths: NDArray[Any],
        vias: Ids,
    ) -> Ids:
        """Enter new, distinct urls; ids follow each other in the order given."""
        self._new_urls.extend(texts)
        return self._append(fingerprint=fingerprints, host=hosts, depth=depths, via=vias)

    def _append(self, **columns: NDArray[Any]) -> Ids:
        rows = self.urls.append(len(columns["fingerprint"]), **columns)
        ids = np.arange(rows.start, rows.stop, dtype=np.int32)
        self._seen.add(ids, self.urls["fingerprint"])
        self.links.grow(len(self.urls))
        np.add.at(self.hosts["urls"], columns["host"], 1)
        np.minimum.at(self.hosts["first_url"], columns["host"], ids)
        return ids

    def find_host(self, name: str) -> int | None:
        """The id of a host, if it is known."""
        return self._host_ids.get(name)

    def host_id(self, name: str) -> int:
        """The id of a host, new or known."""
        found = self._host_ids.get(name)
        if found is None:
            found = self._host_ids[name] = len(self.host_names)
            self.host_names.append(name)
            self.hosts.append(1)
        return found

    def set(self, name: str, ids: Ids, values: Any) -> None:
        """Write a mutable column or value; the change reaches the store with the next commit."""
        self.urls[name][ids] = values
        self.touch(name, ids)

    def settle(self, ids: Ids, outcome: Any) -> None:
        """Urls were visited, and this came of it: they leave the queue."""
        self.set("outcome", ids, outcome)
        self.rest(ids)

    def rest(self, ids: Ids) -> None:
        """Urls wait no longer; they are again what their last visit left them as."""
        self.set("status", ids, self.urls["outcome"][ids])

    def queue_again(self, ids: Ids) -> None:
        """Give urls another chance that were given up, at the priority they had; others are left as they are."""
        ids = ids[self.urls["status"][ids] == Status.FAILED]
        self.set("status", ids, Status.QUEUED)
        self.set("tries", ids, 0)

    def fetch_again(self, ids: Ids) -> None:
        """Have pages wait once more, at the priority they had; what is known of them stands."""
        ids = ids[self.urls["status"][ids] == self.urls["outcome"][ids]]
        self.set("status", ids, Status.QUEUED)

    def set_array(self, name: str, array: NDArray[Any]) -> None:
        """Keep what a strategy knows that is no number of a url; an empty array forgets the name."""
        if not array.size:
            self.arrays.pop(name, None)
            self._array_marks.pop(name, None)
            self._changed_arrays.add(name)
            return
        self.arrays[name] = array
        mark = hash((array.dtype.str, array.shape, array.tobytes()))
        if self._array_marks.get(name) != mark:  # else it says what it said, and need not be stored again
            self._array_marks[name] = mark
            self._changed_arrays.add(name)

    def note_contributions(self, pages: Pages, contributed: NDArray[Any]) -> None:
        """Note what each link of a batch brings to its target, where links remember it."""
        if not self.links.remembers:
            return
        ends = np.cumsum(pages.link_counts).tolist()
        for page, end in zip(pages, ends, strict=True):
            own = contributed[end - len(page.targets) : end].astype(np.float32)
            if self.links.note(page.id, page.targets, own):
                self._contributed[page.id] = own

    def version_of(self, url_id: int) -> Version | None:
        """A page as its last visit left it; None if there was none."""
        last = self.links.of_last_version(url_id)
        return last and Version(*last, float(self.urls["relevance"][url_id]))

    def touch(self, name: str, ids: Ids) -> None:
        """Note that a column was written in place."""
        if len(ids):
            self._changed.setdefault(name, []).append(ids)

    def status_is(self, ids: Ids, status: Status) -> Bools:
        """Which of the ids have this status."""
        matches: Bools = self.urls["status"][ids] == status
        return matches

    def outcome_is(self, ids: Ids, outcome: Status) -> Bools:
        """Which of the ids were left as this by their last visit."""
        matches: Bools = self.urls["outcome"][ids] == outcome
        return matches

    def held_pages(self) -> int:
        """How many pages were had and are not gone; the root is none."""
        return max(0, int(np.count_nonzero(self.urls["outcome"] == Status.FETCHED)) - 1)

    def destinations(self, ids: Ids) -> Ids:
        """Where urls lead in the end: one that turned out to point elsewhere stands for that one."""
        found = ids.copy()
        for _ in range(MOST_REDIRECTS):
            moved = np.flatnonzero(self.outcome_is(found, Status.MOVED))
            if not len(moved):
                break
            place, ends = self.links.outlinks_of(found[moved])
            if not len(ends):  # they moved into other shards
                break
            found[moved[place]] = ends
        return found

    def take_changes(self) -> Changes:
        """Everything since the last call. Urls in flight are saved as queued, so that a crash gives them back."""
        first_url = len(self.urls) - len(self._new_urls)
        ids = distinct_rows(self._changed)
        columns = {name: (ids[name], self.saved_values(name, ids[name])) for name in ids}
        changes = Changes(
            first_url=first_url,
            urls=self._new_urls,
            url_columns={
                name: self.urls[name][first_url:].copy() for name in ("fingerprint", "host", "depth", "via")
            },
            first_host=self._first_new_host,
            hosts=self.host_names[self._first_new_host :],
            columns=columns,
            tables={name: table.take_changes() for name, table in self.tables.items()},
            arrays={name: self.arrays.get(name, np.empty(0)) for name in sorted(self._changed_arrays)},
            contributions=self._contributed,
            statuses=self._counted(len(self._new_urls), columns.get("status")),
        )
        self._new_urls, self._first_new_host, self._changed = [], len(self.host_names), {}
        self._changed_arrays, self._contributed = set(), {}
        return changes

    def _counted(self, new_urls: int, changed: tuple[Ids, NDArray[Any]] | None) -> tuple[int, ...]:
        self._statuses[Status.KNOWN] += new_urls
        if changed:
            ids, statuses = changed
            self._statuses += _of_each(statuses) - _of_each(self.urls["saved_status"][ids])
            self.urls["saved_status"][ids] = statuses
        return tuple(self._statuses.tolist())

    def count_statuses(self) -> None:
        """Take the statuses that were loaded for those of the last commit."""
        self.urls["saved_status"][:] = self.urls["status"]
        self._statuses = _of_each(self.urls["status"])

    def saved_values(self, name: str, ids: Ids | slice) -> NDArray[Any]:
        """A column as it should be read back after a crash."""
        values = self.urls[name][ids]
        if name == "status":
            values = np.where(values == Status.IN_FLIGHT, Status.QUEUED, values).astype(np.uint8)
        return values

    def restore_urls(self, hosts: Sequence[str], **columns: NDArray[Any]) -> None:
        """Fill an empty state from the store."""
        self.host_names.extend(hosts)
        self._host_ids.update(zip(hosts, range(len(hosts)), strict=True))
        self.hosts.append(len(hosts))
        self._first_new_host = len(self.host_names)
        self._append(**columns)


def _of_each(statuses: NDArray[Any]) -> NDArray[np.int64]:
    return np.bincount(statuses, minlength=len(Status))
