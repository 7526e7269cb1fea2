"""What every reproduction is made of: experiments to run, claims of the paper to look at, and what came of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np

from honeyguide.errors import HoneyguideError
from honeyguide.lab.experiment import run_experiments
from honeyguide.lab.experiment_order import ConfiguredStrategy, ExperimentOrder
from honeyguide.lab.measures import overlap_curve
from honeyguide.lab.report.document import Block, Code, Document, Heading, Paragraph, Table, write_document
from honeyguide.lab.report.numbers import Group
from honeyguide.lab.report.tables import plus_minus
from honeyguide.lab.results import Run, load
from honeyguide.lab.statistics import Comparison, compare_all, interval_of, mean_of
from honeyguide.model import Bools, Floats
from honeyguide.store.disk import write_atomically

FINDINGS_NAME = "findings.json"
SAME = 0.1
"""Means that differ by less than this share of the larger are the same, for the claim that two are."""

FEWEST_TASKS = 5
"""With fewer nothing can be said to be the same."""

EARLY = 4
"""Crawls from other seeds are compared after one in so many of the pages that either of them came to."""

OnProgress = Callable[[int, int], None]


class Counted(NamedTuple):
    """Runs that are there already, and all."""

    before: int
    total: int


class Verdict(StrEnum):
    """What may be said of a claim."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    OPEN = "neither confirmed nor refuted"
    NOT_TESTABLE = "not testable here"
    CONFIRMED_ON_GENERATED = "confirmed on a generated web"
    REFUTED_ON_GENERATED = "refuted on a generated web"
    MET = "met"
    NOT_MET = "not met"


ON_GENERATED = {
    Verdict.CONFIRMED: Verdict.CONFIRMED_ON_GENERATED,
    Verdict.REFUTED: Verdict.REFUTED_ON_GENERATED,
}
"""Nobody wrote the pages of such a web and nobody linked them: what holds there need not hold on the Web."""

ON_PAPERS = (
    *(Verdict.CONFIRMED, Verdict.CONFIRMED_ON_GENERATED, Verdict.REFUTED, Verdict.REFUTED_ON_GENERATED),
    *(Verdict.OPEN, Verdict.NOT_TESTABLE),
)
"""The others are on goals of our own: a number is reached or it is not."""


@dataclass(frozen=True)
class Finding:
    """A claim of a paper, its figure beside ours."""

    claim: str
    theirs: str
    ours: str
    verdict: Verdict
    why: str = ""

    @property
    def sentence(self) -> str:
        """The verdict, and why where that is not plain."""
        return f"{self.verdict.value}{f': {self.why}' if self.why else ''}"


@dataclass(frozen=True)
class Workshop:
    """Where and how reproductions are run; 0 leaves numbers as each experiment has them."""

    folder: Path
    corpora: Path | None = None
    processes: int = 1
    most_tasks: int = 0
    pages: int = 0
    on_progress: OnProgress = field(default=lambda done, total: None)
    problems: list[str] = field(default_factory=list)  # runs that failed; the others are gone on with

    def experiment(self, order: ExperimentOrder) -> list[Run]:
        """Run an experiment, or what is left of it; its runs."""
        return self.experiments([order])[order.name]

    def experiments(self, orders: Iterable[ExperimentOrder]) -> dict[str, list[Run]]:
        """Run several side by side, or what is left of them; the runs of each by its name."""
        asked = self.as_asked(orders)
        outcome = run_experiments(asked, self.folder, self.corpora, self.processes, self.on_progress)
        self.problems.extend(outcome.failures)
        runs = {order.name: list(load(self.folder / order.name).runs) for order in asked}
        for name, own in runs.items():
            if not own:
                raise HoneyguideError(f"{name}: every run failed; {'; '.join(outcome.failures[:3])}")
        return runs

    def as_asked(self, orders: Iterable[ExperimentOrder]) -> list[ExperimentOrder]:
        """Experiments with the numbers that are given here."""
        changed = {name: value for name in ("most_tasks", "pages") if (value := getattr(self, name))}
        return [order.model_copy(update=changed) for order in orders]


@dataclass(frozen=True)
class Examined:
    """What came of a reproduction."""

    findings: Sequence[Finding]
    blocks: Sequence[Block] = ()  # tables and figures
    setting: str = ""  # what the runs themselves tell of our setting


