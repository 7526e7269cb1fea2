"""Every strategy crawls in shards what it would have crawled alone, or is refused before it begins."""

from contextlib import closing

import pytest

from honeyguide.assembly import assemble
from honeyguide.checks.strategy import DRAWN, RELEVANT
from honeyguide.checks.tiny_web import TOPIC, TinyWeb
from honeyguide.engine.prepare import Preparer
from honeyguide.errors import SettingsError
from honeyguide.lab.sharded import Shard, ShardedCrawl
from honeyguide.making import make_strategy
from honeyguide.settings import CrawlOrder
from honeyguide.shards.owners import Owners
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.hcla import Hcla
from honeyguide.topics.keywords import KeywordTopic

QUICK = ("honeyguide", "opic", "pagerank", "shark-search", "cc-bfs", "distilled", "hcla", "link-analysis")
"""One of each kind; all others, by `make slow`."""
SEEDS = [TinyWeb.url(0)]
ORDER = CrawlOrder().with_overrides(
    {
        "topic.text": TOPIC,
        "seeds.urls": SEEDS,
        "crawl.batch": 3,
        "limits.max_pages": 0,
        "output.archive": False,
    }
)


def shard_of(strategy, folder, owners):
    topic = KeywordTopic(TOPIC)
    preparer = Preparer(
        topic=topic, policy=ORDER.url_policy, needs=strategy.needs, max_links=1_000, is_live=False
    )
    return Shard(ORDER, folder, TinyWeb(DRAWN, RELEVANT), topic, strategy, preparer, owners)


def crawled(make, folder, number):
    strategy = make()
    made = ShardedCrawl(lambda own, owners: shard_of(strategy, own, owners), folder, number, batch=8)
    with closing(made) as crawl:
        assert crawl.run(SEEDS, 1_000) == "frontier_empty"
    return crawl


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(strategy, id=strategy.name, marks=() if strategy.name in QUICK else pytest.mark.slow)
        for strategy in STRATEGIES
    ],
)
def test_in_shards_all_is_found(make, tmp_path):
    alone, three = (crawled(make, tmp_path / str(number), number) for number in (1, 3))
    assert alone.messages == 0 < three.messages
    found = sorted(visit.url for visit in three.visits)
    assert len(found) == len({*found})
    assert found == sorted(visit.url for visit in alone.visits)


@pytest.mark.parametrize("level", ["pages", "sites"])
def test_an_order_for_shards_is_refused_before_anything_is_written(level):
    divided = {
        "crawl.shards": 4,
        "crawl.level": level,
        "output.store": "postgresql://nowhere.example/crawls",
        "strategy.name": "hcla",
        "strategy.anchors": True,
    }
    with pytest.raises(SettingsError, match=r"hcla looks at all links .*docs/scale.md"):
        make_strategy(ORDER.with_overrides(divided))
    assert make_strategy(ORDER.with_overrides({**divided, "crawl.shards": 1})).in_shards == "no"


def test_a_crawl_with_one_owner_may_look_at_all_links(tmp_path):
    strategy = Hcla(query="bees")
    for owners in (None, Owners(1, 0)):
        own = tmp_path / str(owners is None)
        with assemble(ORDER, own, TinyWeb(DRAWN, RELEVANT), KeywordTopic(TOPIC), strategy, owners=owners):
            pass
