"""`honeyguide lab`: experiments on recorded webs, and what came of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import lab_evaluate, lab_report, terminal
from honeyguide.cli.ending import Verb, Verbs
from honeyguide.cli.options import AsJson, Quiet
from honeyguide.cli.progress import bar
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from honeyguide.lab.comparison import ComparisonRow
    from honeyguide.lab.statistics import Comparison, Mean
    from honeyguide.lab.tasks.tasks import Task

app = typer.Typer(
    name="lab",
    cls=Verbs,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Run experiments on recorded webs, and compare strategies.",
    epilog="\b\nExamples:\n  honeyguide lab list 'sample-2000/*'\n"
    "  honeyguide lab run experiments/sample.toml\n  honeyguide lab compare results/sample",
    context_settings={"help_option_names": ["-h", "--help"]},
)

SAMPLE_TASKS = "sample-2000/*"
RUN_FAILED = 1

Corpora = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Where the corpora are [default: $HONEYGUIDE_CORPORA]."),
]


class Split(StrEnum):
    """Which tasks of an experiment."""

    ALL = "all"
    REPORTING = "reporting"
    TUNING = "tuning"


ResultsFolder = Annotated[Path, typer.Argument(metavar="RESULTS", help="The results of an experiment.")]


def run(
    experiment: Annotated[Path, typer.Argument(metavar="EXPERIMENT.toml", help="What to run.")],
    results: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where results go [default: results/NAME].")
    ] = None,
    corpora: Corpora = None,
    pages: Annotated[int | None, typer.Option(metavar="N", min=1, help="Pages of each run.")] = None,
    shards: Annotated[
        list[int] | None,
        typer.Option(
            metavar="N", min=1, help="Simulate each crawl in so many shards. Repeatable; 1 is one crawl."
        ),
    ] = None,
    processes: Annotated[int, typer.Option(metavar="N", min=0, help="Processes; 0: one for each core.")] = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run an experiment. One that was stopped goes on where it was: give the same command again."""
    import json

    from honeyguide.lab.experiment import run_experiment
    from honeyguide.lab.experiment_order import ExperimentOrder

    order = ExperimentOrder.read(experiment)
    if pages:
        order = order.model_copy(update={"pages": pages})
    if shards:
        order = order.model_copy(update={"shards": tuple(shards)})
    folder = results or Path("results") / order.name
    with bar(f"running {order.name}", quiet) as show:
        outcome = run_experiment(order, folder, corpora, processes or os.cpu_count() or 1, show)
    for failure in outcome.failures:
        terminal.warn(failure)
    done = outcome.runs - outcome.done_before - len(outcome.failures)
    if as_json:
        summary = {"results": str(folder), "runs": outcome.runs, "done": done, "failed": outcome.failures}
        typer.echo(json.dumps(summary))
    elif not quiet:
        before = f", {outcome.done_before} were there already" if outcome.done_before else ""
        terminal.say(f"{wording.count(done, 'run')} done{before}, {len(outcome.failures)} failed: {folder}")
        terminal.say(f"next: {terminal.command('lab', 'compare', folder)}")
    if outcome.failures:
        raise typer.Exit(RUN_FAILED)


def list_(
    patterns: Annotated[
        list[str] | None, typer.Argument(metavar="PATTERN", help="Such as 'webkb/*/course'.")
    ] = None,
    corpora: Corpora = None,
    as_json: AsJson = False,
) -> None:
    """List tasks: their web, topic, seeds and targets. Without a pattern, all of the corpora that are there."""
    import json

    from honeyguide.lab.tasks.tasks import find_tasks

    tasks = find_tasks(patterns, corpora) if patterns else _all_tasks(corpora)
    if as_json:
        typer.echo(json.dumps([_task_row(task) for task in tasks], indent=1))
        return
    table = terminal.table(
        *("task", "split", "targets", "examples", "seeds", "pages", "words"),
        right=("targets", "examples", "seeds", "pages"),
    )
    for task in tasks:
        table.add_row(*(terminal.clean(str(value)) for value in _task_row(task).values()))
    terminal.print_table(table)


def _all_tasks(corpora: Path | None) -> list[Task]:
    from honeyguide.lab.tasks.tasks import CORPORA_VARIABLE, corpora_folder, find_tasks, labelled_corpora

    place = corpora_folder(corpora) if corpora or os.environ.get(CORPORA_VARIABLE) else None
    is_there = [f"{name}/*" for name in labelled_corpora(place)] if place else []
    if not is_there:
        terminal.warn(f"no corpora; give --corpora FOLDER or set {CORPORA_VARIABLE} to see their tasks")
    return find_tasks([*is_there, SAMPLE_TASKS], corpora)


def _task_row(task: Task) -> dict[str, object]:
    return {
        "task": task.name,
        "split": task.split,
        "targets": len(task.targets),
        "examples": len(task.positives),
        "seeds": len(task.seeds),
        "pages": task.budget,
        "words": task.words,
    }


