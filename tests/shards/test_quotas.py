import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.shards.ladder import ladder
from honeyguide.shards.quotas import quotas

QUEUES = st.lists(st.lists(st.integers(-5, 5).map(float), max_size=40), min_size=1, max_size=6)


def exact(queues, capacity):
    """What one queue of all would take from each; ties in the order of the shards."""
    everything = sorted((-priority, shard) for shard, own in enumerate(queues) for priority in own)
    return np.bincount([shard for _, shard in everything[:capacity]], minlength=len(queues))


def test_queues_of_few_urls_are_told_exactly():
    queues = [np.array([9.0, 7.0, 1.0]), np.array([8.0]), np.empty(0), np.array([6.0, 5.0, 4.0])]
    for capacity in range(8):
        told = quotas([ladder(own) for own in queues], capacity)
        assert told.tolist() == exact(queues, capacity).tolist()


def test_long_queues_are_told_as_one_queue_would_take_them():
    dice = np.random.default_rng(2)
    queues = [dice.normal(mean, 1.0, size) for mean, size in ((0, 5_000), (1, 300), (-2, 20_000), (3, 9))]
    for capacity in (10, 100, 1_000, 5_000):
        told = quotas([ladder(own) for own in queues], capacity)
        assert told.sum() == capacity
        assert np.abs(told - exact(queues, capacity)).max() <= 0.06 * capacity + 1


def test_equals_share_in_proportion_to_what_waits():
    queues = [np.zeros(300), np.zeros(100), np.empty(0)]
    assert quotas([ladder(own) for own in queues], 40).tolist() == [30, 10, 0]


def test_remainders_are_settled_by_the_order_of_the_shards():
    assert quotas([ladder(np.zeros(5))] * 3, 4).tolist() == [2, 1, 1]


def test_what_is_enough_for_all_is_given_to_all():
    assert quotas([ladder(np.arange(3.0)), ladder(np.empty(0))], 3).tolist() == [3, 0]
    assert quotas([ladder(np.empty(0))] * 2, 10).tolist() == [0, 0]


@pytest.mark.parametrize("far", [1e300, 1e5])
def test_priorities_that_are_far_apart(far):
    assert quotas([ladder(np.array([far, -far])), ladder(np.array([0.0]))], 2).tolist() == [1, 1]


@given(QUEUES, st.integers(0, 200))
def test_all_is_given_and_never_more_than_waits(queues, capacity):
    queues = [np.array(own) for own in queues]
    told = quotas([ladder(own) for own in queues], capacity)
    waiting = np.array([len(own) for own in queues])
    assert told.sum() == min(capacity, waiting.sum())
    assert ((told >= 0) & (told <= waiting)).all()
    # A url that is surely better than another of a shard that is given pages is fetched, too.
    best = np.array([own.max() if len(own) else -np.inf for own in queues])
    worst = np.array([own.min() if len(own) else np.inf for own in queues])
    for left in np.flatnonzero(told == 0):
        assert not (worst[told == waiting] < best[left]).any() or not waiting[left]