@dataclass(frozen=True)
class Reproduction:
    """A paper's experiment on our corpora."""

    name: str
    paper: str
    their_setting: str
    our_setting: str
    collect: Callable[[Workshop], Mapping[str, Sequence[Run]]]
    examine: Callable[[Mapping[str, Sequence[Run]]], Examined]
    columns: tuple[str, str, str, str] = ("claim", "theirs", "ours", "verdict")

    @property
    def command(self) -> str:
        """How to run it again."""
        return f"honeyguide lab reproduce {self.name} --corpora CORPORA"

    def run(self, workshop: Workshop) -> tuple[Path, Sequence[Finding]]:
        """Run, examine, and write the report and the findings; gives the page."""
        examined = self.examine(self.collect(workshop))
        stored = {
            "name": self.name,
            "paper": self.paper,
            "command": self.command,
            "findings": [asdict(finding) for finding in examined.findings],
        }
        page = write_document(self._document(examined, workshop.problems), workshop.folder)
        write_atomically(workshop.folder / FINDINGS_NAME, json.dumps(stored, indent=1))
        return page, examined.findings

    def _document(self, examined: Examined, problems: Sequence[str]) -> Document:
        return Document(
            f"{self.name}: {self.paper}",
            [
                Paragraph(f"{self.columns[1].capitalize()}: {self.their_setting}"),
                Paragraph(
                    f"{self.columns[2].capitalize()}: {' '.join((examined.setting, self.our_setting)).strip()}"
                ),
                Code(self.command),
                findings_table(examined.findings, self.columns),
                *([Paragraph(f"Runs that failed: {'; '.join(problems)}.")] if problems else []),
                Heading("Figures"),
                *examined.blocks,
            ],
        )


def findings_table(findings: Iterable[Finding], columns: Sequence[str]) -> Table:
    """Claims, figures and verdicts side by side."""
    rows = [[one.claim, one.theirs, one.ours, one.sentence] for one in findings]
    return Table(f"Every {columns[0]}, and what became of it.", columns, rows, is_text=True)


def configured(strategy: str, **keywords: object) -> ConfiguredStrategy:
    """A strategy with other settings than its defaults."""
    return ConfiguredStrategy.model_validate({"strategy": strategy, **keywords})


def is_better(claim: str, theirs: str, group: Group, pair: tuple[str, str], measure: str) -> Finding:
    """Look at the claim that the first of a pair is better than the second."""
    return _greater(claim, theirs, pair, group.values(measure), group.comparisons(measure))


def is_greater(claim: str, theirs: str, values: Mapping[str, Floats], pair: tuple[str, str]) -> Finding:
    """The same for any numbers, one a task."""
    return _greater(claim, theirs, pair, values, compare_all(values))


def _greater(
    claim: str,
    theirs: str,
    pair: tuple[str, str],
    values: Mapping[str, Floats],
    comparisons: Iterable[Comparison],
) -> Finding:
    there, back = _both_ways(comparisons, pair)
    verdict = Verdict.REFUTED if back.is_significant else Verdict.OPEN
    if there.is_significant:
        verdict = Verdict.CONFIRMED
    why = "the difference may be chance" if verdict is Verdict.OPEN else ""
    return Finding(claim, theirs, f"{_means(values, pair)}; {_tests(there, back)}", verdict, why)


def is_same(claim: str, theirs: str, group: Group, pair: tuple[str, str], measure: str) -> Finding:
    """Look at the claim that two are about equal: within a tenth, and that with confidence."""
    return _equal(claim, theirs, pair, group.values(measure), group.comparisons(measure))


def is_equal(claim: str, theirs: str, values: Mapping[str, Floats], pair: tuple[str, str]) -> Finding:
    """The same for any numbers, one a task."""
    return _equal(claim, theirs, pair, values, compare_all(values))


def _equal(
    claim: str,
    theirs: str,
    pair: tuple[str, str],
    values: Mapping[str, Floats],
    comparisons: Iterable[Comparison],
) -> Finding:
    there, back = _both_ways(comparisons, pair)
    low, high = there.interval
    most = SAME * max(mean_of(values[name]).mean for name in pair)
    is_near = max(abs(low), abs(high)) <= most and there.tasks >= FEWEST_TASKS
    is_different = there.is_significant or back.is_significant
    verdict = Verdict.CONFIRMED if is_near else Verdict.REFUTED if is_different else Verdict.OPEN
    why = (
        f"with 95 % confidence the difference is {low:+.3f} to {high:+.3f}; "
        f"equal would be within a tenth, ±{most:.3f}"
    )
    return Finding(claim, theirs, f"{_means(values, pair)}; {_tests(there, back)}", verdict, why)


