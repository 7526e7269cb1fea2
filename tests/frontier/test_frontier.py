"""The frontier against a plain model: a dictionary and sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from honeyguide.frontier import frontier as frontier_module
from honeyguide.frontier import ready as ready_module
from honeyguide.frontier.frontier import Frontier
from honeyguide.frontier.ready import MOST_OF_A_SITE, MOST_TRUST
from honeyguide.model import Priorities, Status
from honeyguide.state.state import State
from honeyguide.urls import site_of


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


def test_what_may_be_handed_out_soon():
    urls = {0: 3.0, 1: 2.0, 2: 1.0, 3: 9.0}
    state = state_with([0, 0, 1, 0])
    frontier = Frontier(state)
    assert frontier.contenders().tolist() == []
    frontier.push(wanted(urls))
    assert sorted(frontier.contenders()) == [1.0, 9.0]  # one of each host
    assert len(frontier.contenders(turns=2)) == 3
    alike = Frontier(state, one_per_host=False)
    assert sorted(alike.contenders()) == sorted(urls.values())
    assert alike.acquire(1).tolist() == [3]
    assert sorted(alike.contenders()) == [1.0, 2.0, 3.0]
    alike.acquire(3)
    assert alike.contenders().tolist() == []
    alike.push(wanted({0: 1.0}, revisit=True))  # the queue can grow again


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
    state.settle(np.array([0]), Status.FETCHED)
    frontier.push(wanted({0: 2.0}))
    assert len(frontier) == 0
    frontier.push(wanted({0: 2.0}, revisit=True))
    assert frontier.acquire(1).tolist() == [0]


def test_a_page_that_waits_again_is_still_a_page():
    state = state_with([0, 0])
    frontier = Frontier(state, one_per_host=False, max_queue=1)
    state.settle(np.array([0]), Status.FETCHED)
    frontier.push(wanted({0: 2.0}, revisit=True))
    frontier.push(wanted({0: 9.0}))  # those who rank what is new have no say in it
    assert (state.urls["status"][0], state.urls["outcome"][0]) == (Status.QUEUED, Status.FETCHED)
    assert state.urls["priority"][0] == 2.0
    frontier.push(wanted({1: 3.0}))  # there is room for one
    assert (state.urls["status"][0], state.urls["outcome"][0]) == (Status.FETCHED, Status.FETCHED)
    assert frontier.acquire(5).tolist() == [1]


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
        self.trust: dict[int, int] = {}
        self.strangers: set[int] = set()

    @initialize(
        one_per_host=st.booleans(),
        max_queue=st.sampled_from([0, 0, 3]),
        most_strangers=st.integers(0, 2),
        rebuild=st.booleans(),
    )
    def start(self, one_per_host, max_queue, most_strangers, rebuild):
        self.state = state_with([0, 1, 2])
        self.one_per_host = one_per_host
        self.max_queue = max_queue
        self.most_strangers = most_strangers if one_per_host else 0
        self.frontier = Frontier(
            self.state, one_per_host=one_per_host, max_queue=max_queue, most_strangers=self.most_strangers
        )
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
                if self.most_strangers and not self.trust.get(self.host(url_id)):
                    self.strangers.add(self.host(url_id))
        for url_id in expected:
            del self.queued[url_id]
        assert self.frontier.acquire(count, self.now).tolist() == expected

    def may_ask(self, url_id):
        host = self.host(url_id)
        busy = any(self.host(other) == host for other in self.in_flight)
        if not self.one_per_host:
            return True
        is_full = self.most_strangers and len(self.strangers) >= self.most_strangers
        held_back = is_full and not self.trust.get(host)
        return not busy and not held_back and self.ready_at.get(host, 0.0) <= self.now

    @rule(has_answered=st.booleans(), data=st.data())
    def hear(self, has_answered, data):
        if self.one_per_host:
            host = data.draw(st.integers(0, len(self.state.host_names) - 1))
            before = self.trust.get(host, 0)
            self.trust[host] = min(before + 1, MOST_TRUST) if has_answered else max(before - 1, 0)
            if has_answered:
                self.strangers.discard(host)
            assert self.frontier.hear(host, has_answered) == (self.trust[host] != before)

    @rule(seconds=st.integers(0, 3), data=st.data())
    def release(self, seconds, data):
        if self.in_flight:
            url_id = data.draw(st.sampled_from(sorted(self.in_flight)))
            self.in_flight.remove(url_id)
            self.strangers.discard(self.host(url_id))
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


def wildcard_frontier(most_strangers: int, hosts: int = 1000) -> tuple[State, Frontier]:
    """A url on each of many hosts of one site, and of five other hosts, whose urls are worth less."""
    state = State()
    for host in range(hosts):
        state.host_id(f"{host}.wildcard.org")
    for host in range(5):
        state.host_id(f"other-{host}.org")
    add_urls(state, list(range(hosts + 5)))
    frontier = Frontier(state, most_strangers=most_strangers)
    frontier.push(wanted(dict.fromkeys(range(hosts), 2.0) | {hosts + n: 1.0 for n in range(5)}))
    return state, frontier


def test_strangers_of_one_site_leave_room_for_others():
    _, frontier = wildcard_frontier(most_strangers=8)
    taken = frontier.acquire(64).tolist()
    assert taken == [*range(MOST_OF_A_SITE), 1000, 1001, 1002, 1003]
    assert frontier.acquire(64).tolist() == []
    frontier.release(2, ready_at=60.0)
    assert frontier.acquire(64).tolist() == [MOST_OF_A_SITE]
    frontier.release(1002, ready_at=60.0)
    assert frontier.acquire(64).tolist() == [1004]


def test_an_answer_makes_way_before_its_request_is_done():
    _, frontier = wildcard_frontier(most_strangers=4)
    first = frontier.acquire(64).tolist()
    assert frontier.seconds_until_ready(0.0) > 0.0
    assert frontier.hear(first[0], has_answered=True)
    assert frontier.seconds_until_ready(0.0) == 0.0
    assert frontier.acquire(64).tolist() == [MOST_OF_A_SITE]


def test_hosts_that_wait_for_others_of_their_site_cost_nothing(monkeypatch):
    """Counted in looks at a host's site: a few for each host handed out, however many wait."""
    _, frontier = wildcard_frontier(most_strangers=8)
    frontier.acquire(64)
    looks = []
    monkeypatch.setattr(ready_module, "site_of", lambda host: looks.append(host) or site_of(host))
    for round_number in range(100):
        frontier.acquire(64, now=float(round_number))
    assert len(looks) < 1000


