import gzip
import json
from pathlib import Path

import pytest

from honeyguide.sample_web.corpus import write_corpus
from honeyguide.sample_web.web import SampleWeb

WEB = SampleWeb(pages=400, seed=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(WEB, folder)
    return folder


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[str, dict[str, object]]:
    with gzip.open(folder / "pages.jsonl.gz", "rt") as lines:
        return {page["url"]: page for page in map(json.loads, lines)}


@pytest.fixture(scope="module")
def links(folder: Path) -> list[list[str]]:
    with gzip.open(folder / "links.tsv.gz", "rt") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def test_every_page_is_recorded_as_it_is(pages: dict[str, dict[str, object]]) -> None:
    for number in range(WEB.pages):
        page = pages[WEB.url(number)]
        assert page["html"] == WEB.html(number).decode()
        assert page["labels"] == WEB.labels(WEB.url(number))


def test_everything_else_is_a_trap(pages: dict[str, dict[str, object]]) -> None:
    others = [page for url, page in pages.items() if WEB.number(url) is None]
    assert 20 < len(others) < WEB.pages
    assert all(page["labels"] == ["trap"] for page in others)
    assert all(WEB.fetch(str(page["url"])).body.decode() == page["html"] for page in others)


def test_links_join_recorded_pages(pages: dict[str, dict[str, object]], links: list[list[str]]) -> None:
    assert all(len(link) == 4 and link[0] in pages and link[1] in pages for link in links)
    pairs = {(link[0], link[1]) for link in links}
    assert len(pairs) == len(links)
    for number in range(WEB.pages):
        assert {(WEB.url(number), WEB.url(target)) for target in WEB.links(number)} <= pairs


def test_every_recorded_trap_has_a_way_in(
    pages: dict[str, dict[str, object]], links: list[list[str]]
) -> None:
    linked = {link[1] for link in links}
    assert {url for url in pages if WEB.number(url) is None} <= linked


def test_aliases_redirect_to_their_page(links: list[list[str]]) -> None:
    aliases = [link for link in links if link[3]]
    assert len(aliases) > 20
    assert all(WEB.fetch(link[3]).redirect == link[1] for link in aliases)


def test_same_web_same_files(folder: Path, tmp_path: Path) -> None:
    heard: list[int] = []
    write_corpus(SampleWeb(pages=400, seed=2), tmp_path, heard.append)
    for name in ("pages.jsonl.gz", "links.tsv.gz"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
    assert heard == sorted(heard)
    assert heard[-1] == 400
