"""Audits of real crawls of the sample web, whose truth is known."""

import gzip
from contextlib import closing
from pathlib import Path

import pytest

from honeyguide.assembly import read_order, resume_crawl, start_crawl
from honeyguide.crawls import Crawl
from honeyguide.engine.running import StopReason
from honeyguide.errors import HoneyguideError, StoreError
from honeyguide.fetch.replay import open_recording
from honeyguide.lab.recall.audit import BEYOND, KNOWN, audit, made_before, waiting
from honeyguide.lab.recall.crawls import read_found
from honeyguide.sample_web.corpus import write_corpus
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader
from honeyguide.topics.keywords import KeywordTopic

WEB = SampleWeb(pages=600, seed=1)
TOPIC = "bees"
SEEDS = WEB.seeds(TOPIC, 6)


def crawled(folder: Path, seeds: list[str] = SEEDS[:3], pages: int = 60, **changed: object) -> Path:
    settings = {"topic.text": WEB.description(TOPIC), "seeds.urls": seeds, "limits.max_pages": pages,
                "web.sample_pages": 600, "web.sample_seed": 1, "output.folder": str(folder),
                "output.archive": False} | changed  # fmt: skip
    with closing(start_crawl(CrawlOrder().with_overrides(settings))) as crawler:
        crawler.run()
    return folder


def run(crawl: Crawl) -> StopReason:
    return crawl.run()


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crawled(tmp_path_factory.mktemp("first") / "first")


def step(folder: Path, pages: int, looks: int, name: str) -> Path:
    return folder.with_name(f"{folder.name}-audit") / f"{pages}-pages-{looks}-looks" / name


def test_what_waits_is_known_and_not_fetched_and_the_promising_first(tmp_path):
    with open_reader(crawled(tmp_path / "short", pages=15)) as reader:
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


def test_an_audit_that_looks_at_everything_counts_what_is_one_and_two_links_away(first):
    found = read_found(first)
    estimate = audit(first, 8000, run)
    with open_reader(first) as reader:
        queue = waiting(reader, KeywordTopic(WEB.description(TOPIC)))
        known = {*queue, *(visit.url for visit in reader.visits())}
    missed: set[str] = set()
    looked = 0
    for name in (KNOWN, BEYOND):
        with open_reader(step(first, 60, 8000, name)) as reader:
            visits = list(reader.visits())
            seeds = {link.target for link in reader.links() if link.source == ""}
            assert len(visits) <= len(seeds), "no link of an audited page is followed"
            looked += len(seeds)
            if name == BEYOND:
                assert not seeds & known
            missed |= {visit.url for visit in visits if visit.relevance >= found.relevant_above}
    assert estimate.looked_at + estimate.unanswered == looked > len(queue)
    assert estimate.found == len(found.relevant)
    assert estimate.total == pytest.approx(len(found.relevant) + len(missed - found.relevant), abs=3)
    assert estimate.total_high - estimate.total_low < 2, "but for the pages that gave no answer it is certain"


def test_every_number_of_looks_is_an_audit_of_its_own_and_none_is_lost(tmp_path):
    folder = crawled(tmp_path / "grown", SEEDS[:2], pages=20)
    assert made_before(folder) == []
    few = audit(folder, 16, run)
    many = audit(folder, 80, run)
    assert few.looked_at + few.unanswered <= 16 < many.looked_at
    assert made_before(folder) == [few, many]
    assert audit(folder, 16, run) == few, "the same sample is not looked at again"


def test_an_audit_of_a_crawl_that_went_on_leaves_the_old_one_alone(tmp_path):
    folder = crawled(tmp_path / "grown", SEEDS[:2], pages=20)
    audit(folder, 16, run)
    old = sorted(path.name for path in step(folder, 20, 16, KNOWN).rglob("*"))
    with closing(resume_crawl(folder, {"limits.max_pages": 40})) as crawler:
        crawler.run()
    assert made_before(folder) == []
    new = audit(folder, 16, run)
    assert made_before(folder) == [new]
    assert sorted(path.name for path in step(folder, 20, 16, KNOWN).rglob("*")) == old


def test_pages_that_were_not_recorded_are_not_looked_at(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    write_corpus(WEB, tmp_path / "whole")
    part = tmp_path / "part"
    part.mkdir()
    lines = gzip.decompress((tmp_path / "whole" / "pages.jsonl.gz").read_bytes()).decode().splitlines()
    seeds = [line for line in lines if any(f'"{seed}"' in line for seed in SEEDS[:3])]
    kept = dict.fromkeys([*seeds, *lines[::3]])
    (part / "pages.jsonl").write_text("\n".join(kept))
    recording = {"web.recording": str(part), "web.sample_pages": 0}
    folder = crawled(tmp_path / "crawl", pages=15, **recording)
    estimate = audit(folder, 24, run)
    assert estimate.unanswered == 0
    for name in (KNOWN, BEYOND):
        seeds_of = read_order(step(folder, 15, 24, name)).seeds.urls
        assert seeds_of
        with closing(open_recording(part)) as recorded:
            assert all(url in recorded for url in seeds_of)


def test_an_audit_that_was_stopped_is_told_and_gone_on_with(tmp_path):
    folder = crawled(tmp_path / "crawl", pages=15)
    with pytest.raises(HoneyguideError, match="same command again"):
        audit(folder, 16, lambda crawler: StopReason.STOPPED_BY_USER)
    assert made_before(folder) == []
    estimate = audit(folder, 16, run)
    assert estimate.looked_at + estimate.unanswered <= 16


def test_looks_that_are_not_of_the_sample_are_named(tmp_path):
    folder = crawled(tmp_path / "crawl", pages=15)
    audit(folder, 16, run)
    step(folder, 15, 16, KNOWN).with_suffix(".json").unlink()
    order = step(folder, 15, 16, KNOWN) / "order.toml"
    order.write_text(
        order.read_text().replace(read_order(order.parent).seeds.urls[0], "http://strange.example/")
    )
    with pytest.raises(StoreError, match=r"http://strange\.example/ is of one"):
        audit(folder, 16, run)
