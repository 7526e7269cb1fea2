from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from honeyguide.cli.topic.crawled import CrawledPages
from honeyguide.model import Ids
from honeyguide.store import open_reader
from tests.cli.conftest import PAGES

FRONT, HIVES, QUEENS, CARS = PAGES


@pytest.fixture
def pages(crawled: Path) -> Iterator[CrawledPages]:
    reader = open_reader(crawled)
    yield CrawledPages(reader, reader.state())
    reader.close()


def urls(pages: CrawledPages, ids: Ids) -> list[str]:
    return [pages.reader.url_text(url_id) for url_id in ids.tolist()]


def test_the_best_pages_come_first(pages: CrawledPages) -> None:
    assert urls(pages, pages.best(2)) == [FRONT, HIVES]
    assert set(urls(pages, pages.best(100))) == set(PAGES)
    assert urls(pages, pages.relevant(0.05, 100)) == [FRONT, HIVES]


def test_neighbors_are_fetched_pages_linked_either_way(pages: CrawledPages) -> None:
    assert urls(pages, pages.around(pages.known([CARS]), 10)) == [HIVES]
    assert set(urls(pages, pages.around(pages.known([HIVES]), 10))) == {FRONT, QUEENS, CARS}
    assert urls(pages, pages.around(pages.known([HIVES]), 1)) == [FRONT]
    assert len(pages.around(np.empty(0, dtype=np.int32), 10)) == 0


def test_urls_that_were_not_fetched_are_unknown(pages: CrawledPages) -> None:
    assert len(pages.known(["http://nowhere.example/", "", "http://bees.example/gone"])) == 0


def test_texts_come_from_the_archive(pages: CrawledPages) -> None:
    (example,) = pages.read(pages.known([QUEENS])).values()
    assert (example.url, example.title) == (QUEENS, "Queens")
    assert example.text.startswith("kings and queens of the realm")
    (titled,) = pages.titled(pages.known([QUEENS]))
    assert (titled.url, titled.title) == (QUEENS, "Queens")
