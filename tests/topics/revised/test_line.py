import numpy as np
import pytest

from honeyguide.topics.revised.line import draw_line, expected_share

DICE = np.random.default_rng(5)
USUAL = np.concatenate((DICE.normal(-0.2, 0.6, 450), DICE.normal(1.6, 0.4, 50)))
CALLED = 0.15  # by the first topic


def share_called(good, bad, by_first=CALLED, usual=USUAL):
    is_good = np.repeat([True, False], (len(good), len(bad)))
    line = draw_line(np.array([*good, *bad]), is_good, usual, expected_share(by_first, len(usual)))
    return np.mean(usual >= line)


def test_labels_far_above_all_other_pages_do_not_take_the_line_there():
    """As in a crawl: the best were asked about, half of them are good, and what is left is as good but lower."""
    good, bad = [5.0, 4.6, 4.2, 4.0, 2.4, 2.2, 2.0, 1.8], [4.1, 3.0, 2.5, 2.4, 2.0, 1.9, 0.0, 0.0, 0.0, 0.0]
    assert 0.06 < share_called(good, bad) < 0.2
    assert 0.06 < share_called(good, bad[:4]) < 0.2
    assert 0.06 < share_called(good, []) < 0.2


def test_labels_near_the_line_move_it():
    near = [1.2, 1.1, 1.0, 0.9, 0.8, 0.7]
    high, low = [2.4, 2.2, 2.0, 1.8], [-0.5, -0.6, -0.7, -0.8]
    few, as_expected, many = (
        share_called(high, near),
        share_called(high, low),
        share_called([*high, *near], low),
    )
    assert few < as_expected < many


def test_many_labels_say_more_than_what_was_expected():
    dice = np.random.default_rng(6)
    good, bad = dice.normal(-0.1, 0.2, 40), dice.normal(-1.0, 0.2, 40)
    few, many = (share_called(good[:number], bad[:number]) for number in (2, 40))
    assert few < 0.2
    assert many > 0.4


def test_the_more_the_first_topic_calls_relevant_the_more_are_expected():
    shares = [share_called([3.0, 2.8], [-0.5, -0.6], by_first) for by_first in (0.0, 0.05, 0.5)]
    assert shares == sorted(shares)
    assert shares[0] > 0
    assert shares[-1] < 0.5


def test_where_pages_are_all_alike_the_line_is_near_the_labels():
    line = draw_line(np.array([0.5, -0.5]), np.array([True, False]), np.zeros(10), CALLED)
    assert -0.5 <= line <= 0.5


@pytest.mark.parametrize("by_first", [0.0, 0.1, 1.0])
def test_what_is_expected_is_a_share(by_first):
    assert 0 < expected_share(by_first, 1) <= 1
    assert expected_share(0.1, 500) == pytest.approx(0.1)
