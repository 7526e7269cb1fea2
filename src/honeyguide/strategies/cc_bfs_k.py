"""CC-BFS-k: CC-BFS with the generalized clustering coefficient, which also looks at neighbors further away."""

from __future__ import annotations

from typing import ClassVar

from honeyguide.strategies.cc_bfs import CcBfs


class CcBfsK(CcBfs):
    """`C^(k)(u) = sum of weights[i] * f_i`, f_i = the share of pairs of distance-i neighbors that are neighbors.

    k is the number of weights. The paper gives none; here each step counts half of the one before.
    """

    name: ClassVar[str] = "cc-bfs-k"

    def __init__(self, weights: tuple[float, ...] = (1.0, 0.5), most_neighbors: int = 32) -> None:
        super().__init__(most_neighbors)
        self.weights = weights or (1.0,)
