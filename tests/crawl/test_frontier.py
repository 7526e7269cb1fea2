"""The frontier against a plain model: a dictionary and sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from honeyguide.crawl import frontier as frontier_module
from honeyguide.crawl.frontier import Frontier
from honeyguide.crawl.state import State
from honeyguide.model import Priorities, Status


def state_with(hosts: list[int]) -> State:
    """A state whose url i belongs to host hosts[i]."""
    state = State()
    for host in range(max(hosts, default=0) + 1):
        state.host_id(f"host-{host}.example")
    add_urls(state, hosts)
    return state


def add_urls(state: State, hosts: list[int]) -> None:
    start = len(state)
    nobody = np.zeros(len(hosts), dtype=np.int32)
    prints = np.arange(start + 1, start + 1 + len(hosts), dtype=np.uint64)
    state.add([str(n) for n in prints], prints, np.array(hosts, dtype=np.int32), nobody, nobody)


def wanted(priorities: dict[int, float], revisit: bool = False) -> Priorities:
    ids = np.array(list(priorities), dtype=np.int32)
    return Priorities(ids, np.array(list(priorities.values()), dtype=np.float64), revisit)


def test_best_n_first_with_ties_in_order_of_discovery():
    frontier = Frontier(state_with([0] * 5), one_per_host=False)
    frontier.push(wanted({4: 1.0, 2: 3.0, 3: 1.0, 1: 2.0, 0: 1.0}))
    assert frontier.acquire(2).tolist() == [2, 1]
    assert frontier.acquire(10).tolist() == [0, 3, 4]
    assert frontier.seconds_until_ready(0.0) is None


def test_priorities_rise_and_fall():
    frontier = Frontier(state_with([0, 0, 0]), one_per_host=False)
    frontier.push(wanted({0: 1.0, 1: 2.0, 2: 3.0}))
    frontier.push(wanted({0: 9.0, 2: 0.0}))
    assert frontier.acquire(3).tolist() == [0, 1, 2]


def test_a_host_handed_out_rests_until_released():
    frontier = Frontier(state_with([0, 0, 1]))
    frontier.push(wanted({0: 3.0, 1: 2.0, 2: 1.0}))
    assert frontier.acquire(5, now=0.0).tolist() == [0, 2]
    assert frontier.acquire(5, now=99.0).tolist() == []
    assert frontier.seconds_until_ready(99.0) is None
    frontier.release(0, ready_at=100.0)
    assert frontier.acquire(5, now=99.0).tolist() == []
    assert frontier.seconds_until_ready(99.0) == 1.0
    assert frontier.acquire(5, now=100.0).tolist() == [1]


def test_a_resting_host_keeps_resting_when_new_urls_come():
    state = state_with([0, 0])
    frontier = Frontier(state)
    frontier.push(wanted({0: 1.0}))
    frontier.acquire(1, now=0.0)
    frontier.release(0, ready_at=10.0)
    frontier.push(wanted({1: 5.0}))
    assert frontier.acquire(1, now=5.0).tolist() == []
    assert frontier.acquire(1, now=10.0).tolist() == [1]


def test_the_worst_are_dropped_and_may_come_back():
    state = state_with([0, 1, 0, 1, 0])
    frontier = Frontier(state, one_per_host=False, max_queue=2)
    frontier.push(wanted({0: 1.0, 1: 5.0, 2: 3.0, 3: 3.0, 4: 0.5}))
    assert len(frontier) == 2
    assert state.urls["status"].tolist() == [
        Status.KNOWN,
        Status.QUEUED,
        Status.QUEUED,
        Status.KNOWN,
        Status.KNOWN,
    ]
    frontier.push(wanted({4: 9.0}))
    assert frontier.acquire(5).tolist() == [4, 1]


def test_fetched_pages_are_queued_again_only_as_revisits():
    state = state_with([0])
    frontier = Frontier(state, one_per_host=False)
    frontier.push(wanted({0: 1.0}))
    frontier.acquire(1)
    state.set("status", np.array([0]), Status.FETCHED)
    frontier.push(wanted({0: 2.0}))
    assert len(frontier) == 0
    frontier.push(wanted({0: 2.0}, revisit=True))
    assert frontier.acquire(1).tolist() == [0]


def test_of_an_id_given_twice_the_last_priority_counts():
    state = state_with([0, 0])
    frontier = Frontier(state, one_per_host=False)
    frontier.push(Priorities(np.array([0, 1, 0], dtype=np.int32), np.array([9.0, 5.0, 1.0])))
    assert frontier.acquire(2).tolist() == [1, 0]


def test_urls_in_flight_are_saved_as_queued():
    state = state_with([0])
    frontier = Frontier(state)
    frontier.push(wanted({0: 1.0}))
    frontier.acquire(1)
    state.touch("status", np.array([0]))
    ids, statuses = state.take_changes().columns["status"]
    assert (ids.tolist(), statuses.tolist()) == ([0], [Status.QUEUED])


class FrontierMachine(RuleBasedStateMachine):
    """Random pushes, acquisitions, releases and rebuilds against the simplest model that is right."""

    def __init__(self):
        super().__init__()
        self.now = 0.0
        self.queued: dict[int, float] = {}
        self.in_flight: set[int] = set()
        self.ready_at: dict[int, float] = {}

    @initialize(one_per_host=st.booleans(), max_queue=st.sampled_from([0, 0, 3]), rebuild=st.booleans())
    def start(self, one_per_host, max_queue, rebuild):
        self.state = state_with([0, 1, 2])
        self.one_per_host = one_per_host
        self.max_queue = max_queue
        self.frontier = Frontier(self.state, one_per_host=one_per_host, max_queue=max_queue)
        # Both ways of taking in changes must give the same queues.
        self.saved = frontier_module.REBUILD_AT_LEAST
        frontier_module.REBUILD_AT_LEAST = 0 if rebuild else self.saved

    def teardown(self):
        frontier_module.REBUILD_AT_LEAST = getattr(self, "saved", frontier_module.REBUILD_AT_LEAST)

    @rule(hosts=st.lists(st.integers(0, 3), max_size=25))
    def discover(self, hosts):
        for host in range(len(self.state.host_names), max(hosts, default=0) + 1):
            self.state.host_id(f"host-{host}.example")
        add_urls(self.state, hosts)

    @rule(data=st.data())
    def push(self, data):
        ids = st.integers(0, len(self.state) - 1)
        priorities = data.draw(st.dictionaries(ids, st.integers(0, 9).map(float), max_size=25))
        self.frontier.push(wanted(priorities))
        self.queued.update({i: p for i, p in priorities.items() if i not in self.in_flight})
        if self.max_queue:
            kept = sorted(self.queued, key=lambda i: (-self.queued[i], i))[: self.max_queue]
            self.queued = {i: self.queued[i] for i in kept}

    @rule(count=st.integers(1, 9), seconds=st.integers(0, 3))
    def acquire(self, count, seconds):
        self.now += seconds
        expected = []
        for url_id in sorted(self.queued, key=lambda i: (-self.queued[i], i)):
            if len(expected) < count and self.may_ask(url_id):
                expected.append(url_id)
                self.in_flight.add(url_id)
        for url_id in expected:
            del self.queued[url_id]
        assert self.frontier.acquire(count, self.now).tolist() == expected

    def may_ask(self, url_id):
        host = self.host(url_id)
        busy = any(self.host(other) == host for other in self.in_flight)
        return not self.one_per_host or (not busy and self.ready_at.get(host, 0.0) <= self.now)

    @rule(seconds=st.integers(0, 3), data=st.data())
    def release(self, seconds, data):
        if self.in_flight:
            url_id = data.draw(st.sampled_from(sorted(self.in_flight)))
            self.in_flight.remove(url_id)
            self.ready_at[self.host(url_id)] = self.now + seconds
            self.state.set("status", np.array([url_id]), Status.KNOWN)
            self.frontier.release(url_id, self.now + seconds)

    def host(self, url_id):
        return int(self.state.urls["host"][url_id])

    @invariant()
    def sizes_agree(self):
        if hasattr(self, "frontier"):
            assert len(self.frontier) == len(self.queued)


TestFrontierMachine = FrontierMachine.TestCase


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=30), st.booleans())
def test_rebuilding_from_the_columns_changes_nothing(urls, one_per_host):
    state = state_with([host for host, _ in urls])
    frontier = Frontier(state, one_per_host=one_per_host)
    frontier.push(wanted({i: float(p) for i, (_, p) in enumerate(urls)}))
    rebuilt = Frontier(state, one_per_host=one_per_host)
    first = frontier.acquire(100).tolist()
    state.set("status", np.array(first, dtype=np.int32), Status.QUEUED)
    assert rebuilt.acquire(100).tolist() == first


@pytest.mark.parametrize("one_per_host", [True, False])
def test_nothing_queued_is_nothing_ready(one_per_host):
    frontier = Frontier(State(), one_per_host=one_per_host)
    assert frontier.acquire(3).tolist() == []
    assert frontier.seconds_until_ready(0.0) is None


@given(st.lists(st.lists(st.integers(0, 99), min_size=60, max_size=60), min_size=2, max_size=5))
def test_many_priorities_changed_at_once_come_out_in_order(rounds):
    """All keys of a heap change in one push: sifting must never meet a changed key that is not yet in its place."""
    frontier = Frontier(state_with([0] * 60), one_per_host=False)
    for priorities in rounds:
        frontier.push(wanted(dict(enumerate(map(float, priorities)))))
    expected = sorted(range(60), key=lambda i: (-rounds[-1][i], i))
    assert frontier.acquire(60).tolist() == expected
