"""The link graph as growing integer arrays: appended page by page, read forwards, backwards and as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import HoneyguideError
from honeyguide.model import ROOT, Ids
from honeyguide.state.columns import Columns

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_LINKS = 2**31 - 1


class Links:
    """Two arrays (source, target) in order of discovery, a chain through the links into each url, and page starts."""

    def __init__(self) -> None:
        self._links = Columns(source=(np.int32, 0), target=(np.int32, 0), earlier=(np.int32, -1))
        self._pages = Columns(start=(np.int64, 0), end=(np.int64, 0))
        self._urls = Columns(page=(np.int32, -1), last_in=(np.int32, -1))

    def __len__(self) -> int:
        return len(self._links)

    def grow(self, urls: int) -> None:
        """Make room for urls that may be linked from or to."""
        self._urls.append(urls - len(self._urls))

    def append(self, pages: Ids, counts: Sequence[int] | NDArray[np.int64], targets: Ids) -> None:
        """Add the links of several pages; `targets` holds them page after page. A page seen again is replaced."""
        first = len(self._links)
        if first + len(targets) > MOST_LINKS:
            raise HoneyguideError(f"a crawl holds at most {MOST_LINKS:,} links; split it by hosts or topics")
        self._links.append(
            len(targets),
            source=np.repeat(pages, counts),
            target=targets,
            earlier=self._chain(targets, first),
        )
        ends = first + np.cumsum(counts, dtype=np.int64)
        rows = self._pages.append(len(pages), start=ends - counts, end=ends)
        self._urls["page"][pages] = np.arange(rows.start, rows.stop)

    def _chain(self, targets: Ids, first: int) -> Ids:
        """For each new link the one before it into the same target, and remember the last."""
        earlier = np.empty(len(targets), dtype=np.int32)
        if not len(targets):
            return earlier
        last_in = self._urls["last_in"]
        order = np.argsort(targets, kind="stable")
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

    def inlinks(self, url_id: int, most: int = 1_000_000) -> Ids:
        """Pages that link to a url, latest first."""
        source, earlier = self._links["source"], self._links["earlier"]
        found: list[int] = []
        at = int(self._urls["last_in"][url_id])
        while at >= 0 and len(found) < most:
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
        place, at = np.arange(len(ids)), self._urls["last_in"][ids]
        places, found = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int32)]
        for _ in range(most):
            place, at = place[at >= 0], at[at >= 0]
            if not len(at):
                break
            places.append(place)
            found.append(at)
            at = earlier[at]
        return np.concatenate(places), np.concatenate(found)

    def beside(self, ids: Ids, most: int, reach: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Ids]:
        """What stands next to the latest `most` links into each url, at most `reach` links away on the same page.

        For each neighbor the place of the url in `ids`, how far away it is, and its target. On the list of seeds
        nothing stands beside anything: nobody put it together as a page.
        """
        place, at = self._into(ids, most)
        on_page = self._links["source"][at] != ROOT
        place, at = place[on_page], at[on_page]
        page = self._urls["page"][self._links["source"][at]]
        start, end = self._pages["start"][page][:, None], self._pages["end"][page][:, None]
        steps = np.concatenate((np.arange(-reach, 0), np.arange(1, reach + 1)))
        near = at[:, None] + steps
        # A page that was fetched again has its links at another place now.
        is_beside = (near >= start) & (near < end) & (at[:, None] >= start) & (at[:, None] < end)
        row, step = np.nonzero(is_beside)
        return place[row], np.abs(steps[step]), self._links["target"][near[row, step]]

    def pairs(self) -> tuple[Ids, Ids]:
        """All links as (sources, targets), in order of discovery."""
        return self._links["source"], self._links["target"]

    def graph(self) -> csr_array:
        """The graph seen so far: row u, column v is 1 where u links to v."""
        from scipy.sparse import csr_array  # slow to import, and few need the whole graph

        size = len(self._urls)
        source, target = self._links["source"], self._links["target"]
        matrix = csr_array((np.ones(len(source)), (source, target)), shape=(size, size))
        matrix.sum_duplicates()
        matrix.data[:] = 1.0
        return matrix
