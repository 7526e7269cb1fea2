"""What an order over sites costs per page, and how it grows, beside the same strategy over pages alone.

Urls placed a page are what the frontier has to move: each costs it the logarithm of a queue. A number as argument, as
in `python -m benchmarks sites 20000`, is how many pages of the sample web are ranked.
"""

from __future__ import annotations

import sys
from typing import ClassVar

from benchmarks._figures import figure
from benchmarks._ranked_web import RankedWeb, Ranking
from benchmarks.strategies import growth
from honeyguide.model import Pages, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.sites import Sites
from honeyguide.strategies.soft_focus import SoftFocus
from honeyguide.strategies.wrapper import Wrapper

PAGES = 100_000


class Counting(Wrapper):
    """Counts the urls that are placed."""

    name: ClassVar[str] = "counting"

    def __init__(self, inner: Strategy) -> None:
        super().__init__(inner)
        self.placed: list[int] = []

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Counted."""
        wanted = self.inner.prioritize(pages, crawl)
        self.placed.append(len(wanted))
        return wanted


def main() -> None:
    pages = int(sys.argv[2]) if len(sys.argv) > 2 else PAGES
    web = RankedWeb(pages)
    for level, strategy in (("pages", SoftFocus()), ("sites", Sites(SoftFocus()))):
        counting = Counting(strategy)
        marks = Ranking(web, counting).run(pages)
        figure(f"rank_ms_by_{level}", 1000 * marks[-1][1] / pages, f"ms a page (sample web, {pages:,} pages)")
        figure(f"rank_growth_by_{level}", growth(marks), "x (last tenth of the pages over first)")
        figure(f"placed_by_{level}", sum(counting.placed) / pages, "urls a page")
        tenth = len(counting.placed) // 10
        late, early = sum(counting.placed[-tenth:]), sum(counting.placed[:tenth])
        figure(f"placed_growth_by_{level}", late / early, "x (last tenth of the pages over first)")


if __name__ == "__main__":
    main()
