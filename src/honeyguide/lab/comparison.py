"""Strategies side by side: means over tasks of what was measured, and the share of the oracle's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from honeyguide.errors import SettingsError
from honeyguide.lab.measures import LESS_IS_BETTER, find_measure, oracle_share
from honeyguide.lab.results import BOUNDS, ORACLE, Run
from honeyguide.lab.statistics import Comparison, Mean, compare_all, corrected, lead_of, mean_of

MEASURES_SHOWN = ("nauc", "recall_at_2R", "recall_at_budget", "harvest_rate@100", "rank_milliseconds")


@dataclass(frozen=True)
class ComparisonRow:
    """A strategy on a corpus."""

    corpus: str
    strategy: str
    tasks: int
    measured: Mapping[str, Mean] = field(default_factory=dict)
    oracle_share: float | None = None  # of the first measure: the mean over tasks
    tuning_trials: int = 0


def task_values(runs: Iterable[Run], measure: str) -> dict[str, dict[str, float]]:
    """A number for each strategy and task: the mean over the draws, as the unit of all statistics is the task."""
    compute = find_measure(measure)
    found: dict[str, dict[str, list[float]]] = {}
    for run in runs:
        found.setdefault(run.facts.label, {}).setdefault(run.facts.task, []).append(compute(run))
    return {
        label: {task: float(np.mean(values)) for task, values in own.items()} for label, own in found.items()
    }


def compare_runs(
    runs: Sequence[Run],
    measures: Sequence[str] = MEASURES_SHOWN,
    tuning_trials: Mapping[str, int] | None = None,
) -> list[ComparisonRow]:
    """A row for each corpus and strategy, the best by the first measure first."""
    corpora = dict.fromkeys(run.facts.corpus for run in runs)
    return [
        row
        for corpus in corpora
        for row in _compare(
            [run for run in runs if run.facts.corpus == corpus], measures, tuning_trials or {}
        )
    ]


def _compare(
    runs: Sequence[Run], measures: Sequence[str], tuning_trials: Mapping[str, int]
) -> list[ComparisonRow]:
    values = {measure: task_values(runs, measure) for measure in measures}
    first = measures[0]
    is_less_better = first.partition("@")[0] in LESS_IS_BETTER
    strategies = {run.facts.label: run.facts for run in runs}
    rows = [
        ComparisonRow(
            facts.corpus,
            label,
            len(values[first][label]),
            {measure: _mean(values[measure][label].values()) for measure in measures},
            _share(values[first][label], values[first].get(ORACLE), is_less_better),
            tuning_trials.get(facts.strategy, 0),
        )
        for label, facts in strategies.items()
    ]
    return sorted(rows, key=lambda row: _place(row.measured[first].mean * (1 if is_less_better else -1)))


def _place(number: float) -> tuple[bool, float]:
    """To sort by: what has no number comes last."""
    return bool(np.isnan(number)), number


def _mean(values: Iterable[float]) -> Mean:
    """The mean of the tasks that have a number; infinite, and without an error, if one of the values is."""
    numbers = [value for value in values if not np.isnan(value)]
    return Mean(np.inf, np.nan, len(numbers)) if np.isinf(numbers).any() else mean_of(numbers)


def _share(
    own: Mapping[str, float], oracle: Mapping[str, float] | None, is_less_better: bool
) -> float | None:
    shares = [
        oracle_share(value, oracle[task], less_is_better=is_less_better)
        for task, value in own.items()
        if oracle and task in oracle
    ]
    finite = [share for share in shares if np.isfinite(share)]
    return float(np.mean(finite)) if finite else None


def compare_with(runs: Sequence[Run], baseline: str, measure: str) -> list[Comparison]:
    """Test every strategy against one, in both directions, over the tasks both were run on.

    All tests are corrected together; leads over webs are beside them. Differences are signed so that more is better.
    """
    values = {name: own for name, own in task_values(runs, measure).items() if name not in BOUNDS}
    if baseline not in values:
        raise SettingsError(f"no runs of {baseline!r}; there are {', '.join(sorted(values))}")
    if any(np.isinf(value) for own in values.values() for value in own.values()):
        raise SettingsError(
            f"{measure}: some runs never got there, so it cannot be tested; choose another measure"
        )
    sign = -1.0 if measure.partition("@")[0] in LESS_IS_BETTER else 1.0
    web_of = {run.facts.task: run.facts.web for run in runs}
    found = []
    for name, own in values.items():
        tasks = [task for task in own if task in values[baseline]]
        if name != baseline and tasks:
            webs = [web_of[task] for task in tasks]
            pair = {
                each: np.array([sign * values[each][task] for task in tasks]) for each in (name, baseline)
            }
            found += [
                replace(one, over_webs=lead_of(pair[one.better] - pair[one.worse], webs))
                for one in compare_all(pair)
            ]
    return corrected(found)
