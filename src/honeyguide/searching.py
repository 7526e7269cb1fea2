"""Searching what was found: the index of a crawl's pages, and questions to it. A part of `Crawl`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from honeyguide.asking import Asking
from honeyguide.errors import CrawlLocked, SettingsError, StoreError
from honeyguide.search.results import Results, Wanted
from honeyguide.store.reader import Reader

if TYPE_CHECKING:
    from honeyguide.search.collection import Collection
    from honeyguide.search.indexer import Indexer, OnProgress

SMALL = 2_000
"""So many new pages are indexed when somebody searches: it takes a few seconds."""


class Searching(Asking):
    """The full text of a crawl's pages; needs `pip install 'honeyguide[search]'`."""

    @property
    @abstractmethod
    def threshold(self) -> float:
        """The relevance from which a page counts as relevant."""

    @abstractmethod
    def find(self, reader: Reader, url: str) -> tuple[str, int | None]:
        """A url as the crawl knows it."""

    def search(self, query: str = "", *, fresh: bool = True, **wanted: Any) -> Results:
        """Find pages by their words; `wanted` are the other fields of `search.results.Wanted`, as in site="a.example".

        A few new pages are indexed before, unless `fresh` is False or another process does so; of more,
        `Results.waiting` tells, and `index` takes them in. An empty query finds the best pages.
        """
        question, threshold = asked_of(self, query, wanted)
        if fresh:
            self._freshen()
        return self._collection.search(question, threshold)

    def index(self, *, rebuild: bool = False, on_progress: OnProgress | None = None) -> int:
        """Index the pages that are not in the index, or all of them anew; gives how many. CrawlLocked if one does."""
        with self.indexer(rebuild=rebuild) as indexer:
            return indexer.catch_up(on_progress)

    def indexer(self, *, rebuild: bool = False, gives_way: bool = False) -> Indexer:
        """Who indexes this crawl's pages, to be closed; there can be one at a time.

        With `gives_way` it works a thirtieth of the time while the crawl runs, so that this is not slowed down.
        """
        from honeyguide.search.indexer import Indexer

        return Indexer(self.folder, rebuild=rebuild, gives_way=gives_way)

    @cached_property
    def _collection(self) -> Collection:
        from honeyguide.search.collection import Collection

        return Collection(self.folder)

    def _freshen(self) -> None:
        """Index what is new, if that is little and nobody else does."""
        if not 0 < self._collection.waiting() <= SMALL:
            return
        try:
            self.index()
        except CrawlLocked:
            pass  # whoever does it, does it well
        except StoreError:  # the disk is full, or not to be written to: there may be enough to search
            if self._collection.done() is None:
                raise


def asked_of(crawl: Searching, query: str, wanted: Mapping[str, Any]) -> tuple[Wanted, float]:
    """What to ask the index of a crawl, and the relevance from which a page is relevant, if that matters."""
    question = question_of(query, wanted)
    if question.like:
        with crawl.reader() as reader:
            question = replace(question, like=crawl.find(reader, question.like)[0])
    return question, crawl.threshold if question.relevant else 0.0


def question_of(query: str, wanted: Mapping[str, Any]) -> Wanted:
    """A question to an index; SettingsError if something is wanted that it does not know."""
    try:
        return Wanted(query, **wanted)
    except TypeError:
        names = [name for name in Wanted.__slots__ if name != "query"]
        unknown = sorted(set(wanted) - set(names))
        raise SettingsError(f"search knows no {', '.join(unknown)}; it knows {', '.join(names)}") from None
