"""The indexer: goes on where it was, whatever happens to it, and disturbs nobody."""

import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from honeyguide import Crawl
from honeyguide.errors import CrawlLocked, DiskFull, StoreError
from honeyguide.search import indexer as indexing
from honeyguide.search import shelf
from honeyguide.search.collection import Collection
from honeyguide.search.indexer import Indexer
from honeyguide.search.results import Wanted
from honeyguide.state.state import State
from honeyguide.store import open_reader, open_store
from honeyguide.store.base import Batch

from .conftest import crawl_of, sample_crawl

SCRIPT = Path(__file__).with_name("killed_indexer.py")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    return sample_crawl(tmp_path_factory.mktemp("sample") / "crawl", 150)


@pytest.fixture
def crawl(crawled: Crawl, tmp_path: Path) -> Crawl:
    """A copy of a crawl of the sample web, not indexed."""
    shutil.copytree(crawled.folder, tmp_path / "crawl")
    return Crawl.open(tmp_path / "crawl")


def found(crawl: Crawl, query: str = "") -> set[tuple[str, float]]:
    """What is found, with its weight; the part of the text also depends on what was removed from the index."""
    hits = Collection(crawl.folder).search(Wanted(query, most=100), 0.0).hits
    return {(hit.url, round(hit.score / hit.parts["text"], 6)) for hit in hits}


def searchable(crawl: Crawl) -> int:
    return Collection(crawl.folder).search(Wanted(), 0.0).total


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    crawl = sample_crawl(tmp_path / "crawl", 60)
    assert crawl.index() == 60
    assert crawl.index() == 0
    crawl.run(pages=130)
    assert (crawl.search(fresh=False).indexed, crawl.search(fresh=False).waiting) == (60, 70)
    assert crawl.search().waiting == 0
    grown = found(crawl, "honey")
    crawl.index(rebuild=True)
    assert found(crawl, "honey") == grown, "as if all had been indexed at once"


def test_a_searcher_sees_what_is_indexed_later(tmp_path: Path) -> None:
    crawl = sample_crawl(tmp_path / "crawl", 50)
    assert crawl.search().indexed == 50
    crawl.run(pages=80)
    assert crawl.search().indexed == 80
    crawl.index(rebuild=True)
    assert crawl.search().indexed == 80


