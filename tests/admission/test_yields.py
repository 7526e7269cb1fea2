"""Hosts that bring nothing: what counts, what feeds them again, and what a site may cost."""

import numpy as np
import pytest

from honeyguide.admission.yields import HostYield
from honeyguide.model import ROOT, Status
from honeyguide.state.state import State


def known(state, *urls, via=ROOT):
    """Ids of new urls."""
    hosts = np.array([state.host_id(url.split("/")[2]) for url in urls], dtype=np.int32)
    prints = np.arange(len(state), len(state) + len(urls), dtype=np.uint64)
    nothing = np.zeros(len(urls), dtype=np.int32)
    return state.add(list(urls), prints, hosts, nothing, nothing + via).tolist()


@pytest.fixture
def state():
    made = State()
    known(made, "http:///")  # the root
    return made


def test_fruitless_requests_in_a_row_starve_a_host(state):
    one, other = known(state, "http://a.example/", "http://b.example/")
    hosts = HostYield(state, after=3)
    hosts.note([], [one, one])
    assert not hosts.is_starved(1)
    hosts.note([], [one])
    assert hosts.starved(np.array([1, 2, 1], dtype=np.int32)).tolist() == [True, False, True]
    assert hosts.note([one], []) == [1]
    assert not hosts.is_starved(1)
    assert hosts.note([one, other], []) == []


@pytest.mark.parametrize(("given", "limit"), [(0, 2), (1, 4), (5, 12), (19, 40), (1000, 40)])
def test_what_a_host_gave_buys_it_patience_up_to_a_bound(state, given, limit):
    (page,) = known(state, "http://a.example/")
    hosts = HostYield(state, after=2)
    hosts.note([page] * given, [])
    hosts.note([], [page] * (limit - 1))
    assert not hosts.is_starved(1)
    hosts.note([], [page])
    assert hosts.is_starved(1)


def test_a_host_is_fed_by_what_it_was_the_first_to_link_to(state):
    (index,) = known(state, "http://index.example/")
    (moved,) = known(state, "http://short.example/x", via=index)
    (page,) = known(state, "http://good.example/", via=moved)
    state.settle(np.array([moved], dtype=np.int32), Status.MOVED)
    hosts = HostYield(state, after=2)
    hosts.note([], [index, index, moved, moved])
    assert hosts.is_starved(1)
    assert sorted(hosts.note([page], [])) == [1, 2]
    assert state.hosts["given"].tolist() == [0, 1, 1, 1]


def test_hosts_without_end_starve_their_site(state):
    farm = known(state, *(f"http://h{n}.farm.org/" for n in range(9)))
    (good,) = known(state, "http://good.farm.org/")
    hosts = HostYield(state, after=2)
    hosts.note([], farm[:7])
    assert not hosts.is_starved(1)
    assert not hosts.is_site_starved("new.farm.org")
    hosts.note([], farm[7:8])
    assert hosts.starved(np.arange(1, 11, dtype=np.int32)).all()
    assert hosts.is_site_starved("new.farm.org:8080")
    assert not hosts.is_site_starved("farm2.org")
    hosts.note([good], [])
    assert not hosts.is_site_starved("new.farm.org")
    hosts.note([], farm[:8])
    assert hosts.is_site_starved("new.farm.org")
    assert not hosts.is_starved(10), "a host that gave something is judged by itself"


def test_a_restart_changes_nothing(state):
    random = np.random.default_rng(4)
    pages = known(state, *(f"http://h{n}.s{n % 7}.org/" for n in range(40)))
    for url_id in pages:
        state.urls["via"][url_id] = random.choice(pages)
    hosts, everybody = HostYield(state, after=3), np.arange(41, dtype=np.int32)
    for _ in range(60):
        hosts.note(random.choice(pages, random.integers(0, 2)).tolist(), random.choice(pages, 7).tolist())
        again = HostYield(state, after=3)
        assert again.starved(everybody).tolist() == hosts.starved(everybody).tolist()
        assert [again.is_site_starved(f"x.s{n}.org") for n in range(7)] == [
            hosts.is_site_starved(f"x.s{n}.org") for n in range(7)
        ]
    assert hosts.starved(everybody).any()
    assert not hosts.starved(everybody).all()


def test_changes_are_told_once(state):
    one, other = known(state, "http://a.example/", "http://b.example/")
    hosts = HostYield(state, after=3)
    hosts.note([other], [one])
    assert hosts.take_changed() == {0: (0, 1), 1: (1, 0), 2: (0, 1)}
    assert hosts.take_changed() == {}


def test_nothing_is_counted_when_switched_off(state):
    (page,) = known(state, "http://a.example/")
    hosts = HostYield(state)
    hosts.note([], [page] * 100)
    assert not hosts.is_starved(1)
    assert hosts.take_changed() == {}
