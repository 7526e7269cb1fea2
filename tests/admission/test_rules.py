"""Rules: which decides a url, and the order that they make of priorities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.admission.rules import EXCLUDED, LOWERED, RAISED, Rules, ranks
from honeyguide.patterns import ACTIONS, Pattern, Rule
from honeyguide.urls import host_of

URLS = [f"{scheme}://{host}/{path}" for scheme in ("http", "https")
        for host in ("a.example", "b.a.example", "c.example:81") for path in ("", "x/1", "x/2", "y/x/")]  # fmt: skip
PATTERNS = [
    "a.example", "b.a.example", "c.example", "http://a.example/x/1", "https://a.example/x/*", "*x/*", "*1",
    "a.example/*", "http://c.example:81/*", "https://b.a.example/*/x/", "*",
]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(ACTIONS), st.sampled_from(PATTERNS)), max_size=8))
def test_the_newest_rule_that_hits_decides(made):
    given_rules = [Rule(number, *each, 0.0) for number, each in enumerate(made, 1)]
    rules = Rules(reversed(given_rules))
    for url in URLS:
        hit = [rule.number for rule in given_rules if Pattern.read(rule.pattern).hits(url, host_of(url))]
        assert rules.decide(url, host_of(url)) == max(hit, default=0)


def test_what_rules_do_is_told_by_their_numbers():
    rules = Rules(
        [Rule(7, "raise", "a.example", 0.0), Rule(9, "exclude", "b.example", 0.0), Rule(8, "lower", "*", 0.0)]
    )
    numbers = np.array([0.0, 7.0, 8.0, 9.0, 3.0, 99.0])
    assert rules.shifts(numbers).tolist() == [0, RAISED, LOWERED, EXCLUDED, 0, 0]
    assert rules.excluded(numbers).tolist() == [False] * 3 + [True] + [False] * 2
    assert rules.excludes(9)
    assert not rules.excludes(7)
    assert not Rules()


priorities = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(priorities, st.sampled_from([LOWERED, 0, RAISED])), min_size=2, max_size=30))
def test_ranks_put_what_is_raised_first_and_keep_the_order_among_it(urls):
    given_priorities = np.array([priority for priority, _ in urls])
    shifts = np.array([shift for _, shift in urls])
    ranked = ranks(given_priorities, shifts)
    assert np.isfinite(ranked).all()
    by_rank = np.argsort(ranked, kind="stable")
    assert (np.diff(shifts[by_rank]) >= 0).all()
    order = np.lexsort((given_priorities, shifts))
    assert (np.diff(ranked[order]) >= 0).all()
    ordinary = (shifts == 0) & (np.abs(given_priorities) <= 2.0**1000)
    assert (ranked[ordinary] == given_priorities[ordinary]).all()


@pytest.mark.parametrize("shift", [RAISED, LOWERED])
@pytest.mark.parametrize("near", [0.0, 1e-12, 0.5, 1e6, -3.0])
def test_priorities_that_hardly_differ_are_told_apart(shift, near):
    one, other = ranks(np.array([near, near * (1 + 1e-12) + 1e-300]), np.array([shift, shift]))
    assert one != other
