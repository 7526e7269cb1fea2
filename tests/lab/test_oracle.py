"""The oracle on webs small enough to know its way by heart."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from honeyguide.lab.oracle import FAR, best_order, distances, reachable


def web(links: str, size: int) -> csr_array:
    pairs = [(int(pair[0]), int(pair[2])) for pair in links.split()]
    rows, columns = zip(*pairs, strict=True)
    return csr_array((np.ones(len(pairs), dtype=np.int8), (rows, columns)), shape=(size, size))


def are(size: int, *targets: int) -> np.ndarray:
    found = np.zeros(size, dtype=bool)
    found[list(targets)] = True
    return found


def test_linked_targets_come_before_everything() -> None:
    # 0 links to 1 (a dead end), 2 (leads to a target in one step) and 3 (a target).
    graph = web("0>1 0>2 0>3 2>4", 5)
    assert best_order(graph, [0], are(5, 3, 4), 10) == [0, 3, 2, 4]


def test_the_shortest_way_is_gone_and_the_richer_of_two() -> None:
    # From 0 one link is to a target's parent by 1, two by 2; of the parents 4 and 5 the second has two targets.
    graph = web("0>1 0>2 0>4 0>5 1>6 2>3 3>7 4>6 5>7 5>8", 9)
    assert best_order(graph, [0], are(9, 6, 7, 8), 10) == [0, 5, 7, 8, 1, 6]


def test_unreachable_targets_and_budgets_end_it() -> None:
    graph = web("0>1 1>2 3>4", 5)
    assert best_order(graph, [0], are(5, 4), 10) == []
    assert best_order(graph, [0], are(5, 2), 2) == [0, 1]
    assert reachable(graph, [0]).tolist() == [True, True, True, False, False]


def test_distances_avoid_closed_pages() -> None:
    graph = web("0>1 1>2 0>3 3>4 4>2", 5)
    assert distances(graph, [0]).tolist() == [0, 1, 2, 1, 2]
    assert distances(graph, [0], closed=are(5, 1)).tolist() == [0, FAR, 3, 1, 2]


@pytest.mark.parametrize("seed", range(20))
def test_each_page_is_linked_before_it_is_fetched_and_fetched_once(seed: int) -> None:
    dice = np.random.default_rng(seed)
    graph = csr_array((dice.random((40, 40)) < 0.06).astype(np.int8))
    targets = dice.random(40) < 0.3
    order = best_order(graph, [0, 1], targets, 40)
    known = {0, 1}
    for page in order:
        assert page in known
        known.update(graph.indices[graph.indptr[page] : graph.indptr[page + 1]].tolist())
    assert len(set(order)) == len(order)
    assert set(np.flatnonzero(targets & reachable(graph, [0, 1])).tolist()) <= set(order)
    assert not order or targets[order[-1]]
