"""Focused by a topic map against unfocused: harvest at two limits, irrelevant seeds, link analysis, drifting idf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from honeyguide.lab import plots
from honeyguide.lab.measures import robustness
from honeyguide.lab.plots import Band
from honeyguide.lab.report_numbers import Group, group_of
from honeyguide.lab.report_tables import main_table
from honeyguide.lab.reproduce.base import (
    Examined,
    Finding,
    Reproduction,
    Verdict,
    is_better,
    is_greater,
    not_testable,
)
from honeyguide.lab.reproduce.ontology_crawls import ANALYSIS, FOCUSED, LIMITS, UNFOCUSED, collect
from honeyguide.lab.results import Run
from honeyguide.lab.statistics import band, mean_of
from honeyguide.model import Floats


def examine(runs: Mapping[str, Sequence[Run]]) -> Examined:
    """Look at every claim."""
    first = [run for run in runs["crawls"] if run.facts.seed == 1]
    group = group_of("wikispeedia", first)
    harvest = {label: _own_harvest(group, label) for label in group.strategies}
    names = {label: _curve(group, label) for label in group.strategies}
    colors = plots.color_of(
        [_label(FOCUSED), _label(UNFOCUSED), _label(ANALYSIS), _label(UNFOCUSED, away=True)]
    )
    axes = ("pages fetched", "harvest rate by the crawl itself")
    caption = (
        "As their figures 8.3 to 8.9: share of pages at or above the limit, by the crawl's own topic map."
    )
    return Examined(
        [
            *_harvest_claims(group, harvest),
            _by_people(group),
            _drift(group),
            _robust(runs["crawls"]),
            *_others(),
        ],
        [
            main_table(group, {}),
            plots.curves("ontology-harvest", caption, list(names.values()), colors, axes, 1.0),
        ],
    )


def _label(strategy: str, limit: float = LIMITS[0], away: bool = False) -> str:
    return f"{strategy}(limit={limit}{', seeds=elsewhere' if away else ''})"


def _own_harvest(group: Group, label: str) -> Floats:
    """The share of pages each crawl itself took for relevant, task by task: their measure."""
    own = group.runs[label]
    return np.array(
        [np.mean(run.relevance >= run.facts.relevant_above) for task in group.tasks for run in own[task]]
    )


def _curve(group: Group, label: str) -> Band:
    runs = [run for task in group.tasks for run in group.runs[label][task]]
    length = min(len(run) for run in runs)
    pages = np.arange(1, length + 1, dtype=np.float64)
    curves = [np.cumsum(run.relevance >= run.facts.relevant_above)[:length] / pages for run in runs]
    return Band(label, pages, *band(np.array(curves)))


def _harvest_claims(group: Group, harvest: Mapping[str, Floats]) -> list[Finding]:
    focused, unfocused = _label(FOCUSED), _label(UNFOCUSED)
    strict = (_label(FOCUSED, LIMITS[1]), _label(UNFOCUSED, LIMITS[1]))
    return [
        is_greater(
            "Focused harvests more than unfocused, limit 0.01",
            "about 0.6 against 0.2 (figures 8.3, 8.4)",
            harvest,
            (focused, unfocused),
        ),
        is_greater(
            "Focused harvests more than unfocused, limit 0.02",
            "about 0.55 against 0.15 (figures 8.6, 8.7)",
            harvest,
            strict,
        ),
        is_greater(
            "Unfocused from irrelevant seeds harvests less than from relevant ones",
            "about 0.1 against 0.2 (figure 8.5)",
            harvest,
            (unfocused, _label(UNFOCUSED, away=True)),
        ),
        is_greater(
            "Link analysis gives a slight gain",
            "slightly higher (figure 8.9)",
            harvest,
            (_label(ANALYSIS), focused),
        ),
    ]


def _by_people(group: Group) -> Finding:
    claim = "The same holds when people judge: focused harvests more than unfocused"
    return is_better(claim, "not measured", group, (_label(FOCUSED), _label(UNFOCUSED)), "harvest_rate")


def _drift(group: Group) -> Finding:
    """How much higher the unfocused crawl scores the very same pages."""
    gains = []
    for task in group.tasks:
        one, other = (group.runs[_label(strategy)][task][0] for strategy in (FOCUSED, UNFOCUSED))
        scores = dict(zip(one.url.tolist(), one.relevance.tolist(), strict=True))
        pairs = [
            (scores[url], own)
            for url, own in zip(other.url.tolist(), other.relevance.tolist(), strict=True)
            if scores.get(url, 0) > 0
        ]
        if pairs:
            gains.append(np.mean([unfocused / focused for focused, unfocused in pairs]) - 1)
    mean = mean_of(np.array(gains))
    return Finding(
        "The same page scores higher in an unfocused crawl, because idf is counted over the crawl",
        "125 % higher on average (section 9.2)",
        f"{100 * mean.mean:+.0f} ± {100 * mean.error:.0f} % over {mean.count} tasks",
        Verdict.CONFIRMED if mean.mean - 2 * mean.error > 0 else Verdict.REFUTED,
        "two standard errors above 0 are taken for higher; a frozen idf, our default, has no such drift",
    )


def _robust(runs: Sequence[Run]) -> Finding:
    pairs: dict[str, dict[int, Run]] = {}
    for run in runs:
        if run.facts.label == _label(FOCUSED):
            pairs.setdefault(run.facts.task, {})[run.facts.seed] = run
    overlaps = [float(robustness(own[1], own[2])[-1]) for own in pairs.values() if len(own) > 1]
    mean = mean_of(overlaps)
    return Finding(
        "Crawls from two disjoint sets of seeds share about half of what they find",
        "0.497 of the first 20,761 relevant pages",
        f"{mean.mean:.2f} ± {mean.error:.2f} of the urls, over {mean.count} tasks",
        Verdict.CONFIRMED if 0.4 <= mean.mean <= 0.6 else Verdict.REFUTED,
        "0.4 to 0.6 is taken for about half; a small web leaves less room to differ",
    )


def _others() -> list[Finding]:
    why = "it is about the Web of 2004; their top pages are not in our corpora"
    return [not_testable("The ten best pages are on security", "table 8.1", why)]


ONTOLOGY = Reproduction(
    name="ontology",
    paper="web resource discovery focused by a topic map",
    their_setting=(
        "a small topic map on security, 14 seeds from the Open Directory, up to 65,000 pages of the live Web, limits "
        "0.01 and 0.02, harvest judged by the crawler itself, one crawl of each kind."
    ),
    our_setting=(
        "12 subjects of Wikispeedia, for each a map of the subject, its neighbors in the tree and 20 example articles "
        "related to it, 10 seeds, 1,500 pages; focused is hard focus, unfocused is breadth-first; idf is counted while "
        "crawling, as theirs. Harvest is judged by the crawl itself as theirs was, and by people's labels beside it."
    ),
    collect=collect,
    examine=examine,
)
