"""Pages of a crawl as a topic sees them: the best ones, their neighbors along links, and texts from the archive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from honeyguide import wording
from honeyguide.cli import progress, terminal
from honeyguide.errors import StoreError
from honeyguide.model import ROOT, Bools, Ids, Status
from honeyguide.topics.examples import Example

if TYPE_CHECKING:
    from honeyguide.state.state import State
    from honeyguide.store.reader import Reader


@dataclass(frozen=True)
class CrawledPages:
    """A crawl with its columns."""

    reader: Reader
    state: State

    @cached_property
    def links(self) -> tuple[Ids, Ids]:
        """Source and target of every link."""
        sources, targets = self.state.links.graph().nonzero()
        return sources, targets

    def best(self, most: int) -> Ids:
        """The most relevant pages that were fetched."""
        relevance = np.where(self._is_fetched(), self.state.urls["relevance"], -1.0)
        order = np.argsort(-relevance, kind="stable")[:most]
        return order[relevance[order] >= 0].astype(np.int32)

    def relevant(self, relevant_above: float, most: int) -> Ids:
        """Of the best pages those that count as relevant."""
        best = self.best(most)
        return best[self.state.urls["relevance"][best] >= relevant_above]

    def around(self, ids: Ids, most: int) -> Ids:
        """Fetched pages that some pages link to or are linked from; the most relevant first."""
        sources, targets = self.links
        linked = np.concatenate([targets[np.isin(sources, ids)], sources[np.isin(targets, ids)]])
        near = np.setdiff1d(linked, ids)
        near = near[self._is_fetched()[near]].astype(np.int32)
        best: Ids = near[np.argsort(-self.state.urls["relevance"][near], kind="stable")[:most]]
        return best

    def _is_fetched(self) -> Bools:
        is_fetched: Bools = self.state.urls["outcome"] == Status.FETCHED
        is_fetched[ROOT] = False
        return is_fetched

    def known(self, urls: list[str]) -> Ids:
        """The ids of those urls that were fetched."""
        found = [url_id for url in urls if url and (url_id := self.reader.find_url(url)) is not None]
        ids = np.array(found, dtype=np.int32)
        return ids[self._is_fetched()[ids]]

    def titled(self, ids: Ids) -> Iterator[Example]:
        """Pages by title and url alone."""
        for url_id in ids.tolist():
            visit = self.reader.last_visit(url_id)
            if visit is not None and visit.copy_of is None:
                yield Example("", visit.url, visit.title)

    def read(self, ids: Ids) -> dict[int, Example]:
        """Pages with their texts, from the archive; pages that are not in it are left out."""
        found: dict[int, Example] = {}
        with progress.bar("reading the archive") as show:
            for done, url_id in enumerate(ids.tolist()):
                show(done, len(ids))
                if example := self._example(url_id):
                    found[url_id] = example
        if missing := len(ids) - len(found):
            terminal.warn(f"{wording.count(missing, 'page')} not in the archive or without text")
        if not found:
            raise StoreError(
                f"{self.reader.folder}: its archive has none of the pages needed; crawl with output.archive = true"
            )
        return found

    def _example(self, url_id: int) -> Example | None:
        from honeyguide.store.archived_page import archived_page

        visit = self.reader.last_visit(url_id)
        if visit is None or visit.location is None:
            return None
        try:
            page = archived_page(self.reader, visit.location)
        except StoreError:
            return None
        return Example(page.text, self.reader.url_text(url_id), page.title) if page.text else None
