"""Means, tests and corrections against numbers of others and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from honeyguide.lab.statistics import (
    Comparison,
    band,
    beats_all,
    compare_all,
    holm,
    interval_of,
    lead_of,
    leads_of,
    macro_mean_of,
    mean_of,
    paired_t_test,
    wilcoxon_test,
)

# The ten patients of Student's paper of 1908: hours of sleep gained by two drugs; t = 4.0621 with 9 degrees of freedom.
SECOND_DRUG = np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
FIRST_DRUG = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])


def test_t_test_on_students_own_data():
    assert paired_t_test(SECOND_DRUG, FIRST_DRUG) == pytest.approx(0.001416, abs=1e-6)
    assert paired_t_test(FIRST_DRUG, SECOND_DRUG) == pytest.approx(1 - 0.001416, abs=1e-6)


def test_wilcoxon_by_hand():
    # Five differences, all positive: the one of 2^5 signs that is as extreme.
    assert wilcoxon_test(np.arange(1.0, 6.0), np.zeros(5)) == pytest.approx(1 / 32)
    # Ranks 1 to 5 with the smallest against us: rank sums 14 and 1; {} and {1} of 32 are as extreme.
    assert wilcoxon_test(np.array([-1.0, 2, 3, 4, 5]), np.zeros(5)) == pytest.approx(2 / 32)


@pytest.mark.parametrize("tied", [False, True])
def test_wilcoxon_agrees_with_scipy(tied):
    dice = np.random.default_rng(3)
    for count in (3, 6, 9):
        differences = dice.normal(0.3, 1.0, count).round(1 if tied else 6)
        differences = differences[differences != 0]
        theirs = wilcoxon(differences, alternative="greater").pvalue
        assert wilcoxon_test(differences, np.zeros(len(differences))) == pytest.approx(theirs)


def test_wilcoxon_of_many_tasks_goes_over_into_the_normal_one():
    differences = np.random.default_rng(4).normal(0.1, 1.0, 101)
    exact = wilcoxon_test(differences[:100], np.zeros(100))
    assert wilcoxon_test(differences, np.zeros(101)) == pytest.approx(exact, abs=0.02)


def test_equal_numbers_are_never_better():
    same = np.array([0.1, 0.2, 0.3])
    assert paired_t_test(same, same) == wilcoxon_test(same, same) == 1.0
    nearly = same + np.array([1e-17, -1e-17, 1e-16])
    assert paired_t_test(nearly, same) == wilcoxon_test(nearly, same) == 1.0


def test_a_constant_lead_is_certain_and_a_constant_lag_is_not():
    ours, theirs = np.array([0.3, 0.5, 0.9]), np.array([0.2, 0.4, 0.8])
    assert paired_t_test(ours, theirs) == 0.0
    assert paired_t_test(theirs, ours) == 1.0


def test_one_task_proves_nothing():
    assert paired_t_test(np.array([1.0]), np.array([0.0])) == 1.0


def test_holm_by_hand():
    # 0.01*4, 0.02*3, then 0.03*2 = 0.06 and 0.04*1 = 0.04, which may not fall below the one before.
    assert holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_corrects_most_where_it_matters_most(p_values):
    corrected = np.array(holm(p_values))
    order = np.argsort(p_values, kind="stable")
    assert corrected[order[0]] == min(1.0, len(p_values) * min(p_values))
    assert (np.diff(corrected[order]) >= 0).all()
    assert ((corrected >= p_values) & (corrected <= 1)).all()


def test_band_is_mean_and_standard_error():
    means, errors = band(np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]))
    assert means.tolist() == [1.0, 1.0]
    assert errors == pytest.approx([1 / np.sqrt(3), 0.0])
    assert band(np.array([[0.5]]))[1].tolist() == [0.0]


def test_macro_mean_counts_corpora_not_tasks():
    found = macro_mean_of([0.0, 1.0, 0.0, 1.0, 1.0, 1.0], ["a", "a", "a", "a", "b", "b"])
    assert found.mean == 0.75
    assert found.error == pytest.approx(mean_of([0.0, 1.0, 0.0, 1.0]).error / 2)
    assert found.count == 6


def test_tasks_without_a_number_are_left_out_of_a_mean():
    found = macro_mean_of([0.0, 1.0, np.nan, np.nan], ["a", "a", "a", "b"])
    assert (found.mean, found.count) == (0.5, 2)
    assert np.isnan(macro_mean_of([np.nan], ["a"]).mean)


def test_interval_of_students_own_data():
    # The mean is 1.58 hours, its standard error 0.38896, and t of 9 degrees of freedom at 97.5 % is 2.2622.
    low, high = interval_of(SECOND_DRUG - FIRST_DRUG)
    assert (low, high) == pytest.approx((0.7001, 2.4599), abs=1e-4)


def test_interval_of_two_tasks_is_as_wide_as_its_test_is_unsure():
    # 0.10 and 0.12: t of one degree of freedom is 12.706, the standard error 0.01.
    assert interval_of(np.array([0.10, 0.12])) == pytest.approx((0.11 - 0.12706, 0.11 + 0.12706), abs=1e-5)
    assert all(np.isnan(interval_of(np.array([0.1]))))
    assert all(np.isnan(interval_of(np.array([]))))


@given(st.lists(st.floats(-1, 1).map(lambda value: round(value, 3)), min_size=2, max_size=12))
def test_interval_and_test_never_contradict(differences):
    given_ = np.array(differences)
    low, high = interval_of(given_)
    p = paired_t_test(given_, np.zeros(len(given_)))
    if np.ptp(given_) > 0 and abs(p - 0.025) > 1e-9:
        assert (low > 0) == (p < 0.025)
        assert (high < 0) == (p > 0.975) or abs(p - 0.975) < 1e-9


def test_interval_holds_the_mean_and_narrows():
    dice = np.random.default_rng(1)
    few, many = dice.normal(0.1, 0.05, 8), dice.normal(0.1, 0.05, 200)
    for sample in (few, many):
        low, high = interval_of(sample)
        assert low < sample.mean() < high
    assert np.ptp(interval_of(many)) < np.ptp(interval_of(few))


def test_compare_all_tests_both_directions_and_corrects_for_all():
    dice = np.random.default_rng(0)
    base = dice.random(12)
    values = {
        "good": base + 0.3 + dice.random(12) / 50,
        "poor": base,
        "same": base + dice.normal(0, 0.01, 12),
    }
    found = {(one.better, one.worse): one for one in compare_all(values)}
    assert len(found) == 6
    assert found["good", "poor"].is_significant
    assert not found["poor", "good"].is_significant
    assert not found["same", "poor"].is_significant
    assert found["good", "poor"].wins == 12
    assert found["good", "poor"].t_test_corrected == pytest.approx(6 * found["good", "poor"].t_test, rel=0.5)


def test_tasks_without_a_number_are_left_out_of_a_pair():
    (one, _) = compare_all({"a": [1.0, np.nan, 2.0], "b": [0.5, 0.5, np.inf]})
    assert one.tasks == 1
    assert one.difference == 0.5


def comparison(better: str, worse: str, p: float) -> Comparison:
    return Comparison(better, worse, 9, 0.1, (0.0, 0.2), 9, 0, p, p, p, p)


def test_beats_all_needs_every_win_and_no_loss():
    wins = [comparison("a", "b", 0.001), comparison("a", "c", 0.001)]
    assert beats_all("a", wins, {"web": [comparison("b", "a", 0.9)]})
    assert not beats_all("a", [*wins[:1], comparison("a", "c", 0.2)], {})
    assert not beats_all("a", wins, {"web": [comparison("c", "a", 0.01)]})
    assert not beats_all("b", wins, {})


def simulated(dice, lead, between, within, sizes=(3, 3, 3, 3, 20, 14, 15)):
    webs = [str(web) for web, size in enumerate(sizes) for _ in range(size)]
    of_web = dice.normal(lead, between, len(sizes))
    return np.array([of_web[int(web)] + dice.normal(0.0, within) for web in webs]), webs


def test_a_lead_counts_every_web_the_same_however_many_topics_it_has():
    found = lead_of([0.1] * 9 + [0.3], ["large"] * 9 + ["small"])
    assert found.mean == pytest.approx(0.2)
    assert (found.webs, found.tasks, found.unit) == (2, 10, "web")


def test_of_one_web_topics_are_the_unit_and_it_is_the_t_interval():
    differences = SECOND_DRUG - FIRST_DRUG
    found = lead_of(differences, ["web"] * 10)
    assert (found.units, found.unit) == (10, "topic")
    assert found.p == pytest.approx(paired_t_test(SECOND_DRUG, FIRST_DRUG), rel=0.1)
    assert found.interval == pytest.approx(interval_of(differences), rel=0.05)


def test_many_topics_of_few_webs_prove_little():
    dice = np.random.default_rng(5)
    differences = np.concatenate([dice.normal(lead, 0.01, 50) for lead in (0.02, 0.3, 0.02)])
    webs = ["a"] * 50 + ["b"] * 50 + ["c"] * 50
    assert paired_t_test(differences, np.zeros(150)) < 1e-6
    assert lead_of(differences, webs).p > 0.05


def test_the_interval_holds_the_truth_as_often_as_it_says():
    dice = np.random.default_rng(6)
    leads = [lead_of(*simulated(dice, 0.1, 0.1, 0.02)) for _ in range(400)]
    covered = np.mean([lead.interval[0] <= 0.1 <= lead.interval[1] for lead in leads])
    assert 0.93 <= covered <= 0.99, "quantiles of the resamples would hold it in less than nine of ten"


def test_the_power_that_is_told_is_had():
    dice = np.random.default_rng(7)
    smallest = float(
        np.median([lead_of(*simulated(dice, 0.0, 0.1, 0.02)).smallest_found(5) for _ in range(60)])
    )
    found = [lead_of(*simulated(dice, smallest, 0.1, 0.02)).p < 0.05 / 5 for _ in range(300)]
    assert 0.7 <= np.mean(found) <= 0.9


def test_a_lead_that_cannot_be_tested():
    assert np.isnan(lead_of([], []).mean)
    alone = lead_of([0.2, np.nan], ["web", "other"])
    assert (alone.mean, alone.p, alone.webs) == (0.2, 1.0, 1)
    assert np.isinf(alone.smallest_found())
    assert lead_of([0.1, 0.1], ["a", "b"]).p == 0.0
    assert lead_of([0.0, 0.0], ["a", "b"]).p == 1.0


def test_leads_over_others_are_corrected_for_their_number():
    dice = np.random.default_rng(8)
    ours = dice.random(12)
    values = {"ours": ours, **{name: ours - dice.normal(0.1, 0.2, 12) for name in "abc"}}
    webs = [str(number // 3) for number in range(12)]
    found = leads_of("ours", values, webs)
    assert list(found) == ["a", "b", "c"]
    assert [p for _, p in found.values()] == holm([lead.p for lead, _ in found.values()])
