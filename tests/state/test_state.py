"""The columns of a crawl."""

import numpy as np

from honeyguide.model import MOST_REDIRECTS, Status
from honeyguide.state.state import State


def chain(length: int) -> State:
    """Urls 0, 1, 2 ... of which each has moved to the next, but the last."""
    state = State()
    host, some = state.host_id("a.example"), length + 1
    state.add(
        [f"http://a.example/{number}" for number in range(some)],
        np.arange(1, some + 1, dtype=np.uint64),
        np.full(some, host, dtype=np.int32),
        np.zeros(some, dtype=np.uint16),
        np.zeros(some, dtype=np.int32),
    )
    ids = np.arange(length, dtype=np.int32)
    state.links.append(ids, np.ones(length, dtype=np.int64), ids + 1)
    state.settle(ids, Status.MOVED)
    return state


def test_urls_lead_where_their_redirects_end():
    ids = np.array([3, 0, 2, 0], dtype=np.int32)
    assert chain(3).destinations(ids).tolist() == [3, 3, 3, 3]
    assert ids.tolist() == [3, 0, 2, 0], "the ids given are left as they were"


def test_no_more_redirects_are_followed_than_a_crawl_follows():
    state = chain(MOST_REDIRECTS + 5)
    assert state.destinations(np.array([0], dtype=np.int32)).tolist() == [MOST_REDIRECTS]


def test_the_latest_answer_counts():
    state = chain(2)
    state.links.append(np.array([0], dtype=np.int32), np.array([1]), np.array([2], dtype=np.int32))
    assert state.destinations(np.array([0], dtype=np.int32)).tolist() == [2]


def test_an_array_that_says_the_same_is_not_stored_again():
    state = State()
    state.set_array("weights", np.array([1.0, np.nan]))
    assert [*state.take_changes().arrays] == ["weights"]
    state.set_array("weights", np.array([1.0, np.nan]))
    assert not state.take_changes().arrays
    for changed in (np.array([1.0, 2.0]), np.array([1.0]), np.array([1], dtype=np.int64)):
        state.set_array("weights", changed)
        assert [*state.take_changes().arrays] == ["weights"]
    written = state.arrays["weights"]
    for again in (np.asarray, np.copy):
        written += 1  # in place
        state.set_array("weights", again(written))
        assert [*state.take_changes().arrays] == ["weights"]
    state.set_array("weights", np.empty(0))
    assert [*state.take_changes().arrays] == ["weights"]
