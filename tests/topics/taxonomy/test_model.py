import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from honeyguide.topics.taxonomy.model import (
    Classifier,
    Learned,
    best_in_group,
    log_priors,
    subtree_counts,
    subtree_sizes,
    train,
)

# root 0 - animals 1 (bees 3, birds 4), trains 2; terms: wing, honey, rail
PARENTS = np.array([-1, 0, 0, 1, 1], dtype=np.int32)
PLACES = np.array([3, 3, 4, 2], dtype=np.int32)
COUNTS = csr_array(np.array([[1, 2, 0], [0, 1, 0], [3, 0, 0], [0, 0, 2]], dtype=np.float64))


def classifier() -> Classifier:
    topics = np.arange(1, 5, dtype=np.int32)
    learned = train(subtree_counts(COUNTS, PLACES, PARENTS, topics), PARENTS[topics], np.ones(3), 10)
    features = np.zeros((5, 3))
    features[[0, 1]] = learned.features.toarray()
    weights = csr_array(np.vstack([np.zeros(3), learned.weights.toarray()]))
    learned = Learned(weights, np.concatenate([[0.0], learned.totals]), csr_array(features))
    priors = log_priors(subtree_sizes(PLACES, PARENTS), PARENTS)
    return Classifier(PARENTS, np.array([0, 1, 1, 2, 2], dtype=np.int32), learned, priors)


def test_an_inner_topic_has_the_documents_of_all_below_it():
    counts = subtree_counts(COUNTS, PLACES, PARENTS, np.array([1, 2, 3, 4], dtype=np.int32))
    assert counts.toarray().tolist() == [[4, 3, 0], [0, 0, 2], [1, 3, 0], [3, 0, 0]]
    assert subtree_sizes(PLACES, PARENTS).tolist() == [4, 3, 1, 2, 1]


def test_probabilities_as_computed_by_hand():
    # Document: wing once, honey once. All three terms tell animals from trains; wing and honey tell bees from birds.
    animals, trains = 4 / 6 * (5 / 10) * (4 / 10), 2 / 6 * (1 / 5) * (1 / 5)
    bees, birds = 3 / 5 * (2 / 6) * (4 / 6), 2 / 5 * (4 / 5) * (1 / 5)
    first = animals / (animals + trains)  # with the priors in the denominator as well
    expected = [1, first, 1 - first, first * bees / (bees + birds), first * birds / (bees + birds)]
    found = np.exp(classifier().log_probabilities(csr_array(np.array([[1.0, 1.0, 0.0]]))))
    assert found[0] == pytest.approx(expected, rel=1e-12)


def test_evidence_of_long_documents_is_scaled_down_to_that_of_few_words():
    long = csr_array(np.array([[40.0, 0.0, 0.0]]))
    short = csr_array(np.array([[4.0, 0.0, 0.0]]))
    tempered, plain = classifier().log_probabilities(long, 4), classifier().log_probabilities(long)
    assert tempered == pytest.approx(classifier().log_probabilities(short))
    assert math.exp(plain[0, 4]) > 0.999999 > math.exp(tempered[0, 4])


def test_a_thousand_words_do_not_underflow():
    found = np.exp(classifier().log_probabilities(csr_array(np.array([[1e5, 1e5, 1e5]]))))
    assert np.isfinite(found).all()
    assert found[0, 1] + found[0, 2] == pytest.approx(1)


def test_features_are_the_terms_that_tell_children_apart():
    # "common" is used alike by both children, "b" tells most, "a" a little.
    counts = csr_array(np.array([[10.0, 6.0, 9.0], [10.0, 4.0, 0.0]]))
    parents = np.zeros(2, dtype=np.int32)
    one = train(counts[:, [0, 1, 2]], parents, np.ones(3), 1).features.toarray()
    assert one.tolist() == [[0, 0, 1]]
    # Equal shares of equal totals tell nothing and are never chosen.
    even = csr_array(np.array([[5.0, 2.0, 0.0], [5.0, 0.0, 2.0]]))
    assert train(even, parents, np.ones(3), 3).features.toarray().tolist() == [[0, 1, 1]]


def test_the_best_of_each_group():
    gain, group = np.array([1.0, 3.0, 2.0, 0.0, 5.0]), np.array([0, 0, 0, 1, 1])
    assert best_in_group(gain, group, 2).tolist() == [False, True, True, False, True]


def test_topics_without_documents_cannot_be_chosen():
    parents = np.array([-1, 0, 0, 2, 2], dtype=np.int32)
    priors = np.exp(log_priors(np.array([3.0, 3.0, 0.0, 0.0, 0.0]), parents))
    assert priors.tolist() == pytest.approx([1, 1, 0, 0.5, 0.5])


def test_priors_count_documents_and_one():
    assert np.exp(log_priors(np.array([4.0, 3.0, 1.0]), PARENTS[:3])).tolist() == pytest.approx(
        [1, 4 / 6, 2 / 6]
    )
