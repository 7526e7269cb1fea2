"""Means with their standard errors, and whether one strategy is better than another over the same tasks.

Tests of pairs have the task as their unit: they speak of the webs they were run on. What is to be said of webs in
general has the web as its unit, and within it the topic (`lead_of`). All tests of one table are corrected together, by
Holm's method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

import numpy as np

from honeyguide.model import Floats

SIGNIFICANT = 0.05
CONFIDENCE = 0.95
FEWEST_FOR_A_TEST, MOST_FOR_EXACT = 2, 100
DECIMALS, TINY = 12, 1e-12
RESAMPLES = 10_000
POWER = 0.8


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, its standard error, and of how many."""

    mean: float
    error: float
    count: int


@dataclass(frozen=True, slots=True)
class Lead:
    """How far one strategy is ahead of another, every web counting the same; of one web alone, every topic."""

    mean: float
    error: float  # by resampling; NaN of a single unit
    interval: tuple[float, float]  # 95 %, two-sided, not corrected for other pairs
    p: float  # one-tailed: that it is ahead by chance
    webs: int
    tasks: int

    @property
    def units(self) -> int:
        """What it was resampled over: webs, or of one web its topics."""
        return self.webs if self.webs > 1 else self.tasks

    @property
    def unit(self) -> str:
        """The name of one of them."""
        return "web" if self.webs > 1 else "topic"

    def smallest_found(self, comparisons: int = 1, level: float = SIGNIFICANT) -> float:
        """The lead that would be found with 80 % power, given this spread: as Holm's first step of so many asks."""
        from scipy.special import nctdtrinc, stdtrit

        if self.units < FEWEST_FOR_A_TEST:
            return np.inf
        critical = stdtrit(self.units - 1, 1 - level / comparisons)
        return float(nctdtrinc(self.units - 1, 1 - POWER, critical)) * self.error


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether `better` is better than `worse`; p-values are one-tailed and of pairs of equal tasks."""

    better: str
    worse: str
    tasks: int
    difference: float
    interval: tuple[
        float, float
    ]  # 95 %, of the difference, two-sided, of this pair alone; NaN of a single task
    wins: int
    losses: int
    t_test: float
    wilcoxon: float
    t_test_corrected: float = 1.0
    wilcoxon_corrected: float = 1.0
    over_webs: Lead | None = None

    @property
    def is_significant(self) -> bool:
        """Whether both tests say so after correction."""
        return max(self.t_test_corrected, self.wilcoxon_corrected) < SIGNIFICANT


def mean_of(values: Sequence[float] | Floats) -> Mean:
    """The mean and its standard error.

    >>> mean_of([1.0, 2.0, 3.0])
    Mean(mean=2.0, error=0.5773502691896258, count=3)
    """
    means, errors = band(np.asarray(values, dtype=np.float64)[:, None])
    return Mean(float(means[0]), float(errors[0]), len(values))


def macro_mean_of(values: Sequence[float] | Floats, kinds: Sequence[str]) -> Mean:
    """The mean of the means of each kind, so that a corpus with many tasks counts no more than one with few.

    Tasks without a number, NaN, are left out; `count` is of the others.

    >>> macro_mean_of([1.0, 1.0, 1.0, 3.0], ["a", "a", "a", "b"]).mean
    2.0
    """
    of_kind: dict[str, list[float]] = {}
    for kind, value in zip(kinds, values, strict=True):
        if not np.isnan(value):
            of_kind.setdefault(kind, []).append(float(value))
    if not of_kind:
        return Mean(np.nan, np.nan, 0)
    means = [mean_of(own) for own in of_kind.values()]
    error = float(np.sqrt(sum(mean.error**2 for mean in means))) / len(means)
    return Mean(float(np.mean([mean.mean for mean in means])), error, sum(mean.count for mean in means))


def band(curves: Floats) -> tuple[Floats, Floats]:
    """Mean of several curves, a row each, and its standard error at every place; of one curve the error is 0."""
    rows = len(curves)
    if not rows:
        return np.full(curves.shape[1], np.nan), np.full(curves.shape[1], np.nan)
    means = curves.mean(axis=0)
    errors = curves.std(axis=0, ddof=1) / np.sqrt(rows) if rows > 1 else np.zeros(curves.shape[1])
    return means, errors


def compare_all(values: Mapping[str, Sequence[float] | Floats]) -> list[Comparison]:
    """Test each strategy against each other one; every list has one number a task, all in the same order.

    Both directions are tested and corrected for: which one to test was not known before the numbers were.
    """
    columns = {name: np.asarray(own, dtype=np.float64) for name, own in values.items()}
    return corrected([_compare(a, b, columns[a], columns[b]) for a, b in permutations(columns, 2)])


def lead_of(differences: Sequence[float] | Floats, webs: Sequence[str]) -> Lead:
    """How far ahead, from the difference on each task and the web it is on: a bootstrap of webs, then of topics.

    With so few webs the quantiles of resamples are much too narrow, so these give the standard error alone, widened as
    that of a sample is, and the t distribution with one degree less than there are webs gives interval and p. Topics
    are drawn anew although the spread of webs has theirs in it already: that errs on the wide side.
    """
    from scipy.special import stdtr, stdtrit

    by_web: dict[str, list[float]] = {}
    for web, difference in zip(webs, np.round(differences, DECIMALS).tolist(), strict=True):
        if np.isfinite(difference):
            by_web.setdefault(web, []).append(difference)
    tasks = np.array([difference for own in by_web.values() for difference in own])
    sizes = [len(own) for own in by_web.values()] if len(by_web) > 1 else [1] * len(tasks)
    if len(sizes) < FEWEST_FOR_A_TEST:
        mean = float(tasks[0]) if len(tasks) else np.nan
        return Lead(mean, np.nan, (np.nan, np.nan), 1.0, len(by_web), len(tasks))
    mean = float(np.repeat(1.0 / (np.array(sizes) * len(sizes)), sizes) @ tasks)
    # Not by @, whose threads wait for each other on a busy machine.
    resampled = np.einsum("rt,t->r", _resamples(tuple(sizes)), tasks)
    error = float(resampled.std() * np.sqrt(len(sizes) / (len(sizes) - 1)))
    half = float(stdtrit(len(sizes) - 1, (1 + CONFIDENCE) / 2)) * error
    by_chance = float(stdtr(len(sizes) - 1, -mean / error)) if error > TINY else float(mean <= 0)
    return Lead(mean, error, (mean - half, mean + half), by_chance, len(by_web), len(tasks))


@lru_cache(maxsize=8)
def _resamples(sizes: tuple[int, ...]) -> Floats:
    """What each task counts in each resample, a row each: webs drawn with replacement, and of each of them its topics.

    `sizes` are the numbers of topics of the webs. The dice are always the same, so that results are.
    """
    dice = np.random.default_rng(0)
    drawn = dice.integers(len(sizes), size=(RESAMPLES, len(sizes)))
    counted = np.zeros((RESAMPLES, sum(sizes)))
    for number, (first, size) in enumerate(zip(np.cumsum([0, *sizes]), sizes, strict=False)):
        rows = np.nonzero(drawn == number)[0]
        topics = first + dice.integers(size, size=(len(rows), size))
        np.add.at(counted, (rows[:, None], topics), 1.0 / (size * len(sizes)))
    return counted


def leads_of(name: str, values: Mapping[str, Floats], webs: Sequence[str]) -> dict[str, tuple[Lead, float]]:
    """The lead of one strategy over each other one, and its p corrected for the number of these comparisons."""
    leads = {other: lead_of(values[name] - own, webs) for other, own in values.items() if other != name}
    return dict(
        zip(leads, zip(leads.values(), holm([lead.p for lead in leads.values()]), strict=True), strict=True)
    )


def corrected(found: Sequence[Comparison]) -> list[Comparison]:
    """The same tests, corrected for their number."""
    by_t, by_rank = holm([each.t_test for each in found]), holm([each.wilcoxon for each in found])
    return [
        replace(each, t_test_corrected=t, wilcoxon_corrected=rank)
        for each, t, rank in zip(found, by_t, by_rank, strict=True)
    ]


def beats_all(
    name: str, average: Sequence[Comparison], by_corpus: Mapping[str, Sequence[Comparison]]
) -> bool:
    """Whether a strategy may be said to beat all: it wins everywhere on average and loses on no corpus."""
    ours = [each for each in average if each.better == name]
    lost = (each for compared in by_corpus.values() for each in compared if each.worse == name)
    return (
        bool(ours) and all(each.is_significant for each in ours) and not any(e.is_significant for e in lost)
    )


def paired_t_test(better: Floats, worse: Floats) -> float:
    """Probability that differences like these come by chance, if `better` is no better."""
    from scipy.special import stdtr

    differences = _differences(better, worse)
    if len(differences) < FEWEST_FOR_A_TEST or not differences.any():
        return 1.0
    mean, error = band(differences[:, None])
    if np.ptp(differences) == 0:  # no variance: the statistic is infinite
        return 0.0 if mean[0] > 0 else 1.0
    return float(stdtr(len(differences) - 1, -mean[0] / error[0]))


def wilcoxon_test(better: Floats, worse: Floats) -> float:
    """The same by ranks of the differences, which no single task can dominate; equal tasks are left out.

    Exact, also where differences are tied: there scipy takes a second for each of hundreds of tests.
    """
    from scipy.stats import rankdata, wilcoxon

    differences = _differences(better, worse)
    different = differences[differences != 0]
    if len(different) > MOST_FOR_EXACT:
        return float(wilcoxon(different, alternative="greater", method="asymptotic").pvalue)
    doubled = np.round(2 * rankdata(np.abs(different))).astype(np.int64)  # ties have halves
    chances = np.ones(1)
    for rank in doubled.tolist():  # each sign is as likely as the other
        chances = (np.pad(chances, (0, rank)) + np.pad(chances, (rank, 0))) / 2
    return float(chances[doubled[different > 0].sum() :].sum())


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number, as statsmodels does, which is too large for these lines; scipy does not.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    steps = given[order] * np.arange(len(given), 0, -1)
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(p) for p in corrected]


def interval_of(differences: Floats) -> tuple[float, float]:
    """Where the mean difference lies with 95 % confidence, by the distribution that `paired_t_test` asks.

    So both say the same: 0 is outside just where p is below 0.025 or above 0.975.
    """
    from scipy.special import stdtrit

    if len(differences) < FEWEST_FOR_A_TEST:
        return (np.nan, np.nan)
    mean, error = band(differences[:, None])
    half = stdtrit(len(differences) - 1, (1 + CONFIDENCE) / 2) * error[0]
    return float(mean[0] - half), float(mean[0] + half)


def _differences(ours: Floats, theirs: Floats) -> Floats:
    """What the last bits of a sum differ by is no difference."""
    return np.round(ours - theirs, DECIMALS)


def _compare(a: str, b: str, ours: Floats, theirs: Floats) -> Comparison:
    known = np.isfinite(ours) & np.isfinite(theirs)
    ours, theirs = ours[known], theirs[known]
    differences = _differences(ours, theirs)
    return Comparison(
        better=a,
        worse=b,
        tasks=len(differences),
        difference=float(differences.mean()) if len(differences) else np.nan,
        interval=interval_of(differences),
        wins=int((differences > 0).sum()),
        losses=int((differences < 0).sum()),
        t_test=paired_t_test(ours, theirs),
        wilcoxon=wilcoxon_test(ours, theirs),
    )
