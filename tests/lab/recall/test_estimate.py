"""Recall estimates by hand, and their promises on any numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.lab.recall.estimate import (
    STRATA,
    Looked,
    chances,
    draw_audit,
    estimate_by_audit,
    estimate_by_list,
    estimate_by_recapture,
)

NOTHING = Looked.of_known(draw_audit(0, 8), np.zeros(0, dtype=bool))


def behind(audit, is_relevant, chance, known_by=None):
    """Pages that were known by chance, each by a page of its own unless told."""
    count = len(is_relevant)
    known_by = np.arange(count) if known_by is None else known_by
    return Looked(audit, is_relevant, np.broadcast_to(chance, (count,)), known_by)


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
    assert estimate.recall == estimate.recall_high == 1.0


def test_two_crawls_cannot_tell_how_much_neither_would_ever_find():
    estimate = estimate_by_recapture(set("abcdefgh"), set("efghijkl"))
    assert estimate.recall_low == 0.0
    assert estimate.recall < estimate.recall_high < 1.0


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
    estimate = estimate_by_audit(30, Looked.of_known(audit, is_relevant), NOTHING)
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
        estimates.append(estimate_by_audit(60, Looked.of_known(audit, is_relevant[audit.places]), NOTHING))
    assert np.mean([one.total for one in estimates]) == pytest.approx(60 + missing, rel=0.05)
    covered = np.mean([one.total_low <= 60 + missing <= one.total_high for one in estimates])
    assert covered >= 0.9


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 3_000), st.integers(0, 2**32 - 1))
def test_limits_hold_the_estimate(found, looks, queued, seed):
    audit = draw_audit(queued, looks)
    is_relevant = np.random.default_rng(seed).random(len(audit.places)) < 0.1
    one = estimate_by_audit(found, Looked.of_known(audit, is_relevant), behind(audit, is_relevant, 0.8))
    assert one.total_low <= one.total + 1e-9
    assert one.total <= one.total_high + 1e-9
    assert 0 <= one.recall_low <= one.recall + 1e-9
    assert one.recall <= one.recall_high + 1e-9 <= 1 + 2e-9
    assert one.caution


def test_what_is_behind_counts_by_the_chance_to_know_of_it():
    # 8 of 8 places looked at, of which one is relevant, and known by an even chance: two such pages.
    is_relevant = np.arange(8) == 3
    estimate = estimate_by_audit(10, NOTHING, behind(draw_audit(8, 8), is_relevant, 0.5))
    assert estimate.total == 12
    assert estimate.looked_at == 8
    # Whether the page would be known is tossed once: variance (1 - 0.5) / 0.5^2.
    assert estimate.total_high - estimate.total == pytest.approx(1.959964 * np.sqrt(2))
    assert estimate.total_low == 11, "that one was seen"


def test_pages_behind_one_page_are_known_together():
    # Four relevant pages by an even chance: 8 in all. Known by one page, that is all or nothing: 8^2 * 0.5.
    audit, is_relevant = draw_audit(8, 8), np.arange(8) < 4
    alone = estimate_by_audit(10, NOTHING, behind(audit, is_relevant, 0.5))
    together = estimate_by_audit(10, NOTHING, behind(audit, is_relevant, 0.5, np.zeros(8, dtype=np.int64)))
    assert alone.total == together.total == 18
    assert alone.total_high - 18 == pytest.approx(1.959964 * np.sqrt(4 * 2))
    assert together.total_high - 18 == pytest.approx(1.959964 * np.sqrt(32))


def test_chances_by_hand():
    # Drawn for certain; one of ten, which are ten chances of a tenth; two of twenty such.
    assert chances([[1.0], [10.0], [10.0, 10.0]]) == pytest.approx([1.0, 1 - 0.9**10, 1 - 0.9**20])
    assert chances([]).shape == (0,)


def test_an_audit_in_two_steps_finds_what_is_behind_on_average():
    # 400 known pages link to 5 each of 300 others, 60 of which are relevant.
    dice = np.random.default_rng(7)
    links = np.array([dice.permutation(300)[:5] for _ in range(400)])
    is_relevant = dice.permutation(300) < 60
    linked = np.intersect1d(links, np.flatnonzero(is_relevant))
    totals = []
    for seed in range(200):
        first = draw_audit(400, 80, seed)
        weights: dict[int, list[float]] = {}
        for place, weight in zip(first.places.tolist(), first.weights.tolist(), strict=True):
            for page in links[place].tolist():
                weights.setdefault(page, []).append(weight)
        pages = np.array(sorted(weights))
        second = draw_audit(len(pages), 80, seed)
        drawn = pages[second.places]
        chance = chances([weights[page] for page in drawn.tolist()])
        totals.append(estimate_by_audit(0, NOTHING, behind(second, is_relevant[drawn], chance)).total)
    # Pages with many links are known more easily and stand for too few others: never too high on average.
    assert 0.8 * len(linked) < np.mean(totals) < len(linked)


def test_pages_that_gave_no_answer_are_stood_for_by_the_others():
    audit = draw_audit(100, 80)
    half = np.arange(80) % 2 == 0
    kept = audit.only(half)
    assert kept.weights.sum() == pytest.approx(100)
    everything = estimate_by_audit(5, Looked.of_known(audit, np.ones(80, dtype=bool)), NOTHING)
    assert (
        estimate_by_audit(5, Looked.of_known(kept, np.ones(40, dtype=bool)), NOTHING).total
        == everything.total
        == 105
    )
