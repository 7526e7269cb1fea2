"""Rates of change: vectors computed by hand, and that rates are found again."""

import numpy as np
import pytest

from honeyguide.freshness.rates import (
    LONGEST_GAP,
    MEMORY_DAYS,
    SPREADS,
    after_look,
    changes_within,
    known_rate,
    site_rate,
    spread_of_rates,
)

ONE = np.ones(1)


def test_a_change_seen_after_long_stands_for_several() -> None:
    rate, days = np.array([0.1, 0.1, 0.1]), np.array([1.0, 10.0, 30.0])
    seen = changes_within(rate, days, np.array([True, True, False]))
    assert seen == pytest.approx([0.1 / (1 - np.exp(-0.1)), 1 / (1 - np.exp(-1)), 0.0])


def test_a_look_adds_its_days_and_lets_older_ones_fade() -> None:
    changes, days = after_look(2 * ONE, 50 * ONE, 0.04 * ONE, 10 * ONE, np.array([False]))
    kept = np.exp(-10 / MEMORY_DAYS)
    assert changes == pytest.approx([2 * kept])
    assert days == pytest.approx([50 * kept + 10])


def test_hostile_gaps_settle_nothing() -> None:
    changes, days = after_look(
        np.zeros(2), np.zeros(2), np.full(2, 0.1), np.array([-5.0, 1e12]), np.array([True, False])
    )
    assert changes == pytest.approx([1.0, 0.0])
    assert days.tolist() == [0.0, LONGEST_GAP]


def test_a_page_nobody_looked_at_twice_has_the_rate_of_its_site() -> None:
    of_site = site_rate(np.array([0.0, 9.0]), np.array([0.0, 40.0]))
    assert of_site == pytest.approx([1 / 60, 0.1])
    for spread in SPREADS:
        shape, days = known_rate(np.zeros(2), np.zeros(2), of_site, spread)
        assert shape / days == pytest.approx(of_site)


def test_what_is_seen_of_a_page_outweighs_its_site() -> None:
    shape, days = known_rate(np.array([0.0, 20.0]), np.array([400.0, 400.0]), np.full(2, 0.01))
    assert shape / days == pytest.approx([1 / 500, 21 / 500])


def test_pages_that_are_alike_are_told_from_those_that_differ() -> None:
    random = np.random.default_rng(1)
    expected = np.full(500, 3.0)
    assert spread_of_rates(random.poisson(expected).astype(float), expected) < 0.15
    differing = random.poisson(expected * random.gamma(0.5, 2.0, 500)).astype(float)
    assert 1.5 < spread_of_rates(differing, expected) < 2.6
    assert spread_of_rates(np.zeros(0), np.zeros(0)) == 1.0


@pytest.mark.parametrize("rate", [1 / 5, 1 / 30, 1 / 200])
def test_the_rate_is_found_again_at_irregular_looks(rate: float) -> None:
    random = np.random.default_rng(7)
    changes, days = np.zeros(200), np.zeros(200)
    of_site = np.full(200, 1 / 60)
    for _ in range(40):
        gap = random.uniform(1.0, 20.0, 200)
        shape, known = known_rate(changes, days, of_site)
        changed = random.uniform(size=200) < 1 - np.exp(-rate * gap)
        changes, days = after_look(changes, days, shape / known, gap, changed)
        of_site = site_rate(changes.sum(keepdims=True), days.sum(keepdims=True)).repeat(200)
    shape, known = known_rate(changes, days, of_site)
    assert (shape / known).mean() == pytest.approx(
        rate, rel=0.2
    )  # on-line: what was thought at first fades slowly
