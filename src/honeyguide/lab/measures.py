"""What an experiment measures of a run, by name: curves over pages fetched, single numbers, histograms, overlaps.

A curve of a crawl that ended before its budget keeps its last value until there. `find_measure("harvest_rate@1000")`
cuts a curve after so many pages; of a crawl that did not fetch so many it is NaN, but for recall, see `after`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import SettingsError
from honeyguide.lab.results import Run
from honeyguide.model import Bools, Floats
from honeyguide.telemetry.harvest import LONG, SHORT
from honeyguide.urls import site_of

Curve = Callable[[Run], Floats]
Measure = Callable[[Run], float]
BEST_PAGES = 100


def target_recall(run: Run) -> Floats:
    """Share of the reachable targets that were fetched, after each page."""
    return _to_budget(np.cumsum(run.is_target) / max(1, run.facts.targets), run)


def url_precision(run: Run) -> Floats:
    """Share of targets among the pages fetched."""
    return _to_budget(np.cumsum(run.is_target) / run.step, run)


def harvest_rate(run: Run) -> Floats:
    """Share of relevant pages among those fetched, by the judge; seeds and examples count too."""
    return _to_budget(np.cumsum(run.judged) / run.step, run)


def harvest_rate_last_50(run: Run) -> Floats:
    """Share of relevant pages among the last 50."""
    return _to_budget(moving_mean(run.judged, SHORT), run)


def harvest_rate_last_500(run: Run) -> Floats:
    """Share of relevant pages among the last 500."""
    return _to_budget(moving_mean(run.judged, LONG), run)


def average_relevance(run: Run) -> Floats:
    """Mean relevance of the pages fetched, by the guide."""
    return _to_budget(np.cumsum(run.relevance) / run.step, run)


def description_precision(run: Run) -> Floats:
    """Mean cosine of the pages fetched with the description of the targets."""
    return _to_budget(np.cumsum(run.similarity) / run.step, run)


def description_recall(run: Run) -> Floats:
    """Sum of the cosines of the pages fetched with the description of the targets, for each target."""
    return _to_budget(np.cumsum(run.similarity) / max(1, run.facts.targets), run)


def recall_per_cpu_second(run: Run) -> Floats:
    """Target recall for each second of processor time spent on ranking."""
    seconds = _to_budget(run.rank_seconds, run)
    return np.divide(target_recall(run), seconds, out=np.zeros(len(seconds)), where=seconds > 0)


def sites_found(run: Run) -> Floats:
    """Sites with a relevant page among the pages fetched, by the judge, after each page."""
    sites = np.array([site_of(host) for host in run.host[run.judged].tolist()], dtype=object)
    _, first = np.unique(sites, return_index=True)
    is_new = np.zeros(len(run), dtype=np.int64)
    is_new[np.flatnonzero(run.judged)[first]] = 1
    return _to_budget(np.cumsum(is_new).astype(np.float64), run)


def sites_per_request(run: Run) -> Floats:
    """Sites with a relevant page for each page fetched."""
    return sites_found(run) / np.arange(1, run.facts.budget + 1)


def nauc(run: Run) -> float:
    """Area under the recall curve; 1 if every page fetched is a new target until none is left."""
    best = np.minimum(np.arange(1, run.facts.budget + 1) / max(1, run.facts.targets), 1.0)
    return float(target_recall(run).sum() / best.sum())


def recall_at_2r(run: Run) -> float:
    """Target recall after twice as many pages as there are targets."""
    return after(run, "target_recall", 2 * run.facts.targets)


def recall_at_budget(run: Run) -> float:
    """Target recall in the end."""
    return _last(target_recall(run))


def pages_to_50(run: Run) -> float:
    """Pages until half of the targets were fetched; infinite if they never were."""
    return _pages_to(0.5, run)


def pages_to_80(run: Run) -> float:
    """Pages until four of five targets were fetched; infinite if they never were."""
    return _pages_to(0.8, run)


def pages_fetched(run: Run) -> float:
    """Pages until the crawl ended; fewer than its budget if it ran out of links."""
    return float(len(run))


def relevant_sites(run: Run) -> float:
    """Sites with a relevant page among the pages fetched."""
    return float(len(site_densities(run)[0]))


def pages_per_relevant_site(run: Run) -> float:
    """Pages fetched for each site with a relevant page (the thesis on topic maps, 8.1); infinite if there is none."""
    sites = relevant_sites(run)
    return len(run) / sites if sites else float("inf")


def top_site_share(run: Run) -> float:
    """Share of the relevant pages that the richest site brought."""
    _, pages, density = site_densities(run)
    relevant = pages * density
    return float(relevant.max() / relevant.sum()) if len(relevant) else 0.0


def rank_milliseconds(run: Run) -> float:
    """Processor time of ranking for each page."""
    return 1000 * float(run.rank_seconds[-1]) / len(run) if len(run) else 0.0


CURVES: Mapping[str, Curve] = {
    curve.__name__: curve
    for curve in (
        *(harvest_rate, harvest_rate_last_50, harvest_rate_last_500, target_recall, url_precision),
        *(description_precision, description_recall, average_relevance, recall_per_cpu_second),
        *(sites_found, sites_per_request),
    )
} | {"url_recall": target_recall}

MEASURES: Mapping[str, Measure] = {
    "nauc": nauc,
    "recall_at_2R": recall_at_2r,
    **{
        measure.__name__: measure
        for measure in (
            *(recall_at_budget, pages_to_50, pages_to_80, pages_fetched, relevant_sites),
            *(pages_per_relevant_site, top_site_share, rank_milliseconds),
        )
    },
}

SUMS = frozenset({"target_recall", "url_recall", "description_recall", "sites_found"})
"""Curves that an ended crawl cannot change any more; all others are rates of pages that were fetched."""

LESS_IS_BETTER = frozenset(
    {"pages_to_50", "pages_to_80", "pages_per_relevant_site", "top_site_share", "rank_milliseconds"}
)


def find_measure(name: str) -> Measure:
    """The measure of a name: a number, a curve at its end, or a curve after so many pages (`harvest_rate@100`)."""
    base, is_cut, pages = name.partition("@")
    if not is_cut and name in MEASURES:
        return MEASURES[name]
    if base not in CURVES or (is_cut and not (pages.isdecimal() and int(pages))):
        known = ", ".join([*MEASURES, *(f"{curve}@PAGES" for curve in CURVES)])
        raise SettingsError(f"there is no measure {name!r}; there are {known}")
    if is_cut:
        return lambda run: after(run, base, int(pages))
    return lambda run: _last(CURVES[base](run))


def after(run: Run, curve: str, pages: int) -> float:
    """A curve after so many pages, 0 before the first; NaN where nobody can know it.

    A crawl that ran out of links before its budget finds nothing more: its recall is known for any number of pages.
    """
    values = CURVES[curve](run)
    if pages <= len(run):
        return float(values[pages - 1]) if pages > 0 else 0.0
    ran_out = len(run) < run.facts.budget
    return _last(values) if ran_out and curve in SUMS else np.nan


def oracle_share(value: float, oracle: float, *, less_is_better: bool = False) -> float:
    """A result as a share of the oracle's; NaN where the oracle has nothing to compare with.

    >>> oracle_share(0.45, 0.9), oracle_share(200.0, 100.0, less_is_better=True)
    (0.5, 0.5)
    """
    over, under = (oracle, value) if less_is_better else (value, oracle)
    return over / under if np.isfinite(over) and under > 0 else np.nan


def relevance_histogram(run: Run, bins: int = 20) -> tuple[Floats, NDArray[np.int64]]:
    """Edges of equal bins from 0 to 1, and how many pages the guide put into each."""
    counts, edges = np.histogram(run.relevance, bins=bins, range=(0.0, 1.0))
    return edges, counts


def distance_histogram(run: Run, best: int = BEST_PAGES) -> NDArray[np.int64]:
    """How many of the most relevant pages, by the guide, are 0, 1, 2 ... links from the seeds."""
    order = np.argsort(-run.relevance, kind="stable")[:best]
    return np.bincount(run.depth[order])


def site_densities(run: Run) -> tuple[list[str], Floats, Floats]:
    """Sites with relevant pages, the densest first: their names, pages fetched, and the share that is relevant."""
    names, group = np.unique([site_of(host) for host in run.host.tolist()], return_inverse=True)
    pages = np.bincount(group, minlength=len(names)).astype(np.float64)
    density = np.bincount(group, run.judged, minlength=len(names)) / np.maximum(pages, 1)
    order = [place for place in np.argsort(-density, kind="stable").tolist() if density[place] > 0]
    return [str(names[place]) for place in order], pages[order], density[order]


def best_sites(run: Run, most: int) -> list[str]:
    """The sites whose pages are most relevant in sum, by the guide; a page counts once however often it was fetched."""
    pages = dict(
        zip(run.url.tolist(), zip(run.host.tolist(), run.relevance.tolist(), strict=True), strict=True)
    )
    sums: dict[str, float] = {}
    for host, relevance in pages.values():
        sums[site_of(host)] = sums.get(site_of(host), 0.0) + relevance
    return sorted(sums, key=lambda site: (-sums[site], site))[:most]


def robustness(first: Run, second: Run) -> Floats:
    """Overlap of the urls of two crawls that began from other seeds, after each page: common ones / the fewer."""
    return overlap_curve(first.url.tolist(), second.url.tolist())


def overlap_curve(first: Sequence[str], second: Sequence[str]) -> Floats:
    """After n of each: how many are in both, over the number of different ones in the poorer of the two.

    >>> overlap_curve(["a", "b", "c"], ["b", "a", "d"]).round(2).tolist()
    [0.0, 1.0, 0.67]
    """
    ours: set[str] = set()
    theirs: set[str] = set()
    common: set[str] = set()
    curve = []
    for one, other in zip(first, second, strict=False):
        ours.add(one)
        theirs.add(other)
        common.update(name for name in (one, other) if name in ours and name in theirs)
        curve.append(len(common) / min(len(ours), len(theirs)))
    return np.array(curve, dtype=np.float64)


def found_by(run: Run) -> frozenset[str]:
    """The targets a run fetched, to be compared with those of other strategies."""
    return frozenset(run.url[run.is_target].tolist())


def _last(curve: Floats) -> float:
    return float(curve[-1]) if len(curve) else 0.0


def _to_budget(values: Floats, run: Run) -> Floats:
    """The last value goes on until the budget: a crawl that has ended finds nothing more."""
    missing = run.facts.budget - len(values)
    if not len(values):
        return np.zeros(run.facts.budget)
    return np.pad(values, (0, missing), mode="edge") if missing > 0 else values[: run.facts.budget]


def moving_mean(values: Bools, width: int) -> Floats:
    """Mean of the last so many at each place; of fewer at the start.

    >>> moving_mean(np.array([True, False, False, True]), 2).tolist()
    [1.0, 0.5, 0.0, 0.5]
    """
    sums = np.cumsum(values, dtype=np.float64)
    before = np.concatenate((np.zeros(min(width, len(sums))), sums[:-width]))
    return (sums - before) / np.minimum(np.arange(1, len(sums) + 1), width)


def _pages_to(share: float, run: Run) -> float:
    recall = target_recall(run)
    # The same sum of ones divided by the same number: no rounding stands between 4 of 5 and 0.8.
    reached = np.flatnonzero(recall >= share)
    return float(reached[0] + 1) if len(reached) else float("inf")
