"""PageRank by power iteration."""

from __future__ import annotations

import numpy as np

from honeyguide.model import Bools, Floats, Ids

TOLERANCE = 1e-12


def pagerank(
    sources: Ids,
    targets: Ids,
    size: int,
    *,
    damping: float = 0.85,
    iterations: int = 10,
    start: Floats | None = None,
) -> Floats:
    """Rank of each of `size` nodes, summing to 1, over the links `sources[i] -> targets[i]`.

    From a node without links one jumps anywhere, as every node does with probability `1 - damping`. A `start` near the
    answer, such as the ranks before the graph grew, saves iterations.

    >>> pagerank(np.array([0, 1, 2]), np.array([1, 0, 0]), 3, iterations=100).round(3).tolist()
    [0.486, 0.464, 0.05]
    """
    from scipy.sparse import csr_array

    if not size:
        return np.empty(0)
    degree = np.bincount(sources, minlength=size)
    steps = csr_array((1.0 / degree[sources], (targets, sources)), shape=(size, size))
    is_dangling = degree == 0
    rank = _distribution(start, size)
    for _ in range(iterations):
        jumps = damping * rank[is_dangling].sum() + (1 - damping)
        before, rank = rank, damping * (steps @ rank) + jumps / size
        if np.abs(rank - before).sum() < TOLERANCE:
            break
    return rank


def pagerank_of_part(
    sources: Ids,
    targets: Ids,
    start: Floats,
    *,
    is_own: Bools,
    shares: Floats,
    others: tuple[float, float] = (0.0, 0.0),
    damping: float = 0.85,
    iterations: int = 10,
) -> Floats:
    """Ranks of one part of a graph, where 1 is that of an average node of the whole; those not `is_own` are given.

    Of the links of each node the share `shares` leads into this part. `others` are the nodes of all other parts, and
    the rank of those among them that have no links. Parts that tell each other their ranks come to those of the whole.

    >>> whole = 3 * pagerank(np.array([0, 1, 2]), np.array([1, 0, 0]), 3, iterations=100)
    >>> told = np.array([1.0, 1.0, whole[2]])  # nodes 0 and 1 are here, 2 is elsewhere and links to 0
    >>> part = pagerank_of_part(np.array([0, 1, 2]), np.array([1, 0, 0]), told, is_own=np.array([True, True, False]),
    ...     shares=np.ones(3), others=(1.0, 0.0), iterations=100)
    >>> np.allclose(part, whole)
    True
    """
    from scipy.sparse import csr_array

    size = len(start)
    degree = np.bincount(sources, minlength=size)
    steps = csr_array((shares[sources] / degree[sources], (targets, sources)), shape=(size, size))
    is_dangling = is_own & (degree == 0) & (shares == 1.0)
    urls, dangling = others
    rank = start.astype(np.float64)
    for _ in range(iterations):
        jumps = damping * (rank[is_dangling].sum() + dangling) / max(is_own.sum() + urls, 1.0) + (1 - damping)
        before, rank = rank, np.where(is_own, damping * (steps @ rank) + jumps, rank)
        if np.abs(rank - before).sum() < TOLERANCE * size:
            break
    return rank


def _distribution(start: Floats | None, size: int) -> Floats:
    if start is None or not start.sum() > 0:
        return np.full(size, 1.0 / size)
    distribution: Floats = start / start.sum()
    return distribution
