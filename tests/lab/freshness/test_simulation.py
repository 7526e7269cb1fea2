"""Traces played once more: what is stale is counted right, and ours is where it belongs."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.lab.freshness.discovery import Scene, fresh_relevance
from honeyguide.lab.freshness.made_up import made_up
from honeyguide.lab.freshness.schedules import SCHEDULES
from honeyguide.lab.freshness.simulation import relevance_of, stale_share
from honeyguide.lab.freshness.traces import Trace


def one_page(*days: float) -> Trace:
    return Trace("one", "", 100.0, np.zeros(1, dtype=np.int32), np.zeros(1), (np.array(days),))


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_page_is_stale_from_its_change_to_the_next_look(name: str) -> None:
    """The only page is asked for every ten days, whoever decides."""
    stale = stale_share(SCHEDULES[name](one_page(12.0, 15.0, 55.0), np.ones(1), 10.0))
    assert stale == pytest.approx((8.0 + 5.0) / 100.0)


def test_what_is_never_looked_at_again_stays_stale() -> None:
    assert stale_share(SCHEDULES["round-robin"](one_page(25.0), np.ones(1), 1e6)) == pytest.approx(0.75)


def test_ours_is_between_round_robin_and_who_knows_all() -> None:
    trace = made_up("steady")
    weights = relevance_of(len(trace), 1)
    stale = {
        name: stale_share(SCHEDULES[name](trace, weights, 90.0))
        for name in ("round-robin", "honeyguide", "true rates")
    }
    assert stale["true rates"] < stale["honeyguide"] < 0.85 * stale["round-robin"]


def test_where_pages_are_alike_nothing_is_lost() -> None:
    trace = made_up("alike")
    stale = [
        stale_share(SCHEDULES[name](trace, np.ones(len(trace)), 90.0))
        for name in ("honeyguide", "round-robin")
    ]
    assert stale[0] <= 1.03 * stale[1]


def test_requests_divided_by_worth_beat_a_fixed_split() -> None:
    scene = Scene("small", 5, 800, 2.0, 6.0)
    ours = fresh_relevance(scene, 1, None)
    assert all(ours > fresh_relevance(scene, 1, split) for split in (0.0, 0.5, 0.9))
