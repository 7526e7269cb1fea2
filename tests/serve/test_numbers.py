"""Pictures as binary columns, and a crawl that is watched."""

import itertools
import json
import struct

import numpy as np

from honeyguide.serve.columns import _chosen, dots
from honeyguide.serve.live import MOST_WATCHERS
from tests.serve.conftest import PAGES


def test_dots_are_columns_that_a_browser_reads_in_place(reading):
    with reading.client() as client:
        sent = client.get("/crawls/bees/dots").content
        later = client.get("/crawls/bees/dots", params={"cursor": 30}).content
    magic, count, stride, last = struct.unpack_from("<4sIII", sent)
    assert (magic, count, stride, last) == (b"HGD1", PAGES, 1, PAGES)
    times = np.frombuffer(sent, "<f8", count, 16)
    numbers = np.frombuffer(sent, "<u4", count, 16 + 8 * count)
    relevance = np.frombuffer(sent, "<f4", count, 16 + 12 * count)
    assert len(sent) == 16 + 16 * count
    visits = [page.visit for page in reading.workspace.crawl("bees").visits()]
    assert numbers.tolist() == [visit.number for visit in visits]
    assert times.tolist() == [visit.time for visit in visits]
    np.testing.assert_allclose(relevance, [visit.relevance for visit in visits], rtol=1e-6)
    assert struct.unpack_from("<4sIII", later)[1] == PAGES - 30


def test_of_many_visits_few_are_shown_and_the_same_ones_again():
    for last, stride in ((10**6, 256), (10**6 + 300, 256), (999, 1)):
        chosen = _chosen(0, last, stride)
        assert len(chosen) == last // stride
        assert (np.diff(chosen) > 0).all()
        assert (np.diff((chosen - 1) // stride) == 1).all(), "one of each block"
    all_of_it, first = _chosen(0, 10**6, 256), _chosen(0, 500_000, 256)
    assert np.array_equal(all_of_it[: len(first)], first), "what was shown stays"
    assert np.array_equal(all_of_it[all_of_it > 400_000], _chosen(400_000, 10**6, 256))
    places = (all_of_it - 1) % 256
    assert 100 < places.mean() < 156, "any page of a batch, not always the first"


def test_thinned_dots_are_few(reading):
    with reading.workspace.crawl("bees").reader() as reader:
        _, count, stride, last = struct.unpack_from("<4sIII", dots(reader, 10, 0))
    assert (count, stride, last) == (10, 4, PAGES)


def test_the_curve_ends_where_the_crawl_stands(served):
    log = served.workspace.folder / "crawls" / "bees" / "harvest.log"
    rows = [f"2026-01-01T00:00:00+00:00\t{pages}\t0.5\t0.25\t0.125\n" for pages in range(50, 5050, 50)]
    log.write_text(log.read_text().splitlines()[0] + "\n" + "".join(rows))
    with served.client() as client:
        sent = client.get("/crawls/bees/curve", params={"most": 10}).content
    magic, count, _, last = struct.unpack_from("<4sIII", sent)
    assert (magic, count, last) == (b"HGC1", 10, 5000)
    assert np.frombuffer(sent, "<u4", count, 16)[-1] == 5000
    rates = np.frombuffer(sent, "<f4", 3 * count, 16 + 4 * count).reshape(3, count)
    assert rates[:, 0].tolist() == [0.5, 0.25, 0.125]


def test_a_crawl_without_pages_has_empty_pictures(served):
    from tests.serve.conftest import ORDER

    with served.client() as client:
        client.post("/crawls", json=ORDER)
        assert struct.unpack("<4sIII", client.get("/crawls/new/dots").content) == (b"HGD1", 0, 1, 0)
        assert struct.unpack("<4sIII", client.get("/crawls/new/curve").content) == (b"HGC1", 0, 0, 0)


def test_whoever_watches_is_told_what_is_new(reading):
    with reading.client() as client, client.stream("GET", "/crawls/bees/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        lines = [*itertools.islice(events.iter_lines(), 6)]
    assert lines[:3] == [f"id: {PAGES}", "event: visits", f'data: {{"now": {PAGES}}}']
    assert lines[4] == "event: status"
    told = json.loads(lines[5].removeprefix("data: "))
    assert (told["state"], told["status"]["pages"]) == ("stopped", PAGES)


def test_no_more_watch_than_the_server_bears(reading, monkeypatch):
    # Some more: one that watched before may be counted out meanwhile.
    monkeypatch.setattr(reading.serving.live, "watchers", MOST_WATCHERS + 10)
    with reading.client() as client:
        assert client.get("/crawls/bees/events").status_code == 429
