"""What a report counts with: the runs of one corpus, their measures task by task, their curves and overlaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from honeyguide.lab.measures import LESS_IS_BETTER, find_measure, found_by, oracle_share
from honeyguide.lab.report.plots import Band
from honeyguide.lab.results import BOUNDS, ORACLE, REPORTING, Results, Run
from honeyguide.lab.statistics import Comparison, Lead, Mean, band, compare_all, lead_of, macro_mean_of
from honeyguide.model import Floats

HEADLINE = "nauc"
BASELINE = "breadth-first"
COLORED = 6
ALL = "all corpora"


@dataclass(frozen=True, eq=False)
class Group:
    """Runs that are compared: of all strategies that were run on all of these tasks."""

    name: str
    tasks: Sequence[str]
    runs: Mapping[str, Mapping[str, Sequence[Run]]]  # by label, then by task: one for each draw of seeds
    corpora: Sequence[str]  # of each task
    left_out: Sequence[str] = ()  # labels that lack some task
    named: Sequence[str] = ()  # strategies that plots name, where that is not for this group to choose

    @cached_property
    def labels(self) -> list[str]:
        """Strategies and bounds, best first."""
        means = self.means(HEADLINE)
        return sorted(self.runs, key=lambda label: (-means[label].mean, label))

    @cached_property
    def strategies(self) -> list[str]:
        """Strategies without the bounds, best first."""
        return [label for label in self.labels if label not in BOUNDS]

    @cached_property
    def colored(self) -> list[str]:
        """The strategies that plots name: the best, and the baseline."""
        if self.named:
            return list(self.named)
        best = [label for label in self.strategies if label != BASELINE]
        return [*best[: COLORED - 1], *(label for label in self.strategies if label == BASELINE)]

    @property
    def webs(self) -> list[str]:
        """The web of each task."""
        own = next(iter(self.runs.values()), {})
        return [own[task][0].facts.web for task in self.tasks]

    @property
    def budget(self) -> int:
        """Pages that every run might have fetched."""
        return min(run.facts.budget for _, _, run in self.all_runs())

    def all_runs(self) -> Iterator[tuple[str, str, Run]]:
        """Label, task and run of each."""
        for label, by_task in self.runs.items():
            for task in self.tasks:
                for run in by_task[task]:
                    yield label, task, run

    def values(self, measure: str) -> dict[str, Floats]:
        """A number a task for each label: the mean over draws of seeds."""
        if measure not in self._measured:
            number = find_measure(measure)
            self._measured[measure] = {
                label: np.array([np.mean([number(run) for run in by_task[task]]) for task in self.tasks])
                for label, by_task in self.runs.items()
            }
        return self._measured[measure]

    @cached_property
    def _measured(self) -> dict[str, dict[str, Floats]]:
        """What was measured before: every table asks for the same."""
        return {}

    def means(self, measure: str) -> dict[str, Mean]:
        """Mean and standard error over tasks; of several corpora, the mean of their means."""
        return {label: macro_mean_of(own, self.corpora) for label, own in self.values(measure).items()}

    def medians(self, measure: str) -> dict[str, float]:
        """For measures that can be infinite."""
        # The lower of two in the middle, since the mean with infinity tells nothing.
        return {
            label: float(np.quantile(own, 0.5, method="lower")) for label, own in self.values(measure).items()
        }

    def oracle_shares(self, measure: str) -> dict[str, Mean]:
        """Mean over tasks of the share of the oracle's result; nothing without an oracle."""
        values = self.values(measure)
        if ORACLE not in values:
            return {}
        is_less = measure in LESS_IS_BETTER
        return {label: self._mean_share(own, values[ORACLE], is_less) for label, own in values.items()}

    def _mean_share(self, own: Floats, oracle: Floats, less_is_better: bool) -> Mean:
        shares = [
            oracle_share(float(value), float(bound), less_is_better=less_is_better)
            for value, bound in zip(own, oracle, strict=True)
        ]
        known = [place for place, share in enumerate(shares) if np.isfinite(share)]
        if not known:
            return Mean(np.nan, np.nan, 0)
        return macro_mean_of([shares[place] for place in known], [self.corpora[place] for place in known])

    def lead(self, label: str, other: str, measure: str) -> Lead:
        """How far one strategy is ahead of another, over webs."""
        values = self.values(measure)
        return lead_of(values[label] - values[other], self.webs)

    def comparisons(self, measure: str) -> list[Comparison]:
        """Every strategy against every other, bounds left out."""
        return _comparisons(self, measure)

    def bands(self, curve: Callable[[Run], Floats]) -> list[Band]:
        """A curve for each label, with its standard error over tasks."""
        pages = np.arange(1, self.budget + 1, dtype=np.float64)
        return [Band(label, pages, *band(self._curves(label, curve))) for label in self.labels]

    def _curves(self, label: str, curve: Callable[[Run], Floats]) -> Floats:
        by_task = self.runs[label]
        return np.array(
            [np.mean([curve(run)[: self.budget] for run in by_task[task]], axis=0) for task in self.tasks]
        )

    def mean_of_runs(self, label: str, number: Callable[[Run], Floats]) -> Floats:
        """Mean over all runs of a label of something of equal length, say a histogram's shares."""
        own = [number(run) for each, _, run in self.all_runs() if each == label]
        mean: Floats = np.mean(own, axis=0)
        return mean

    def found(self, label: str) -> list[frozenset[str]]:
        """The targets found, task by task, from the first draw of seeds."""
        return [found_by(self.runs[label][task][0]) for task in self.tasks]


@lru_cache(maxsize=64)
def _comparisons(group: Group, measure: str) -> list[Comparison]:
    values = group.values(measure)
    return compare_all({label: values[label] for label in group.strategies})


def groups_of(results: Results, split: str = REPORTING) -> list[Group]:
    """One group a corpus, and one of all if there are several."""
    runs = [run for run in results.runs if run.facts.split == split]
    corpora = sorted({run.facts.corpus for run in runs})
    groups = [group_of(corpus, [run for run in runs if run.facts.corpus == corpus]) for corpus in corpora]
    if len(groups) < 2:
        return groups
    whole = group_of(ALL, runs)
    # A strategy has the same color in all plots.
    return [*(replace(group, named=whole.colored) for group in groups), whole]


def group_of(name: str, runs: Sequence[Run]) -> Group:
    """Put runs together; a label that was not run on every task is left out, since means would not compare."""
    by_label: dict[str, dict[str, list[Run]]] = {}
    for run in sorted(runs, key=lambda run: run.facts.seed):
        by_label.setdefault(run.facts.label, {}).setdefault(run.facts.task, []).append(run)
    tasks = sorted({run.facts.task for run in runs})
    complete = {label: by_task for label, by_task in by_label.items() if len(by_task) == len(tasks)}
    if not complete:  # an experiment that has just begun: the tasks every label has
        tasks = [task for task in tasks if all(task in by_task for by_task in by_label.values())]
        complete = dict(by_label) if tasks else {}
    corpus_of = {run.facts.task: run.facts.corpus for run in runs}
    left_out = sorted(set(by_label) - set(complete))
    return Group(name, tasks, complete, [corpus_of[task] for task in tasks], left_out)
