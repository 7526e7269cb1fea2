"""From scores to probabilities."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.topics.classifier.calibration import Calibration, calibrate, sigmoid, threshold_by_positives


def test_a_known_sigmoid_is_found_again():
    dice = np.random.default_rng(0)
    scores = dice.normal(size=20_000)
    found = calibrate(scores, dice.random(20_000) < sigmoid(3 * scores - 1))
    assert found.slope == pytest.approx(3, rel=0.05)
    assert found.intercept == pytest.approx(-1, abs=0.08)


def test_two_examples_make_nobody_certain():
    """Platt's targets for one example of each class are 2/3 and 1/3."""
    found = calibrate(np.array([1.0, -1.0]), np.array([True, False]))
    assert found.probabilities(np.array([1.0, -1.0])) == pytest.approx([2 / 3, 1 / 3], abs=1e-4)


@settings(max_examples=50)
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=30),
    st.integers(1, 3),
)
def test_probabilities_rise_with_scores_whatever_the_examples(values, positives):
    scores = np.array(values)
    found = calibrate(scores, np.arange(len(scores)) < positives)
    assert found.slope >= 0
    assert np.isfinite([found.slope, found.intercept]).all()
    probabilities = found.probabilities(np.sort(scores))
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    assert (np.diff(probabilities) >= 0).all()


def test_the_line_is_drawn_where_seven_of_ten_positives_are_above():
    scores = np.arange(11.0)
    assert threshold_by_positives(scores) == pytest.approx(3.0)
    moved = Calibration(2.0, 5.0).starting_at(3.0)
    assert moved.probabilities(np.array([3.0, 4.0])) == pytest.approx([0.5, sigmoid(2.0)])
