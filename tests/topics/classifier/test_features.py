"""TF-IDF vectors and the choice of stems."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_selection import chi2

from honeyguide.topics.classifier.features import DAMPED, RAW, Features, choose_stems, weigh
from honeyguide.topics.text import Vocabulary

COUNTS = csr_array(
    np.array([[3.0, 1.0, 0.0, 0.0], [1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 0.0]])
)
CLASSES = np.array([True, True, False, False])


def test_published_weights_by_hand():
    columns, idf = choose_stems(COUNTS, CLASSES, best=4, weighting=RAW)
    assert columns.tolist() == [0, 1, 2], "a stem no example has is of no use"
    assert idf.tolist() == [math.log(4 / 2), math.log(4 / 2), math.log(4 / 3)]
    vectors = weigh(COUNTS[:, columns], idf, 3, RAW).toarray()
    assert vectors[0].tolist() == [3 * math.log(2), math.log(2), 0]


def test_rarity_is_that_among_examples_off_the_topic():
    """Stem 0 is in all examples on the topic and in none off it: nothing is rarer."""
    _, idf = choose_stems(COUNTS, CLASSES, best=4)
    assert idf == pytest.approx([1 + math.log(3 / 1), 1 + math.log(3 / 2), 1 + math.log(3 / 3)])


def test_damped_weights_have_unit_length_over_all_stems_selected_or_not():
    columns, idf = choose_stems(COUNTS, CLASSES, best=4)
    whole = weigh(COUNTS[:, columns], idf, 3, DAMPED).toarray()
    assert np.linalg.norm(whole, axis=1) == pytest.approx(1.0)
    assert whole[0, 0] / whole[0, 1] == pytest.approx((1 + math.log(3)) * idf[0] / idf[1])
    part = weigh(COUNTS[:, columns], idf, 1, DAMPED).toarray()
    assert (part == whole[:, :1]).all()


def test_chi_squared_by_hand():
    """Stem 0 is in both positive examples and no other: 4 examples, so chi-squared is 4; stem 1 tells nothing: 0."""
    columns, _ = choose_stems(COUNTS, CLASSES, best=1)
    assert columns[0] == 0
    columns, _ = choose_stems(COUNTS, CLASSES, best=2)
    assert sorted(columns[:2].tolist()) == [0, 2]


def test_chi_squared_orders_stems_as_scikit_learn_does():
    dice = np.random.default_rng(1)
    present = csr_array((dice.random((40, 30)) < dice.random(30)).astype(float))
    classes = np.arange(40) < 20
    # Theirs adds only the cells where the stem occurs; with classes of one size and the stem's absence it is ours.
    theirs = chi2(present, classes)[0] + chi2(1.0 - present.toarray(), classes)[0]
    frequency = np.bincount(present.indices, minlength=30)
    best = np.argsort(-np.nan_to_num(theirs))[:5]
    ours, _ = choose_stems(present, classes, best=5)
    assert frequency[ours].min() > 0
    assert sorted(ours[:5].tolist()) == sorted(best.tolist())


def test_vectors_of_texts_are_those_of_their_counts():
    features = Features(Vocabulary(["bee", "hive", "wax"]), np.array([1.0, 2.0, 3.0]), 2)
    vectors = features.vectors(["Bees, bees in a hive", "wax", ""]).toarray()
    length = math.hypot(1 + math.log(2), 2)
    assert vectors[0] == pytest.approx([(1 + math.log(2)) / length, 2 / length])
    assert vectors[1:].tolist() == [[0, 0], [0, 0]]
