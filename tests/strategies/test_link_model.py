import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.strategies.link_model import LinkModel

ROWS = np.array([[1.0, 2.0], [1.0, -1.0], [1.0, 0.5]])


def test_one_outcome_by_hand():
    model = LinkModel.start([0.0, 0.0], [1.0, 4.0])
    learned = model.learned(np.array([[1.0, 2.0]]), np.array([1.0]))
    # Expected 1/2, variance 1/4, spread (1, 1/2), damping 1 + 1/4 * (1 + 1) = 3/2: a step of 1/2 / (3/2) = 1/3.
    assert learned.weights == pytest.approx([1 / 3, 1 / 6])
    # Less by (1, 1/2) outer (1, 1/2) times 1/4 / (3/2) = 1/6.
    assert learned.covariance == pytest.approx(np.array([[5 / 6, -1 / 12], [-1 / 12, 1 / 4 - 1 / 24]]))


def test_what_is_trusted_infinitely_never_changes():
    model = LinkModel.start([0.5, 0.25], [1.0, np.inf])
    learned = model.learned(ROWS, np.ones(3))
    assert learned.weights[1] == 0.25
    assert learned.weights[0] > 0.5


def test_finds_the_weights_of_the_web_it_is_in():
    dice = np.random.default_rng(1)
    rows = np.column_stack((np.ones(4_000), dice.normal(size=(4_000, 2))))
    true = np.array([-1.0, 2.0, 0.0])
    outcomes = (dice.random(4_000) < 1 / (1 + np.exp(-rows @ true))).astype(float)
    learned = LinkModel.start([-3.0, 0.0, 1.0], [1.0, 10.0, 10.0]).learned(rows, outcomes)
    assert learned.weights == pytest.approx(true, abs=0.25)


@given(st.lists(st.tuples(st.floats(-6, 6), st.floats(0, 1)), max_size=50))
def test_never_leaves_the_finite(told):
    model = LinkModel.start([-3.0, 0.5], [1.0, 300.0])
    rows = np.array([[1.0, number] for number, _ in told]).reshape(-1, 2)
    learned = model.learned(rows, np.array([outcome for _, outcome in told]))
    assert np.isfinite(learned.weights).all()
    assert (np.diag(learned.covariance) >= 0).all()
    assert (np.diag(learned.covariance) <= np.diag(model.covariance) + 1e-12).all()


def test_is_written_down_and_read_back():
    model = LinkModel.start([0.5, 0.25], [1.0, 3.0]).learned(ROWS, np.array([0.0, 1.0, 0.3]))
    again = LinkModel.from_array(model.to_array())
    assert (again.weights == model.weights).all()
    assert (again.covariance == model.covariance).all()


def test_log_odds_beside_the_features_are_counted_and_nothing_is_learned_of_them():
    model = LinkModel.start([0.0, 0.5], [1.0, np.inf])
    row, outcome, beside = np.array([[1.0, 0.0]]), np.array([1.0]), np.array([2.0])
    learned = model.learned(row, outcome, beside)
    expected = 1 / (1 + np.exp(-2.0))
    variance = expected * (1 - expected)
    assert learned.weights.tolist() == pytest.approx([(1 - expected) / (1 + variance), 0.5])
    assert model.learned(np.zeros((1, 2)), outcome, beside).weights.tolist() == [0.0, 0.5]
