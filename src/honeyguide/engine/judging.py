"""Pages that were judged before, judged again by another revision of the topic: this crawl's own, and other shards'.

A shard corrects what its own pages had brought to its urls, and tells the others by how much theirs is to be corrected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from honeyguide.engine.dividing import Divided, corrections
from honeyguide.engine.guidance import Guidance
from honeyguide.engine.linked_pages import read_again
from honeyguide.engine.receiving import links_told
from honeyguide.engine.rereading import ReadAgain
from honeyguide.model import Pages, Priorities
from honeyguide.shards.corrections import Correction
from honeyguide.shards.owners import Owners
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.store.base import Judgments
from honeyguide.strategies.base import Strategy
from honeyguide.urls import fingerprints


class Judging:
    """Takes in what the topic says now."""

    def __init__(
        self,
        state: State,
        guidance: Guidance,
        strategy: Strategy,
        view: CrawlView,
        push: Callable[[Priorities], None],
        owners: Owners | None,
        follow_nofollow: bool,
    ) -> None:
        self._state = state
        self._guidance = guidance
        self._strategy = strategy
        self._view = view
        self._push = push
        self._owners = owners
        self._follow_nofollow = follow_nofollow

    def again(self, read: Sequence[ReadAgain]) -> tuple[Judgments, list[tuple[int, Correction]]]:
        """Take in what is said now of pages that were fetched before; gives what other shards are told of them."""
        judged = {page.visit.url_id: page for page in read if page.prepared.revision == self._view.revision}
        told: list[tuple[int, Correction]] = []
        for revision in sorted({page.visit.revision for page in judged.values()}):
            own = [page for page in judged.values() if page.visit.revision == revision]
            told += self._again(own, revision)
        ids = np.array([*judged], dtype=np.int32)
        relevance = np.array([page.prepared.relevance for page in judged.values()])
        more = float(relevance.sum()) - sum(page.visit.relevance for page in judged.values())
        return Judgments(ids, relevance, more, self._view.revision), told

    def _again(self, read: Sequence[ReadAgain], revision: int) -> list[tuple[int, Correction]]:
        parsed = [page.prepared.parsed for page in read]
        divided = Divided.among(self._owners, parsed, self._follow_nofollow)
        visits, topic_before = [page.visit for page in read], self._guidance.once(revision)
        ids, urls = [visit.url_id for visit in visits], [visit.url for visit in visits]
        judged = [page.prepared.relevance for page in read]
        found = read_again(self._state, ids, urls, divided.here, judged, self._follow_nofollow)
        pages = Pages(
            [replace(page, accepted=own.prepared.accepted) for page, own in zip(found, read, strict=True)]
        )
        before = np.array([visit.relevance for visit in visits])
        self._state.set("relevance", pages.ids, pages.relevance)
        told = corrections(divided, pages, before, topic_before, self._view)
        self._push(self._strategy.judged_again(pages, before, topic_before, self._view))
        return [
            (shard, Correction(letter, revision, of_pages, around))
            for shard, (letter, of_pages, around) in told.items()
        ]

    def correct(self, told: Correction) -> None:
        """Take in what another shard says now of its pages; of those that lead nowhere here nothing is known."""
        letter, ids = told.letter, self._state.find(fingerprints(told.letter.urls))
        places = np.flatnonzero(ids >= 0).tolist()
        known, spans = ids[places], dict(letter.pages())
        urls, relevance = [letter.urls[place] for place in places], letter.relevance[places]
        now, before = (
            read_again(
                self._state,
                known.tolist(),
                urls,
                [links_told(letter, spans[place], around) for place in places],
                relevance.tolist(),
                follow_nofollow=True,
            )
            for around in (letter.around, told.around)
        )
        pages = Pages(
            [
                replace(
                    page,
                    accepted=bool(letter.accepted[place]),
                    is_foreign=True,
                    around_before=former.around,
                )
                for page, former, place in zip(now, before, places, strict=True)
            ]
        )
        self._state.set("relevance", known, relevance)
        topic_before = self._guidance.once(told.revision)
        self._push(self._strategy.judged_again(pages, told.relevance[places], topic_before, self._view))
