"""Experiments: strategies x tasks x draws from one TOML file, resumable, on all cores, the same to the last digit.

All strategies of a task get the same guide, seeds and budget. Whatever was ever tried in a results folder stays in
its record, with the number of tuning tasks it was tried on.
"""

from __future__ import annotations

import inspect
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from honeyguide.errors import HoneyguideError, SettingsError
from honeyguide.lab.experiment_order import ALL, EXAMPLES, ExperimentOrder
from honeyguide.lab.levels import at_asked_level, own_settings
from honeyguide.lab.oracle import make_bound
from honeyguide.lab.person import Lessons
from honeyguide.lab.processes import in_processes
from honeyguide.lab.results import (
    BOUNDS,
    FORMAT,
    TUNING,
    Configuration,
    configuration_label,
    read_record,
    run_path,
    write_record,
    write_run,
)
from honeyguide.lab.tasks.labels import Labels
from honeyguide.lab.tasks.subject_map import has_subjects
from honeyguide.lab.tasks.tasks import Task, corpus_folder, find_tasks, spread
from honeyguide.lab.trial import (
    BY_SUBJECTS,
    BY_WORDS,
    NO_LESSONS,
    GuideChoice,
    make_guide,
    open_web,
    run_trial,
)
from honeyguide.lab.versions import all_versions
from honeyguide.plugins import find_plugin
from honeyguide.settings import plugin_keywords
from honeyguide.settings.order import slug
from honeyguide.strategies import STRATEGIES, Strategy
from honeyguide.topics.classifier.topic import MODELS


@dataclass(frozen=True)
class PlannedRun:
    """A run to be done."""

    task: Task
    folder: Path  # of the recorded web
    strategy: str
    keywords: Mapping[str, Any]
    draw: int
    pages: int
    batch: int
    guide: GuideChoice
    texts: str = EXAMPLES
    urls_per_site: int = 0
    lessons: Lessons = NO_LESSONS

    @property
    def name(self) -> str:
        """Tells what it is; whatever changes its outcome, but for the code, changes the name."""
        asked = asdict(self) | {"folder": "", "task": _plain(self.task), "format": FORMAT}
        asked |= _named(self.guide)
        for name, usual in (("texts", EXAMPLES), ("urls_per_site", 0), ("lessons", asdict(NO_LESSONS))):
            if asked[name] == usual:
                del asked[name]  # as in runs of before there was a choice
        digest = sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()[:12]
        return f"{slug(self.task.name)}--{slug(self.strategy)}--{self.draw}-{digest}"

    @property
    def label(self) -> str:
        """For messages."""
        return f"{self.task.name}, {configuration_label(self.strategy, self.keywords)}, draw {self.draw}"


@dataclass(frozen=True)
class Outcome:
    """What came of an experiment."""

    runs: int
    done_before: int
    failures: Sequence[str]  # a line each


def plan(order: ExperimentOrder, corpora: Path | None = None) -> list[PlannedRun]:
    """All runs of an experiment, those of one task together; what is wrong with any is told now."""
    _check_guide(order)
    chosen = order.chosen()
    for name, keywords in chosen:
        if name not in BOUNDS:
            plugin_keywords(
                find_plugin("strategies", name, STRATEGIES), own_settings(keywords), "configurations"
            )
    guide = order.guide_choice()
    return [
        PlannedRun(
            *(task, folder, strategy, keywords, draw, order.pages or task.budget, order.batch, guide),
            *(order.texts, order.urls_per_site, order.lessons()),
        )
        for draw in order.draws
        for task in _tasks(order, draw, corpora)
        for folder in [corpus_folder(task, corpora)]
        for strategy, keywords in chosen
    ]


def _tasks(order: ExperimentOrder, draw: int, corpora: Path | None) -> list[Task]:
    found = find_tasks(order.tasks, corpora, order.shape(draw))
    tasks = spread([task for task in found if order.split in (ALL, task.split)], order.most_tasks)
    if not tasks:
        raise SettingsError(
            f"split: none of the tasks is for {order.split}; `honeyguide lab list` tells which are"
        )
    for task in tasks:
        if order.guide in BY_SUBJECTS and not has_subjects(task):
            raise SettingsError(
                f"guide: {order.guide} needs a tree of subjects to be made of; {task.name} has none, wikispeedia's have"
            )
        if order.texts != EXAMPLES and not task.within:
            raise SettingsError(
                f"texts: all pages of {task.corpus} are in the web of {task.name}; webkb has others"
            )
    return tasks


def _check_guide(order: ExperimentOrder) -> None:
    guides = (*BY_WORDS, *BY_SUBJECTS, *MODELS)
    if order.guide not in guides:
        raise SettingsError(f"guide: there is no {order.guide!r}; there are {', '.join(guides)}")
    if order.examples and order.guide not in MODELS:
        raise SettingsError(
            f"examples: {order.guide} learns from none; choose a guide of {', '.join(MODELS)}"
        )


