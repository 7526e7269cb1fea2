"""Parts of a graph that tell each other their ranks now and then come to those of the whole."""

import numpy as np

from honeyguide.graph.pagerank import pagerank, pagerank_of_part

NODES, LINKS, PARTS = 300, 1_500, 4


def test_parts_come_to_the_ranks_of_the_whole():
    dice = np.random.default_rng(5)
    popular = (NODES * dice.random(LINKS) ** 2).astype(np.int64)  # some are linked to much more than others
    sources, targets = dice.integers(0, NODES, LINKS), popular
    whole = NODES * pagerank(sources, targets, NODES, iterations=200)
    owner = dice.integers(0, PARTS, NODES)
    degree = np.bincount(sources, minlength=NODES)
    ranks = np.ones(NODES)  # as the shards have told each other
    overlap = []
    for _ in range(12):
        told, sums = ranks.copy(), [ranks[(owner == part) & (degree == 0)].sum() for part in range(PARTS)]
        for part in range(PARTS):
            here, own = owner[targets] == part, owner == part
            shares = np.bincount(sources[here], minlength=NODES) / np.maximum(degree, 1)
            shares[degree == 0] = 1.0
            found = pagerank_of_part(
                sources[here],
                targets[here],
                told,
                is_own=own,
                shares=shares,
                others=(float(np.count_nonzero(~own)), sum(sums) - sums[part]),
            )
            ranks[own] = found[own]
        best = np.argsort(-whole)[:30]
        overlap.append(len(np.intersect1d(best, np.argsort(-ranks)[:30])) / 30)
    assert overlap[1] > 0.8  # after two exchanges, though nearly all links lead into other parts
    assert np.allclose(ranks, whole, rtol=1e-3)


def test_one_part_alone_is_the_whole():
    sources, targets = np.array([0, 1, 2, 0]), np.array([1, 0, 0, 2])
    alone = pagerank_of_part(
        sources, targets, np.ones(4), is_own=np.ones(4, dtype=bool), shares=np.ones(4), iterations=100
    )
    assert np.allclose(alone, 4 * pagerank(sources, targets, 4, iterations=100))