def oracle(
    pattern: Annotated[str, typer.Argument(metavar="TASK", help="A task or a pattern.")],
    corpora: Corpora = None,
    pages: Annotated[int | None, typer.Option(metavar="N", min=1, help="Pages to fetch.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Tell what could be had at best in a task, and what the guide's own judgment is worth."""
    from tempfile import TemporaryDirectory

    from honeyguide.lab.comparison import compare_runs
    from honeyguide.lab.experiment import run_experiment
    from honeyguide.lab.experiment_order import ExperimentOrder
    from honeyguide.lab.results import load

    settings = {"name": "oracle", "tasks": [pattern], "strategies": [], "pages": pages or 0}
    order = ExperimentOrder.from_mapping(settings, "lab oracle")
    with TemporaryDirectory(prefix="honeyguide-") as folder, bar("asking the oracle", quiet) as show:
        outcome = run_experiment(order, Path(folder), corpora, 1, show)
        rows = compare_runs(load(Path(folder)).runs)
    for failure in outcome.failures:
        terminal.warn(failure)
    _print_rows(rows, as_json)


def compare(
    results: ResultsFolder,
    measure: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Such as harvest_rate@100. Repeatable.")
    ] = None,
    split: Annotated[
        Split, typer.Option(metavar="NAME", help="Which tasks: reporting, tuning or all.")
    ] = Split.ALL,
    against: Annotated[
        str | None,
        typer.Option(metavar="STRATEGY", help="Test all others against this one, by the first measure."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the strategies of an experiment: mean and standard error over its tasks, and the oracle's share."""
    from honeyguide.lab.comparison import MEASURES_SHOWN, compare_runs, compare_with
    from honeyguide.lab.results import load

    found = load(results)
    runs = [run for run in found.runs if split in (Split.ALL, run.facts.split)]
    measures = measure or MEASURES_SHOWN
    if against:
        _print_tests(compare_with(runs, against, measures[0]), against, measures[0], as_json)
    else:
        _print_rows(compare_runs(runs, measures, found.tuning_trials()), as_json)


def classifiers(
    corpora: Corpora = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="webkb or wikispeedia. Repeatable; both unless given."),
    ] = None,
) -> None:
    """Measure the classifiers on pages they were not trained on: F1 of each subject, as a Markdown table.

    Takes some minutes.
    """
    from honeyguide.lab.classifier_quality import TRIALS, classifier_quality, quality_table
    from honeyguide.lab.tasks.tasks import corpora_folder

    for name in corpus or TRIALS:
        typer.echo(quality_table(classifier_quality(corpora_folder(corpora) / name)) + "\n")


def phrases(
    corpora: Corpora = None,
    corpus: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only phrases of this corpus. Repeatable.")
    ] = None,
    model: Annotated[
        str, typer.Option(metavar="NAME", help="The kind of topic: keywords, meaning, cosine.")
    ] = "keywords",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Measure topics made of a phrase: the share of right pages among the first 20, over 30 phrases.

    Each phrase ranks all labelled pages of a corpus; nothing is crawled. Phrases for tuning and those for reports have
    means of their own.
    """
    from honeyguide.lab.phrases import rank_phrases, ranking_table, read_phrases
    from honeyguide.plugins import find_plugin
    from honeyguide.topics import TOPIC_MODELS

    make = find_plugin("topics", model, TOPIC_MODELS)
    known = read_phrases()
    names = dict.fromkeys(phrase.corpus for phrase in known)
    if unknown := [name for name in corpus or () if name not in names]:
        raise SettingsError(f"--corpus {unknown[0]}: there are phrases of {', '.join(names)}")
    chosen = [phrase for phrase in known if phrase.corpus in (corpus or names)]
    rankings = []
    with bar("ranking", quiet) as show:
        for ranking in rank_phrases(make, chosen, corpora):
            rankings.append(ranking)
            show(len(rankings), len(chosen))
    if as_json:
        _print_json(rankings)
        return
    found = ranking_table(rankings)
    table = terminal.table(*found.head, right=tuple(found.head[3:]))
    for row in found.rows:
        table.add_row(*map(terminal.clean, row))
    terminal.print_table(table)


def _print_tests(tests: list[Comparison], against: str, measure: str, as_json: bool) -> None:
    if as_json:
        _print_json(tests)
        return
    names = (
        *("tasks", "difference", "95 % from", "to", "wins", "losses", "p (t)", "p (Wilcoxon)"),
        *("webs", "over webs", "95 % from", "to"),
    )
    table = terminal.table("strategy", *names, "verdict", right=names)
    reverse = {test.worse: test for test in tests if test.better == against}
    for test in tests:
        if test.better != against:
            is_less = test.difference < 0
            # Of the two directions that were tested, the one that the difference speaks for.
            shown = reverse[test.better] if is_less else test
            low, high = (_signed(bound) for bound in test.interval)
            p_values = (f"{p:.2g}" for p in (shown.t_test_corrected, shown.wilcoxon_corrected))
            counts = (str(test.wins), str(test.losses))
            numbers = (str(test.tasks), _signed(test.difference), low, high, *counts, *p_values)
            numbers += _over_webs(test)
            verdict = ("worse" if is_less else "better") if shown.is_significant else "-"
            table.add_row(test.better, *numbers, verdict)
    terminal.print_table(table)
    terminal.say(
        f"{measure} over the tasks that both have it of, against {against}. P-values are one-tailed, of pairs, and"
        " corrected for the number of tests by Holm's method; the 95 % are of each pair alone, by the t distribution."
        " The last three columns have the web as their unit and within it the topic, by resampling of both; with few"
        " webs they are wide, and of one web they are of its topics."
    )


def _over_webs(test: Comparison) -> tuple[str, ...]:
    lead = test.over_webs
    return (str(lead.webs), *(_signed(each) for each in (lead.mean, *lead.interval))) if lead else ("",) * 4


def _print_json(rows: Sequence[DataclassInstance]) -> None:
    import json
    import math
    from dataclasses import asdict

    def plain(value: object) -> object:
        """JSON knows no infinity: a target that was never reached is null."""
        if isinstance(value, dict):
            return {key: plain(own) for key, own in value.items()}
        if isinstance(value, tuple):
            return [plain(own) for own in value]
        return None if isinstance(value, float) and not math.isfinite(value) else value

    typer.echo(json.dumps([plain(asdict(row)) for row in rows], indent=1))


def _print_rows(rows: list[ComparisonRow], as_json: bool) -> None:
    if as_json:
        _print_json(rows)
        return
    if not rows:
        terminal.warn("no runs to compare")
        return
    names = list(rows[0].measured)
    table = terminal.table(
        *("corpus", "strategy", "tasks", *names, "oracle share", "tuning trials"),
        right=("tasks", *names, "oracle share", "tuning trials"),
    )
    for row in rows:
        cells = (_mean_text(own, row.tasks) for own in row.measured.values())
        share = "-" if row.oracle_share is None else terminal.percent(row.oracle_share)
        table.add_row(row.corpus, row.strategy, str(row.tasks), *cells, share, str(row.tuning_trials))
    terminal.print_table(table)
    terminal.say(f"Mean and standard error over tasks. Oracle share: of {names[0]}.")
    if any(own.count < row.tasks for row in rows for own in row.measured.values()):
        terminal.say("In brackets: of how many tasks, where crawls of others did not fetch so many pages.")


def _mean_text(mean: Mean, tasks: int) -> str:
    import math

    if not mean.count:
        return "-"
    text = f"{mean.mean:.3f} ±{mean.error:.3f}" if math.isfinite(mean.mean) else "not always"
    return text if mean.count == tasks else f"{text} ({mean.count})"


def _signed(number: float) -> str:
    import math

    return f"{number:+.3f}" if math.isfinite(number) else "-"


EXAMPLES = {
    "run": """Examples:
  honeyguide lab run experiments/webkb.toml --corpora corpora
  honeyguide lab run experiments/sample.toml --pages 200 --results results/quick
  honeyguide lab run experiments/sample.toml --shards 1 --shards 16 --results results/shards""",
    "list": """Examples:
  honeyguide lab list --corpora corpora
  honeyguide lab list 'sample-5000/*'""",
    "oracle": """Examples:
  honeyguide lab oracle webkb/cornell/course --corpora corpora
  honeyguide lab oracle 'sample-2000/*' --json""",
    "compare": """Examples:
  honeyguide lab compare results/webkb
  honeyguide lab compare results/webkb --measure harvest_rate@100 --split reporting
  honeyguide lab compare results/webkb --against breadth-first""",
    "classifiers": """Examples:
  honeyguide lab classifiers --corpora corpora > classifiers.md
  honeyguide lab classifiers --corpora corpora --corpus webkb""",
    "phrases": """Examples:
  honeyguide lab phrases --corpora corpora
  honeyguide lab phrases --corpora corpora --corpus wikispeedia --model meaning""",
    **lab_report.EXAMPLES,
    **lab_evaluate.EXAMPLES,
}


def add_verb(verb: Callable[..., None], name: str, examples: str) -> None:
    """Make a function a verb of the lab."""
    app.command(name, cls=Verb, epilog=f"\b\n{examples}")(verb)


for _name, _verb in (
    *(("run", run), ("list", list_), ("oracle", oracle), ("compare", compare), ("report", lab_report.report)),
    *(("reproduce", lab_evaluate.reproduce), ("blind", lab_evaluate.blind)),
    ("trace", lab_evaluate.trace),
    *(("recall", lab_report.recall), ("classifiers", classifiers), ("phrases", phrases)),
):
    add_verb(_verb, _name, EXAMPLES[_name])
