"""The report on an experiment: one self-contained HTML page, the same as Markdown, and every figure as a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from honeyguide.errors import ImportFailed
from honeyguide.lab.report import figures, tables
from honeyguide.lab.report.document import Block, Code, Document, Heading, Paragraph, Table, write_document
from honeyguide.lab.report.numbers import ALL, HEADLINE, Group, groups_of
from honeyguide.lab.results import PEEK, REPORTING, TUNING, Results
from honeyguide.lab.statistics import Comparison, beats_all

HOW_TO_READ = (
    "nAUC is the area under the recall curve, 1 if every page fetched is a new target until none is left. R "
    "is the number of targets; recall at 2R is the recall after twice as many pages. Harvest is the share of "
    "relevant pages among those fetched, by the judge, never by the model that guides the crawl. The oracle "
    "knows all targets and walks the shortest way to them; peek scores a page by its own text before fetching "
    "it. Neither is a crawler: oracle less peek is the error of the guide, peek less a strategy the error of "
    "predicting pages from links. Final recall and early harvest can disagree, so both are shown. All "
    "strategies had the same guide, seeds and number of pages. The unit of every mean and test is the task."
)
TUNING_ONLY = (
    "These are tuning tasks: settings may have been chosen on them. They support no claim; run the experiment on "
    "reporting tasks for that."
)


def write_report(results: Results, folder: Path) -> Path:
    """Write report.html, report.md and figures/ into a folder; gives the page."""
    return write_document(report_of(results), folder)


def report_of(results: Results) -> Document:
    """The whole report."""
    split = REPORTING if any(run.facts.split == REPORTING for run in results.runs) else TUNING
    groups = [group for group in groups_of(results, split) if group.tasks]
    if not groups:
        raise ImportFailed(f"{results.folder} holds no finished run; finish them: `honeyguide lab run`")
    compared = {group.name: group.comparisons(HEADLINE) for group in groups}
    blocks: list[Block] = [Paragraph(TUNING_ONLY)] if split == TUNING else []
    blocks += [Paragraph(_claim(groups, compared)), Paragraph(HOW_TO_READ)]
    # The table over all corpora answers first; what it is made of follows.
    for group in sorted(groups, key=lambda group: group.name != ALL):
        blocks += _group_blocks(group, compared[group.name], results.tuning_trials())
    blocks += _appendix(results)
    return Document(f"Experiment {results.name}", blocks)


def _claim(groups: Sequence[Group], compared: Mapping[str, Sequence[Comparison]]) -> str:
    """What may be said of the best strategy, and what may not."""
    whole = groups[-1]
    if len(whole.strategies) < 2:
        return "One strategy alone was run, so there is nothing to compare."
    best = whole.strategies[0]
    corpora = {group.name: compared[group.name] for group in groups if group.name != ALL}
    if beats_all(best, compared[whole.name], corpora):
        return f"{best} beats all: significantly better than every other on average, significantly worse on no corpus."
    rivals = [each.worse for each in compared[whole.name] if each.better == best and not each.is_significant]
    return (
        f"{best} has the best mean, but it may not be said to beat all: its lead over "
        f"{', '.join(rivals) or 'others on a single corpus'} is not significant."
    )


def _group_blocks(
    group: Group, comparisons: Sequence[Comparison], trials: Mapping[str, int]
) -> Iterator[Block]:
    yield Heading(group.name)
    if group.left_out:
        yield Paragraph(f"Left out, because not run on every task: {', '.join(group.left_out)}.")
    yield tables.main_table(group, trials)
    if shares := tables.shares_table(group) if group.oracle_shares(HEADLINE) else None:
        yield shares
    if PEEK in group.runs and shares:
        yield Paragraph(_errors(group))
    if group.name != ALL:
        yield from figures.curve_figures(group)
    yield from figures.summary_figures(group)
    if comparisons:
        yield Heading(f"{group.name}: is the difference real?", 3)
        yield tables.leader_table(group.strategies[0], comparisons)
        yield tables.significance_matrix(group.strategies, comparisons)
    if group.name != ALL:
        yield from _detail_blocks(group)


def _errors(group: Group) -> str:
    means = group.means(HEADLINE)
    best = group.strategies[0]
    guide = means["oracle"].mean - means[PEEK].mean
    links = means[PEEK].mean - means[best].mean
    return (
        f"Of the nAUC that {best} lacks to the oracle's, {guide:.3f} is the error of the guide (oracle less peek) and "
        f"{links:.3f} the error of predicting pages from links (peek less {best})."
    )


def _detail_blocks(group: Group) -> Iterator[Block]:
    yield Heading(f"{group.name}: what was fetched", 3)
    yield from figures.histogram_figures(group)
    yield figures.overlap_figure(group)
    if families := tables.families_table(group):
        yield families
    if robustness := figures.robustness_figure(group):
        yield robustness
    yield Heading(f"{group.name}: what it costs", 3)
    yield from figures.cost_figures(group)


def _appendix(results: Results) -> Iterator[Block]:
    yield Heading("What was run")
    tasks = sorted({(run.facts.corpus, run.facts.task, run.facts.split) for run in results.runs})
    counts = {
        (run.facts.task): (run.facts.targets, run.facts.unreachable, run.facts.budget) for run in results.runs
    }
    yield tables.tried_table(results)
    yield Table(
        "Tasks; targets that no path leads to from the seeds count for no measure.",
        ["task", "corpus", "split", "targets", "unreachable", "pages"],
        [[task, corpus, split, *(f"{number:,}" for number in counts[task])] for corpus, task, split in tasks],
    )
    versions = "\n".join(f"{name} {version}" for name, version in sorted(results.versions.items()))
    yield Code(f"{versions}\n\nhoneyguide lab report {results.folder.name}")
