"""What the links of a crawl say of its pages: the anchors of links into them, and how well known they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from honeyguide.graph.pagerank import pagerank
from honeyguide.model import ROOT, Floats, Ids
from honeyguide.store.base import PageLinks

MOST_ANCHORS = 8
"""Different ones of a page that are kept, those that most pages use."""
LONGEST_ANCHOR = 100
_COUNTED_ANCHORS = 50


def anchors_into(links: Iterable[PageLinks], pages: Ids, urls: int) -> dict[int, list[str]]:
    """The anchors of links into some pages, the most usual first."""
    is_wanted = np.zeros(urls, dtype=np.bool_)
    is_wanted[pages] = True
    counted: dict[int, Counter[str]] = {}
    for found in links:
        if found.page == ROOT or not len(found.targets):
            continue
        within = found.targets < urls  # a crawl that runs may know more by now
        for place in np.flatnonzero(within & is_wanted[np.where(within, found.targets, 0)]).tolist():
            if anchor := found.anchors[place][:LONGEST_ANCHOR].strip():
                anchors = counted.setdefault(int(found.targets[place]), Counter())
                if anchor in anchors or len(anchors) < _COUNTED_ANCHORS:
                    anchors[anchor] += 1
    return {page: [text for text, _ in own.most_common(MOST_ANCHORS)] for page, own in counted.items()}


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
