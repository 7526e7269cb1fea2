"""The tables of a report: means with standard errors, shares of the oracle, tests, overlaps, what was tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from honeyguide import wording
from honeyguide.engine.running import StopReason
from honeyguide.lab.measures import LESS_IS_BETTER
from honeyguide.lab.report.document import Table
from honeyguide.lab.report.numbers import HEADLINE, Group
from honeyguide.lab.results import BOUNDS, Results
from honeyguide.lab.statistics import RESAMPLES, SIGNIFICANT, Comparison, Lead, Mean, lead_of

MEANS: Mapping[str, str] = {
    "nAUC": "nauc",
    "recall at 2R": "recall_at_2R",
    "final recall": "recall_at_budget",
    "harvest @100": "harvest_rate@100",
    "harvest": "harvest_rate",
}
MEDIANS: Mapping[str, str] = {"pages to 50 %": "pages_to_50", "pages to 80 %": "pages_to_80"}
PAGES, COST = {"pages": "pages_fetched"}, {"ms a page": "rank_milliseconds"}
BETTER, HALF_BETTER = "▲", "△"

TEXT_BASED = frozenset({"best-first", "hard-focus", "link-context", "shark-search", "soft-focus"})
GRAPH_BASED = frozenset({"alliance", "backlink", "cc-bfs", "cc-bfs-k", "opic", "pagerank"})
"""Strategies that rank by texts alone, and by links alone; the others use both or neither."""


def main_table(group: Group, trials: Mapping[str, int]) -> Table:
    """Every strategy and bound, best first."""
    columns = {**MEANS, **PAGES, **COST}
    means = {title: group.means(measure) for title, measure in columns.items()}
    medians = {title: group.medians(measure) for title, measure in MEDIANS.items()}
    rows = []
    for label in group.labels:
        tried = "-" if label in BOUNDS else str(trials.get(label.partition("(")[0], 0))
        rows.append(
            [
                label,
                *(_of_tasks(means[title][label], group) for title in MEANS),
                *(_pages(means[title][label].mean) for title in PAGES),
                *(_pages(medians[title][label]) for title in MEDIANS),
                *(_cost(means[title][label].mean) for title in COST),
                tried,
            ]
        )
    return Table(
        f"Mean and standard error over {_tasks(group)}; harvest is over the pages fetched, pages to a recall are "
        "medians. In brackets: of how many tasks, where a number is not of all of them, since some crawls did not "
        f"fetch so many pages.{_ran_out(group)}",
        ["strategy", *MEANS, *PAGES, *MEDIANS, *COST, "tuning trials"],
        rows,
        strong=_best(group, _competing(group, means), list(MEANS.values())),
        bounds=_bound_rows(group),
    )


def _ran_out(group: Group) -> str:
    """Which crawls ended before their budget: their numbers tell of that as much as of their order."""
    stopped: dict[str, list[int]] = {}
    for label, _, run in group.all_runs():
        if run.facts.stop_reason == StopReason.FRONTIER_EMPTY and len(run) < run.facts.budget:
            stopped.setdefault(label, []).append(len(run))
    runs = {label: sum(map(len, group.runs[label].values())) for label in stopped}
    told = (
        f"{label} {len(pages)} of {runs[label]}, after {np.median(pages):,.0f} pages (median)"
        for label, pages in sorted(stopped.items())
    )
    return (
        f" Crawls that ended because no link was left that they follow: {'; '.join(told)}." if stopped else ""
    )


def _competing(group: Group, means: Mapping[str, Mapping[str, Mean]]) -> list[list[float]]:
    """The means by column; who stopped before others keeps a high rate, and does not win by that."""
    pages = means["pages"]
    is_whole = {label: pages[label].mean == max(own.mean for own in pages.values()) for label in group.labels}
    return [
        [
            own.mean if own.count == len(group.tasks) and (is_whole[label] or title != "harvest") else np.nan
            for label in group.labels
            for own in (means[title][label],)
        ]
        for title in MEANS
    ]


def shares_table(group: Group) -> Table:
    """The same as shares of what the oracle reached."""
    shares = {title: group.oracle_shares(measure) for title, measure in MEANS.items()}
    rows = [
        [label, *(plus_minus(shares[title][label], percent=True) for title in MEANS)]
        for label in group.labels
    ]
    return Table(
        "Share of the oracle's result in percent, mean and standard error over tasks.",
        ["strategy", *MEANS],
        rows,
        bounds=_bound_rows(group),
    )


def leader_table(leader: str, comparisons: Sequence[Comparison]) -> Table:
    """The best strategy against each other one, in full."""
    ours = sorted((each for each in comparisons if each.better == leader), key=lambda each: each.difference)
    rows = [
        [
            each.worse,
            f"{each.difference:+.3f}",
            interval_text(each.interval),
            f"{each.wins} / {each.losses}",
            *(
                p_text(p)
                for p in (each.t_test, each.t_test_corrected, each.wilcoxon, each.wilcoxon_corrected)
            ),
            _mark(each),
        ]
        for each in ours
    ]
    return Table(
        f"Is {leader} better? Differences in {HEADLINE} task by task, every task counting the same; p-values are "
        "one-tailed; interval and t-test are of one distribution, the interval is not corrected for other pairs.",
        ["than", "difference", "95 % interval", "won / lost", "t-test", "Holm", "Wilcoxon", "Holm", ""],
        rows,
    )


def leads_table(leader: str, leads: Mapping[str, tuple[Lead, float]]) -> Table:
    """One strategy against each other one, over webs."""
    rows = [
        [
            other,
            f"{lead.mean:+.3f}",
            interval_text(lead.interval),
            p_text(lead.p),
            p_text(corrected),
            f"{lead.smallest_found(len(leads)):.3f}",
            BETTER if corrected < SIGNIFICANT else "",
        ]
        for other, (lead, corrected) in sorted(leads.items(), key=lambda each: each[1][0].mean)
    ]
    first = next(lead for lead, _ in leads.values())
    return Table(
        f"Is {leader} better? Differences in nAUC over {wording.count(first.units, first.unit)} with {first.tasks} "
        f"tasks, each {first.unit} counting the same; interval and one-tailed p by the t distribution, with the "
        f"error of {RESAMPLES:,} resamples of webs, if there are several, and of topics within; Holm over these "
        f"{len(leads)} comparisons. Found from: the smallest difference that these tests would find "
        "with 80 % power, given the spread there is.",
        ["than", "difference", "95 % interval", "p", "Holm", "found from", ""],
        rows,
    )


def webs_table(leader: str, others: Sequence[str], group: Group) -> Table:
    """The same web by web, where topics are the unit."""
    values, places = group.values(HEADLINE), group.webs
    rows = []
    for web in dict.fromkeys(places):
        own = [place for place, each in enumerate(places) if each == web]
        leads = (lead_of((values[leader] - values[other])[own], [web] * len(own)) for other in others)
        cells = (f"{lead.mean:+.3f} ({interval_text(lead.interval)})" for lead in leads)
        rows.append([web, str(len(own)), *cells])
    caption = (
        f"How far {leader} is ahead on each web, nAUC and 95 % interval over its topics, of the best "
        f"{len(others)} others."
    )
    return Table(caption, ["web", "topics", *others], rows)


def lead_text(lead: Lead) -> str:
    """Write a lead with its interval."""
    return (
        f"{lead.mean:+.3f}, 95 % {interval_text(lead.interval)} over {wording.count(lead.units, lead.unit)}"
    )


def interval_text(interval: tuple[float, float]) -> str:
    """Write an interval; there is none of a single task."""
    low, high = interval
    return f"{low:+.3f} to {high:+.3f}" if np.isfinite(low) else "-"


def p_text(probability: float) -> str:
    """Write a probability."""
    return "<.0001" if probability < 0.0001 else f"{probability:.4f}".lstrip("0")


def significance_matrix(labels: Sequence[str], comparisons: Sequence[Comparison]) -> Table:
    """Who is significantly better than whom."""
    marks = {(each.better, each.worse): _mark(each) for each in comparisons}
    rows = [[row, *(marks.get((row, column), "") for column in labels)] for row in labels]
    caption = (
        f"{BETTER} the strategy of the row is better than that of the column (p < {SIGNIFICANT:g} by both tests after "
        f"Holm's correction over all {len(comparisons)} pairs and directions); {HALF_BETTER} by one of the tests."
    )
    return Table(caption, ["", *labels], rows)


def families_table(group: Group) -> Table | None:
    """What text-based and graph-based strategies find together and alone; None unless both kinds were run."""
    text = [label for label in group.strategies if label.partition("(")[0] in TEXT_BASED]
    graph = [label for label in group.strategies if label.partition("(")[0] in GRAPH_BASED]
    if not text or not graph:
        return None
    targets = [group.runs[text[0]][task][0].facts.targets for task in group.tasks]
    rows = [
        _family_row("best of each", group, text[:1], graph[:1], targets),
        _family_row("all of each", group, text, graph, targets),
    ]
    return Table(
        f"Targets found by text-based strategies ({', '.join(text)}) and by graph-based ones ({', '.join(graph)}), "
        "in percent of the reachable targets; mean over tasks.",
        ["", "both", "text alone", "graph alone", "neither"],
        rows,
    )


def overlap_matrix(group: Group) -> tuple[list[str], np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Of the targets a strategy found, the share each other one found; mean over tasks. Text-based ones come first."""
    names = sorted(group.strategies, key=_family)
    found = {label: group.found(label) for label in names}
    shares = [[_mean_overlap(found[row], found[column]) for column in names] for row in names]
    return names, np.array(shares, dtype=np.float64)