def is_within(
    claim: str, theirs: str, measured: str, values: Floats, limits: tuple[float, float], taken_for: str
) -> Finding:
    """Look at the claim that a number is between limits: confirmed and refuted is what 95 % confidence speaks for."""
    mean, (low, high) = mean_of(values), interval_of(np.asarray(values))
    verdict = Verdict.REFUTED if high < limits[0] or low > limits[1] else Verdict.OPEN
    if limits[0] <= low and high <= limits[1]:
        verdict = Verdict.CONFIRMED
    ours = f"{measured} {plus_minus(mean)} over {mean.count} tasks"
    return Finding(
        claim, theirs, ours, verdict, f"with 95 % confidence it is {low:.2f} to {high:.2f}; {taken_for}"
    )


def is_robust(
    claim: str, theirs: str, pairs: Iterable[tuple[Sequence[str], Sequence[str]]], least: float
) -> Finding:
    """Look at the claim that crawls from disjoint seeds find the same pages, given those of each pair in order.

    Crawls that go on until nothing else is left have the same pages whatever they did. So both are cut after a quarter
    of all that either came to: two picks at random among these would share a quarter.
    """
    found = []
    for pair in pairs:
        early = max(1, len(set().union(*pair)) // EARLY)
        found.append(overlap_curve(*(own[:early] for own in pair)))
    shares = np.array([curve[-1] for curve in found if len(curve)])
    if not len(shares):
        return not_testable(claim, theirs, "no task was run from two disjoint sets of seeds")
    measured = f"after a quarter of the pages that either crawl came to ({np.mean([*map(len, found)]):,.0f}) both have"
    taken_for = f"at least {least:g} is taken for the same, two picks at random would share {1 / EARLY:g}"
    return is_within(claim, theirs, measured, shares, (least, 1.0), taken_for)


def on_generated_web(finding: Finding) -> Finding:
    """The same finding; its verdict says what kind of web it stands on."""
    return replace(finding, verdict=ON_GENERATED.get(finding.verdict, finding.verdict))


def not_testable(claim: str, theirs: str, why: str, ours: str = "-") -> Finding:
    """Say why a claim cannot be looked at."""
    return Finding(claim, theirs, ours, Verdict.NOT_TESTABLE, why)


def at_equal_pages(
    group: Group, labels: Sequence[str], column: Callable[[Run], Bools | Floats]
) -> dict[str, Floats]:
    """Means of a column task by task, over as many pages as the shortest of the crawls that are compared fetched.

    A focused crawl that runs out of links early would else be compared with the later pages of others.
    """
    means: dict[str, list[float]] = {label: [] for label in labels}
    for task in group.tasks:
        draws = list(zip(*(group.runs[label][task] for label in labels), strict=False))
        pages = [min(len(run) for run in runs) for runs in draws]
        for place, label in enumerate(labels):
            own = [column(runs[place])[:most].mean() for runs, most in zip(draws, pages, strict=True) if most]
            means[label].append(float(np.mean(own)) if own else np.nan)
    return {label: np.array(own) for label, own in means.items()}


def at_pages(curve: str, group: Group, share: float) -> str:
    """The name of a measure: a curve after a share of the budget."""
    return f"{curve}@{max(1, round(share * group.budget))}"


def _both_ways(comparisons: Iterable[Comparison], pair: tuple[str, str]) -> tuple[Comparison, Comparison]:
    """The two tests of a pair, corrected together with those of all other pairs."""
    found = {(one.better, one.worse): one for one in comparisons}
    return found[pair], found[pair[1], pair[0]]


def _means(values: Mapping[str, Floats], pair: tuple[str, str]) -> str:
    return ", ".join(f"{name} {plus_minus(mean_of(values[name]))}" for name in pair)


def _tests(there: Comparison, back: Comparison) -> str:
    """The difference, and the p-values of the direction that it speaks for."""
    spoken_for = back if there.difference < 0 else there
    p_values = (spoken_for.t_test_corrected, spoken_for.wilcoxon_corrected)
    written = ("<.001" if p < 0.001 else f"{p:.3f}" for p in p_values)
    difference = f"difference {there.difference:+.3f} over {there.tasks} tasks"
    return f"{difference}, p {' (t-test), '.join(written)} (Wilcoxon), Holm"


def crossing(first: Floats, second: Floats) -> int:
    """After how many pages the second curve leads for good; 0 if it always leads, -1 if it never does in the end.

    >>> crossing(np.array([0.1, 0.3, 0.4]), np.array([0.1, 0.2, 0.5]))
    2
    """
    behind = np.flatnonzero(second <= first)
    if not len(behind):
        return 0
    return -1 if behind[-1] == len(first) - 1 else int(behind[-1]) + 1
