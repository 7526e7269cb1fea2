"""The experiments on the default strategy: against all others, tuned, too; without its parts; with other guides."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from honeyguide.lab.experiment_order import ConfiguredStrategy, ExperimentOrder
from honeyguide.lab.report.numbers import HEADLINE, group_of
from honeyguide.lab.reproduce.base import Workshop, configured
from honeyguide.lab.results import PEEK_BUT_SEEDS, REPORTING, TUNING, Run, configuration_label
from honeyguide.lab.tasks.subject_map import CORPUS as WITH_SUBJECTS
from honeyguide.plugins import find_plugin
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.evidence import FEATURES

OURS, BASELINE = "honeyguide", "breadth-first"
EARLIER_TRIALS = 280
"""Configurations of the default strategy that were tried before it was settled on: on tuning tasks, and on WebKB's
categories "staff" and "other", which no task has."""

SAME_AS_SOFT_FOCUS = "best-first"  # with its default settings, digit for digit
BETWEEN_SITES = "distilled"  # on a web of one site nothing is distilled: it is soft focus there
MATTER_BETWEEN_SITES = (BETWEEN_SITES, PEEK_BUT_SEEDS)  # nor are there many seeds to know or not
PUBLISHED = tuple(strategy.name for strategy in STRATEGIES if strategy.name not in (OURS, SAME_AS_SOFT_FOCUS))
AVERAGING = tuple(configured(name, combine="mean") for name in ("soft-focus", "link-context", "shark-search"))
LINK_CONTEXT_MEAN = configured("link-context", combine="mean")
CHOICES: Mapping[str, Mapping[str, Sequence[object]]] = {
    "honeyguide": {"precision": (5.0, 10.0, 20.0, 50.0), "explore": (0.0, 0.03, 0.1)},
    "link-context": {"beta": (0.1, 0.25, 0.4, 0.5, 0.6, 0.75), "combine": ("max", "mean")},
    "otie": {"beta": (0.1, 0.25, 0.5, 0.75), "neutral": (0.1, 0.3, 0.5)},
    "shark-search": {"gamma": (0.25, 0.5, 0.75), "delta": (0.3, 0.5), "combine": ("max", "mean")},
}
"""Twelve of each, so that all had the same trials here."""
ALWAYS = "always"  # a constant is no evidence
STARTED, TAUGHT = (configured(OURS, trusted=trusted) for trusted in ("start", "learned"))
"""Its two experts, each alone."""
FLIPPED = 0.1
FIVE = 5

MAIN, GRID, TUNED, ABLATION, NOISE = "main", "tuning", "tuned", "ablation", "flipped"
EXPERTS, GENERATED = "experts", "generated"
PER_SITE: Mapping[str, int] = {f"per-site-{urls}": urls for urls in (30, 100)}
"""Limits on the urls of one site that are tried."""

PHRASE, FEW, ONTOLOGY = "phrase", "five-examples", "ontology"
GUIDES: Mapping[str, Mapping[str, Any]] = {
    PHRASE: {"guide": "phrase"},
    FEW: {"examples": FIVE},
    ONTOLOGY: {"guide": "ontology"},
}


class TaskCounts(NamedTuple):
    """How many tasks of a corpus at most; 0: all."""

    main: int
    parts: int  # of everything but the main comparison
    tuning: int


CORPORA: Mapping[str, TaskCounts] = {
    "webkb": TaskCounts(0, 0, 0),
    "wikispeedia": TaskCounts(20, 8, 4),
    "uci-ics": TaskCounts(14, 7, 4),
    "multisite": TaskCounts(16, 6, 4),
}
ORDERS_OF_SEEDS = (1, 2, 3)
MANY_SITES, SAMPLE = "multisite", "sample-2000"
ONE_SITE = frozenset({"webkb", "wikispeedia", "uci-ics"})
"""Of each university one department, of the others all pages: nothing is to be chosen between sites."""


def collect(
    workshop: Workshop, corpora: Mapping[str, TaskCounts] = CORPORA, with_map: str = WITH_SUBJECTS
) -> dict[str, list[Run]]:
    """Try settings out, then run all; runs of a part are those on all corpora."""
    tuned = _run(workshop, [_tuning(corpus, most) for corpus, most in corpora.items()])
    orders = [order for corpus, most in corpora.items() for order in _orders(corpus, most, with_map)]
    extra = [one for one in chosen(tuned[GRID]) if label_of(one) not in _in_main()]
    if extra:
        orders += [_order(TUNED, corpus, most.main, configurations=extra) for corpus, most in corpora.items()]
    orders.append(_order(GENERATED, SAMPLE, 0, strategies=(OURS, *PUBLISHED), configurations=AVERAGING))
    return tuned | _run(workshop, orders)


def grid() -> list[ConfiguredStrategy]:
    """What is tried of strategies with settings that matter; those that are their defaults are left unsaid."""
    found = []
    for strategy, choices in CHOICES.items():
        usual = inspect.signature(find_plugin("strategies", strategy, STRATEGIES)).parameters
        for values in product(*choices.values()):
            given = dict(zip(choices, values, strict=True))
            changed = {name: value for name, value in given.items() if value != usual[name].default}
            found.append(configured(strategy, **changed))
    return found


def trials() -> dict[str, int]:
    """How many configurations of each strategy were tried on tuning tasks, here and before."""
    return Counter(one.strategy for one in grid()) + Counter({OURS: EARLIER_TRIALS})


def chosen(tuning: Sequence[Run]) -> list[ConfiguredStrategy]:
    """The best configuration of each other strategy on the tuning tasks, every corpus counting the same."""
    means = group_of(GRID, tuning).means(HEADLINE)
    tried = [one for one in grid() if one.strategy != OURS and label_of(one) in means]
    names = dict.fromkeys(one.strategy for one in tried)
    return [
        max((one for one in tried if one.strategy == name), key=lambda one: means[label_of(one)].mean)
        for name in names
    ]


def ablations() -> dict[str, ConfiguredStrategy]:
    """The default strategy without each of its parts, by what is left out."""
    parts = {name: configured(OURS, without=name) for name in FEATURES if name != ALWAYS}
    return {**parts, "exploration": configured(OURS, explore=0.0)}


def _tuning(corpus: str, most: TaskCounts) -> ExperimentOrder:
    return _order(GRID, corpus, most.tuning, split=TUNING, configurations=grid())


def _orders(corpus: str, most: TaskCounts, with_map: str) -> Iterator[ExperimentOrder]:
    compared = {"strategies": (OURS, "link-context", "otie", "soft-focus", BASELINE)}
    left_out = MATTER_BETWEEN_SITES if corpus in ONE_SITE else ()
    others = tuple(name for name in (*PUBLISHED, PEEK_BUT_SEEDS) if name not in left_out)
    yield _order(MAIN, corpus, most.main, strategies=(OURS, *others), configurations=AVERAGING, bounds=True)
    yield _order(EXPERTS, corpus, most.main, configurations=[STARTED, TAUGHT], **_orders_of_seeds(corpus))
    yield _order(ABLATION, corpus, most.parts, configurations=list(ablations().values()))
    for part, guide in GUIDES.items():
        if part != ONTOLOGY or corpus == with_map:
            # Where there are many sites one crawl tells little, so that takes all tasks.
            tasks = most.main if corpus == MANY_SITES else most.parts
            yield _order(part, corpus, tasks, configurations=[LINK_CONTEXT_MEAN], **compared, **guide)
    if corpus == MANY_SITES:
        few = {"strategies": (OURS, "soft-focus"), "configurations": [LINK_CONTEXT_MEAN]}
        for part, urls in PER_SITE.items():
            yield _order(part, corpus, most.parts, urls_per_site=urls, **few)
    yield _order(NOISE, corpus, most.parts, strategies=(OURS, "link-context", "otie"), flipped=FLIPPED)


def _orders_of_seeds(corpus: str) -> dict[str, object]:
    """From many seeds, the mean of several orders of them: one alone differs from itself by more than is allowed."""
    return {} if corpus in ONE_SITE else {"strategies": (OURS,), "draws": ORDERS_OF_SEEDS}


def _order(part: str, corpus: str, most: int, **settings: object) -> ExperimentOrder:
    usual = {"split": REPORTING, "strategies": (), "bounds": False}
    named = {"name": f"{part}-{corpus}", "tasks": (f"{corpus}/*",), "most_tasks": most}
    return ExperimentOrder.model_validate({**usual, **named, **settings})


def _run(workshop: Workshop, orders: Sequence[ExperimentOrder]) -> dict[str, list[Run]]:
    done = workshop.experiments(orders)
    runs: dict[str, list[Run]] = {}
    for order in orders:
        corpus = order.tasks[0].removesuffix("/*")
        runs.setdefault(order.name.removesuffix(f"-{corpus}"), []).extend(done[order.name])
    return runs


def _in_main() -> frozenset[str]:
    return frozenset((*PUBLISHED, *(label_of(one) for one in AVERAGING)))


def label_of(one: ConfiguredStrategy) -> str:
    """Its name in tables."""
    return configuration_label(one.strategy, one.keywords)
