"""The SVD update against the SVD itself, and the space of words and links."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.graph.hypertext import folded_space, hypertext_space, similarities
from honeyguide.graph.latent import Factors, append_columns, fold_in, truncated_svd


def matrix(random, rows, columns, density=0.2):
    return sp.csr_array(sp.random_array((rows, columns), density=density, rng=random, format="csr"))


def joined(known, columns):
    """The matrix whose factors are looked for: known terms, then new ones, which the corpus does not have."""
    below = sp.csr_array((columns.shape[0] - known.shape[0], known.shape[1]))
    return sp.hstack((sp.vstack((known, below)), columns)).toarray()


def product(factors):
    return factors.left * factors.scales @ factors.right.T


@given(st.integers(0, 10_000), st.integers(1, 15), st.integers(0, 6), st.integers(1, 12))
def test_the_update_is_the_svd_where_nothing_is_cut(seed, documents, new_terms, new_documents):
    random = np.random.default_rng(seed)
    known = matrix(random, 12, documents)
    columns = matrix(random, 12 + new_terms, new_documents)
    whole = joined(known, columns)
    found = append_columns(truncated_svd(known, 15), columns, 40)
    assert product(found) == pytest.approx(whole, abs=1e-6)
    assert found.left.T @ found.left == pytest.approx(np.eye(len(found.scales)), abs=1e-6)
    singular = np.linalg.svd(whole, compute_uv=False)
    assert found.scales == pytest.approx(singular[: len(found.scales)], abs=1e-6)
    assert singular[len(found.scales) :] == pytest.approx(0.0, abs=1e-6)


@given(st.integers(0, 10_000))
def test_cut_to_k_it_is_the_best_there_is_where_the_corpus_has_rank_k(seed):
    random = np.random.default_rng(seed)
    known, columns = matrix(random, 20, 5), matrix(random, 26, 14)
    found = append_columns(truncated_svd(known, 5), columns, 5)
    best = np.linalg.svd(joined(known, columns), compute_uv=False)
    assert found.scales == pytest.approx(best[: len(found.scales)], abs=1e-6)


@pytest.mark.parametrize("k", [10, 50])
@pytest.mark.parametrize("compressed", [False, True])
def test_otherwise_it_is_within_a_percent_of_the_best(k, compressed):
    random = np.random.default_rng(k)
    known, columns = matrix(random, 800, 400, 0.05), matrix(random, 1000, 600, 0.02)
    whole = joined(known, columns)
    found = append_columns(truncated_svd(known, k), columns, k, residual_rank=k if compressed else None)
    best = np.sqrt((np.linalg.svd(whole, compute_uv=False)[k:] ** 2).sum())
    error = np.linalg.norm(whole - found.left @ (found.left.T @ whole))
    assert best <= error <= 1.01 * best


def test_the_printed_update_scores_everything_zero_and_ours_does_not():
    words, links = sp.csr_array([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), sp.csr_array([[1.0, 0.0, 1.0]])
    corpus = truncated_svd(sp.csr_array(np.eye(2)), 2)
    space = hypertext_space(corpus, words, links, 2, residual_rank=None)
    frontier = sp.csr_array((2, 1)), sp.csr_array([[1.0]])
    assert similarities(space, np.array([1.0, 0.0]), *frontier)[0] > 0.5
    printed = type(space)(corpus.left, np.zeros((1, 2)))  # rows of pages are multiplied by zero there
    assert similarities(printed, np.array([1.0, 0.0]), *frontier).tolist() == [0.0]


@pytest.mark.parametrize("make", [lambda *a: hypertext_space(*a, 2, residual_rank=None), folded_space])
def test_links_of_relevant_pages_are_nearer_to_the_query(make):
    # Words: bees, trains. Pages 0 and 1 are about bees, 2 and 3 about trains; each pair is linked both ways.
    # Frontier: 4 is linked from 0 and 1, 5 from 2 and 3, 6 from 1 and 2.
    words = sp.csr_array(np.array([[3, 2, 0, 0, 0, 0, 0], [0, 0, 3, 2, 0, 0, 0]], dtype=np.float64))
    links = sp.csr_array(
        np.array(
            [
                [0, 1, 0, 0, 1, 0, 0],
                [1, 0, 0, 0, 1, 0, 1],
                [0, 0, 0, 1, 0, 1, 1],
                [0, 0, 1, 0, 0, 1, 0],
            ],
            dtype=np.float64,
        )
    )
    corpus = truncated_svd(sp.csr_array(np.array([[4.0, 1.0, 0.0], [0.0, 1.0, 4.0]])), 2)
    space = make(corpus, words, links)
    near, far, between = similarities(space, np.array([1.0, 0.0]), words[:, 4:], links[:, 4:])
    assert near > between > far
    assert near > 0.8


def test_folding_in_places_known_documents_where_they_are():
    known = matrix(np.random.default_rng(3), 12, 8)
    factors = truncated_svd(known, 8)
    assert fold_in(factors, known) == pytest.approx(factors.right)


def test_empty_and_zero_matrices():
    nothing = truncated_svd(sp.csr_array((4, 3)), 2)
    assert nothing.scales.shape == (0,)
    columns = matrix(np.random.default_rng(1), 5, 3, 0.9)
    assert product(append_columns(nothing, columns, 5)) == pytest.approx(
        joined(sp.csr_array((4, 3)), columns)
    )
    zero = append_columns(Factors(np.eye(2), np.ones(2), np.eye(2)), sp.csr_array((3, 2)), 2)
    assert product(zero)[:2, :2] == pytest.approx(np.eye(2))
