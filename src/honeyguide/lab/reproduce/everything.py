"""Every reproduction one after another, with one account of what is left to do, and the page on all of them.

One that was stopped goes on where it was: runs that are there are not done again. A part that fails is told in the end.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from honeyguide.errors import HoneyguideError
from honeyguide.lab.classifier_quality import TRIALS, classifier_quality, quality_table
from honeyguide.lab.experiment import plan
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.report.report import write_report
from honeyguide.lab.reproduce import freshness, recall
from honeyguide.lab.reproduce.base import Counted, OnProgress, Reproduction, Workshop
from honeyguide.lab.reproduce.default import DEFAULT
from honeyguide.lab.reproduce.default_experiments import MAIN
from honeyguide.lab.reproduce.page import (
    CLASSIFIERS_NAME,
    EXPERIMENT,
    Timing,
    read_timings,
    write_page,
    write_timings,
)
from honeyguide.lab.results import Run, load, run_path
from honeyguide.lab.tasks.tasks import corpora_folder
from honeyguide.store.disk import disk_errors, write_atomically

SHOWN = ("webkb", "multisite")
"""Corpora whose experiments are shown in full: the main comparison on them, run for the default strategy."""

OnShow = Callable[[str, int, int, float], None]  # the part, runs done and planned of all, seconds left


@dataclass(frozen=True)
class Part:
    """Something to be done in a folder of its own; gives nothing, writes its report."""

    name: str
    run: Callable[[Workshop], object]
    count: Callable[[Workshop], Counted]


def reproduce_all(
    papers: Sequence[Reproduction], workshop: Workshop, page: Path, on_show: OnShow
) -> dict[str, list[str]]:
    """Do every part, or what is left of it, and write the page; gives what went wrong, by part."""
    with disk_errors(workshop.folder):
        workshop.folder.mkdir(parents=True, exist_ok=True)
    parts = parts_of(papers)
    own = {part.name: replace(workshop, folder=workshop.folder / part.name) for part in parts}
    account = Account({part.name: _counted(part, own[part.name]) for part in parts}, on_show)
    problems: dict[str, list[str]] = {}
    for part in parts:
        started, runs = time.monotonic(), account.done
        place = replace(own[part.name], on_progress=account.of(part.name), problems=[])
        try:
            failed = _failure(part, place)
        finally:  # also of a part that was stopped: it will go on
            done = account.done - runs
            if done or part.count is _nothing:
                _note(workshop, part.name, time.monotonic() - started, done)
        if found := [*place.problems, *([failed] if failed else [])]:
            problems[part.name] = found
    write_page(workshop.folder, [paper.name for paper in papers], page)
    return problems


def parts_of(papers: Sequence[Reproduction]) -> list[Part]:
    """Everything that is on the page, in the order of work: reports on experiments need those of the default."""
    parts = [Part(paper.name, paper.run, _counter(paper)) for paper in papers]
    if DEFAULT in papers:
        parts.append(Part("experiments", _report_experiments, _nothing))
    own = [Part(one.NAME, one.run, one.count) for one in (recall, freshness)]
    return [*parts, *own, Part("classifiers", _classifiers, _nothing)]


class Account:
    """Adds up the progress of all parts. Time left is told from the mean time of the runs done here."""

    def __init__(self, counted: Mapping[str, Counted], on_show: OnShow) -> None:
        self.done = 0  # here, not before
        self._counted = counted
        self._before = sum(own.before for own in counted.values())
        self._total = sum(own.total for own in counted.values())
        self._on_show, self._started = on_show, time.monotonic()

    def of(self, name: str) -> OnProgress:
        """What a part reports to. It may do several batches of runs, each of which counts from the start."""
        unplanned, last = -self._counted[name].total, Counted(0, -1)

        def on_progress(done: int, total: int) -> None:
            nonlocal unplanned, last
            if total != last.total or done <= last.before:  # a new batch
                self._total += max(0, unplanned + total) - max(0, unplanned)
                unplanned += total
            else:
                self.done += done - last.before
            last = Counted(done, total)
            self._show(name)

        self._show(name)
        return on_progress

    def _show(self, name: str) -> None:
        at = min(self._before + self.done, self._total)
        each = (time.monotonic() - self._started) / self.done if self.done else 0.0
        self._on_show(name, at, self._total, each * (self._total - at))


class _CountedAlready(Exception):
    """Raised where work would begin."""


@dataclass(frozen=True)
class _Planner(Workshop):
    """A workshop where nothing is done, only counted."""

    found: list[Counted] = field(default_factory=list)

    def experiments(self, orders: Iterable[ExperimentOrder]) -> dict[str, list[Run]]:
        """Count the runs of each."""
        runs: dict[str, list[Run]] = {}
        for order in self.as_asked(orders):
            names = [run.name for run in plan(order, self.corpora)]
            before = sum(run_path(self.folder / order.name, name).is_file() for name in names)
            self.found.append(Counted(before, len(names)))
            runs[order.name] = []
        return runs


def _counter(paper: Reproduction) -> Callable[[Workshop], Counted]:
    def count(workshop: Workshop) -> Counted:
        found: list[Counted] = []

        def on_progress(done: int, total: int) -> None:
            found.append(Counted(done, total))
            raise _CountedAlready

        planner = _Planner(
            workshop.folder,
            workshop.corpora,
            most_tasks=workshop.most_tasks,
            pages=workshop.pages,
            on_progress=on_progress,
            found=found,
        )
        # What cannot go on without runs ends the count; the rest is added when it is begun.
        with suppress(Exception):
            paper.collect(planner)
        return Counted(sum(own.before for own in found), sum(own.total for own in found))

    return count


def _nothing(_: Workshop) -> Counted:
    return Counted(0, 0)


def _counted(part: Part, workshop: Workshop) -> Counted:
    try:
        return part.count(workshop)
    except HoneyguideError:  # it is told when the part is run
        return Counted(0, 0)


def _failure(part: Part, workshop: Workshop) -> str:
    try:
        part.run(workshop)
    except HoneyguideError as error:
        return str(error)
    except Exception as error:  # one part's fault must not cost hours of others
        return f"{type(error).__name__}: {error}"
    return ""


def _note(workshop: Workshop, name: str, seconds: float, runs: int) -> None:
    """Add what a part took; looking again at what was done before is not counted."""
    timings = read_timings(workshop.folder)
    before = timings.get(name)
    if before is None or runs:
        cores = os.cpu_count() or 1
        seconds, runs = seconds + (before.seconds if before else 0.0), runs + (before.runs if before else 0)
        write_timings(
            workshop.folder, timings | {name: Timing(round(seconds, 1), runs, workshop.processes, cores)}
        )


def _report_experiments(workshop: Workshop) -> None:
    results = workshop.folder.parent
    for corpus in SHOWN:
        write_report(load(results / DEFAULT.name / f"{MAIN}-{corpus}"), results / f"{EXPERIMENT}{corpus}")


def _classifiers(workshop: Workshop) -> None:
    path = workshop.folder.parent / CLASSIFIERS_NAME
    if not path.exists():
        folder = corpora_folder(workshop.corpora)
        tables = [quality_table(classifier_quality(folder / name)) for name in TRIALS]
        write_atomically(path, "\n\n".join(tables) + "\n")