def run_experiment(
    order: ExperimentOrder,
    results: Path,
    corpora: Path | None = None,
    processes: int = 1,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """Do every run that is not in the results yet. A run that fails is told in the end; the others go on."""
    return _run_all({"": order}, results, corpora, processes, on_progress)


def run_experiments(
    orders: Iterable[ExperimentOrder],
    results: Path,
    corpora: Path | None = None,
    processes: int = 1,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """The same for several, each into a folder with its name: all on one web together, which is read only once."""
    return _run_all({order.name: order for order in orders}, results, corpora, processes, on_progress)


def _run_all(
    orders: Mapping[str, ExperimentOrder],
    results: Path,
    corpora: Path | None,
    processes: int,
    on_progress: Callable[[int, int], None],
) -> Outcome:
    pieces = []
    for name, order in orders.items():
        planned = plan(order, corpora)
        _record(order, planned, results / name)
        pieces += [_Piece(run, name) for run in planned]
    left = [piece for piece in pieces if not run_path(results / piece.name, piece.run.name).is_file()]
    left.sort(key=lambda piece: piece.place)
    before, failures = len(pieces) - len(left), []
    on_progress(before, len(pieces))
    finished = in_processes(_do_piece, left, results, processes, lambda piece: piece.place)
    for done, (piece, problem) in enumerate(finished, before + 1):
        if problem:
            failures.append(f"{piece.run.label}: {problem}")
        on_progress(done, len(pieces))
    return Outcome(len(pieces), before, failures)


@dataclass(frozen=True)
class _Piece:
    """A run of one of several experiments."""

    run: PlannedRun
    name: str  # of the experiment's folder

    @property
    def place(self) -> tuple[str, str, int, str]:
        """Runs with the same web, and of these with the same guide, follow each other."""
        run = self.run
        return str(run.folder), run.task.name, run.draw, str(run.guide)


def _do_piece(piece: _Piece, results: Path) -> None:
    do_run(piece.run, results / piece.name)


def do_run(run: PlannedRun, results: Path) -> None:
    """Do one run and write what came of it."""
    guide = make_guide(run.task, run.folder, run.guide)
    with tempfile.TemporaryDirectory(prefix="honeyguide-lab-") as scratch:
        strategy = _strategy(run, Path(scratch))
        outcome = run_trial(
            run.task,
            guide,
            strategy,
            pages=run.pages,
            batch=run.batch,
            keywords=run.keywords,
            seed=run.draw,
            urls_per_site=run.urls_per_site,
            lessons=run.lessons,
        )
    write_run(run_path(results, run.name), outcome)


def _strategy(run: PlannedRun, scratch: Path) -> Strategy:
    guide = make_guide(run.task, run.folder, run.guide)
    if run.strategy in BOUNDS:
        return make_bound(run.strategy, run.task, guide, run.pages)
    made = find_plugin("strategies", run.strategy, STRATEGIES)
    given = {**_from_task(run, made, scratch), **own_settings(run.keywords)}
    return at_asked_level(made(**plugin_keywords(made, given, "configurations")), run.keywords)


def _from_task(run: PlannedRun, strategy: type[Strategy], scratch: Path) -> dict[str, object]:
    """What some strategies must be told: words to look for, a text collection, a number for their dice."""
    takes = inspect.signature(strategy).parameters
    given: dict[str, object] = (
        {"query": run.task.words, "seed": run.draw} if run.task.words else {"seed": run.draw}
    )
    if "corpus" in takes:
        everything = open_web(run.folder)
        texts = (everything.text(url) for url in collection(run, everything.labels))
        path = scratch / "corpus.txt"
        path.write_text("\n".join(" ".join(text.split()) for text in texts), encoding="utf-8")
        given["corpus"] = str(path)
    return {name: value for name, value in given.items() if name in takes}


def collection(run: PlannedRun, labels: Labels) -> list[str]:
    """What the guide has learned from, here without saying which is on the topic, or all outside the task's web."""
    if run.texts == EXAMPLES:
        return [*run.task.positives, *run.task.negatives]
    return [url for url, own in labels.items() if run.task.within not in own]


def _record(order: ExperimentOrder, planned: Sequence[PlannedRun], results: Path) -> None:
    """Note what is going to be run before it is: a configuration that is given up again was tried all the same."""
    try:
        results.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HoneyguideError(
            f"{results}: {error.strerror}; choose another folder for the results"
        ) from error
    record = read_record(results)
    before = [Configuration(**one) for one in record["configurations"]] if record else []
    write_record(
        results,
        order.name,
        order.model_dump(),
        all_versions(record["versions"] if record else {}),
        list(_tried(before, planned)),
        [run.name for run in planned],
    )


def _tried(before: Iterable[Configuration], planned: Sequence[PlannedRun]) -> Iterator[Configuration]:
    found = {one.label: one for one in before}
    tasks: dict[str, set[tuple[str, str]]] = {}
    for run in planned:
        label = configuration_label(run.strategy, run.keywords)
        tasks.setdefault(label, set()).add((run.task.split, run.task.name))
        found.setdefault(label, Configuration(run.strategy, run.keywords, 0, 0))
    for label, one in found.items():
        tuning = sum(split == TUNING for split, _ in tasks.get(label, ()))
        reporting = len(tasks.get(label, ())) - tuning
        yield Configuration(
            one.strategy,
            one.keywords,
            max(one.tuning_tasks, tuning),
            max(one.reporting_tasks, reporting),
        )


def _named(guide: GuideChoice) -> dict[str, object]:
    """What is left as it is by default is left out, so that runs of before there was a choice keep their names."""
    changed = {own.name: value for own in fields(guide) if (value := getattr(guide, own.name)) != own.default}
    return {"guide": changed.pop("model"), **changed}


def _plain(task: Task) -> dict[str, object]:
    sets = {name: sorted(value) for name, value in asdict(task).items() if isinstance(value, frozenset)}
    # Where a former crawl is kept does not change what comes of it.
    return asdict(task) | sets | {"corpus": Path(task.corpus).name}
