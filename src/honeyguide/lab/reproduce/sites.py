"""Sites before pages: whether a crawl by sites finds more of them for its requests than the same crawl by pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from honeyguide.lab import measures
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.report.document import Block, Table
from honeyguide.lab.report.numbers import Group, group_of
from honeyguide.lab.report.tables import plus_minus
from honeyguide.lab.reproduce.base import Examined, Finding, Reproduction, Workshop, configured, is_greater
from honeyguide.lab.results import Run, configuration_label
from honeyguide.lab.statistics import mean_of
from honeyguide.model import Floats

STRATEGIES = ("soft-focus", "honeyguide")
BY_SITES: Mapping[str, object] = {"level": "sites"}
CUTS = (0.1, 0.25, 0.5, 1.0)
"""Shares of the budget after which sites are counted."""

MANY_SITES = ExperimentOrder(
    name="sites",
    tasks=("multisite/*",),
    split="reporting",
    most_tasks=8,
    strategies=STRATEGIES,
    configurations=tuple(configured(name, **BY_SITES) for name in STRATEGIES),
    halves=True,
    bounds=False,
)
"""From half of the home pages: that of the others can only be found by links."""


def _collect(workshop: Workshop) -> dict[str, list[Run]]:
    return {MANY_SITES.name: workshop.experiment(MANY_SITES)}


def sites_on_the_way(run: Run) -> float:
    """Sites with a relevant page that were found by then, on average over all requests of the budget."""
    return float(measures.sites_found(run).mean())


def _examine(runs: Mapping[str, Sequence[Run]]) -> Examined:
    group = group_of("multisite", runs[MANY_SITES.name])
    findings = [finding for name in STRATEGIES for finding in _claims(group, name)]
    return Examined(findings, [_table(group)])


def _claims(group: Group, name: str) -> list[Finding]:
    by_sites = configuration_label(name, BY_SITES)
    pair = (by_sites, name)
    found = {label: _by_task(group, label, sites_on_the_way) for label in pair}
    cost = {label: -_by_task(group, label, _pages_per_site) for label in pair}
    pages = {label: group.values("nauc")[label] for label in pair}
    clearly = "clearly fewer pages per relevant site than page crawlers adapted to sites (Ester et al. 2004)"
    return [
        is_greater(f"{name}: by sites, more relevant sites are found on the way", clearly, found, pair),
        is_greater(
            f"{name}: by sites, fewer pages are fetched per relevant site (negated)", clearly, cost, pair
        ),
        is_greater(
            f"{name}: by sites, more relevant pages are found on the way (nAUC)", "no number", pages, pair
        ),
    ]


def _pages_per_site(run: Run) -> float:
    """As the thesis on topic maps has it; a crawl without a relevant site has fetched all for less than one."""
    rate = measures.pages_per_relevant_site(run)
    return rate if np.isfinite(rate) else 2.0 * len(run)


def _by_task(group: Group, label: str, number: measures.Measure) -> Floats:
    return np.array([np.mean([number(run) for run in group.runs[label][task]]) for task in group.tasks])


def _table(group: Group) -> Block:
    cuts = [max(1, round(share * group.budget)) for share in CUTS]
    numbers: dict[str, measures.Measure] = {
        **{f"sites after {cut:,}": measures.find_measure(f"sites_found@{cut}") for cut in cuts},
        **{
            f"recall after {cut:,}": measures.find_measure(f"target_recall@{cut}")
            for cut in (cuts[1], cuts[-1])
        },
        "pages per relevant site": _pages_per_site,
        "nAUC": measures.nauc,
        "ranking, ms a page": measures.rank_milliseconds,
    }
    rows = [
        [label, *(plus_minus(mean_of(_by_task(group, label, number))) for number in numbers.values())]
        for label in group.labels
    ]
    return Table(
        f"Sites with a relevant page, and relevant pages, for so many requests: means over {len(group.tasks)} tasks.",
        ["strategy", *numbers],
        rows,
    )


SITES = Reproduction(
    name="sites",
    paper="external and internal crawler (Ester, Kriegel, Schubert 2004, as the thesis on topic maps tells of it)",
    their_setting=(
        "sites are the goal: an external crawler chooses among them by links, an internal one judges each by 3.2 to "
        "7.4 pages; pages per relevant site against page crawlers adapted to sites."
    ),
    our_setting=(
        "subjects of multisite apart from those that settings were tuned on, 203 real sites that hardly link to each "
        "other, each crawl from half of their home pages; the same strategy over pages and by sites (crawl.level), an "
        "SVM as guide. A site is found with its first page that its author has labelled with the subject; half of the "
        "pages have no label and count as irrelevant. Steps, definition and discount were chosen on other subjects of "
        "the same web; docs/sites.md tells how."
    ),
    collect=_collect,
    examine=_examine,
)
