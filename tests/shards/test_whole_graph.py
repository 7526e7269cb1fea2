"""Every strategy that needs all links of a divided crawl: shards put together are one crawl, however it was divided."""

from contextlib import closing

import numpy as np
import pytest

from honeyguide.checks.tiny_web import TOPIC
from honeyguide.engine.whole_graph import scored, take_scores
from honeyguide.lab.sharded import ShardedCrawl
from honeyguide.model import Status
from honeyguide.shards.scores import Scores
from honeyguide.state.united import united
from honeyguide.state.view import CrawlView
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.distilled import Distilled
from honeyguide.topics.keywords import KeywordTopic
from tests.strategies.graph import TinyCrawl
from tests.strategies.test_in_shards import SEEDS, shard_of

BY_JOB = [strategy for strategy in STRATEGIES if strategy().in_shards == "by job"]


def test_these_need_it():
    assert {made.name for made in BY_JOB} == {"cc-bfs", "cc-bfs-k", "distilled", "hcla", "link-analysis"}


def crawled(strategy, folder, number, pages):
    """The states of all shards; no job has looked at them, so that it has everything to say."""
    strategy.whole_every = 1_000
    made = ShardedCrawl(lambda own, owners: shard_of(strategy, own, owners), folder, number, batch=1)
    with closing(made) as crawl:
        crawl.run(SEEDS, pages)
        return [shard.state for shard in crawl._shards]


def by_fingerprint(state):
    key = state.urls["fingerprint"]
    links = sorted(zip(*(key[side].tolist() for side in state.links.pairs()), strict=True))
    judged = dict(zip(key.tolist(), np.nan_to_num(state.urls["relevance"], nan=-1.0).tolist(), strict=True))
    return links, judged, dict(zip(key.tolist(), state.urls["outcome"].tolist(), strict=True))


def test_shards_put_together_are_the_crawl_in_one_piece(tmp_path):
    (alone,) = crawled(BestFirst(), tmp_path / "alone", 1, 1_000)
    whole, numbers = united(crawled(BestFirst(), tmp_path / "three", 3, 1_000), {}, {})
    assert by_fingerprint(whole) == by_fingerprint(alone)
    assert [len(number) > 0 for number in numbers] == [True] * 3


@pytest.mark.parametrize("make", BY_JOB, ids=lambda made: made.name)
def test_a_job_says_the_same_however_urls_are_numbered(make, tmp_path):
    strategy = make(query="bees") if make.name == "hcla" else make()
    pages = 4 if make.name == "link-analysis" else 12
    states, topic, said = crawled(strategy, tmp_path, 3, pages), KeywordTopic(TOPIC), []
    for shards in (states, states[::-1]):
        whole, _ = united(shards, strategy.values, strategy.tables)
        scores, _ = scored(strategy, whole, topic, [state.arrays for state in shards])
        key = whole.urls["fingerprint"]
        places = dict(zip(key[scores.ids].tolist(), scores.priorities.tolist(), strict=True))
        values = {
            (name, url): number
            for name, (ids, numbers) in scores.values.items()
            for url, number in zip(key[ids].tolist(), numbers.tolist(), strict=True)
        }
        said.append(places | values)
    assert len(said[0]) > 0
    assert said[0] == pytest.approx(said[1], abs=1e-9)


def test_what_was_visited_since_the_job_looked_is_left_alone():
    crawl = TinyCrawl(Distilled())
    crawl.seed("abc")
    crawl.fetch(("a", 0.9, "d"))
    ids = crawl.ids_of("abd")
    outcomes = np.array([Status.KNOWN, Status.KNOWN, Status.KNOWN], dtype=np.uint8)
    scores = Scores(ids, outcomes, np.array([3.0, 2.0, 1.0]), True, {"hub": (ids[:1], np.array([0.5]))})
    wanted = take_scores(scores, crawl.strategy, crawl.view)
    assert wanted.ids.tolist() == ids[1:].tolist(), "a was fetched meanwhile, and nobody wants it again"
    assert wanted.priorities.tolist() == [2.0, 1.0]
    assert crawl.view.value("hub")[ids[0]] == 0.5


@pytest.mark.parametrize("make", BY_JOB, ids=lambda made: made.name)
def test_a_shard_alone_does_not_look_at_the_links_it_has(make):
    crawl = TinyCrawl(make(query="bees") if make.name == "hcla" else make())
    crawl.state.is_part = True
    crawl.seed("ab")
    crawl.fetch(("a", 0.9, "bcd"), ("b", 0.8, "cd"))
    assert not len(crawl.strategy.refresh(CrawlView(crawl.state, KeywordTopic(TOPIC))))
    explanation = crawl.strategy.explain(crawl.id("c"), crawl.view)
    assert make.name == "distilled" or "job over all links" in explanation.summary
