"""Recall estimates by hand, and their promises on any numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.lab.recall_estimate import (
    STRATA,
    draw_audit,
    estimate_by_audit,
    estimate_by_list,
    estimate_by_recapture,
)


def test_chapman_by_hand():
    # Chapman's estimator, (n1+1)(n2+1)/(m+1) - 1, of 10 and 15 with 5 in common: 11*16/6 - 1.
    first, second = set(range(10)), set(range(5, 20))
    estimate = estimate_by_recapture({str(n) for n in first}, {str(n) for n in second})
    assert estimate.total == pytest.approx(11 * 16 / 6 - 1)
    assert estimate.found == 20
    assert estimate.recall == pytest.approx(20 / (11 * 16 / 6 - 1))
    assert estimate.total_low <= estimate.total <= estimate.total_high


def test_crawls_that_found_the_same_seem_complete():
    estimate = estimate_by_recapture(set("abc"), set("abc"))
    assert estimate.recall == estimate.recall_low == estimate.recall_high == 1.0


def test_crawls_that_found_nothing():
    assert estimate_by_recapture(set(), set()).recall == 0.0
    assert estimate_by_list(set(), set("ab")).recall == 0.0


def test_wilson_limits_of_a_list():
    # 9 of 10: Wilson's limits are 0.5958 and 0.9821.
    found = set("abcdefghi")
    estimate = estimate_by_list(found, set("abcdefghij"))
    assert estimate.recall == pytest.approx(0.9)
    assert estimate.recall_low == pytest.approx(0.5958, abs=1e-4)
    assert estimate.recall_high == pytest.approx(0.9821, abs=1e-4)


def test_a_list_of_which_nothing_was_found_leaves_all_open():
    estimate = estimate_by_list(set("abc"), set("xyz"))
    assert estimate.recall == 0.0
    assert estimate.total == float("inf")
    assert 0 < estimate.recall_high < 1


@given(st.integers(0, 5_000), st.integers(8, 400))
def test_an_audit_draws_each_place_once_and_covers_the_queue(queued, looks):
    audit = draw_audit(queued, looks)
    assert len(np.unique(audit.places)) == len(audit.places) == len(audit.strata)
    assert audit.sizes.sum() == queued
    assert len(audit.places) <= max(looks, STRATA)
    ends = np.cumsum(audit.sizes)
    starts = ends - audit.sizes
    assert ((audit.places >= starts[audit.strata]) & (audit.places < ends[audit.strata])).all()


def test_an_audit_of_everything_is_exact():
    audit = draw_audit(50, 80)
    is_relevant = np.arange(50) < 10
    estimate = estimate_by_audit(30, audit, is_relevant)
    assert estimate.total == 40
    assert estimate.recall == 0.75
    assert estimate.recall_low == estimate.recall_high == 0.75


def test_an_audit_is_right_on_average():
    # 2,000 waiting pages, more relevant ones in front: 100 of them; 60 were found before.
    promise = np.exp(-np.arange(2000) / 300)
    is_relevant = np.random.default_rng(5).random(2000) < promise / promise.sum() * 100
    missing = int(is_relevant.sum())
    estimates = []
    for seed in range(300):
        audit = draw_audit(2000, 160, seed)
        estimates.append(estimate_by_audit(60, audit, is_relevant[audit.places]))
    assert np.mean([one.total for one in estimates]) == pytest.approx(60 + missing, rel=0.05)
    covered = np.mean([one.total_low <= 60 + missing <= one.total_high for one in estimates])
    assert covered >= 0.9


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 3_000), st.integers(0, 2**32 - 1))
def test_limits_hold_the_estimate(found, looks, queued, seed):
    audit = draw_audit(queued, looks)
    is_relevant = np.random.default_rng(seed).random(len(audit.places)) < 0.1
    one = estimate_by_audit(found, audit, is_relevant)
    assert one.total_low <= one.total + 1e-9
    assert one.total <= one.total_high + 1e-9
    assert 0 <= one.recall_low <= one.recall + 1e-9
    assert one.recall <= one.recall_high + 1e-9 <= 1 + 2e-9
    assert one.caution
