"""PageRank against networkx on random graphs."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.graph.pagerank import pagerank

LINKS = st.integers(1, 12).flatmap(
    lambda size: st.tuples(
        st.just(size), st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=40)
    )
)


def arrays(links):
    pairs = np.array(sorted(links), dtype=np.int32).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


@given(LINKS)
def test_as_networkx_computes_it(drawn):
    size, links = drawn
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(links)
    expected = nx.pagerank(graph, alpha=0.85, max_iter=1000, tol=1e-13)
    found = pagerank(*arrays(links), size, iterations=1000)
    assert found.sum() == pytest.approx(1.0)
    assert found == pytest.approx([expected[node] for node in range(size)], abs=1e-9)


def test_a_chain_by_hand():
    # 0 -> 1 -> 2, which dangles: x = 0.05 + 0.85 * c / 3, b = x + 0.85 x, c = x + 0.85 b.
    x, b, c = pagerank(*arrays({(0, 1), (1, 2)}), 3, iterations=500)
    assert b == pytest.approx(1.85 * x)
    assert c == pytest.approx(x + 0.85 * b)
    assert x == pytest.approx(0.05 + 0.85 * c / 3)


def test_a_warm_start_saves_iterations():
    random = np.random.default_rng(1)
    sources, targets = random.integers(0, 300, (2, 1500)).astype(np.int32)
    right = pagerank(sources, targets, 300, iterations=500)
    cold = pagerank(sources, targets, 300, iterations=3)
    warm = pagerank(sources, targets, 300, iterations=3, start=right * (1 + 0.01 * random.random(300)))
    assert np.abs(warm - right).sum() < np.abs(cold - right).sum() / 10


def test_no_nodes_and_no_links():
    nobody = np.empty(0, dtype=np.int32)
    assert len(pagerank(nobody, nobody, 0)) == 0
    assert pagerank(nobody, nobody, 4).tolist() == [0.25] * 4
