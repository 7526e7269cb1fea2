"""HCLA against breadth-first, backlink count, Shark-Search and PageRank on WebKB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from honeyguide.lab import measures
from honeyguide.lab.experiment import ExperimentOrder
from honeyguide.lab.report import plots, plots_summary
from honeyguide.lab.report.numbers import Group, group_of
from honeyguide.lab.report.tables import main_table
from honeyguide.lab.reproduce.base import (
    Examined,
    Finding,
    Reproduction,
    Verdict,
    Workshop,
    at_pages,
    configured,
    is_better,
    is_same,
)
from honeyguide.lab.results import Run

SLOWER = 10.0
SLOW = ("hcla", "pagerank")

TRAINED = ExperimentOrder(
    name="trained",
    tasks=("webkb/*",),
    strategies=("breadth-first", "backlink", "shark-search", "pagerank", "hcla"),
    bounds=False,
    batch=50,
)
BY_KEYWORDS = ExperimentOrder(
    name="keywords",
    tasks=("webkb/*",),
    strategies=("shark-search",),
    guide="keywords",
    bounds=False,
    batch=50,
)
PARAMETERS = ExperimentOrder(
    name="parameters",
    tasks=("webkb/*",),
    strategies=("hcla",),
    configurations=(
        *(configured("hcla", every=every) for every in (10, 25)),
        *(configured("hcla", k=k) for k in (25, 100)),
    ),
    bounds=False,
    batch=10,
)


def collect(workshop: Workshop) -> Mapping[str, Sequence[Run]]:
    """Run the experiments; Shark-Search is SS1 with keywords and SS2 with a trained model."""
    runs = {order.name: workshop.experiment(order) for order in (TRAINED, BY_KEYWORDS, PARAMETERS)}
    six = [*_renamed(runs[TRAINED.name], "SS2"), *_renamed(runs[BY_KEYWORDS.name], "SS1")]
    return {"six": six, PARAMETERS.name: runs[PARAMETERS.name]}


def _renamed(runs: Sequence[Run], name: str) -> list[Run]:
    return [
        replace(run, facts=replace(run.facts, strategy=name)) if run.facts.strategy == "shark-search" else run
        for run in runs
    ]


def examine(runs: Mapping[str, Sequence[Run]]) -> Examined:
    """Look at every claim."""
    group = group_of("webkb", runs["six"])
    tried = group_of("webkb, parameters", runs[PARAMETERS.name])
    colors = plots.color_of(["hcla", "SS2", "SS1", "backlink", "pagerank", "breadth-first"])
    recall = group.bands(measures.target_recall)
    axes = ("pages fetched", "target recall")
    return Examined(
        [*_claims(group), *_parameter_claims(tried), *(_cost_claim(group, name) for name in SLOW)],
        [
            main_table(group, {}),
            plots.curves("hcla-recall", "As their figure 2: recall over pages.", recall, colors, axes, 1.0),
            plots_summary.dots(
                "hcla-parameters",
                "As their figure 4: other numbers of features k and of pages between two orderings.",
                tried.means("nauc"),
                {},
                "nAUC",
            ),
        ],
    )


def _claims(group: Group) -> list[Finding]:
    # The share of pages at which the better crawlers have found four of five targets.
    middle = group.medians("pages_to_80")["hcla"] / group.budget
    late = at_pages("target_recall", group, min(1.0, middle))
    best = [
        is_better(
            f"HCLA is better than {other} where recall is high",
            "best of six, especially at higher recall (figure 2; no test)",
            group,
            ("hcla", other),
            late,
        )
        for other in ("breadth-first", "backlink", "SS1", "SS2", "pagerank")
    ]
    breadth = [
        is_same(
            f"Breadth-first matches {other}",
            "matched or exceeded it in some cases (figure 2)",
            group,
            ("breadth-first", other),
            "nauc",
        )
        for other in ("SS1", "backlink")
    ]
    poor = is_better(
        "PageRank is too general: breadth-first is better",
        "unimpressive (figure 2)",
        group,
        ("breadth-first", "pagerank"),
        "nauc",
    )
    return [*best, *breadth, poor]


def _parameter_claims(tried: Group) -> list[Finding]:
    return [
        is_same(
            "Ordering the frontier more often than every 50 pages gives no better results",
            "N = 10, 25, 50 on project/washington (figure 4)",
            tried,
            ("hcla(every=10)", "hcla"),
            "nauc",
        ),
        is_better("Too many features make it worse", "figure 4", tried, ("hcla", "hcla(k=100)"), "nauc"),
    ]


def _cost_claim(group: Group, name: str) -> Finding:
    cost = {label: mean.mean for label, mean in group.means("rank_milliseconds").items()}
    factor = cost[name] / max(cost["breadth-first"], 1e-9)
    return Finding(
        f"{name} is much slower than breadth-first",
        "up to 100 times (the whole crawler)",
        f"{factor:,.0f} times, of ranking alone: {cost[name]:.3g} ms a page",
        Verdict.CONFIRMED if factor >= SLOWER else Verdict.REFUTED,
        f"at least {SLOWER:g} times is taken for much",
    )


HCLA = Reproduction(
    name="hcla",
    paper="latent semantic indexing over texts and links together",
    their_setting=(
        "WebKB, each university and category, seeds are the department's pages, the other three universities and misc "
        "as training texts, queries from ten people, order of the frontier every 50 pages, k = 50."
    ),
    our_setting=(
        "the same corpus, tasks, queries, N and k, 600 pages. The printed update multiplies all links by zero; ours is "
        "the full update. The text collection is 225 pages of the other universities, without misc. Backlink, PageRank "
        "and the Shark-Searches are our own."
    ),
    collect=collect,
    examine=examine,
)
