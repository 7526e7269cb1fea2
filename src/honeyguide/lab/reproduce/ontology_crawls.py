"""The crawls of the ontology reproduction: guided by a topic map that is made from the subjects of Wikispeedia."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from honeyguide.errors import HoneyguideError
from honeyguide.lab.processes import in_processes
from honeyguide.lab.reproduce.base import Workshop
from honeyguide.lab.results import Run, read_run, write_run
from honeyguide.lab.tasks.closed_web import Guide
from honeyguide.lab.tasks.subject_map import ontology_topic
from honeyguide.lab.tasks.tasks import Shape, Task, corpus_folder, find_tasks, spread
from honeyguide.lab.trial import open_web, run_trial
from honeyguide.model import Floats
from honeyguide.plugins import find_plugin
from honeyguide.settings.order import slug
from honeyguide.strategies import STRATEGIES
from honeyguide.topics.ontology.topic import OntologySettings, OntologyTopic

PATTERN = "wikispeedia/*"
MOST_TASKS = 12
LIMITS = (0.01, 0.02)
RATES = (0.1, 0.05)
"""Shares of the whole web that limits of our own let pass. Theirs was passed by a tenth of what they fetched from
irrelevant seeds; on our maps and pages three times as many pass the same number."""

LEAST = 1e-9  # nothing at all is said about the topic where even less passes
FOCUSED, UNFOCUSED, ANALYSIS = "hard-focus", "breadth-first", "link-analysis"
IN_ORDER: Mapping[str, object] = {"order": "discovery"}
"""First in, first out, as the thesis' focused crawls without link analysis."""
BATCH = 50
SEEDS = 10


@dataclass(frozen=True)
class Crawl:
    """A crawl to be done."""

    task: Task
    folder: Path
    strategy: str
    pages: int
    limit: float = 0.0  # relevance, as published
    rate: float = 0.0  # or the share of the web that passes
    draw: int = 1
    elsewhere: bool = False  # whether it starts from pages on other topics
    best_first: bool = False  # whether hard focus follows the better pages first, its default

    @property
    def settings(self) -> Mapping[str, object]:
        """Of the strategy."""
        return IN_ORDER if self.strategy == FOCUSED and not self.best_first else {}

    @property
    def keywords(self) -> dict[str, object]:
        """What tells it from other crawls of the same strategy."""
        bound = {"rate": self.rate} if self.rate else {"limit": self.limit}
        return {**self.settings, **bound, **({"seeds": "elsewhere"} if self.elsewhere else {})}

    @property
    def name(self) -> str:
        """Of its file."""
        asked = f"{self.task.name} {self.task.seeds} {self.strategy} {self.keywords} {self.pages} {self.draw}"
        return f"{slug(self.task.name)}--{self.strategy}--{sha256(asked.encode()).hexdigest()[:12]}.parquet"


def collect(workshop: Workshop) -> Mapping[str, Sequence[Run]]:
    """Crawl, or read what was crawled before."""
    crawls = list(planned(workshop))
    left = [crawl for crawl in crawls if not (workshop.folder / "runs" / crawl.name).exists()]
    before = len(crawls) - len(left)
    workshop.on_progress(before, len(crawls))
    done = in_processes(do_crawl, left, workshop.folder, workshop.processes)
    for count, (crawl, problem) in enumerate(done, before + 1):
        if problem:
            raise HoneyguideError(f"{crawl.task.name}, {crawl.strategy}: {problem}")
        workshop.on_progress(count, len(crawls))
    return {"crawls": [read_run(workshop.folder / "runs" / crawl.name) for crawl in crawls]}


def planned(workshop: Workshop) -> Iterator[Crawl]:
    """Focused and unfocused at both limits, with link analysis or best first, from other seeds and irrelevant ones."""
    for draw in (1, 2):
        tasks = find_tasks([PATTERN], workshop.corpora, Shape(seeds=SEEDS, draw=draw))
        for task in spread(tasks, workshop.most_tasks or MOST_TASKS):
            folder = corpus_folder(task, workshop.corpora)
            pages = workshop.pages or task.budget
            if draw == 2:
                yield Crawl(task, folder, FOCUSED, pages, rate=RATES[0], draw=draw)
                continue
            for strategy in (FOCUSED, UNFOCUSED):
                yield from (Crawl(task, folder, strategy, pages, limit=limit) for limit in LIMITS)
                yield from (Crawl(task, folder, strategy, pages, rate=rate) for rate in RATES)
            yield Crawl(task, folder, ANALYSIS, pages, rate=RATES[0])
            yield Crawl(task, folder, FOCUSED, pages, rate=RATES[0], best_first=True)
            away = replace(task, seeds=task.negatives[:SEEDS])
            yield Crawl(away, folder, UNFOCUSED, pages, rate=RATES[0], elsewhere=True)


def do_crawl(crawl: Crawl, results: Path) -> None:
    """Crawl with a topic map as guide."""
    task = crawl.task
    web = open_web(crawl.folder, task.within, task.without)
    guide = Guide(_topic(crawl), web)
    strategy = find_plugin("strategies", crawl.strategy, STRATEGIES)(**crawl.settings)
    run = run_trial(
        task, guide, strategy, pages=crawl.pages, batch=BATCH, keywords=crawl.keywords, seed=crawl.draw
    )
    write_run(results / "runs" / crawl.name, run)


def _topic(crawl: Crawl) -> OntologyTopic:
    """As published: idf is counted over the pages of this very crawl. With a limit of our own it is frozen."""
    if not crawl.rate:
        return ontology_topic(
            crawl.task, crawl.folder, OntologySettings("en", idf="running", limit=crawl.limit)
        )
    limit = float(np.quantile(_relevance(crawl.task, crawl.folder), 1 - crawl.rate))
    return ontology_topic(crawl.task, crawl.folder, OntologySettings("en", limit=max(limit, LEAST)))


@lru_cache(maxsize=2)
def _relevance(task: Task, folder: Path) -> Floats:
    """Of all pages of the web, by a frozen idf."""
    web = open_web(folder, task.within, task.without)
    return ontology_topic(task, folder, OntologySettings("en")).judge([web.text(url) for url in web.urls])