def tried_table(results: Results) -> Table:
    """Everything that was tried."""
    rows = [
        [one.label, str(one.tuning_tasks), str(one.reporting_tasks)]
        for one in sorted(results.configurations, key=lambda one: one.label)
    ]
    return Table(
        "Every configuration that was ever run in this folder, and on how many tasks.",
        ["configuration", "tuning tasks", "reporting tasks"],
        rows,
    )


def plus_minus(mean: Mean, *, percent: bool = False) -> str:
    """Write a mean with its standard error.

    >>> plus_minus(Mean(0.5, 0.0123, 4)), plus_minus(Mean(0.5, 0.0123, 4), percent=True)
    ('0.500 ± 0.012', '50.0 ± 1.2')
    """
    if not np.isfinite(mean.mean):
        return "-"
    return (
        f"{100 * mean.mean:.1f} ± {100 * mean.error:.1f}"
        if percent
        else f"{mean.mean:.3f} ± {mean.error:.3f}"
    )


def _tasks(group: Group) -> str:
    draws = {len(runs) for by_task in group.runs.values() for runs in by_task.values()}
    seeds = f", {max(draws)} draws of seeds each" if max(draws) > 1 else ""
    macro = ", each corpus counting the same" if len(set(group.corpora)) > 1 else ""
    return f"{len(group.tasks)} tasks{seeds}{macro}"


