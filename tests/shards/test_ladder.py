import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.shards.ladder import DEEPEST, ladder


def test_an_empty_queue_has_no_rung():
    assert ladder(np.empty(0)).shape == (0, 2)


def test_a_long_queue_has_about_thirty_rungs_and_each_is_right():
    priorities = np.random.default_rng(1).normal(size=3 * DEEPEST)
    rungs = ladder(priorities)
    falling = np.sort(priorities)[::-1]
    assert rungs[:9, 0].tolist() == [1, 2, 3, 4, 6, 8, 11, 16, 23]
    assert rungs[-2:, 0].tolist() == [DEEPEST, 3 * DEEPEST]
    assert len(rungs) < 32
    assert rungs[:, 1].tolist() == falling[rungs[:, 0].astype(int) - 1].tolist()


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.randoms())
def test_the_order_of_the_queue_does_not_matter(priorities, dice):
    shuffled = [*priorities]
    dice.shuffle(shuffled)
    assert ladder(np.array(priorities)).tolist() == ladder(np.array(shuffled)).tolist()


@pytest.mark.parametrize("waiting", [DEEPEST - 1, DEEPEST, DEEPEST + 1])
def test_the_last_rung_is_the_whole_queue(waiting):
    rungs = ladder(np.arange(waiting, dtype=np.float64))
    assert rungs[-1].tolist() == [waiting, 0.0]
    assert (np.diff(rungs[:, 0]) > 0).all()
