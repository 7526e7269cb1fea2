"""Soft and hard focus against an unfocused crawl: harvest, robustness against other seeds, distance, distillation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from honeyguide.lab import measures
from honeyguide.lab.experiment_order import ExperimentOrder
from honeyguide.lab.report import plots
from honeyguide.lab.report.document import Block, Paragraph
from honeyguide.lab.report.figures import histogram_figures, robustness_figure
from honeyguide.lab.report.numbers import Group, group_of
from honeyguide.lab.report.tables import main_table
from honeyguide.lab.reproduce.base import (
    Examined,
    Finding,
    Reproduction,
    Workshop,
    is_equal,
    is_greater,
    is_within,
    not_testable,
    on_generated_web,
)
from honeyguide.lab.reproduce.focused_1999_sites import (
    DISTILLING,
    HARD,
    KEPT_UP,
    LONG,
    MANY,
    SOFT,
    THREE,
    UNFOCUSED,
    by_task,
    claims_of_sites,
    distillation,
    far,
    over_budget,
    same_pages,
    top_sites,
)
from honeyguide.lab.results import Run
from honeyguide.lab.statistics import mean_of
from honeyguide.lab.trial import BROAD_TAXONOMY, TAXONOMY
from honeyguide.model import Floats

RECENT = 50
LOST_AFTER, LOST = 100, 0.1
TENTHS = 10
GENERATED = "sample-10000"

ORDERS = {
    order.name: order
    for order in (
        *(
            ExperimentOrder(
                name=corpus,
                tasks=(f"{corpus}/*",),
                most_tasks=20,
                strategies=THREE,
                configurations=configurations,
                draws=(1, 2),
                seeds=10,
                bounds=False,
            )
            for corpus, configurations in (("wikispeedia", ()), (GENERATED, (DISTILLING,)))
        ),
        *(
            ExperimentOrder(
                name=guide,
                tasks=("wikispeedia/*",),
                most_tasks=12,
                strategies=strategies,
                seeds=10,
                bounds=False,
                guide=guide,
            )
            for guide, strategies in ((TAXONOMY, THREE), (BROAD_TAXONOMY, (HARD,)))
        ),
        MANY,
        LONG,
    )
}


def collect(workshop: Workshop) -> Mapping[str, Sequence[Run]]:
    """Run on a dense web of one site, a generated one, and a real one of many sites that hardly link to each other."""
    return workshop.experiments(ORDERS.values())


def examine(runs: Mapping[str, Sequence[Run]]) -> Examined:
    """Look at every claim on each web that it can be looked at on."""
    groups = {name: group_of(name, own) for name, own in runs.items()}
    dense, made, many, long = (groups[name] for name in ("wikispeedia", GENERATED, MANY.name, LONG.name))
    findings = [
        *_on("wikispeedia", [*_harvest_claims(dense), *_seed_claims(dense), *_peak(dense), far(dense)]),
        *_on("wikispeedia, guided by a taxonomy as theirs", _harvest_claims(groups[TAXONOMY])),
        *_on("multisite", [*_harvest_claims(many), *_peak(many), far(many), *claims_of_sites(many, long)]),
        *map(on_generated_web, _on(GENERATED, _claims_of_generated(made))),
        _broadened(groups[TAXONOMY], groups[BROAD_TAXONOMY]),
        _sociology(),
    ]
    blocks = [block for name in groups if name != BROAD_TAXONOMY for block in _figures(groups[name])]
    return Examined(findings, blocks)


def _claims_of_generated(made: Group) -> list[Finding]:
    claims = [*_harvest_claims(made), *_seed_claims(made), *_peak(made), far(made)]
    return [*claims, top_sites(made), *distillation(made)]


def _figures(group: Group) -> list[Block]:
    return [
        Paragraph(f"{group.name}:"),
        main_table(group, {}),
        plots.curves(
            f"focused-{group.name}",
            f"As their figures 3 and 4: share of relevant pages among the last {RECENT}, on {group.name}.",
            group.bands(measures.harvest_rate_last_50),
            plots.color_of(group.labels),
            ("pages fetched", f"harvest rate of the last {RECENT}"),
            1.0,
        ),
        *histogram_figures(group),
        *([figure] if (figure := robustness_figure(group)) else []),
    ]


def _on(web: str, findings: Iterable[Finding]) -> list[Finding]:
    return [replace(finding, claim=f"{finding.claim} ({web})") for finding in findings]


def _harvest_claims(group: Group) -> list[Finding]:
    by_guide = over_budget(group, THREE, lambda run: run.relevance)
    by_people = over_budget(group, THREE, lambda run: run.judged)
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
        "both do very well; difficult to compare, as neither came near to stagnation (figures 3, 4)",
        by_people,
        (SOFT, HARD),
    )
    pages = by_task(group, HARD, lambda run: float(len(run))).mean()
    note = f"hard focus ran out of links after {pages:,.0f} of {group.budget:,} pages on average; "
    return [*more, replace(same, why=f"{note if pages < group.budget else ''}{same.why}")]


def _seed_claims(group: Group) -> list[Finding]:
    """Claims on crawls from a few seeds on the topic."""
    return [_level(group), _lost(group), same_pages(group)]


def _level(group: Group) -> Finding:
    """On a small web every crawl runs out of relevant pages; until it must, it can keep up the rate."""

    def until_there_could_be_none_left(run: Run) -> float:
        return float(run.judged[: run.facts.relevant].mean())

    return is_within(
        "A focused crawl keeps up a rate of a third to a half",
        "over several thousand pages, no sign of stagnation (figures 3, 4)",
        "soft focus, harvest over as many pages as are relevant in the whole web:",
        by_task(group, SOFT, until_there_could_be_none_left),
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


def _peak(group: Group) -> list[Finding]:
    """More pages in the highest tenth of relevance than in the tenth below it, of focused crawls and of unfocused."""

    def tenth(label: str, place: int) -> Floats:
        def share(run: Run) -> float:
            return float(measures.relevance_histogram(run, TENTHS)[1][place] / len(run))

        return by_task(group, label, share)

    return [
        is_greater(
            claim,
            "figure 5",
            {"highest tenth": tenth(label, -1), "tenth below": tenth(label, -2)},
            pair,
        )
        for claim, label, pair in (
            (
                "Relevance of focused crawls has a peak at its highest value",
                SOFT,
                ("highest tenth", "tenth below"),
            ),
            ("That of unfocused ones has none", UNFOCUSED, ("tenth below", "highest tenth")),
        )
    ]


def _broadened(narrow: Group, broad: Group) -> Finding:
    """On the same tasks: what hard focus finds of a subject when the subject above it is good, too."""

    def found(run: Run) -> float:
        return float(run.judged.sum() / run.facts.relevant)

    alone, wider = by_task(narrow, HARD, found), by_task(broad, HARD, found)
    return is_greater(
        "Hard focus on a narrow topic finds more of it when the topic above it is wanted, too (wikispeedia, taxonomy)",
        "mutual funds alone stagnated, as its pages are mixed with investment in general (sections 2.2, 4.1)",
        {"broadened": wider, "the topic alone": alone},
        ("broadened", "the topic alone"),
    )


def _sociology() -> Finding:
    return not_testable(
        "Pages on a topic refer to some other topics far more than one might expect",
        "bicycles to first aid, an anecdote without a number (section 6)",
        "somebody would have to say beforehand which topics are expected to be near each other, for a web whose pages "
        "have topics and whose sites link to each other",
    )


FOCUSED_1999 = Reproduction(
    name="focused-1999",
    paper="the first focused crawler: classifier, soft and hard focus, distiller",
    their_setting=(
        "about 20 topics of a Yahoo-like list, a few dozen seeds from a search engine, a taxonomy classifier that "
        "guides and measures, 6,000 and more pages of the live Web of 1999."
    ),
    our_setting=(
        "20 subjects of Wikispeedia, one dense site; the topics of a generated web of 10,000 pages and many hosts; and "
        "20 topics of multisite, 203 real sites that hardly link to each other, each crawl from half of their home "
        "pages. 10 seeds elsewhere, two disjoint draws, 1,500, 2,500 and 957 pages (3,000 to see rates kept up, "
        "6 topics from all home pages), an SVM as guide; 12 subjects of Wikispeedia also with a taxonomy of all "
        "subjects, learned from up to 36 articles of the task's, none of them a target, and 4 of each other, which the "
        "crawl may fetch as it may the SVM's negative examples. Harvest is measured by the guide as "
        "theirs, and by people's labels, over the whole budget: a crawl that runs out of links harvests nothing with "
        "the pages it cannot fetch. The topics are small: most crawls fetch several times as many pages as there are "
        "relevant ones, which theirs never came near to; on multisite about half of the pages have no label and count "
        "as irrelevant. On a web of one site the distiller, which ignores links within sites, has nothing to do, so it "
        "is not run there."
    ),
    collect=collect,
    examine=examine,
)
