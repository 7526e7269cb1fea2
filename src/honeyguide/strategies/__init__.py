"""The strategies: which link next. One file each; register a new one in `STRATEGIES`."""

from honeyguide.strategies.backlink import Backlink
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.strategies.random_order import Random
from honeyguide.strategies.soft_focus import SoftFocus

STRATEGIES: tuple[type[Strategy], ...] = (Backlink, BestFirst, BreadthFirst, Random, SoftFocus)

__all__ = ["STRATEGIES", "Strategy"]
