"""Clustering coefficients against networkx, and that a new page changes only its neighbors'."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.graph.clustering import clustering
from tests.graph.test_pagerank import LINKS, arrays


def neighbors(graph):
    pairs = [(node, other) for node in graph for other in graph[node] if other != node]
    places, members = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return places, members.astype(np.int32)


def undirected(size, links):
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from((u, v) for u, v in links if u != v)
    return graph


@given(LINKS, st.sets(st.integers(0, 11), max_size=5))
def test_as_networkx_computes_it(drawn, chosen):
    size, links = drawn
    clique = {node for node in chosen if node < size}
    graph = undirected(size, links)
    graph.add_edges_from((u, v) for u in clique for v in clique if u < v)
    expected = nx.clustering(graph)
    found = clustering(*neighbors(graph), size, *arrays(links), np.array(sorted(clique), dtype=np.int32))
    assert found == pytest.approx([expected[node] for node in range(size)])


@given(LINKS, st.data())
def test_a_new_page_changes_only_itself_and_its_neighbors(drawn, data):
    size, links = drawn
    page = data.draw(st.integers(0, size - 1))
    before = {(u, v) for u, v in links if u != page}
    old, new = undirected(size, before), undirected(size, links)
    places, members = neighbors(new)
    touched = {page, *new[page]}
    wanted = np.isin(places, list(touched))
    coefficients = clustering(*neighbors(old), size, *arrays(before))
    again = clustering(places[wanted], members[wanted], size, *arrays(links))
    coefficients[list(touched)] = again[list(touched)]
    assert coefficients == pytest.approx([nx.clustering(new)[node] for node in range(size)])


def test_two_directions_are_one_link():
    pair = np.array([4, 5], dtype=np.int32), np.array([5, 4], dtype=np.int32)
    assert clustering(np.array([0, 0, 0]), np.array([4, 5, 5], dtype=np.int32), 1, *pair).tolist() == [1.0]
