"""Recall estimates of real crawls of the sample web, whose truth is known."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from honeyguide.assembly import read_order, start_crawl
from honeyguide.crawl.crawler import Crawler
from honeyguide.errors import SettingsError, StoreError
from honeyguide.lab.recall_crawls import against_list, audit, made_before, read_found, recapture, waiting
from honeyguide.lab.sample_web import SampleWeb
from honeyguide.settings import CrawlOrder
from honeyguide.store.reader import CrawlReader
from honeyguide.topics.keywords import KeywordTopic

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


def run(crawler: Crawler) -> None:
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


def test_what_waits_is_known_and_not_fetched_and_the_promising_first(crawl):
    with closing(CrawlReader(crawl("short", SEEDS[:3], pages=15))) as reader:
        urls = waiting(reader, KeywordTopic(WEB.description(TOPIC)))
        fetched = {visit.url for visit in reader.visits()}
        known = {link.target for link in reader.links()}
    assert urls
    assert len(set(urls)) == len(urls)
    assert not set(urls) & fetched
    assert set(urls) <= known
    targets = set(WEB.targets(TOPIC))
    places = [place for place, url in enumerate(urls) if url in targets]
    assert sum(places) / len(places) < len(urls) / 3


def test_an_audit_that_looks_at_everything_counts_what_can_be_seen(first):
    found = read_found(first)
    with closing(CrawlReader(first)) as reader:
        topic = KeywordTopic(WEB.description(TOPIC))
        urls = waiting(reader, topic)
    estimate = audit(first, 8 * len(urls), run)
    assert estimate.looked_at == len(urls)
    with closing(CrawlReader(first.with_name("first-audit"))) as reader:
        audited = list(reader.visits())
    missed = {visit.url for visit in audited if visit.relevance >= found.relevant_above} - found.relevant
    assert estimate.found == len(found.relevant)
    assert estimate.total == pytest.approx(len(found.relevant) + len(missed), abs=3)
    assert estimate.total_low == estimate.total_high
    assert read_order(first.with_name("first-audit")).strategy.name == "breadth-first"
    # No link of an audited page was followed.
    assert {visit.url for visit in audited} <= set(urls) | {
        visit.url for visit in audited if visit.depth <= 1
    }
    assert len(audited) <= len(urls)


def test_an_audit_is_made_once_and_for_one_state(crawl):
    folder = crawl("grown", SEEDS[:2], pages=20)
    assert made_before(folder) == []
    estimate = audit(folder, 16, run)
    assert made_before(folder) == [estimate]
    assert audit(folder, 80, run) == estimate, "the sample is drawn once"
    sample = folder.with_name("grown-audit.json")
    sample.write_text(json.dumps({**json.loads(sample.read_text()), "pages": 7}))
    assert made_before(folder) == []
    with pytest.raises(StoreError, match="earlier state"):
        audit(folder, 16, run)


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
