"""Random: the unfocused crawler of the 1999 paper."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.model import Explanation, Floats, Ids, Pages, Part
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.folds import Fold


class Random(Strategy):
    """A uniform number from the seed and the url's fingerprint: no generator whose state could be lost in a crash."""

    name: ClassVar[str] = "random"
    fold = Fold("first")

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """Draw for each url; the same every time."""
        return self._draw(pages.targets, crawl)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The number drawn."""
        drawn = float(self._draw(np.array([url_id], dtype=np.int32), crawl)[0])
        return Explanation(f"random: drawn with seed {self.seed}", [Part("uniform number", drawn)])

    def _draw(self, ids: Ids, crawl: CrawlView) -> Floats:
        mixed = crawl.fingerprint[ids] ^ np.uint64((self.seed * 0x9E3779B97F4A7C15) % 2**64)
        # The finalizer of SplitMix64: neighbouring seeds must not give related orders.
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        drawn: Floats = (mixed ^ (mixed >> np.uint64(31))) / float(2**64)
        return drawn
