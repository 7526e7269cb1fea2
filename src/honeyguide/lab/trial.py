"""One run of an experiment: the crawl users run, on a closed web, and what it brought, page by page."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from honeyguide.assembly import assemble
from honeyguide.engine.prepare import Preparer
from honeyguide.errors import HoneyguideError, SettingsError
from honeyguide.lab.levels import SHARDS
from honeyguide.lab.oracle import reachable, seed_numbers
from honeyguide.lab.person import Lessons, teach
from honeyguide.lab.results import Run, RunFacts
from honeyguide.lab.sharded import EVERYTHING, Exchange, Shard, ShardedCrawl
from honeyguide.lab.tasks.closed_web import ClosedWeb, ClosedWebFetcher, Guide, RememberingPreparer
from honeyguide.lab.tasks.subject_map import ontology_topic
from honeyguide.lab.tasks.subject_taxonomy import taxonomy_topic
from honeyguide.lab.tasks.tasks import NEGATIVES_PER_POSITIVE, Task
from honeyguide.lab.timed_strategy import TimedStrategy
from honeyguide.model import Floats, Visit
from honeyguide.settings import CrawlOrder
from honeyguide.shards.owners import Owners
from honeyguide.store import open_reader
from honeyguide.strategies.base import Strategy, check_in_shards
from honeyguide.topics.base import TopicModel
from honeyguide.topics.classifier import train_classifier
from honeyguide.topics.classifier.features import DAMPED
from honeyguide.topics.cosine import CosineTopic
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.meaning.topic import MeaningTopic
from honeyguide.topics.ontology.topic import OntologySettings
from honeyguide.urls import host_of

NO_LESSONS = Lessons()
KEYWORDS, PHRASE, MEANING = BY_WORDS = "keywords", "phrase", "meaning"
ONTOLOGY, TAXONOMY, BROAD_TAXONOMY = BY_SUBJECTS = "ontology", "taxonomy", "broad-taxonomy"
"""Guides that have only the words a user would type (the cosine with them, as the papers have it, the topic that such
words make by default, or the same by meaning, too), or a map of subjects, or examples of every subject (the broad one
wants what is around the topic, too); all others are classifiers, by the name of their model."""


@dataclass(frozen=True)
class GuideChoice:
    """What guides a crawl, and what it is made worse by."""

    model: str
    examples: int = 0  # of the topic to learn from; 0: all the task has
    flipped: float = 0.0  # share of the pages that are judged the wrong way round
    weighting: str = DAMPED  # of terms; for classifiers alone


@dataclass(frozen=True)
class Truth:
    """What there is to find in a web, and how alike its pages are to that."""

    targets: frozenset[str]  # that can be reached
    unreachable: int
    similarity: Floats  # of every page with the description of the targets


def open_web(folder: Path, within: str = "", without: str = "") -> ClosedWeb:
    """A closed web, remembered: a process runs many crawls on it. Those of one corpus are kept, for their size."""
    if _at_hand != [folder]:
        for remembered in (_opened, make_guide, find_truth):
            remembered.cache_clear()
        _at_hand[:] = [folder]
    return _opened(folder, within, without)


_at_hand: list[Path] = []


@lru_cache(maxsize=6)
def _opened(folder: Path, within: str, without: str) -> ClosedWeb:
    return ClosedWeb(folder, within, without)


@lru_cache(maxsize=4)
def make_guide(task: Task, folder: Path, choice: GuideChoice) -> Guide:
    """The guide of a task, the same for all strategies."""
    return Guide(_trained(task, folder, choice), open_web(folder, task.within, task.without), choice.flipped)


def _trained(task: Task, folder: Path, choice: GuideChoice) -> TopicModel:
    if choice.model == KEYWORDS:
        return CosineTopic(task.words)
    if choice.model == PHRASE:
        return KeywordTopic(task.words)
    if choice.model == MEANING:
        return MeaningTopic(task.words)
    if choice.model == ONTOLOGY:
        return ontology_topic(task, folder, OntologySettings("en"))
    positives, negatives = task.positives, task.negatives
    if choice.examples:
        positives = positives[: choice.examples]
        negatives = negatives[: NEGATIVES_PER_POSITIVE * choice.examples]
    # Examples may be pages outside the task's web.
    everything = open_web(folder)
    if choice.model in (TAXONOMY, BROAD_TAXONOMY):
        return taxonomy_topic(task, everything, is_broad=choice.model == BROAD_TAXONOMY)
    return train_classifier(
        everything.examples(positives),
        everything.examples(negatives),
        model=choice.model,
        weighting=choice.weighting,
    ).topic


@lru_cache(maxsize=4)
def find_truth(task: Task, web: ClosedWeb) -> Truth:
    """The targets of a task that can be reached from its seeds."""
    can_reach = reachable(web.graph, seed_numbers(task, web))
    targets = frozenset(url for url in task.targets if url in web.numbers and can_reach[web.numbers[url]])
    if not targets:
        raise HoneyguideError(f"{task.name}: no target can be reached from its seeds")
    return Truth(targets, len(task.targets) - len(targets), web.similarities(sorted(targets)))


def run_trial(
    task: Task,
    guide: Guide,
    strategy: Strategy,
    *,
    pages: int,
    batch: int,
    keywords: Mapping[str, Any] | None = None,
    seed: int = 1,
    urls_per_site: int = 0,
    lessons: Lessons = NO_LESSONS,
) -> Run:
    """Crawl, and keep what came of it; `keywords` and `seed` are noted as those the strategy was made with."""
    truth = find_truth(task, guide.web)
    timed = TimedStrategy(strategy)
    shards = (keywords or {}).get(SHARDS, 1)
    with tempfile.TemporaryDirectory(prefix="honeyguide-lab-") as name:
        if shards > 1:
            check_in_shards(strategy)
            if lessons != NO_LESSONS:
                raise SettingsError("shards: nobody can teach a crawl in shards in the lab yet")
            order = crawl_order(task, pages, batch, urls_per_site)
            visits, stop_reason = crawl_in_shards(order, Path(name), guide, timed, shards)
        else:
            for stage, limit in enumerate(lessons.stages(pages, len(task.seeds))):
                if stage:
                    teach(Path(name), task, guide.web, guide.topic, lessons, stage - 1)
                order = crawl_order(task, limit, batch, urls_per_site)
                stop_reason = crawl_with(order, Path(name), guide, timed)
            with open_reader(Path(name)) as reader:
                visits = list(reader.visits())
    facts = RunFacts(
        task=task.name,
        corpus=task.corpus,
        topic=task.topic,
        split=task.split,
        strategy=strategy.name,
        keywords=dict(keywords or {}),
        seed=seed,
        budget=pages,
        targets=len(truth.targets),
        unreachable=truth.unreachable,
        relevant=len(task.relevant),
        relevant_above=guide.topic.relevant_above,
        stop_reason=stop_reason,
    )
    return _run(facts, visits, task, truth, guide.web, timed)


def crawl_order(task: Task, pages: int, batch: int, urls_per_site: int = 0) -> CrawlOrder:
    """The crawl of a task, as an order."""
    return CrawlOrder().with_overrides(
        {
            "topic.text": task.words or task.topic,
            "seeds.urls": list(task.seeds),
            "limits.max_pages": pages,
            "crawl.batch": batch,
            "web.recording": task.corpus,
            "output.archive": False,
            # The web is closed: whatever is in it was a page to those who recorded it.
            "limits.max_urls_per_site": urls_per_site,
            "scope.skip_extensions": [],
            "scope.traps": [],
            "scope.follow_nofollow": True,
        }
    )


def crawl_with(order: CrawlOrder, folder: Path, guide: Guide, strategy: Strategy) -> str:
    """Crawl to the end, and tell why it ended."""
    fetcher, preparer = ClosedWebFetcher(guide.web), _preparer(order, guide, strategy)
    with assemble(order, folder, fetcher, guide.topic, strategy, preparer) as engine:
        reason = engine.run().value
        if engine.last_unreadable:  # a live crawl would go on without it, but then its numbers mean nothing
            raise HoneyguideError(engine.last_unreadable)
        return reason


def _preparer(order: CrawlOrder, guide: Guide, strategy: Strategy) -> Preparer:
    # Parsing and judging a page again gives what it gave before; all else is done anew.
    return RememberingPreparer(
        topic=guide.topic,
        policy=order.url_policy,
        needs=strategy.needs,
        max_links=order.scope.max_links_per_page,
        is_live=False,
        guide=guide,
    )


def crawl_in_shards(
    order: CrawlOrder,
    folder: Path,
    guide: Guide,
    strategy: Strategy,
    number: int,
    exchange: Exchange = EVERYTHING,
) -> tuple[list[Visit], str]:
    """Crawl to the end in so many shards; gives the visits of all in the order of time, and why it ended."""

    def make(own: Path, owners: Owners) -> Shard:
        preparer = _preparer(order, guide, strategy)
        return Shard(order, own, ClosedWebFetcher(guide.web), guide.topic, strategy, preparer, owners)

    with closing(ShardedCrawl(make, folder, number, strategy.batch or order.crawl.batch, exchange)) as crawl:
        reason = crawl.run(order.seeds.urls, order.limits.max_pages)
        return crawl.visits, reason


def _run(
    facts: RunFacts, visits: list[Visit], task: Task, truth: Truth, web: ClosedWeb, timed: TimedStrategy
) -> Run:
    urls = [visit.url for visit in visits]
    first = {url: step for step, url in reversed(list(enumerate(urls)))}
    # A page that is fetched again brings nothing new.
    is_first = np.array([first[url] == step for step, url in enumerate(urls)], dtype=np.bool_)
    return Run(
        facts,
        step=np.arange(1, len(visits) + 1),
        url=np.array(urls, dtype=object),
        host=np.array([host_of(url) for url in urls], dtype=object),
        relevance=np.array([visit.relevance for visit in visits], dtype=np.float64),
        is_target=np.array([url in truth.targets for url in urls], dtype=np.bool_) & is_first,
        judged=np.array([url in task.relevant for url in urls], dtype=np.bool_) & is_first,
        similarity=truth.similarity[[web.numbers[url] for url in urls]],
        depth=np.array([visit.depth for visit in visits], dtype=np.int32),
        rank_seconds=_seconds(timed, len(visits)),
    )


def _seconds(timed: TimedStrategy, pages: int) -> Floats:
    """Processor time of ranking by the time each page had been ranked; so are roots, and pages of other shards."""
    ranked, seconds = np.array(timed.marks).T
    places = np.searchsorted(ranked, ranked[-1] * np.arange(1, pages + 1) / max(pages, 1))
    spent: Floats = seconds[np.minimum(places, len(seconds) - 1)]
    return spent
