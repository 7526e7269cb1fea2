"""What requests are worth: vectors, limits, and that the moment is found at which they are worth enough."""

import numpy as np
import pytest

from honeyguide.freshness.worth import (
    HORIZON_DAYS,
    LEAST_WORTH,
    discovery_worth,
    refresh_worth,
    worth_from,
)

ONES = np.ones(3)


def test_a_rate_that_is_known_for_sure_gives_olston_and_pandey() -> None:
    rate, gap = np.array([1 / 365, 1 / 30, 2.0]), np.array([30.0, 30.0, 30.0])
    expected = (1 - (1 + rate * gap) * np.exp(-rate * gap)) / rate
    sure = 1e7 * ONES
    assert refresh_worth(ONES, sure, sure / rate, gap) == pytest.approx(expected, rel=1e-4)


def test_doubt_is_averaged_over() -> None:
    random = np.random.default_rng(3)
    shape, days, gap = 0.7, 40.0, 55.0
    rates = random.gamma(shape, 1 / days, 400_000)
    drawn = ((1 - (1 + rates * gap) * np.exp(-rates * gap)) / rates).mean()
    (found,) = refresh_worth(np.ones(1), np.array([shape]), np.array([days]), np.array([gap]))
    assert found == pytest.approx(drawn, rel=0.01)


def test_a_shape_of_one_is_no_hole() -> None:
    shapes = np.array([1 - 1e-4, 1.0, 1 + 1e-4])
    found = refresh_worth(ONES, shapes, 30 * ONES, 10 * ONES)
    assert found == pytest.approx(np.full(3, 30 * np.log(4 / 3) - 10 * 3 / 4), rel=1e-3)


def test_nothing_is_worth_nothing() -> None:
    assert (
        refresh_worth(np.array([0.0, 1.0, 1.0]), ONES, 9 * ONES, np.array([5.0, 0.0, -1.0])).tolist()
        == [0] * 3
    )


def test_worth_grows_with_time_and_weight() -> None:
    gaps = np.array([1.0, 10.0, 100.0])
    found = refresh_worth(ONES, 0.5 * ONES, 30 * ONES, gaps)
    assert (np.diff(found) > 0).all()
    assert refresh_worth(0.5 * ONES, 0.5 * ONES, 30 * ONES, gaps) == pytest.approx(found / 2)


def test_the_moment_is_found() -> None:
    weight, shape, days = np.array([1.0, 0.3, 0.9]), np.array([0.5, 2.0, 9.0]), np.array([30.0, 200.0, 30.0])
    when = worth_from(weight, shape, days, LEAST_WORTH)
    assert refresh_worth(weight, shape, days, when) == pytest.approx(np.full(3, LEAST_WORTH), rel=1e-4)


def test_what_changes_all_the_time_is_never_worth_it() -> None:
    sure = np.array([1e6])
    assert worth_from(np.ones(1), sure, sure / 100.0, LEAST_WORTH).tolist() == [np.inf]


def test_what_never_changes_counts_for_the_horizon() -> None:
    assert discovery_worth(0.5, 0.0) == 0.5 * HORIZON_DAYS


def test_finding_pages_is_worth_less_where_they_are_soon_old() -> None:
    """The days until a page is old, over rates that are exponentially distributed."""
    rates = np.random.default_rng(1).exponential(0.02, 200_000)
    fresh_days = (-np.expm1(-rates * HORIZON_DAYS) / rates).mean()
    assert discovery_worth(1.0, 0.02) == pytest.approx(fresh_days, rel=0.01)
    assert discovery_worth(1.0, 0.02) > discovery_worth(1.0, 0.2)
