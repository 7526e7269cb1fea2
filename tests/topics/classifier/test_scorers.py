"""SVM, naive Bayes and network: numbers by hand, and the same numbers as scikit-learn gives."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.svm import LinearSVC

from honeyguide.errors import TopicError
from honeyguide.topics.classifier.naive_bayes import FEW_STEMS, LEAST_DENSITY, NaiveBayes
from honeyguide.topics.classifier.network import Network
from honeyguide.topics.classifier.svm import PENALTY, Svm

SCORERS = [Svm, NaiveBayes, Network]


@pytest.fixture(scope="module")
def data():
    dice = np.random.default_rng(3)
    classes = np.arange(60) < 20
    dense = dice.random((60, 12)) * (dice.random((60, 12)) < 0.4)
    dense[classes, :4] += 0.5 * (dice.random((20, 4)) < 0.8)
    return csr_array(dense), classes


@pytest.mark.parametrize("scorer", SCORERS, ids=lambda scorer: scorer.name)
def test_it_learns_and_scores_each_row_by_itself(scorer, data):
    vectors, classes = data
    fitted = scorer.fit(vectors, classes, seed=0)
    scores = fitted.scores(vectors)
    assert scores[classes].mean() > scores[~classes].mean()
    singly = [fitted.scores(vectors[[row]])[0] for row in range(vectors.shape[0])]
    assert (scores == singly).all()
    assert (scorer.fit(vectors, classes, seed=0).scores(vectors) == scores).all(), "training is repeatable"
    assert fitted.scores(vectors[:0]).shape == (0,)


@pytest.mark.parametrize("scorer", SCORERS, ids=lambda scorer: scorer.name)
def test_arrays_make_it_again_and_wrong_ones_are_refused(scorer, data):
    vectors, classes = data
    fitted = scorer.fit(vectors, classes, seed=0)
    again = scorer.from_arrays(fitted.arrays(), vectors.shape[1])
    assert (again.scores(vectors) == fitted.scores(vectors)).all()
    for name, array in fitted.arrays().items():
        for wrong in (
            {},
            {name: array[:-1]},
            {name: np.full(array.shape, np.nan)},
            {name: array.astype(str)},
        ):
            others = {other: values for other, values in fitted.arrays().items() if other != name}
            with pytest.raises(TopicError, match=name):
                scorer.from_arrays({**others, **wrong}, vectors.shape[1])


@pytest.mark.parametrize("scorer", [Svm, NaiveBayes], ids=lambda scorer: scorer.name)
def test_shares_of_a_linear_score_add_up(scorer, data):
    vectors, classes = data
    fitted = scorer.fit(vectors, classes, seed=0)
    nothing = fitted.scores(csr_array((1, vectors.shape[1])))[0]
    for row in range(5):
        vector = vectors[[row]]
        assert fitted.shares(vector).sum() + nothing == pytest.approx(fitted.scores(vector)[0])


def test_svm_scores_as_scikit_learn(data):
    vectors, classes = data
    theirs = LinearSVC(C=PENALTY, random_state=0, max_iter=20_000).fit(vectors, classes)
    assert Svm.fit(vectors, classes, 0).scores(vectors) == pytest.approx(theirs.decision_function(vectors))


def test_naive_bayes_by_hand():
    """One stem; weight 1 in both positive examples, 0 in all four negative ones."""
    vectors = csr_array(np.array([[1.0], [1.0], [0.0], [0.0], [0.0], [0.0]]))
    fitted = NaiveBayes.fit(vectors, np.array([True, True, False, False, False, False]), seed=0)

    def log_density(distance: float, examples: int) -> float:
        width = 1 / math.sqrt(examples)
        return math.log(math.exp(-0.5 * (distance / width) ** 2) / width + LEAST_DENSITY)

    at_one = log_density(0, 2) - log_density(1, 4)
    at_zero = log_density(1, 2) - log_density(0, 4)
    expected = (at_one - at_zero) / math.sqrt(1 + FEW_STEMS)
    assert fitted.scores(vectors) == pytest.approx([expected] * 2 + [0.0] * 4)
    assert fitted.scores(csr_array(np.array([[7.0]])))[0] == pytest.approx(expected), "beyond what was seen"


def test_network_scores_by_its_two_layers(data):
    vectors, classes = data
    fitted = Network.fit(vectors, classes, seed=0)
    arrays = fitted.arrays()
    hidden = 1 / (1 + np.exp(-(vectors @ arrays["hidden_weights"] + arrays["hidden_bias"])))
    assert fitted.scores(vectors) == pytest.approx(hidden @ arrays["weights"] + arrays["bias"][0])


def test_shares_of_a_network_are_what_the_score_would_lose(data):
    vectors, classes = data
    fitted = Network.fit(vectors, classes, seed=0)
    vector = vectors[[0]]
    without = vector.copy()
    without.data[0] = 0.0
    lost = fitted.scores(vector)[0] - fitted.scores(without)[0]
    assert fitted.shares(vector)[0] == pytest.approx(lost)


def test_a_network_learns_from_a_handful_of_examples():
    vectors = csr_array(np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.1, 0.8]]))
    classes = np.array([True, True, False, False])
    scores = Network.fit(vectors, classes, seed=0).scores(vectors)
    assert scores[classes].min() > scores[~classes].max()
