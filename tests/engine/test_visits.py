"""What is kept of pages: visits and archive records that say where each came from, also when it is fetched again."""

import numpy as np
import pytest
from fastwarc.warc import ArchiveIterator

import honeyguide as hg
from honeyguide.commands import SetLimits
from honeyguide.model import Explanation, Priorities, Response
from honeyguide.store.archive import read_page
from honeyguide.store.export import table_of
from honeyguide.store.inbox import post

START = "http://a.example/"
HTML = {"content-type": "text/html; charset=utf-8"}
LONG_TEXT = " ".join(f"the {number}th sentence on honey bees in their hive" for number in range(40))


class Again(hg.Strategy):
    """Follows every link, and asks for every page again as soon as something else has been fetched."""

    name = "again"
    refresh_every = 1

    def prioritize(self, pages, crawl):
        return Priorities(pages.targets, np.zeros(len(pages.targets)))

    def refresh(self, crawl):
        fetched = np.flatnonzero(crawl.is_fetched(np.arange(len(crawl))))[1:].astype(np.int32)
        if len(fetched) < 3:
            return Priorities.none()
        return Priorities(fetched, np.ones(len(fetched)), revisit=True)

    def explain(self, url_id, crawl):
        return Explanation("everything, again and again")


class Site(hg.Fetcher):
    """Three pages, one a copy of another, and a redirect; a page that is asked for again has not changed."""

    is_live = True

    def __init__(self, changes=False):
        self.asked = []
        self.changes = changes

    async def fetch(self, url, validators=None):
        self.asked.append(url)
        headers = {**HTML, "etag": '"1"'}
        if url == f"{START}moved":
            return Response(url, 301, b"", {"location": "/copy"})
        if validators and validators.etag and not self.changes:
            return Response(url, 304, b"", {"etag": '"1"'})
        version = f" in version {len(self.asked)}" * self.changes
        link = '<a href="/moved">moved</a> <a href="/other">other</a>' if url == START else ""
        text = LONG_TEXT if url != f"{START}other" else "Bees and honey, but something else altogether."
        body = f'<html lang="en"><title>Bees</title><p>{text}{version}</p>{link}'
        return Response(url, 200, body.encode(), headers)

    async def close(self):
        pass


def crawl(folder, changes=False):
    settings = {"politeness.delay_seconds": 0.0, "fetch.workers": 0, "limits.max_requests": 10}
    started = hg.Crawl.start(
        folder, "honey bees", [START], strategy=Again(), web=Site(changes), settings=settings
    )
    assert started.run() == hg.StopReason.REQUEST_LIMIT
    return started


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory):
    return crawl(tmp_path_factory.mktemp("unchanged") / "crawl")


def archived(folder, field):
    found = []
    for path in sorted((folder / "archive").glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, parse_http=False):
                if record.headers["WARC-Type"] == "metadata":
                    lines = dict(
                        line.split(": ", 1)
                        for line in record.reader.read().decode().splitlines()
                        if ": " in line
                    )
                    found.append((record.headers["WARC-Target-URI"], lines.get(field)))
    return found


def test_redirects_and_pages_that_have_not_changed_are_archived_with_where_they_came_from(unchanged):
    vias = archived(unchanged.folder, "via")
    assert (f"{START}moved", START) in vias
    assert {via for url, via in vias if url == f"{START}copy"} == {f"{START}moved"}
    assert len([url for url, _ in vias if url == f"{START}copy"]) > 1  # it was asked for again
    assert {via for url, via in vias if url == START} == {None}  # a seed


def test_what_was_known_of_a_page_stands_when_it_has_not_changed(unchanged):
    visits = [page.visit for page in unchanged.visits()]
    again = [visit for visit in visits if visit.status == 304]
    assert again
    for visit in again:
        first = next(one for one in visits if one.url == visit.url)
        for name in (
            "language",
            "content_type",
            "signature",
            "copy_of",
            "digest",
            "title",
            "relevance",
            "via",
        ):
            assert getattr(visit, name) == getattr(first, name), name
        assert (first.language, first.content_type) == ("en", HTML["content-type"])
    copies = [visit for visit in visits if visit.copy_of is not None]
    assert {visit.url for visit in copies} == {f"{START}copy"}
    assert len(copies) > 1
    assert not any(visit.is_relevant(0.0) for visit in copies)


def test_every_visit_of_a_page_is_exported_with_its_own_place(tmp_path):
    """And without asking the store once a row."""
    done = crawl(tmp_path / "crawl", changes=True)
    with done.reader() as reader:
        table = table_of(reader, "visits", 0.0)
        rows = list(table.rows)
    at = [*table.columns].index("archive_file")
    places = [row[at : at + 2] for row in rows]
    assert len({row[0] for row in rows}) < len(rows) == len(set(places))
    for page in done.visits():
        body = read_page(done.folder / "archive", page.visit.location).body
        assert len(body) == page.visit.bytes


def test_an_archive_that_lost_its_end_is_told(tmp_path):
    done = crawl(tmp_path / "crawl")
    (archive,) = (done.folder / "archive").glob("*.warc.gz")
    archive.write_bytes(archive.read_bytes()[:-10])
    alarms = []
    post(done.folder, SetLimits(max_requests=12))
    hg.Crawl.open(done.folder, strategy=Again(), web=Site()).run(
        on_progress=lambda progress: alarms.extend(progress.alarms)
    )
    assert alarms[0].startswith("10 bytes that were committed are missing at the end of the archive")
