"""Links of a batch of pages: admitted all at once, hung on their pages, and noted for the store."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from honeyguide.admission.intake import Intake
from honeyguide.engine.harvested import Harvested
from honeyguide.engine.linked_pages import followed_links, linked_page, picked
from honeyguide.model import Floats, Ids, Pages, ParsedPage
from honeyguide.state.state import State
from honeyguide.store.base import PageLinks


class Linking:
    """From parsed links to those of the crawl."""

    def __init__(self, state: State, intake: Intake, follow_nofollow: bool) -> None:
        self._state = state
        self.intake = intake
        self.follow_nofollow = follow_nofollow

    def linked(
        self,
        ids: Sequence[int],
        urls: Sequence[str],
        parsed: Sequence[ParsedPage],
        relevance: Floats,
        work: Harvested,
        accepted: Sequence[bool] = (),
    ) -> Pages:
        """Admit the links of all pages at once and hang them on the pages; all are `accepted` unless told."""
        chosen = [followed_links(page, self.follow_nofollow, work.counts) for page in parsed]
        counts = [len(picks) for picks in chosen]
        links = [picked(page.links.urls, picks) for page, picks in zip(parsed, chosen, strict=True)]
        targets = self.admitted([*chain.from_iterable(links)], ids, counts, work)
        ends = accumulate(counts)
        pages = [
            linked_page(
                self._state, url_id, url, page, picks, targets[end - len(picks) : end], judged, is_accepted
            )
            for url_id, url, page, picks, end, judged, is_accepted in zip(
                ids,
                urls,
                parsed,
                chosen,
                ends,
                relevance.tolist(),
                accepted or [True] * len(ids),
                strict=True,
            )
        ]
        self.note([PageLinks(page.id, page.targets, page.anchors, page.is_revisit) for page in pages], work)
        return Pages(pages)

    def admitted(
        self,
        urls: Sequence[str],
        ids: Sequence[int] | Ids,
        counts: Sequence[int] | NDArray[np.int32],
        work: Harvested,
    ) -> Ids:
        """Targets of the links of all pages, of which each has so many; -1 for what may not enter, or is itself."""
        sources = np.repeat(np.asarray(ids, dtype=np.int32), counts)
        targets = self.intake.admit(urls, sources)
        itself = targets == sources
        work.counts["links"] += len(targets)
        work.counts["links_to_itself"] += int(itself.sum())
        targets[itself] = -1
        return targets

    def note(self, links: Sequence[PageLinks], work: Harvested) -> None:
        """Enter the links of pages into the graph, in place of those they had."""
        work.links.extend(links)
        self._state.links.append(
            np.array([page.page for page in links], dtype=np.int32),
            np.array([len(page.targets) for page in links], dtype=np.int64),
            np.concatenate([page.targets for page in links]),
        )

    def enter_foreign(self, urls: Sequence[str], keys: np.ndarray, depths: np.ndarray) -> Ids:
        """The ids of pages of other shards; new ones are entered, whatever the scope says: nobody fetches them."""
        ids = self._state.find(keys)
        new = np.flatnonzero(ids < 0)
        new = new[np.unique(keys[new], return_index=True)[1]]
        if len(new):
            new.sort()
            self.intake.enter_foreign([urls[at] for at in new.tolist()], keys[new], depths[new])
            ids = self._state.find(keys)
        return ids
