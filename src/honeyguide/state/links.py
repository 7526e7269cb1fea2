"""The link graph as growing integer arrays: appended page by page, read forwards, backwards and as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import HoneyguideError
from honeyguide.model import ROOT, Ids
from honeyguide.state.columns import Columns
from honeyguide.state.ordering import stable_order

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_LINKS = 2**31 - 1
NOBODY = -1
"""Source of a link that the last version of its page does not have; it is passed over, and cleared away in time."""
MOST_FORMER_SHARE = 0.25


class Links:
    """The links of the last version of every page.

    Two arrays (source, target) in order of discovery, a chain through the links into each url, and page starts.
    """

    def __init__(self) -> None:
        self._former = 0
        self._links = _no_links()
        self._pages = _no_pages()
        self._urls = Columns(page=(np.int32, -1), last_in=(np.int32, -1))

    def __len__(self) -> int:
        return len(self._links) - self._former

    def grow(self, urls: int) -> None:
        """Make room for urls that may be linked from or to."""
        self._urls.append(urls - len(self._urls))

    def append(
        self,
        pages: Ids,
        counts: Sequence[int] | NDArray[np.int64],
        targets: Ids,
        contributed: NDArray[np.float32] | None = None,
    ) -> None:
        """Add the links of several pages; `targets` holds them page after page.

        They take the place of those that a page had before; only the root, which is no page, keeps them all.
        """
        self._forget(pages[(self._urls["page"][pages] >= 0) & (pages != ROOT)])
        first = len(self._links)
        if first + len(targets) > MOST_LINKS:
            raise HoneyguideError(f"a crawl holds at most {MOST_LINKS:,} links; split it by hosts or topics")
        self._links.append(
            len(targets),
            source=np.repeat(pages, counts),
            target=targets,
            earlier=self._chain(targets, first),
            **({} if contributed is None else {"contributed": contributed}),
        )
        ends = first + np.cumsum(counts, dtype=np.int64)
        rows = self._pages.append(len(pages), start=ends - counts, end=ends)
        self._urls["page"][pages] = np.arange(rows.start, rows.stop)

    def _forget(self, pages: Ids) -> None:
        """Links of former versions belong to nobody; once they are many, they go."""
        rows = self._urls["page"][pages]
        for start, end in zip(self._pages["start"][rows], self._pages["end"][rows], strict=True):
            self._links["source"][start:end] = NOBODY
            self._former += int(end - start)
        if self._former > MOST_FORMER_SHARE * len(self._links):
            self._urls["page"][pages] = NOBODY
            self._clear()

    @property
    def remembers(self) -> bool:
        """Whether links remember what they contributed to their targets."""
        return "contributed" in self._links

    def remember(self) -> None:
        """Have them remember from here on; what was contributed before is not known (NaN)."""
        if not self.remembers:
            self._links.declare("contributed", np.float32, np.nan)

    def note(self, page: int, targets: Ids, contributed: NDArray[np.floating[Any]]) -> bool:
        """Note what the links of a page contribute; false if these are not its last."""
        row = self._urls["page"][page]
        start, end = self._pages["start"][row], self._pages["end"][row]
        is_last = bool(row >= 0 and np.array_equal(self._links["target"][start:end], targets))
        if is_last:
            self._links["contributed"][start:end] = contributed
        return is_last

    def contributions_into(self, ids: Ids, most: int) -> tuple[NDArray[np.int64], Ids, NDArray[np.float32]]:
        """Of the latest `most` links into each url: its place in `ids`, the linking page, what the link contributes."""
        place, at = self._into(ids, most)
        return place, self._links["source"][at], self._contributed(at)

    def _contributed(self, at: Any) -> NDArray[np.float32]:
        if self.remembers:
            known: NDArray[np.float32] = self._links["contributed"][at]
            return known
        return np.full(len(self._links["source"][at]), np.nan, dtype=np.float32)

    def _clear(self) -> None:
        """Close the gaps that former versions have left; the order of the others stays."""
        if not self._former:
            return
        is_link = self._links["source"] != NOBODY
        place = np.concatenate(([0], np.cumsum(is_link)))
        kept = {name: self._links[name][is_link] for name in self._links.names() if name != "earlier"}
        latest = np.flatnonzero(self._urls["page"] != NOBODY)
        rows = self._urls["page"][latest]
        starts, ends = (place[self._pages[name][rows]] for name in ("start", "end"))
        remembers = self.remembers
        self._links = _no_links()
        if remembers:
            self.remember()
        self._pages = _no_pages()
        self._urls["last_in"][:] = -1
        self._links.append(len(kept["source"]), **kept, earlier=self._chain(kept["target"], 0))
        self._pages.append(len(latest), start=starts, end=ends)
        self._urls["page"][latest] = np.arange(len(latest))
        self._former = 0

    def _chain(self, targets: Ids, first: int) -> Ids:
        """For each new link the one before it into the same target, and remember the last."""
        earlier = np.empty(len(targets), dtype=np.int32)
        if not len(targets):
            return earlier
        last_in = self._urls["last_in"]
        order = stable_order(targets)
        ordered = targets[order]
        starts = np.concatenate(([True], ordered[1:] != ordered[:-1]))
        previous = np.concatenate(([0], first + order[:-1]))
        earlier[order] = np.where(starts, last_in[ordered], previous)
        ends = np.concatenate((starts[1:], [True]))
        last_in[ordered[ends]] = first + order[ends]
        return earlier

    def outlinks(self, url_id: int) -> Ids:
        """Targets of a fetched page's links, in order of appearance."""
        page = self._urls["page"][url_id]
        if page < 0:
            return np.empty(0, dtype=np.int32)
        return self._links["target"][self._pages["start"][page] : self._pages["end"][page]]

    def of_last_version(self, url_id: int) -> tuple[Ids, NDArray[np.float32]] | None:
        """A page's links, and what each contributes; None if it was not visited, and of the root, which is no page."""
        page = self._urls["page"][url_id]
        if url_id == ROOT or page < 0:
            return None
        own = slice(self._pages["start"][page], self._pages["end"][page])
        return self._links["target"][own].copy(), self._contributed(own).copy()

    def inlinks(self, url_id: int, most: int = 1_000_000) -> Ids:
        """Pages that link to a url, latest first."""
        source, earlier = self._links["source"], self._links["earlier"]
        found: list[int] = []
        at = int(self._urls["last_in"][url_id])
        while at >= 0 and len(found) < most:
            if source[at] != NOBODY:
                found.append(int(source[at]))
            at = int(earlier[at])
        return np.array(list(dict.fromkeys(found)), dtype=np.int32)

    def outlinks_of(self, ids: Ids) -> tuple[NDArray[np.int64], Ids]:
        """Links of many pages at once: for each link the place of its page in `ids`, and its target."""
        page = self._urls["page"][ids]
        fetched = np.flatnonzero(page >= 0)
        start = self._pages["start"][page[fetched]]
        count = self._pages["end"][page[fetched]] - start
        # The k-th link of all stands at its page's start, plus k less the links of the pages before.
        at = np.repeat(start - np.cumsum(count) + count, count) + np.arange(count.sum())
        return np.repeat(fetched, count), self._links["target"][at]

    def inlinks_of(self, ids: Ids, most: int) -> tuple[NDArray[np.int64], Ids]:
        """Of many urls the latest `most` links into each: the place of the url in `ids`, and the linking page."""
        place, at = self._into(ids, most)
        return place, self._links["source"][at]

    def _into(self, ids: Ids, most: int) -> tuple[NDArray[np.int64], Ids]:
        """The latest `most` links into each url: the place of the url in `ids`, and the number of the link."""
        earlier = self._links["earlier"]
        place, at = np.arange(len(ids)), self._passing(self._urls["last_in"][ids])
        places, found = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int32)]
        for _ in range(most):
            place, at = place[at >= 0], at[at >= 0]
            if not len(at):
                break
            places.append(place)
            found.append(at)
            at = self._passing(earlier[at])
        return np.concatenate(places), np.concatenate(found)

    def _passing(self, at: Ids) -> Ids:
        """Along the chains past links of former versions."""
        while self._former:
            is_former = (at >= 0) & (self._links["source"][at] == NOBODY)
            if not is_former.any():
                break
            at[is_former] = self._links["earlier"][at[is_former]]
        return at

    def beside(
        self, ids: Ids, most: int, reach: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], Ids, Ids]:
        """What stands next to the latest `most` links into each url, at most `reach` links away on the same page.

        For each neighbor the place of the url in `ids`, how far away it is, its target, and the page. On the list of
        seeds nothing stands beside anything: nobody put it together as a page.
        """
        place, at = self._into(ids, most)
        on_page = self._links["source"][at] != ROOT
        place, at = place[on_page], at[on_page]
        page = self._urls["page"][self._links["source"][at]]
        start, end = self._pages["start"][page][:, None], self._pages["end"][page][:, None]
        steps = np.concatenate((np.arange(-reach, 0), np.arange(1, reach + 1)))
        near = at[:, None] + steps
        is_beside = (near >= start) & (near < end)
        row, step = np.nonzero(is_beside)
        sources: Ids = self._links["source"][at[row]]
        return place[row], np.abs(steps[step]), self._links["target"][near[row, step]], sources

    def pairs(self) -> tuple[Ids, Ids]:
        """All links as (sources, targets), in order of discovery."""
        self._clear()
        return self._links["source"], self._links["target"]

    def graph(self) -> csr_array:
        """The graph seen so far: row u, column v is 1 where u links to v."""
        from scipy.sparse import csr_array  # slow to import, and few need the whole graph

        size = len(self._urls)
        source, target = self.pairs()
        matrix = csr_array((np.ones(len(source)), (source, target)), shape=(size, size))
        matrix.sum_duplicates()
        matrix.data[:] = 1.0
        return matrix


def _no_links() -> Columns:
    return Columns(source=(np.int32, 0), target=(np.int32, 0), earlier=(np.int32, -1))


def _no_pages() -> Columns:
    return Columns(start=(np.int64, 0), end=(np.int64, 0))
