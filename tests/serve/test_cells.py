"""Dots on a grid: every page is on it, what is sent again is what has changed, and a million cost what few cost."""

import struct
from collections import Counter

import numpy as np
import pytest

from honeyguide.crawls import Crawl
from honeyguide.serve import cells
from honeyguide.serve.cells import ROWS, Grid
from tests.serve.conftest import WEB, Served

HEADER = struct.Struct("<4sIIIIIII")


def unpacked(sent: bytes):
    magic, count, width, last, columns, rows, mark, _ = HEADER.unpack_from(sent)
    assert (magic, rows) == (b"HGG1", ROWS)
    times = np.frombuffer(sent, "<f8", columns, HEADER.size)
    places, pages, newest = np.frombuffer(sent, "<u4", offset=HEADER.size + 8 * columns).reshape(3, count)
    return (
        width,
        last,
        mark,
        times,
        dict(zip(places.tolist(), zip(pages.tolist(), newest.tolist(), strict=True), strict=True)),
    )


def expected(crawl, width, since=0):
    pages, newest = Counter(), {}
    for visit in (page.visit for page in crawl.visits()):
        if visit.copy_of is None:
            place = (visit.number - 1) // width * ROWS + int(min(ROWS - 1, max(0.0, visit.relevance * ROWS)))
            pages[place] += 1
            newest[place] = visit.number
    return {place: (pages[place], number) for place, number in newest.items() if number > since}


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cells") / "bees"
    made = Crawl.start(folder, WEB.description("bees"), WEB.seeds("bees"), web=WEB)
    made.run(pages=30)
    return made


def test_every_page_is_on_the_grid_as_the_crawl_grows(crawl, monkeypatch):
    monkeypatch.setattr(cells, "COLUMNS", 16)
    grid = Grid()
    seen = 0
    for pages in (30, 60, 100):
        crawl.run(pages=pages)
        with crawl.reader() as reader:
            grid.grow(reader)
            width, last, _, times, all_of_it = unpacked(grid.cells(reader, 0))
            *_, changed = unpacked(grid.cells(reader, seen))
            ends = [min(end, pages) for end in range(width, pages + width, width)]
            assert [*times] == [time for _, time, _ in reader.judged(ends)]
        assert last == pages
        assert width == next(width for width in (1, 2, 4, 8) if 16 * width >= pages)
        assert all_of_it == expected(crawl, width)
        assert changed == expected(crawl, width, seen)
        seen = last


def test_a_topic_that_changed_moves_the_dots(crawl):
    grid = Grid()
    with crawl.reader() as reader:
        grid.grow(reader)
        before = unpacked(grid.cells(reader, 0))
        judged = reader.cells
        reader.judged_again = lambda: (1, 1)
        reader.cells = lambda *given: [
            (column, ROWS - 1 - row, *rest) for column, row, *rest in judged(*given)
        ]
        grid.grow(reader)
        after = unpacked(grid.cells(reader, before[1]))
    assert after[2] != before[2]
    assert {place % ROWS for place in after[4]} <= {ROWS - 1 - place % ROWS for place in before[4]}


def test_cells_are_sent_over_http(reading: Served):
    with reading.client() as client:
        sent = client.get("/crawls/bees/cells").content
        assert sum(pages for pages, _ in unpacked(sent)[4].values()) == len(
            [None for page in reading.workspace.crawl("bees").visits() if page.visit.copy_of is None]
        )
        assert unpacked(client.get("/crawls/bees/cells", params={"cursor": 2**53}).content)[4] == {}
