import numpy as np
import pytest

from honeyguide.strategies.experts import FULL_WEIGHT, LARGEST_LEAD, RECENT, Experts


def column(*numbers):
    return np.array(numbers, dtype=float)


def test_both_are_trusted_alike_at_first():
    assert Experts.start().trust == 0.5


def test_a_page_counts_by_the_pages_it_was_put_on_the_wrong_side_of():
    """By hand: of three pages the last is the good one; the starting weights put it first, the learned ones last."""
    after = Experts.start().judged(column(1, 1, 2), column(2, 2, 1), column(0, 0, 1))
    assert after.lead == pytest.approx(-2 / FULL_WEIGHT)
    assert after.trust < 0.5
    back = after.judged(column(0), column(0), column(0.5))  # both put a middling page last
    assert back.lead == pytest.approx(after.lead)


def test_pages_one_by_one_or_together_are_the_same():
    dice = np.random.default_rng(7)
    started, learned, outcomes = dice.random((3, 200))
    together = Experts.start()
    for at in range(0, 200, 50):
        together = together.judged(*(own[at : at + 50] for own in (started, learned, outcomes)))
    alone = Experts.start()
    for at in range(200):
        alone = alone.judged(*(own[at : at + 1] for own in (started, learned, outcomes)))
    assert together.lead == pytest.approx(alone.lead)
    assert len(together.recent) == RECENT
    assert np.array_equal(together.recent, alone.recent)


def test_an_expert_who_was_right_for_long_can_be_wrong_again():
    good, bad = column(*[0, 1] * 50), column(*[1, 0] * 50)
    experts = Experts.start()
    for _ in range(5):
        experts = experts.judged(bad, good, good)
    assert experts.lead == LARGEST_LEAD
    for _ in range(2):
        experts = experts.judged(good, bad, good)
    assert experts.trust < 0.5


def test_it_is_kept_as_an_array():
    experts = Experts.start().judged(column(1, 2), column(2, 1), column(0, 1))
    again = Experts.from_array(experts.to_array())
    assert again.lead == experts.lead
    assert np.array_equal(again.recent, experts.recent)
    assert Experts.from_array(Experts.start().to_array()).trust == 0.5


def test_no_pages_change_nothing():
    assert Experts.start().judged(column(), column(), column()).lead == 0.0


def test_each_is_right_as_far_as_it_orders_recent_pages():
    experts = Experts.start().judged(
        np.array([3.0, 2.0, 1.0]), np.array([1.0, 3.0, 2.0]), np.array([1.0, 0.0, 0.0])
    )
    assert experts.right() == (1.0, 0.0)
    assert Experts.start().right() == (0.5, 0.5)
