"""What strategies with cash share: the urls a batch touches, with places to count at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Ids, Pages

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Touched:
    """Pages of a batch and what they link to, each url once; `pages` and `links` are places among `ids`."""

    ids: Ids
    pages: list[int]
    links: list[Places]  # of each page


def touched(pages: Pages, targets: Ids) -> Touched:
    """Find the places; `targets` are the batch's, or where they lead in the end."""
    ids = np.unique(np.concatenate((pages.ids, targets)))
    links = np.split(np.searchsorted(ids, targets), np.cumsum(pages.link_counts)[:-1])
    return Touched(ids, np.searchsorted(ids, pages.ids).tolist(), links)
