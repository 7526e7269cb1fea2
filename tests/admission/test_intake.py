"""From links to ids."""

import numpy as np

from honeyguide.admission.intake import Intake
from honeyguide.admission.scope import Scope
from honeyguide.settings import ScopeSettings
from honeyguide.state.state import State


def intake(max_urls_per_host=0, max_urls_per_site=0, **rules):
    state = State()
    zero = np.zeros(1, dtype=np.int32)
    state.host_id("")
    state.add([""], np.zeros(1, dtype=np.uint64), zero, zero, zero)
    limits = {"max_urls_per_host": max_urls_per_host, "max_urls_per_site": max_urls_per_site}
    return state, Intake(state, Scope(ScopeSettings(**rules)), **limits)


def from_root(count):
    return np.zeros(count, dtype=np.int32)


def test_ids_follow_first_appearance_and_repeats_share_them():
    state, gate = intake()
    urls = ["http://b.org/", "http://a.org/", "http://b.org/", "http://a.org/1"]
    assert gate.admit(urls, from_root(4)).tolist() == [1, 2, 1, 3]
    assert gate.admit(["http://a.org/", "http://c.org/"], from_root(2)).tolist() == [2, 4]
    assert state.take_changes().urls == [
        "",
        "http://b.org/",
        "http://a.org/",
        "http://a.org/1",
        "http://c.org/",
    ]


def test_depth_and_via_are_those_of_the_first_link():
    state, gate = intake()
    gate.admit(["http://a.org/"], from_root(1))
    gate.admit(["http://a.org/1", "http://a.org/2"], np.array([1, 1], dtype=np.int32))
    gate.admit(["http://a.org/1/x", "http://a.org/1"], np.array([2, 3], dtype=np.int32))
    assert state.urls["depth"].tolist() == [0, 0, 1, 1, 2]
    assert state.urls["via"].tolist() == [0, 0, 1, 1, 2]
    gate.admit(["http://a.org/moved"], np.array([4], dtype=np.int32), deeper=False)
    assert state.urls["depth"][5] == 2


def test_of_several_links_in_a_batch_the_one_nearest_to_a_seed_counts():
    for order in ([1, 2], [2, 1]):
        state, gate = intake(max_depth=1)
        gate.admit(["http://a.org/"], from_root(1))
        gate.admit(["http://a.org/deep"], np.array([1], dtype=np.int32))
        sources = np.array(order, dtype=np.int32)  # depth 0 and 1
        assert gate.admit(["http://a.org/x", "http://a.org/x"], sources).tolist() == [3, 3]
        assert (state.urls["depth"][3], state.urls["via"][3]) == (1, 1)


def test_of_several_links_from_pages_equally_near_the_first_counts():
    for order in ([1, 2], [2, 1]):
        state, gate = intake()
        gate.admit(["http://a.org/", "http://b.org/"], from_root(2))
        gate.admit(["http://a.org/x", "http://a.org/x"], np.array(order, dtype=np.int32))
        assert state.urls["via"][3] == order[0]


def test_refused_urls_stay_unknown_and_are_counted():
    state, gate = intake(deny_hosts=["bad.org"])
    urls = ["http://bad.org/", "http://good.org/", "http://bad.org/", "http://x.bad.org/"]
    assert gate.admit(urls, from_root(4)).tolist() == [-1, 1, -1, -1]
    assert gate.take_refused() == {"refused_host_denied": 2}
    assert gate.take_refused() == {}
    assert len(state) == 2


def test_a_host_takes_no_more_than_its_limit_within_and_across_batches():
    _, gate = intake(max_urls_per_host=2)
    assert gate.admit([f"http://a.org/{n}" for n in range(4)], from_root(4)).tolist() == [1, 2, -1, -1]
    assert gate.admit(["http://a.org/9", "http://b.org/", "http://a.org/0"], from_root(3)).tolist() == [
        -1,
        3,
        1,
    ]
    assert gate.take_refused() == {"refused_host_full": 3}


def test_a_site_takes_no_more_than_its_limit_over_all_its_hosts():
    state, gate = intake(max_urls_per_site=3)
    urls = [f"http://h{n}.example.org/" for n in range(5)]
    assert gate.admit([*urls, "http://example.net/"], from_root(6)).tolist() == [1, 2, 3, -1, -1, 4]
    reopened = Intake(state, Scope(ScopeSettings()), max_urls_per_site=3)
    assert reopened.admit(["http://new.example.org/", "http://example.net/2"], from_root(2)).tolist() == [
        -1,
        5,
    ]
    assert reopened.take_refused() == {"refused_site_full": 1}


def test_no_links_are_no_work():
    _, gate = intake()
    assert gate.admit([], from_root(0)).tolist() == []


def test_refused_links_make_no_hosts():
    state, gate = intake(max_urls_per_site=2)
    links = [f"http://www{number}.example.org/" for number in range(50)]
    gate.admit(links, np.zeros(50, dtype=np.int32))
    assert len(state.host_names) == len(state) == 3  # with the root
