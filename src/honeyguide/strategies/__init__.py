"""The strategies: which link next. One file each; register a new one in `STRATEGIES`."""

from honeyguide.strategies.alliance import Alliance
from honeyguide.strategies.backlink import Backlink
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.strategies.cc_bfs import CcBfs
from honeyguide.strategies.cc_bfs_k import CcBfsK
from honeyguide.strategies.distilled import Distilled
from honeyguide.strategies.hard_focus import HardFocus
from honeyguide.strategies.hcla import Hcla
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.strategies.link_analysis import LinkAnalysis
from honeyguide.strategies.link_context import LinkContext
from honeyguide.strategies.opic import Opic
from honeyguide.strategies.otie import Otie
from honeyguide.strategies.pagerank import PageRank
from honeyguide.strategies.random_order import Random
from honeyguide.strategies.shark_search import SharkSearch
from honeyguide.strategies.soft_focus import SoftFocus

STRATEGIES: tuple[type[Strategy], ...] = (
    *(Alliance, Backlink, BestFirst, BreadthFirst, CcBfs, CcBfsK, Distilled, HardFocus, Hcla, Honeyguide),
    *(LinkAnalysis, LinkContext, Opic, Otie, PageRank, Random, SharkSearch, SoftFocus),
)

__all__ = ["STRATEGIES", "Strategy"]