def test_many_new_pages_are_left_to_the_verb(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honeyguide.searching.SMALL", 100)
    with pytest.raises(StoreError, match=r"has no index to search; `honeyguide index .*crawl` makes one"):
        crawl.search("honey")
    crawl.index()
    assert crawl.search("honey").total


def test_killed_at_random_moments(crawl: Crawl, tmp_path: Path) -> None:
    shutil.copytree(crawl.folder, tmp_path / "whole")
    whole = Crawl.open(tmp_path / "whole")
    whole.index()
    chance = random.Random(3)
    for _ in range(3):
        command = [sys.executable, str(SCRIPT), str(crawl.folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for _ in islice(process.stdout or (), chance.randrange(1, 16)):
                pass
            time.sleep(chance.random() / 50)
            process.kill()
        assert process.wait() in (-signal.SIGKILL, 0)
    crawl.index()
    assert searchable(crawl) == searchable(whole)
    assert found(crawl, "honey") == found(whole, "honey")
    assert [path.name for path in (crawl.folder / "index").iterdir() if path.name.isdecimal()] == ["1"]


def test_there_is_one_writer(crawl: Crawl) -> None:
    command = [sys.executable, str(SCRIPT), str(crawl.folder), "hold"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(CrawlLocked, match=rf"being indexed by process {process.pid} already"):
            crawl.index()
        while process.stdout.readline() != "done\n":
            pass
        assert crawl.search("honey").total, "others can search"
        process.kill()
    assert crawl.index() == 0, "and write, when it is gone"


def test_a_page_that_is_lost_from_the_archive_is_left_out(crawl: Crawl) -> None:
    (file,) = (crawl.folder / "archive").glob("*.warc.gz*")
    whole = file.read_bytes()
    third = [page.visit.location for page in crawl.visits()][2]
    assert third is not None
    file.write_bytes(whole[: third.offset] + b"\0" * 200 + whole[third.offset + 200 :])
    with crawl.indexer() as indexer:
        assert indexer.catch_up() == 150
        assert indexer.unreadable == 1
    assert searchable(crawl) == 149
    file.unlink()
    crawl.index(rebuild=True)
    assert searchable(crawl) == 0, "a crawl without its archive has nothing to search, and nothing fails"


@pytest.mark.parametrize("damage", ["meta.json", "*.store", "*.term"])
def test_a_damaged_index_is_told_and_made_anew(crawl: Crawl, damage: str) -> None:
    crawl.index()
    (folder,) = (path for path in (crawl.folder / "index").iterdir() if path.is_dir())
    for path in folder.glob(damage):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(StoreError, match=r"is damaged .*; `honeyguide index .* --rebuild` makes it anew"):
        crawl.search("honey")
    crawl.index(rebuild=True)
    assert crawl.search("honey").total


def test_what_says_which_index_is_in_use_may_be_lost(crawl: Crawl) -> None:
    crawl.index()
    for rubbish in ("[]", '{"version": 1, "index": "../../.."}'):
        (crawl.folder / "index" / "in-use.json").write_text(rubbish)
        assert crawl.search("honey").total, "it was indexed anew"


def test_an_index_of_another_version_is_made_anew(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl.index()
    monkeypatch.setattr(shelf, "VERSION", shelf.VERSION + 1)
    assert crawl.search("honey").indexed == 150
    assert f'"version": {shelf.VERSION}' in (crawl.folder / "index" / "in-use.json").read_text()


def test_a_rebuild_takes_the_place_at_the_end(crawl: Crawl) -> None:
    crawl.index()
    before = found(crawl)
    with crawl.indexer(rebuild=True) as indexer:
        assert indexer.done == 0
        assert found(crawl) == before, "the former index is searched meanwhile"
        assert indexer.catch_up() == 150
    assert found(crawl) == before


def test_an_index_does_not_stop_a_crawl_from_going_on(crawl: Crawl) -> None:
    with crawl.indexer() as indexer:
        indexer.catch_up()
        crawl.run(pages=160)
        assert indexer.catch_up() == 10


def test_a_full_disk_is_told_and_leaves_the_crawl_alone(crawl: Crawl, small_disk: Path) -> None:
    index = crawl.folder / "index"
    index.symlink_to(small_disk)
    (small_disk / "large").write_bytes(b"x" * 2_900_000)
    with pytest.raises(DiskFull, match=r"no space left for .*; free some and `honeyguide index"):
        crawl.index()
    crawl.run(pages=160)
    (small_disk / "large").unlink()
    crawl.index()
    assert searchable(crawl) == 160


def test_pages_judged_again_stand_where_they_belong(crawl: Crawl) -> None:
    before = {hit.url: hit.relevance for hit in crawl.search("honey", most=100).hits}
    for page in crawl.top(10):
        crawl.label(page.url, relevant="honey" not in page.title.lower())
    crawl.use_revision(crawl.learn().number)
    now = {page.url: page.relevance for page in crawl.visits()}
    assert any(now[url] != relevance for url, relevance in before.items())
    hits = crawl.search("honey", fresh=False, most=100).hits
    assert {hit.url: hit.relevance for hit in hits} == {url: now[url] for url in before}, "at once"
    crawl.index()
    relevant = {page.url for page in crawl.visits(relevant=True)}
    hits = crawl.search(relevant=True, most=100)
    assert hits.total == len(relevant), "also what candidates are chosen by"


def test_anchors_that_come_later_are_found(tmp_path: Path) -> None:
    crawl = sample_crawl(tmp_path / "crawl", 30)
    pages = {page.url for page in crawl.visits()}

    def anchored(crawl: Crawl) -> dict[str, set[str]]:
        words = ("honey", "hives", "brood", "diary", "review", "bees")
        return {word: pages & {url for url, _ in found(crawl, f"anchor:{word}")} for word in words}

    crawl.index()
    first = anchored(crawl)
    crawl.run(pages=200)
    crawl.index()
    grown = anchored(crawl)
    crawl.index(rebuild=True)
    assert grown == anchored(crawl)
    assert any(len(grown[word]) > len(first[word]) for word in grown)


def test_a_page_fetched_again_is_there_once(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    pages = {"http://a.example/": ("en", "Bees", "Old words on bees and their honey. " * 9)}
    crawl = crawl_of(tmp_path, pages)
    crawl.index()
    with closing(open_store(folder)) as store, open_reader(folder) as reader:
        state = State()
        store.load(state)
        again = replace(next(reader.visits()), title="Wasps")
        store.commit(Batch(changes=state.take_changes(), visits=[again]), state)
    assert [hit.title for hit in crawl.search().hits] == ["Wasps"]
    assert crawl.search("title:bees").total == 0


def test_it_follows_a_crawl(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(indexing, "COMMIT_SECONDS", 0.0)
    looks = iter(range(3))

    def is_wanted() -> bool:
        look = next(looks, None)
        if look == 0:
            crawl.run(pages=170)
        return look is not None

    with Indexer(crawl.folder) as indexer:
        indexer.follow(is_wanted)
        assert indexer.done == 170
    assert searchable(crawl) == 170
