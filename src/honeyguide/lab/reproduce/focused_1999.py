"""Soft and hard focus against an unfocused crawl: harvest, robustness against other seeds, distance of the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from honeyguide.lab import measures
from honeyguide.lab.experiment import ExperimentOrder
from honeyguide.lab.report import plots
from honeyguide.lab.report.document import Block
from honeyguide.lab.report.figures import disjoint_pairs, histogram_figures, overlap_bands, robustness_figure
from honeyguide.lab.report.numbers import Group, group_of
from honeyguide.lab.report.tables import main_table
from honeyguide.lab.reproduce.base import (
    Examined,
    Finding,
    Reproduction,
    Verdict,
    Workshop,
    at_equal_pages,
    is_equal,
    is_greater,
    is_within,
    not_testable,
)
from honeyguide.lab.results import Run
from honeyguide.lab.statistics import mean_of
from honeyguide.model import Floats

THREE = ("soft-focus", "hard-focus", "random")
SOFT, HARD, UNFOCUSED = THREE
RECENT = 50
KEPT_UP = 1 / 3
LOST_AFTER, LOST = 100, 0.1
TENTHS = 10
STABLE = 0.6
FAR = 3

ORDERS = {
    corpus: ExperimentOrder(
        name=corpus,
        tasks=(f"{corpus}/*",),
        most_tasks=20,
        strategies=THREE,
        draws=(1, 2),
        seeds=seeds,
        bounds=False,
    )
    for corpus, seeds in (("wikispeedia", 10), ("sample-10000", 10))
}


def collect(workshop: Workshop) -> Mapping[str, Sequence[Run]]:
    """Run on a dense web with one host, and on a made-up one with many."""
    return {name: workshop.experiment(order) for name, order in ORDERS.items()}


def examine(runs: Mapping[str, Sequence[Run]]) -> Examined:
    """Look at every claim on each corpus."""
    groups = [group_of(name, own) for name, own in runs.items()]
    findings = [finding for group in groups for finding in _claims(group)]
    blocks: list[Block] = []
    for group in groups:
        recent = group.bands(measures.harvest_rate_last_50)
        blocks += [
            main_table(group, {}),
            plots.curves(
                f"focused-{group.name}",
                f"As their figures 3 and 4: share of relevant pages among the last {RECENT}, on {group.name}.",
                recent,
                plots.color_of(list(THREE)),
                ("pages fetched", f"harvest rate of the last {RECENT}"),
                1.0,
            ),
            *histogram_figures(group),
            *([figure] if (figure := robustness_figure(group)) else []),
        ]
    authorities = not_testable(
        "Top authorities of two crawls from other seeds are the same",
        "most of the top 25 servers in both (figure 8)",
        "the top servers of a corpus with one host are that host; on the sample web links are drawn, not earned",
    )
    return Examined([*findings, authorities], blocks)


def _claims(group: Group) -> list[Finding]:
    return [
        replace(finding, claim=f"{finding.claim} ({group.name})")
        for finding in (
            *_harvest_claims(group),
            _level(group),
            _lost(group),
            _peak(group),
            _robust(group),
            _far(group),
        )
    ]


def _harvest_claims(group: Group) -> list[Finding]:
    by_guide = at_equal_pages(group, THREE, lambda run: run.relevance)
    by_people = at_equal_pages(group, THREE, lambda run: run.judged)
    more = [
        is_greater(
            f"{name} harvests more than an unfocused crawl, {judge}",
            "a third to a half of all pages against ~0 (figures 3, 4)",
            values,
            (label, UNFOCUSED),
        )
        for judge, values in (("by the guide as theirs", by_guide), ("by people's labels", by_people))
        for name, label in (("Soft focus", SOFT), ("Hard focus", HARD))
    ]
    same = is_equal(
        "Soft and hard focus do equally well",
        "both do very well; difficult to compare (figures 3, 4)",
        by_people,
        (SOFT, HARD),
    )
    note = "ours differ in what they leave out alone, hard focus runs out of links early; over the pages both fetched"
    return [*more, replace(same, why=f"{note} {same.why}")]


def _level(group: Group) -> Finding:
    """On a small web every crawl runs out of relevant pages; until it must, it can keep up the rate."""

    def until_there_could_be_none_left(run: Run) -> float:
        return float(run.judged[: run.facts.relevant].mean())

    return is_within(
        "A focused crawl keeps up a rate of a third to a half",
        "over several thousand pages, no sign of stagnation (figures 3, 4)",
        "soft focus, harvest over as many pages as are relevant in the whole web:",
        _by_task(group, SOFT, until_there_could_be_none_left),
        (KEPT_UP, 1.0),
        "a third and more is taken for kept up",
    )


def _lost(group: Group) -> Finding:
    after = min(LOST_AFTER, group.budget)
    recent = group.values(f"harvest_rate_last_50@{after}")
    return is_within(
        f"Unfocused, a crawl is lost within {LOST_AFTER} pages",
        "relevance goes quickly to zero within the next hundred pages",
        f"harvest of the last {RECENT} after {after} pages: soft focus {mean_of(recent[SOFT]).mean:.3f}, unfocused",
        recent[UNFOCUSED],
        (0.0, LOST),
        f"at most {LOST:g} is taken for lost",
    )


def _peak(group: Group) -> Finding:
    """More pages in the highest tenth of relevance than unfocused, and more than in the tenth below it."""

    def tenths(run: Run) -> Floats:
        return measures.relevance_histogram(run, TENTHS)[1] / len(run)

    shares = {
        label: _by_task(group, label, lambda run: float(tenths(run)[-1])) for label in (SOFT, UNFOCUSED)
    }
    finding = is_greater(
        "Relevance of focused crawls has a sharp peak at its highest value, unfocused ones have none",
        "figure 5",
        shares,
        (SOFT, UNFOCUSED),
    )
    below, top = group.mean_of_runs(SOFT, tenths)[-2:]
    is_peak = top > below
    verdict = finding.verdict if is_peak or finding.verdict is not Verdict.CONFIRMED else Verdict.REFUTED
    written = (
        f"share of pages in the highest tenth: {finding.ours}; soft focus in the tenth below {below:.3f}"
    )
    return replace(finding, ours=written, verdict=verdict, why="a peak has more than the tenth below it")


def _robust(group: Group) -> Finding:
    theirs = "grows to 90 % for cycling, over 60 % for mutual funds (figure 6)"
    claim = "Crawls from disjoint seeds come to fetch the same pages"
    bands = {band.name: band for band in overlap_bands(group)}
    if SOFT not in bands:
        return not_testable(claim, theirs, "no task was run from two disjoint sets of seeds")
    soft = bands[SOFT].mean
    early = f"overlap after a tenth of the pages {soft[len(soft) // 10]:.2f}, unfocused in the end"
    return is_within(
        claim,
        theirs,
        f"{early} {bands[UNFOCUSED].mean[-1]:.2f}, soft focus in the end",
        np.array([measures.robustness(*pair)[-1] for pair in disjoint_pairs(group, SOFT)]),
        (STABLE, 1.0),
        f"at least {STABLE:g} is taken for the same; these webs are so small that both crawls run out of other pages",
    )


def _far(group: Group) -> Finding:
    def beyond(run: Run) -> float:
        counts = measures.distance_histogram(run)
        return float(counts[FAR:].sum() / max(1, counts.sum()))

    share = _by_task(group, SOFT, beyond).mean()
    return not_testable(
        "Many of the 100 best are far from the seeds",
        "many servers at large distances, up to 10 links and beyond (figure 9)",
        "it says how far apart pages of the Web are; in webs of this size nothing is far from anything",
        f"{100 * share:.0f} % of the pages are {FAR} or more links away",
    )


def _by_task(group: Group, label: str, number: Callable[[Run], float]) -> Floats:
    """A number a task, the mean over draws of seeds."""
    return np.array([np.mean([number(run) for run in group.runs[label][task]]) for task in group.tasks])


FOCUSED_1999 = Reproduction(
    name="focused-1999",
    paper="the first focused crawler: classifier, soft and hard focus, distiller",
    their_setting=(
        "about 20 topics of a Yahoo-like list, a few dozen seeds from a search engine, a taxonomy classifier that "
        "guides and measures, 6,000 and more pages of the live Web of 1999."
    ),
    our_setting=(
        "20 subjects of Wikispeedia and the topics of a sample web of 10,000 pages and many hosts, 10 seeds in two "
        "disjoint draws, 1,500 and 2,500 pages, an SVM as guide; harvest is measured by the guide as theirs, and by "
        "people's labels, over as many pages as all three crawls fetched. The topics are small: most crawls fetch "
        "several times as many pages as there are relevant ones, which theirs never came near to."
    ),
    collect=collect,
    examine=examine,
)
