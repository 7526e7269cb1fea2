"""Soft and hard focus against an unfocused crawl: harvest, robustness against other seeds, distance of the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from honeyguide.lab import measures, plots
from honeyguide.lab.experiment import ExperimentOrder
from honeyguide.lab.plots import Band
from honeyguide.lab.report_document import Block
from honeyguide.lab.report_figures import histogram_figures, overlap_bands, robustness_figure
from honeyguide.lab.report_numbers import Group, group_of
from honeyguide.lab.report_tables import main_table
from honeyguide.lab.reproduce.base import (
    Examined,
    Finding,
    Reproduction,
    Verdict,
    Workshop,
    is_better,
    is_same,
    not_testable,
)
from honeyguide.lab.results import Run
from honeyguide.model import Floats

THREE = ("soft-focus", "hard-focus", "random")
SOFT, HARD, UNFOCUSED = THREE
RECENT = 50
LOST_AFTER, LOST = 100, 0.1
PEAK = 0.9
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
        _named(group, finding)
        for finding in (
            is_better(
                "Soft focus harvests more than an unfocused crawl",
                "a third to a half of all pages against ~0 (figures 3, 4)",
                group,
                (SOFT, UNFOCUSED),
                "harvest_rate",
            ),
            is_better(
                "Hard focus harvests more than an unfocused crawl",
                "a third to a half against ~0 (figures 3, 4)",
                group,
                (HARD, UNFOCUSED),
                "harvest_rate",
            ),
            is_same(
                "Soft and hard focus do equally well",
                "both do very well (figures 3, 4)",
                group,
                (SOFT, HARD),
                "harvest_rate",
            ),
            _lost(group),
            _peak(group),
            *_robust(group),
            _far(group),
        )
    ]


def _named(group: Group, finding: Finding) -> Finding:
    return Finding(
        f"{finding.claim} ({group.name})", finding.theirs, finding.ours, finding.verdict, finding.why
    )


def _lost(group: Group) -> Finding:
    curves = {band.name: band.mean for band in group.bands(measures.harvest_rate_last_50)}
    after = min(LOST_AFTER, group.budget) - 1
    unfocused, soft = float(curves[UNFOCUSED][after]), float(curves[SOFT][after])
    return Finding(
        f"Unfocused, a crawl is lost within {LOST_AFTER} pages",
        "relevance goes quickly to zero within the next hundred pages",
        f"harvest of the last {RECENT} after {after + 1} pages: unfocused {unfocused:.3f}, soft focus {soft:.3f}",
        Verdict.CONFIRMED if unfocused <= LOST else Verdict.REFUTED,
        f"at most {LOST:g} is taken for lost",
    )


def _peak(group: Group) -> Finding:
    def share(label: str) -> float:
        def peak(run: Run) -> Floats:
            return np.array([np.mean(run.relevance >= PEAK)])

        return float(group.mean_of_runs(label, peak)[0])

    soft, unfocused = share(SOFT), share(UNFOCUSED)
    return Finding(
        "Relevance of focused crawls has a sharp peak at its highest value, unfocused ones have none",
        "figure 5",
        f"pages with relevance {PEAK:g} or more: soft focus {100 * soft:.1f} %, unfocused {100 * unfocused:.1f} %",
        Verdict.CONFIRMED if soft >= 2 * unfocused else Verdict.REFUTED,
        "at least twice as many are taken for a peak",
    )


def _robust(group: Group) -> list[Finding]:
    bands = {band.name: band for band in overlap_bands(group)}
    theirs = "grows to 90 % for cycling, over 60 % for mutual funds (figure 6)"
    claim = "Crawls from disjoint seeds come to fetch the same pages"
    if SOFT not in bands:
        return [not_testable(claim, theirs, "no task was run from two disjoint sets of seeds")]
    soft: Band = bands[SOFT]
    early, late = float(soft.mean[len(soft.mean) // 10]), float(soft.mean[-1])
    verdict = Verdict.CONFIRMED if late >= STABLE and late > early else Verdict.REFUTED
    ours = f"overlap after a tenth of the pages {early:.2f}, in the end {late:.2f} ± {soft.error[-1]:.2f}"
    return [Finding(claim, theirs, ours, verdict, f"at least {STABLE:g}, and growing, is taken for the same")]


def _far(group: Group) -> Finding:
    def beyond(run: Run) -> Floats:
        counts = measures.distance_histogram(run)
        return np.array([counts[FAR:].sum() / max(1, counts.sum())])

    share = float(group.mean_of_runs(SOFT, beyond)[0])
    return Finding(
        "Many of the 100 best pages are far from the seeds",
        "many at large distances, up to 10 links and beyond (figure 9)",
        f"{100 * share:.0f} % are {FAR} or more links away",
        Verdict.CONFIRMED if share >= 0.25 else Verdict.REFUTED,
        f"a quarter at {FAR} links is taken for many: these webs are small, so nothing is 10 links away",
    )


FOCUSED_1999 = Reproduction(
    name="focused-1999",
    paper="the first focused crawler: classifier, soft and hard focus, distiller",
    their_setting=(
        "about 20 topics of a Yahoo-like list, a few dozen seeds from a search engine, a taxonomy classifier that "
        "guides and measures, 6,000 and more pages of the live Web of 1999."
    ),
    our_setting=(
        "20 subjects of Wikispeedia and the topics of a sample web of 10,000 pages and many hosts, 10 seeds in two "
        "disjoint draws, an SVM as guide; harvest is measured by people's labels, not by the guide."
    ),
    collect=collect,
    examine=examine,
)
