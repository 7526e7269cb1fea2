"""The bound of discovery against refresh: right where it can be told by hand, and nobody surpasses it."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.lab.freshness.bound import Priced, bound_of
from honeyguide.lab.freshness.discovery import DAYS, Scene, Web, fresh_relevance

SCENE = Scene("small", 5, 800, 2.0, 6.0)
SEEDS = (1, 2)


@pytest.fixture(scope="module")
def priced() -> Priced:
    return Priced(SCENE, SEEDS)


def test_where_requests_cost_nothing_all_is_had_fresh_every_day(priced: Priced) -> None:
    webs = [Web(SCENE, seed) for seed in SEEDS]
    value, unused = priced.value(np.zeros(DAYS))
    expected = np.mean([web.relevance @ (DAYS - web.since) for web in webs])
    assert value == pytest.approx(expected, rel=0.005)  # those of a class are alike, whenever they come
    assert priced.found.sum() == pytest.approx(np.mean([len(web.promise) for web in webs]))
    assert unused.max() < 0


def test_where_requests_cost_too_much_nobody_wants_any(priced: Priced) -> None:
    value, unused = priced.value(np.full(DAYS, 1e4))
    assert value == pytest.approx(SCENE.requests * DAYS * 1e4)
    assert unused.tolist() == [SCENE.requests] * DAYS


def test_requests_nobody_wants_are_what_the_value_grows_by_with_prices(priced: Priced) -> None:
    """A convex function lies above each of its tangents, and near to it where it is nearly smooth."""
    prices = np.linspace(60.0, 5.0, DAYS)
    value, unused = priced.value(prices)
    more = np.where(np.arange(DAYS) < 200, 0.5, -0.5)
    growth = priced.value(prices + more)[0] - value
    assert growth >= unused @ more - 1e-6
    assert growth == pytest.approx(unused @ more, abs=0.01 * value)


def test_whatever_the_prices_nobody_surpasses_the_value(priced: Priced) -> None:
    values = [priced.value(np.linspace(2 * price, 0.0, DAYS))[0] for price in (5.0, 10.0, 20.0, 40.0)]
    for split in (None, 0.0, 0.4, 0.8):
        assert np.mean([fresh_relevance(SCENE, seed, split) for seed in SEEDS]) < min(values)


@pytest.mark.slow
def test_the_best_prices_bound_more_closely(priced: Priced) -> None:
    bound = bound_of(SCENE, SEEDS)
    ours = np.mean([fresh_relevance(SCENE, seed, None) for seed in SEEDS])
    assert ours < bound.fresh_relevance < priced.value(np.linspace(40.0, 0.0, DAYS))[0]
    assert bound.fresh_relevance < 1.2 * ours
    assert (np.diff(bound.found_by) >= 0).all()


def test_who_is_told_to_find_all_at_once_is_one_who_asks_again_for_nothing() -> None:
    assert fresh_relevance(SCENE, 1, np.full(DAYS, 1e6)) == fresh_relevance(SCENE, 1, 0.0)


def test_who_is_told_to_find_a_hundred_pages_has_no_more() -> None:
    of_a_hundred, of_more = (fresh_relevance(SCENE, 1, np.full(DAYS, most)) for most in (100.0, 300.0))
    assert of_a_hundred < 100 * DAYS
    assert of_a_hundred < of_more
