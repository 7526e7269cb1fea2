"""A crawl in several shards finds what one finds: each link once, where its target lives."""

import pytest

from honeyguide.crawls import Crawl
from honeyguide.model import Status
from honeyguide.sample_web.web import SampleWeb
from honeyguide.store import open_reader
from tests.shards.divided_crawl import run_to_the_end, shards

WEB = SampleWeb(pages=300)
SETTINGS = {
    "web.sample_pages": WEB.pages,
    "topic.text": WEB.description("bees"),
    "seeds.urls": WEB.seeds("bees"),
    "limits.max_pages": 0,
}


def links_of(folder):
    with open_reader(folder) as reader:
        return [(link.source, link.target, link.anchor) for link in reader.links()]


def visits_of(folder):
    with open_reader(folder) as reader:
        return [(visit.url, visit.depth) for visit in reader.visits()]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone") / "crawl"
    order = {key: value for key, value in SETTINGS.items() if key not in ("topic.text", "seeds.urls")}
    crawl = Crawl.start(folder, topic=SETTINGS["topic.text"], seeds=SETTINGS["seeds.urls"], settings=order)
    crawl.run()
    return folder


@pytest.mark.parametrize("strategy", ["honeyguide", "shark-search", "opic", "breadth-first"])
def test_every_link_is_kept_once(alone, tmp_path, strategy):
    with shards(tmp_path, 5, {**SETTINGS, "strategy.name": strategy}) as (engines, boxes):
        run_to_the_end(engines, boxes)
        foreign = [int((engine._memory.state.urls["status"] == Status.FOREIGN).sum()) for engine in engines]
    folders = [tmp_path / str(shard) for shard in range(5)]
    visited = [url for folder in folders for url, _ in visits_of(folder)]
    assert sorted(visited) == sorted(url for url, _ in visits_of(alone))
    found = [link for folder in folders for link in links_of(folder)]
    assert sorted(found) == sorted(links_of(alone))
    assert sum(foreign) > 10
