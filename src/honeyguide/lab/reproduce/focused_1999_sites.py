"""Claims of the first focused crawler that need many sites or thousands of pages: distillation, top sites, distance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from honeyguide.lab import measures
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.report.figures import disjoint_pairs
from honeyguide.lab.report.numbers import Group
from honeyguide.lab.report.tables import plus_minus
from honeyguide.lab.reproduce.base import (
    FEWEST_TASKS,
    Finding,
    configured,
    is_greater,
    is_robust,
    is_within,
    not_testable,
)
from honeyguide.lab.results import Run
from honeyguide.lab.statistics import mean_of
from honeyguide.model import Bools, Floats

THREE = ("soft-focus", "hard-focus", "random")
SOFT, HARD, UNFOCUSED = THREE
DISTILLING = configured("distilled", every=100)
REVISITING = configured("distilled", every=100, revisits=20)
DISTILLED, REVISITED = "distilled(every=100)", "distilled(every=100, revisits=20)"
KEPT_UP = 1 / 3
LATE = 500
FAR, MANY_OF_THEM = 3, 1 / 3
TOP_SITES, SAME_SITES = 25, 0.6

MANY = ExperimentOrder(
    name="multisite",
    tasks=("multisite/*",),
    most_tasks=20,
    strategies=THREE,
    configurations=(DISTILLING, REVISITING),
    draws=(1, 2),
    halves=True,
    bounds=False,
)
"""Nine in ten links between these sites lead to home pages: if all of these are seeds, no hub can lead to one."""

LONG = ExperimentOrder(
    name="multisite-long",
    tasks=("multisite/*",),
    most_tasks=6,
    pages=3_000,
    strategies=(SOFT, UNFOCUSED),
    bounds=False,
)


def claims_of_sites(many: Group, long: Group) -> list[Finding]:
    """All that is looked at on real sites alone."""
    most = _reached_by_both(many, long)
    return [
        same_pages(many, most),
        top_sites(many, most),
        *distillation(many),
        _revisits(many),
        *_sustained(long),
    ]


def by_task(group: Group, label: str, number: Callable[[Run], float]) -> Floats:
    """A number a task, the mean over draws of seeds."""
    return np.array([np.mean([number(run) for run in group.runs[label][task]]) for task in group.tasks])


def over_budget(
    group: Group, labels: Sequence[str], column: Callable[[Run], Bools | Floats]
) -> dict[str, Floats]:
    """Means of a column task by task over the whole budget: what a crawl could not fetch brought nothing."""
    return {
        label: by_task(group, label, lambda run: float(column(run).sum()) / run.facts.budget)
        for label in labels
    }


def far(group: Group) -> Finding:
    """Whether a crawl explores: the best may be the start set itself, or one or two links from it."""

    def beyond(run: Run) -> float:
        counts = measures.distance_histogram(run)
        return float(counts[FAR:].sum() / max(1, counts.sum()))

    return is_within(
        f"Many of the {measures.BEST_PAGES} best are far from the seeds",
        "a large number not within one or two links, up to 10 links and beyond (figure 9)",
        f"share of the best pages, by the guide, that soft focus found {FAR} or more links away:",
        by_task(group, SOFT, beyond),
        (MANY_OF_THEM, 1.0),
        "a third and more is taken for many",
    )


def _reached_by_both(many: Group, long: Group) -> float:
    """Share of the targets within reach of one half of the home pages that the other half can reach, too.

    All home pages together reach what either half does, so that what both reach follows from three numbers.
    """
    shares = []
    for task in long.tasks:
        if task in many.tasks:
            first, second = (run.facts.targets for run in many.runs[SOFT][task][:2])
            both = first + second - long.runs[SOFT][task][0].facts.targets
            shares.append(max(0, both) / min(first, second))
    return float(np.mean(shares)) if shares else 1.0


def _out_of_reach(most: float) -> str:
    return (
        f"from one half of the home pages only {most:.2f} of the targets that the other half leads to can be reached, "
        "however one crawls; it needs a web whose sites link to each other"
    )


def same_pages(group: Group, most: float = 1.0) -> Finding:
    """Whether crawls from disjoint seeds fetch the same pages; `most` is how many of them both can reach."""
    pairs = [(one.url.tolist(), other.url.tolist()) for one, other in disjoint_pairs(group, SOFT)]
    finding = is_robust(
        "Crawls from disjoint seeds come to fetch the same pages",
        "grows to 90 % for cycling, over 60 % for mutual funds (figure 6)",
        pairs,
        SAME_SITES,
    )
    if most < SAME_SITES:
        return not_testable(finding.claim, finding.theirs, _out_of_reach(most), finding.ours)
    return finding


def top_sites(group: Group, most: float = 1.0) -> Finding:
    """Links between sites are too few to rate these by, so they are by the relevance of all their pages."""
    claim = f"The top {TOP_SITES} sites of two crawls from other seeds are the same"
    theirs = "most of the top authorities' servers in both (figure 8)"
    shares = []
    for pair in disjoint_pairs(group, SOFT):
        first, second = (set(measures.best_sites(run, TOP_SITES)) for run in pair)
        shares.append(len(first & second) / max(1, min(len(first), len(second))))
    values = np.array(shares)
    measured = "share of the top sites, by the relevance of their pages, in both:"
    if most < SAME_SITES or not shares:
        ours = f"{measured} {plus_minus(mean_of(values))} over {len(shares)} tasks" if shares else "-"
        why = _out_of_reach(most) if shares else "no task was run from two disjoint sets of seeds"
        return not_testable(claim, theirs, why, ours)
    taken_for = f"at least {SAME_SITES:g} is taken for the same"
    return is_within(claim, theirs, measured, values, (SAME_SITES, 1.0), taken_for)


def distillation(group: Group) -> list[Finding]:
    """What it brings that pages cited by the best hubs are fetched first."""
    theirs = "many of the unvisited pages that hubs cite were worth crawling (section 4.7)"
    more = "A crawl with the distiller harvests more than soft focus alone"
    many = "Many of the pages that the distiller brings in are relevant"
    brought = [is_relevant for task in group.tasks if (is_relevant := _brought_in(group, task))]
    pages = sum(map(len, brought))
    told = f"the distiller led to {pages:,} other pages, in {len(brought)} of {len(group.tasks)} tasks"
    if len(brought) < min(FEWEST_TASKS, len(group.tasks)):
        why = f"{told}; it needs a web whose sites link to pages of each other that are on the topic"
        return [not_testable(claim, theirs, why) for claim in (more, many)]
    harvest = over_budget(group, (DISTILLED, SOFT), lambda run: run.judged)
    return [
        is_greater(f"{more}, by people's labels", theirs, harvest, (DISTILLED, SOFT)),
        is_within(
            many,
            theirs,
            f"{told}; share of these that the guide takes for relevant:",
            np.array([np.mean(is_relevant) for is_relevant in brought]),
            (MANY_OF_THEM, 1.0),
            "a third and more is taken for many",
        ),
    ]


def _brought_in(group: Group, task: str) -> list[bool]:
    """Of the pages that soft focus alone did not fetch, which are relevant."""
    relevant: list[bool] = []
    for distilled, soft in zip(group.runs[DISTILLED][task], group.runs[SOFT][task], strict=True):
        new = ~np.isin(distilled.url.astype(str), soft.url.astype(str))
        relevant += (distilled.relevance[new] >= distilled.facts.relevant_above).tolist()
    return relevant


def _revisits(group: Group) -> Finding:
    """A recorded hub has no new links: what can be measured is what it costs to ask."""
    harvest = over_budget(group, (REVISITED, DISTILLED), lambda run: run.judged)
    again = by_task(group, REVISITED, lambda run: float(len(run) - len(set(run.url.tolist())))).mean()
    both = ", ".join(f"{label} {plus_minus(mean_of(own))}" for label, own in harvest.items())
    return not_testable(
        "Visiting the best hubs again brings new links",
        "top hubs are visited again (section 3.3); no number",
        "recorded pages never change, so this can only cost; it needs several recordings of one web over time",
        f"{again:.1f} pages a crawl were fetched again; harvest by people's labels: {both}",
    )


def _sustained(long: Group) -> list[Finding]:
    theirs = "over several thousand pages, no sign of stagnation (figures 3, 4)"
    pages = long.budget

    def late(run: Run) -> float:
        return float(run.relevance[max(0, pages - LATE) : pages].sum()) / min(LATE, pages)

    def possible(run: Run) -> float:
        return run.facts.relevant / pages

    claim = f"A focused crawl keeps up a rate of a third to a half for {pages:,} pages"
    by_guide = is_within(
        f"{claim}, by the guide as theirs",
        theirs,
        f"soft focus, relevance of the last {LATE} pages:",
        by_task(long, SOFT, late),
        (KEPT_UP, 1.0),
        "a third and more is taken for kept up",
    )
    most = by_task(long, SOFT, possible)
    harvest = over_budget(long, (SOFT,), lambda run: run.judged)[SOFT]
    measured = "soft focus, harvest of the whole crawl:"
    by_people = f"{claim}, by people's labels"
    if most.max() < KEPT_UP:
        why = (
            f"at most {most.max():.2f} is possible, as no topic has more than {most.max() * pages:,.0f} labelled "
            "pages; it needs topics of thousands of pages"
        )
        return [by_guide, not_testable(by_people, theirs, why, f"{measured} {plus_minus(mean_of(harvest))}")]
    taken_for = "a third and more is taken for kept up"
    return [by_guide, is_within(by_people, theirs, measured, harvest, (KEPT_UP, 1.0), taken_for)]
