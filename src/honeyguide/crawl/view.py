"""What a strategy may see and write of a crawl: columns, values, links, and the topic to judge texts with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray
from scipy.sparse import csr_array

from honeyguide.crawl.state import State
from honeyguide.model import Bools, Floats, Ids, Status
from honeyguide.topics.base import TopicModel


class CrawlView:
    """Arrays indexed by url id. Take them anew in every call: they are replaced as the crawl grows."""

    def __init__(self, state: State, topic: TopicModel) -> None:
        self._state = state
        self.topic = topic

    def __len__(self) -> int:
        return len(self._state)

    @property
    def relevance(self) -> Floats:
        """Relevance of every url, NaN where it is not fetched."""
        return self._column("relevance")

    @property
    def priority(self) -> Floats:
        """Priority of every url, -inf where none was given yet."""
        return self._column("priority")

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

    def is_fetched(self, ids: Ids) -> Bools:
        """Which of the urls have been fetched."""
        return self._state.status_is(ids, Status.FETCHED)

    def value(self, name: str) -> Floats:
        """A value the strategy declared, for every url. Read only: write with `set_value`."""
        return self._column(name)

    def set_value(self, name: str, ids: Ids, values: Floats | float) -> None:
        """Write a declared value; it survives a restart."""
        self._state.set(name, ids, values)

    def outlinks(self, url_id: int) -> Ids:
        """Where a fetched page links to."""
        return self._state.links.outlinks(url_id)

    def inlinks(self, url_id: int) -> Ids:
        """Fetched pages that link to a url, latest first."""
        return self._state.links.inlinks(url_id)

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
