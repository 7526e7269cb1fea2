"""Letters of other shards taken in: their pages are entered as foreign ones, with their links into this shard.

So a link is kept where its target lives, the strategy is asked as for any page, and a url can be explained by all that
links to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress

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
        wanted = letter.only(self._wanted(letter))
        if wanted.is_redirect.any():
            for place, span in wanted.pages():
                if wanted.is_redirect[place]:
                    self._take_redirect(wanted, place, span, work)
            wanted = wanted.only(np.flatnonzero(~wanted.is_redirect).tolist())
        return self._take_pages(wanted, work) if len(wanted) else ()

    def _wanted(self, letter: Letter) -> list[int]:
        """Pages with links into this shard, or such as had some; of one that comes twice the last counts."""
        last = sorted({url: place for place, url in enumerate(letter.urls)}.values())
        if letter.links.all():
            return last
        known = self._state.find(fingerprints(letter.urls)) >= 0
        return [place for place in last if known[place] or letter.links[place]]

    def _take_pages(self, letter: Letter, work: Harvested) -> Sequence[Page]:
        ids = self._entered(letter, range(len(letter)), Status.FOREIGN, work)
        targets = self._linking.admitted(letter.targets, ids, letter.links, work)
        pages = self._linked(letter, ids, targets)
        self._linking.note(
            [PageLinks(page.id, page.targets, page.anchors, page.is_revisit) for page in pages], work
        )
        self._state.set("relevance", ids, letter.relevance)
        return pages

    def _linked(self, letter: Letter, ids: Ids, targets: Ids) -> list[Page]:
        """The pages with those of their links that entered; at once, as there may be several for each own page."""
        texts, anchors, around = letter.targets, letter.anchors, letter.around.astype(np.float64)
        counts, entered = letter.links.astype(np.int64), targets >= 0
        if not entered.all():
            texts, anchors = [*compress(texts, entered.tolist())], [*compress(anchors, entered.tolist())]
            counts = np.bincount(np.repeat(np.arange(len(ids)), counts)[entered], minlength=len(ids))
            targets, around = targets[entered], around[entered]
        ends = np.cumsum(counts)
        former = [self._state.version_of(url_id) for url_id in ids.tolist()]
        columns = zip(
            *(ids.tolist(), letter.urls, letter.relevance.tolist(), self._state.urls["depth"][ids].tolist()),
            *(letter.accepted.tolist(), letter.is_listing.tolist(), former),
            *((ends - counts).tolist(), ends.tolist()),
            strict=True,
        )
        return [
            Page(
                id=url_id,
                url=url,
                relevance=relevance,
                depth=depth,
                targets=targets[start:end],
                accepted=accepted,
                is_listing=is_listing,
                is_foreign=True,
                former=before,
                urls=texts[start:end],
                anchors=anchors[start:end],
                around=around[start:end],
            )
            for url_id, url, relevance, depth, accepted, is_listing, before, start, end in columns
        ]

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
        if outcome != Status.FOREIGN:
            self._state.set("outcome", ids, outcome)
        for name, numbers in letter.handed_on.items():
            self._view.set_value(name, ids, numbers[at])
        return ids


def links_told(letter: Letter, span: slice, around: NDArray[np.float32]) -> ParsedPage:
    """A page of a letter, with its links and how relevant the words around them are."""
    targets, anchors = letter.targets[span], letter.anchors[span]
    judged, nofollow = around[span].astype(np.float64), [False] * len(targets)
    return ParsedPage(links=ParsedLinks(urls=targets, anchors=anchors, nofollow=nofollow, around=judged))
