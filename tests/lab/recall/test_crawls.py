"""Recall estimates of real crawls of the sample web, whose truth is known."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from honeyguide.assembly import start_crawl
from honeyguide.engine.engine import Engine
from honeyguide.errors import SettingsError
from honeyguide.lab.recall.crawls import against_list, read_found, recapture
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder

WEB = SampleWeb(pages=600, seed=1)
TOPIC = "bees"
SEEDS = WEB.seeds(TOPIC, 6)
Crawl = Callable[..., Path]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """Crawl the sample web."""

    def start(name: str, seeds: list[str], pages: int = 60, topic: str = WEB.description(TOPIC)) -> Path:
        folder = tmp_path_factory.mktemp(name) / name
        changed = {"topic.text": topic, "seeds.urls": seeds, "limits.max_pages": pages, "web.sample_pages": 600,
                   "web.sample_seed": 1, "output.folder": str(folder), "output.archive": False}  # fmt: skip
        run(start_crawl(CrawlOrder().with_overrides(changed)))
        return folder

    return start


def run(crawler: Engine) -> None:
    with closing(crawler):
        crawler.run()


@pytest.fixture(scope="module")
def first(crawl: Crawl) -> Path:
    return crawl("first", SEEDS[:3])


@pytest.fixture(scope="module")
def second(crawl: Crawl) -> Path:
    return crawl("second", SEEDS[3:])


def test_seeds_were_not_found(first):
    found = read_found(first)
    assert found.pages == 60
    assert found.relevant
    assert not found.relevant & set(SEEDS[:3])


def test_two_crawls_are_compared_without_their_seeds(first, second):
    estimate = recapture(first, second)
    ours, theirs = (read_found(folder).relevant - set(SEEDS) for folder in (first, second))
    assert estimate.found == len(ours | theirs)
    assert estimate.looked_at == len(ours & theirs)


def test_crawls_that_cannot_be_compared_are_refused(first, crawl):
    with pytest.raises(SettingsError, match="seeds in common"):
        recapture(first, first)
    cars = crawl("cars", SEEDS[4:], pages=5, topic="cars")
    with pytest.raises(SettingsError, match="same topic"):
        recapture(first, cars)


def test_a_list_of_relevant_pages(first, tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("\n".join([*WEB.targets(TOPIC)]))
    estimate = against_list(first, path)
    listed = set(WEB.targets(TOPIC)) - set(SEEDS[:3])
    assert estimate.looked_at == len(listed)
    assert estimate.recall == pytest.approx(len(read_found(first).relevant & listed) / len(listed))
    path.write_text(SEEDS[0])
    with pytest.raises(SettingsError, match="no url but seeds"):
        against_list(first, path)