def _of_tasks(mean: Mean, group: Group) -> str:
    is_of_all = mean.count in (0, len(group.tasks))
    return plus_minus(mean) + ("" if is_of_all else f" ({mean.count})")


def _pages(number: float) -> str:
    return f"{number:,.0f}" if np.isfinite(number) else "never"


def _cost(milliseconds: float) -> str:
    return f"{milliseconds:.3g}"


def _mark(each: Comparison) -> str:
    if each.is_significant:
        return BETTER
    return HALF_BETTER if min(each.t_test_corrected, each.wilcoxon_corrected) < SIGNIFICANT else ""


def _best(
    group: Group, columns: Sequence[Sequence[float]], measures: Sequence[str]
) -> frozenset[tuple[int, int]]:
    """The best strategy of each column; bounds do not compete."""
    rows = [row for row, label in enumerate(group.labels) if label not in BOUNDS]
    best = set()
    for place, (numbers, measure) in enumerate(zip(columns, measures, strict=True), start=1):
        sign = -1 if measure in LESS_IS_BETTER else 1
        if rows:
            best.add((max(rows, key=lambda row: np.nan_to_num(sign * numbers[row], nan=-np.inf)), place))
    return frozenset(best)


def _bound_rows(group: Group) -> frozenset[int]:
    return frozenset(row for row, label in enumerate(group.labels) if label in BOUNDS)


def _family(label: str) -> int:
    name = label.partition("(")[0]
    return 0 if name in TEXT_BASED else 2 if name in GRAPH_BASED else 1


def _family_row(
    title: str, group: Group, text: Sequence[str], graph: Sequence[str], targets: Sequence[int]
) -> list[str]:
    by_text, by_graph = ([group.found(label) for label in labels] for labels in (text, graph))
    shares = []
    for place, count in enumerate(targets):
        ours = frozenset().union(*(found[place] for found in by_text))
        theirs = frozenset().union(*(found[place] for found in by_graph))
        parts = (len(ours & theirs), len(ours - theirs), len(theirs - ours))
        shares.append([part / max(1, count) for part in (*parts, count - sum(parts))])
    return [title, *(f"{100 * share:.1f}" for share in np.mean(shares, axis=0))]


def _mean_overlap(ours: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> float:
    shares = [len(a & b) / len(a) for a, b in zip(ours, theirs, strict=True) if a]
    return float(np.mean(shares)) if shares else float("nan")
