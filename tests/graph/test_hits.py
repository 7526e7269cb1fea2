"""HITS against the eigenvectors it converges to, and the distiller by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.graph.hits import HubMarks, authority_threshold, densest_sites, distill, hits
from tests.graph.test_pagerank import LINKS, arrays


def near(numbers):
    return pytest.approx(numbers, abs=1e-9)


@settings(max_examples=25)  # each has to converge
@given(LINKS, st.randoms(use_true_random=False))
def test_hubs_and_authorities_are_principal_eigenvectors(drawn, random):
    size, links = drawn
    sources, targets = arrays(links)
    forward = np.array([random.uniform(0.1, 1) for _ in links])
    backward = np.array([random.uniform(0.1, 1) for _ in links])
    hub, authority = hits(sources, targets, size, forward=forward, backward=backward, iterations=5000)
    to_authorities, to_hubs = np.zeros((size, size)), np.zeros((size, size))
    to_authorities[targets, sources] = forward
    to_hubs[sources, targets] = backward
    both = to_hubs @ to_authorities
    largest = np.abs(np.linalg.eigvals(both)).max()
    if largest < 1e-9:  # nothing to converge to: no node is both cited and citing
        return
    assert np.linalg.norm(hub) == pytest.approx(1.0)
    assert both @ hub == pytest.approx(largest * hub, abs=1e-3)
    assert to_authorities @ hub == pytest.approx(np.linalg.norm(to_authorities @ hub) * authority, abs=1e-3)


NAN = np.nan


def test_the_distiller_by_hand():
    # 0 cites 2, 3 and 5; 1 cites 3. Only 2 and 3 are authorities: 4 is not relevant enough, 5 not judged.
    sources = np.array([0, 0, 0, 1, 1], dtype=np.int32)
    targets = np.array([2, 3, 5, 3, 4], dtype=np.int32)
    relevance = np.array([0.5, 0.2, 0.9, 0.8, 0.1, NAN])
    found = distill(sources, targets, relevance, None, top_share=0.4, iterations=200)
    assert authority_threshold(relevance, 0.4) == pytest.approx(0.62)
    # a2 = .9 h0, a3 = .8 (h0 + h1); h0 = .5 (a2 + a3), h1 = .2 a3.
    step = np.array([[0.5 * (0.9 + 0.8), 0.5 * 0.8], [0.2 * 0.8, 0.2 * 0.8]])
    values, vectors = np.linalg.eig(step)
    expected = np.abs(vectors[:, values.argmax()])
    assert found.hub == near([*expected, 0, 0, 0, 0])
    authority = np.array([0.9 * expected[0], 0.8 * expected.sum()])
    assert found.authority == near([0, 0, *(authority / np.linalg.norm(authority)), 0, 0])


def test_only_links_between_sites_count():
    sources, targets = np.array([0, 1], dtype=np.int32), np.array([2, 2], dtype=np.int32)
    relevance, sites = np.array([0.5, 0.5, 0.9]), np.array([7, 8, 8], dtype=np.int32)
    assert distill(sources, targets, relevance, sites, top_share=0.3).hub.tolist() == [1.0, 0.0, 0.0]
    assert distill(sources, targets, relevance, None, top_share=0.3).hub == near([0.5**0.5, 0.5**0.5, 0.0])


def test_marked_hubs_count_more_or_not_at_all():
    sources, targets = np.array([0, 1, 2], dtype=np.int32), np.array([3, 4, 4], dtype=np.int32)
    relevance = np.array([0.5, 0.5, 0.5, 0.9, 0.9, 0.0])
    ids = np.array([0, 1, 5], dtype=np.int32)
    plain = distill(sources, targets, relevance, None, top_share=0.3)
    assert plain.hub[0] < plain.hub[1]
    marks = HubMarks.of(ids, np.array([True, False, True]))
    found = distill(sources, targets, relevance, None, top_share=0.3, marks=marks)
    assert found.hub[1] == 0.0
    assert found.hub[0] == found.hub[5] == found.hub.max() > 0, "also one that no link speaks for"
    assert found.authority[3] > found.authority[4] > 0
    alone = distill(sources[:0], targets[:0], np.full(6, 0.0), None, marks=marks)
    assert alone.hub[0] > 0
    unknown = distill(sources[:0], targets[:0], np.full(6, NAN), None, marks=marks)
    assert not unknown.hub.any(), "what was not fetched hands out nothing"


def test_nothing_judged_nothing_distilled():
    nobody = np.empty(0, dtype=np.int32)
    assert distill(nobody, nobody, np.array([NAN, NAN]), None).hub.tolist() == [0.0, 0.0]
    assert authority_threshold(np.array([0.0, 0.0]), 0.15) > 0, "what has no relevance is no authority"


def test_sites_by_density():
    relevance = np.array([0.9, 0.8, 0.1, 0.9, 0.9, NAN, 0.7, 0.6])
    sites = np.array([1, 1, 1, 2, 2, 2, 3, 3], dtype=np.int32)
    found = densest_sites(relevance, sites, 0.65, fewest_pages=2)
    assert found.sites.tolist() == [2, 1, 3]
    assert found.pages.tolist() == [2, 3, 2]
    assert found.relevant.tolist() == [2, 2, 1]
    assert found.densities == near([1.0, 2 / 3, 0.5])
    assert densest_sites(relevance, sites, 0.65, fewest_pages=3).sites.tolist() == [1]
