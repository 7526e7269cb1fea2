"""A shard counts its urls and hosts from 0; the tables have the numbers of the whole crawl. From one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import StoreError
from honeyguide.model import Ids
from honeyguide.state.columns import Columns
from honeyguide.store.base import Batch, PageLinks

Numbers = NDArray[np.int32]


class Numbering:
    """What the whole crawl calls each url or host of a shard."""

    def __init__(self, numbers: Sequence[int] | Numbers = ()) -> None:
        self._numbers = Columns(crawl=(np.int32, -1), is_foreign=(np.bool_, False))
        self._order = np.empty(0, dtype=np.int64)
        self.add(np.asarray(numbers, dtype=np.int32))

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, numbers: Numbers, is_foreign: NDArray[np.bool_] | bool = False) -> None:
        """Those that follow."""
        self._numbers.append(len(numbers), crawl=numbers, is_foreign=is_foreign)

    def cut(self, length: int) -> None:
        """Forget those from a place on, of which nothing came."""
        kept = {name: self._numbers[name][:length].copy() for name in ("crawl", "is_foreign")}
        self._numbers = Columns(crawl=(np.int32, -1), is_foreign=(np.bool_, False))
        self._numbers.append(length, **kept)
        self._order = self._order[:0]

    def of(self, ids: NDArray[np.integer[Any]] | Sequence[int]) -> Numbers:
        """What the crawl calls them."""
        numbers: Numbers = self._numbers["crawl"][np.asarray(ids, dtype=np.int64)]
        return numbers

    def is_foreign(self, ids: Ids) -> NDArray[np.bool_]:
        """Which of them belong to other shards."""
        foreign: NDArray[np.bool_] = self._numbers["is_foreign"][ids]
        return foreign

    def own(self) -> tuple[Ids, Numbers]:
        """All that are no other's, here and in the crawl."""
        ids = np.flatnonzero(~self._numbers["is_foreign"]).astype(np.int32)
        return ids, self.of(ids)

    def here(self, numbers: Sequence[int] | Numbers) -> Ids:
        """What this shard calls them; StoreError if it does not know one."""
        wanted, known = np.asarray(numbers, dtype=np.int32), self._numbers["crawl"]
        if not len(wanted):
            return np.empty(0, dtype=np.int32)
        if len(self._order) != len(
            known
        ):  # it is asked for many times when a crawl is opened, and hardly later
            self._order = np.argsort(known, kind="stable")
        order = self._order
        place = np.minimum(np.searchsorted(known, wanted, sorter=order), max(len(known) - 1, 0))
        if not len(known) or (known[order[place]] != wanted).any():
            raise StoreError("the tables name urls that are no part of this shard")
        return order[place].astype(np.int32)


def in_crawl_numbers(batch: Batch, urls: Numbering, hosts: Numbering) -> Batch:
    """A batch of a shard, with its pages and hosts as the whole crawl calls them."""

    def one(url_id: int) -> int:
        return int(urls.of([url_id])[0])

    visited = urls.of([visit.url_id for visit in batch.visits]).tolist()
    return replace(
        batch,
        visits=[
            replace(visit, url_id=number, copy_of=visit.copy_of and one(visit.copy_of))
            for number, visit in zip(visited, batch.visits, strict=True)
        ],
        failures=[replace(failure, url_id=one(failure.url_id)) for failure in batch.failures],
        gone=[page._replace(url_id=one(page.url_id)) for page in batch.gone],
        links=_links_in_crawl_numbers(batch.links, urls),
        changes=replace(
            batch.changes,
            contributions={one(page): own for page, own in batch.changes.contributions.items()},
        ),
        yields={int(hosts.of([host])[0]): own for host, own in batch.yields.items()},
        trust={int(hosts.of([host])[0]): own for host, own in batch.trust.items()},
        judgments=batch.judgments and replace(batch.judgments, ids=urls.of(batch.judgments.ids)),
        archive_end=None,  # and receipts: each shard has its own
        receipts={},
    )


def _links_in_crawl_numbers(links: Sequence[PageLinks], urls: Numbering) -> list[PageLinks]:
    if not links:
        return []
    pages = urls.of([own.page for own in links]).tolist()
    ends = np.cumsum([len(own.targets) for own in links])
    targets = np.split(urls.of(np.concatenate([own.targets for own in links])), ends[:-1])
    return [
        PageLinks(page, into, own.anchors, own.replaces)
        for page, into, own in zip(pages, targets, links, strict=True)
    ]
