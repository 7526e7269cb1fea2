"""Letters of other shards taken in: their pages are entered as foreign ones, with their links into this shard.

So a link is kept where its target lives, the strategy is asked as for any page, and a url can be explained by all that
links to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from honeyguide.engine.harvested import Harvested
from honeyguide.engine.linking import Linking
from honeyguide.model import Ids, Page, ParsedLinks, ParsedPage, Priorities, Status
from honeyguide.shards.letters import Letter
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.store.base import PageLinks
from honeyguide.strategies.base import Strategy
from honeyguide.urls import fingerprints


class Receiving:
    """Takes letters in."""

    def __init__(
        self,
        state: State,
        linking: Linking,
        strategy: Strategy,
        view: CrawlView,
        push: Callable[[Priorities], None],
    ) -> None:
        self._state = state
        self._linking = linking
        self._strategy = strategy
        self._view = view
        self._push = push

    def take(self, letter: Letter, work: Harvested) -> Sequence[Page]:
        """Enter the pages of a letter, which are to be ranked then; a redirect hands on what it was worth."""
        work.counts["letters"] += 1
        work.counts["pages_of_other_shards"] += len(letter)
        places, spans = self._wanted(letter), dict(letter.pages())
        for place in places:
            if letter.is_redirect[place]:
                self._take_redirect(letter, place, spans[place], work)
        pages = [place for place in places if not letter.is_redirect[place]]
        return self._take_pages(letter, pages, spans, work) if pages else ()

    def _wanted(self, letter: Letter) -> list[int]:
        """Pages with links into this shard, or such as had some; of one that comes twice the last counts."""
        known = self._state.find(fingerprints(letter.urls)) >= 0
        last = {url: place for place, url in enumerate(letter.urls)}
        return [place for place in sorted(last.values()) if known[place] or letter.links[place]]

    def _take_pages(
        self, letter: Letter, places: Sequence[int], spans: Mapping[int, slice], work: Harvested
    ) -> Sequence[Page]:
        ids = self._entered(letter, places, Status.FOREIGN, work)
        parsed = [links_told(letter, spans[place], letter.around) for place in places]
        relevance = letter.relevance[[*places]]
        urls = [letter.urls[place] for place in places]
        linked = self._linking.linked(ids.tolist(), urls, parsed, relevance, work)
        self._state.set("relevance", ids, relevance)
        return [_told(page, letter, place) for page, place in zip(linked, places, strict=True)]

    def _take_redirect(self, letter: Letter, place: int, span: slice, work: Harvested) -> None:
        source = self._entered(letter, [place], Status.MOVED, work)
        was_known = self._state.links.of_last_version(int(source[0])) is not None
        target = self._linking.intake.admit(letter.targets[span], source)
        if target[0] < 0:
            self._state.settle(source, Status.FOREIGN)
            return
        self._state.set("priority", source, letter.priority[place])
        self._linking.note([PageLinks(int(source[0]), target, [""], was_known)], work)
        self._push(self._strategy.redirect(source, target, self._view))

    def _entered(self, letter: Letter, places: Sequence[int], outcome: Status, work: Harvested) -> Ids:
        at = np.array(places, dtype=np.int64)
        urls = [letter.urls[place] for place in places]
        ids = self._linking.enter_foreign(urls, fingerprints(urls), letter.depth[at])
        work.foreign.update(zip(ids.tolist(), letter.ids[at].tolist(), strict=True))
        self._state.settle(ids, Status.FOREIGN)
        self._state.set("outcome", ids, outcome)
        for name, numbers in letter.handed_on.items():
            self._view.set_value(name, ids, numbers[at])
        return ids


def links_told(letter: Letter, span: slice, around: NDArray[np.float32]) -> ParsedPage:
    """A page of a letter, with its links and how relevant the words around them are."""
    targets, anchors = letter.targets[span], letter.anchors[span]
    judged, nofollow = around[span].astype(np.float64), [False] * len(targets)
    return ParsedPage(links=ParsedLinks(urls=targets, anchors=anchors, nofollow=nofollow, around=judged))


def _told(page: Page, letter: Letter, place: int) -> Page:
    return replace(
        page,
        accepted=bool(letter.accepted[place]),
        is_listing=bool(letter.is_listing[place]),
        is_foreign=True,
    )