@given(st.data(), st.integers(1, 6), st.integers(0, 12))
def test_all_strangers_have_their_turn_and_never_too_many_at_a_time(data, most_strangers, max_queue):
    """Whatever is heard of whom, and whichever queues are dropped."""
    state, _ = wildcard_frontier(most_strangers, hosts=12)
    state.set("status", np.arange(17, dtype=np.int32), Status.KNOWN)
    frontier = Frontier(state, most_strangers=most_strangers, max_queue=max_queue)
    frontier.push(wanted({n: float(n % 5) for n in range(17)}))
    under_way: list[int] = []
    strangers: set[int] = set()
    while (seconds := frontier.seconds_until_ready(0.0)) is not None or under_way:
        taken = frontier.acquire(data.draw(st.integers(1, 20))).tolist()
        assert taken or seconds != 0.0
        under_way += taken
        strangers |= {host for host in taken if not state.hosts["trust"][host]}
        assert len(strangers) <= most_strangers
        assert sum(host < 12 for host in strangers) <= MOST_OF_A_SITE
        for host in data.draw(st.lists(st.integers(0, 16), max_size=3)):
            has_answered = data.draw(st.booleans())
            frontier.hear(host, has_answered)
            strangers -= {host} if has_answered else set()
        queued = np.flatnonzero(state.urls["status"] == Status.QUEUED).tolist()
        frontier.push(wanted({n: data.draw(st.sampled_from([0.0, 9.0])) for n in queued}))
        done = data.draw(st.lists(st.sampled_from(under_way), unique=True)) if under_way else []
        for host in done or under_way[:1]:
            under_way.remove(host)
            strangers.discard(host)
            state.settle(np.array([host]), Status.FETCHED)
            frontier.release(host)
    assert len(frontier) == 0


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
