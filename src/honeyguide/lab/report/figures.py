"""The figures of a report on one corpus."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from honeyguide.lab import measures
from honeyguide.lab.report import plots, plots_summary
from honeyguide.lab.report.document import file_name
from honeyguide.lab.report.numbers import HEADLINE, Group
from honeyguide.lab.report.plots import Band, Picture
from honeyguide.lab.report.tables import overlap_matrix
from honeyguide.lab.results import Run
from honeyguide.lab.statistics import band
from honeyguide.model import Floats

BINS = 10
FARTHEST = 10
PAGES_AXIS = "pages fetched"


def curve_figures(group: Group) -> Iterator[Picture]:
    """Recall and harvest rate over pages."""
    colors = plots.color_of(group.colored)
    shown = {
        "target-recall": (measures.target_recall, "target recall", 1.0),
        "harvest-rate": (measures.harvest_rate, "harvest rate", None),
        "average-relevance": (measures.average_relevance, "mean relevance", None),
    }
    for name, (curve, axis, top) in shown.items():
        caption = (
            f"{axis.capitalize()} on {group.name}: mean and ±1 standard error over {len(group.tasks)} tasks. "
            "Named are the best by nAUC and the baseline; gray: all others."
        )
        yield plots.curves(_name(name, group), caption, group.bands(curve), colors, (PAGES_AXIS, axis), top)
    caption = f"Target recall on {group.name}, each strategy against all others."
    bands = group.bands(measures.target_recall)
    yield plots.panels(_name("recall-panels", group), caption, bands, (PAGES_AXIS, "target recall"), 1.0)


def summary_figures(group: Group) -> Iterator[Picture]:
    """NAUC with errors, and task by task against the best."""
    colors = plots.color_of(group.colored)
    means = group.means(HEADLINE)
    caption = (
        f"nAUC on {group.name}: mean and ±1 standard error over {len(group.tasks)} tasks. Hollow: bounds."
    )
    yield plots_summary.dots(_name("nauc", group), caption, means, colors, "nAUC")
    values = group.values(HEADLINE)
    best, *others = group.strategies
    if others:
        caption = f"nAUC on {group.name} less that of {best}; a dot a task, bars are means."
        yield plots_summary.differences(
            _name("differences", group),
            caption,
            {label: values[label] - values[best] for label in others},
            colors,
            f"nAUC less that of {best}",
        )


def histogram_figures(group: Group) -> Iterator[Picture]:
    """How relevant the pages were, and how far from the seeds the best of them."""
    edges = np.linspace(0.0, 1.0, BINS + 1)
    relevance = {label: group.mean_of_runs(label, _relevance_shares) for label in group.labels}
    yield plots_summary.histograms(
        _name("relevance", group),
        f"Relevance of the pages fetched on {group.name}, by the guide; mean over tasks.",
        relevance,
        edges,
        ("relevance", "share of pages"),
    )
    distance = {label: group.mean_of_runs(label, _distance_shares) for label in group.labels}
    yield plots_summary.histograms(
        _name("distance", group),
        f"Links between the seeds and the {measures.BEST_PAGES} most relevant pages on {group.name}; the last bar "
        f"is {FARTHEST} or more.",
        distance,
        np.arange(FARTHEST + 2, dtype=np.float64) - 0.5,
        ("links from the seeds", "share of the best pages"),
    )


def overlap_figure(group: Group) -> Picture:
    """Which strategies find the same."""
    names, shares = overlap_matrix(group)
    caption = (
        f"Overlap of the targets found on {group.name}, mean over tasks. Text-based strategies stand first, "
        "graph-based ones last."
    )
    return plots_summary.overlap(_name("overlap", group), caption, names, shares)


def cost_figures(group: Group) -> Iterator[Picture]:
    """What ranking costs, and what it brings for that."""
    colors = plots.color_of(group.colored)
    cost, score = group.means("rank_milliseconds"), group.means(HEADLINE)
    yield plots_summary.costs(
        _name("cost", group),
        f"Processor time of ranking against nAUC on {group.name}.",
        {label: cost[label].mean for label in group.strategies},
        {label: score[label].mean for label in group.strategies},
        colors,
        ("milliseconds of ranking a page", "nAUC"),
    )


def robustness_figure(group: Group) -> Picture | None:
    """Overlap of crawls from disjoint seeds; None where no task was run from two such sets."""
    bands = overlap_bands(group)
    if not bands:
        return None
    caption = f"Urls in both of two crawls from disjoint seeds on {group.name}: mean and ±1 standard error."
    axes = (PAGES_AXIS, "urls in both")
    return plots.curves(_name("robustness", group), caption, bands, plots.color_of(group.colored), axes, 1.0)


def overlap_bands(group: Group) -> list[Band]:
    """For each strategy that was run from disjoint seeds, the urls in both crawls."""
    return [found for label in group.strategies if (found := _overlaps(group, label)) is not None]


def _overlaps(group: Group, label: str) -> Band | None:
    pairs = disjoint_pairs(group, label)
    if not pairs:
        return None
    curves = [measures.robustness(*pair) for pair in pairs]
    length = min(len(curve) for curve in curves)
    pages = np.arange(1, length + 1, dtype=np.float64)
    return Band(label, pages, *band(np.array([curve[:length] for curve in curves]))) if length else None


def disjoint_pairs(group: Group, label: str) -> list[tuple[Run, Run]]:
    """Crawls of the same task that began from disjoint seeds."""
    return [
        (one, other)
        for task in group.tasks
        for one, other in combinations(group.runs[label][task], 2)
        if not _seeds(one) & _seeds(other)
    ]


def _seeds(run: Run) -> frozenset[str]:
    return frozenset(run.url[run.depth == run.depth.min()].tolist()) if len(run) else frozenset()


def _relevance_shares(run: Run) -> Floats:
    _, counts = measures.relevance_histogram(run, BINS)
    return counts.astype(np.float64) / max(1, len(run))


def _distance_shares(run: Run) -> Floats:
    counts = measures.distance_histogram(run).astype(np.float64)
    near = np.zeros(FARTHEST + 1)
    near[: len(counts)] = counts[: FARTHEST + 1]
    near[FARTHEST] += counts[FARTHEST + 1 :].sum()
    shares: Floats = near / max(1.0, float(counts.sum()))
    return shares


def _name(what: str, group: Group) -> str:
    return f"{what}-{file_name(group.name)}"
