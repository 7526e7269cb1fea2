"""What the links of a crawl say of its pages: the anchors of links into them, and how well known they are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from honeyguide.graph.pagerank import pagerank
from honeyguide.model import ROOT, Floats
from honeyguide.store.base import PageLinks

MOST_ANCHORS = 8
"""Different ones of a page that are kept, those that most pages use."""
LONGEST_ANCHOR = 100
_COUNTED_ANCHORS = 50


def anchors_into(links: Iterable[PageLinks], pages: Iterable[int]) -> dict[int, list[str]]:
    """The anchors of links into some pages, the most usual first."""
    counted: dict[int, dict[str, int]] = {page: {} for page in pages}
    for found in links:
        if found.page == ROOT:
            continue
        for target, anchor in zip(found.targets.tolist(), found.anchors, strict=True):
            own = counted.get(target)
            if own is not None and anchor and (anchor in own or len(own) < _COUNTED_ANCHORS):
                own[anchor] = own.get(anchor, 0) + 1
    return {page: _most_usual(own) for page, own in counted.items() if own}


def _most_usual(counts: dict[str, int]) -> list[str]:
    best = sorted(counts, key=counts.__getitem__, reverse=True)[:MOST_ANCHORS]
    return [anchor[:LONGEST_ANCHOR] for anchor in best]


def authority(links: Iterable[PageLinks], urls: int) -> Floats:
    """How well known each url is, 0 to 1: its PageRank over the links of the crawl, on a logarithmic scale."""
    sources, targets = [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.int32)]
    for found in links:
        within = found.targets[found.targets < urls]
        if found.page != ROOT and found.page < urls:
            sources.append(np.full(len(within), found.page, dtype=np.int32))
            targets.append(within)
    rank = np.log1p(pagerank(np.concatenate(sources), np.concatenate(targets), urls) * urls)
    scaled: Floats = rank / rank.max(initial=1e-9)
    return scaled
