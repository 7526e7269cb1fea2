"""OPIC: page importance computed on-line, with cash that flows along links (Abiteboul, Preda, Cobena 2003)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import ROOT, Explanation, Floats, Ids, Pages, Part, Priorities
from honeyguide.state.tables import Single
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy, largest_first
from honeyguide.strategies.cash import touched

_BANK, _DIVIDED = "opic bank", "opic in shards"


class Opic(Strategy):
    """Priority = cash, most first. Seeds share 1; a page that is visited gives all it has to its links in equal parts.

    One of these links leads to a virtual page, which links to all; when it is the richest, its turn has come, and all
    urls share its cash. What a page has ever given is its history.
    """

    name: ClassVar[str] = "opic"
    # Cash is kept less what the virtual page had given each url by the time: its gifts then cost one addition.
    # What is called part is the share of a page's links that lead into this shard, where the crawl is divided.
    values: Mapping[str, float] = {"cash": np.nan, "history": 0.0, "part": Single(1.0)}
    hands_on: Mapping[str, Literal["split"]] = {"cash": "split", "part": "split"}

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Let the cash of each page flow to its links, in the order the pages were fetched."""
        _, gifts = _bank(crawl)
        batch = touched(pages, crawl.destinations(pages.targets))
        cash = cash_of(batch.ids, crawl)
        given = np.zeros(len(pages))
        parts = _parts(pages, crawl)
        for number, (page, own, links) in enumerate(zip(pages, batch.pages, batch.links, strict=True)):
            # The root has what the seeds share.
            given[number] = page.relevance * page.share if page.id == ROOT else cash[own]
            cash[own] = 0.0
            np.add.at(cash, links, given[number] / parts[number])
        self._note(pages.ids, given, crawl)
        crawl.set_value("cash", batch.ids, cash - gifts)
        _give((given * (1 - pages.link_counts / parts)).sum(), given.max(), crawl)
        return _by_cash(batch.ids, crawl)

    def _note(self, ids: Ids, given: Floats, crawl: CrawlView) -> None:
        history = crawl.value("history")[ids]
        crawl.set_value("history", ids, history + given)

    def redirect(self, sources: Ids, targets: Ids, crawl: CrawlView) -> Priorities:
        """The target takes the cash."""
        _, gifts = _bank(crawl)
        moved = cash_of(sources, crawl)
        crawl.set_value("cash", targets, cash_of(targets, crawl) + moved - gifts)
        crawl.set_value("cash", sources, -gifts)
        return _by_cash(targets, crawl)

    def take_learning(self, crawl: CrawlView, others: Sequence[Mapping[str, NDArray[Any]]]) -> Priorities:
        """There are other shards: now the virtual page keeps what it has, as nobody knows all urls it links to."""
        if others and crawl.array(_DIVIDED) is None:
            crawl.set_array(_DIVIDED, np.ones(1))
        return Priorities.none()

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """What each linking page gave."""
        parents = crawl.inlinks(url_id)
        history = crawl.value("history")[parents]
        gains = [
            Part("linked from", float(given) / (len(crawl.outlinks(parent)) + (parent != ROOT)), parent)
            for parent, given in zip(parents.tolist(), history, strict=True)
        ]
        _, gifts = _bank(crawl)
        cash = float(cash_of(np.array([url_id], dtype=np.int32), crawl)[0])
        parts = [*gains, Part("shares of the virtual page, at most", gifts)]
        summary = (
            f"opic: it has cash {cash:.3g} and gave {crawl.value('history')[url_id]:.3g} when it was fetched"
        )
        return Explanation(summary, largest_first(parts))


def _parts(pages: Pages, crawl: CrawlView) -> Floats:
    """In how many parts each page's cash goes: one more than it has links, but for the root, which is no page.

    Where some of its links lead into other shards, their share of the virtual page's part is given there.
    """
    share = crawl.value("part")[pages.ids].astype(np.float64)
    crawl.set_value("part", pages.ids, 1.0)
    parts = pages.link_counts + share * (pages.ids != ROOT)
    return np.where(parts > 0, parts, 1.0)


def cash_of(ids: Ids, crawl: CrawlView) -> Floats:
    """What urls have; nothing when they are new."""
    _, gifts = _bank(crawl)
    cash: Floats = np.nan_to_num(crawl.value("cash")[ids] + gifts)
    return cash


def _bank(crawl: CrawlView) -> tuple[float, float]:
    """Cash of the virtual page, and what it has given each url in all."""
    kept = crawl.array(_BANK)
    return (0.0, 0.0) if kept is None else (float(kept[0]), float(kept[1]))


def _give(taken: float, richest: float, crawl: CrawlView) -> None:
    """Let the virtual page take its part, and give all it has once it is the richest."""
    virtual, gifts = _bank(crawl)
    virtual += taken
    if virtual > richest and crawl.array(_DIVIDED) is None:
        virtual, gifts = 0.0, gifts + virtual / (len(crawl) - 1)
    crawl.set_array(_BANK, np.array([virtual, gifts]))


def _by_cash(ids: Ids, crawl: CrawlView) -> Priorities:
    """Gifts go to all alike, so they do not change the order."""
    return Priorities(ids, crawl.value("cash")[ids])
