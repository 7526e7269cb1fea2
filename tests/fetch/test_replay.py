"""The recorded web as a fetcher, and the cache of indexes behind it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from honeyguide.errors import HttpStatusError, ImportFailed
from honeyguide.fetch.replay import ReplayFetcher, open_recording
from honeyguide.model import Response
from honeyguide.store.archive import PageArchive
from honeyguide.store.warc_records import PageFacts

LINE = '{"url": "http://a.example/", "html": "<p>one"}\n'


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "pages.jsonl").write_text(LINE)
    (folder / "links.tsv").write_text("http://a.example/\thttp://a.example/\ta\thttp://a.example/old\n")
    return folder


def test_pages_redirects_and_what_is_missing(corpus: Path) -> None:
    with closing(open_recording(corpus)) as recording:
        fetcher = ReplayFetcher(recording)
        assert asyncio.run(fetcher.fetch("http://a.example/")).body == b"<p>one"
        assert asyncio.run(fetcher.fetch("http://a.example/old")).redirect == "http://a.example/"
        with pytest.raises(HttpStatusError, match="not in this recording"):
            asyncio.run(fetcher.fetch("http://a.example/none"))
        asyncio.run(fetcher.close())


def test_the_folder_of_a_crawl_is_replayed_as_it_went(tmp_path: Path) -> None:
    pages = [
        Response(
            "http://a.example/", 200, b"home", {"content-type": "text/html", "content-encoding": "gzip"}
        ),
        Response("http://a.example/go", 302, b"", {"location": "/there"}),
        Response("http://a.example/gone", 410, b"gone"),
    ]
    archive = PageArchive(tmp_path / "crawl" / "archive")
    for page in pages:
        archive.append(page, datetime.now(UTC), PageFacts())
    archive.flush()  # and killed: the file is still called .open
    with closing(open_recording(tmp_path / "crawl")) as recording:
        fetcher = ReplayFetcher(recording)
        home = asyncio.run(fetcher.fetch("http://a.example/"))
        assert (home.body, home.content_type) == (b"home", "text/html")
        assert asyncio.run(fetcher.fetch("http://a.example/go")).redirect == "/there"
        with pytest.raises(HttpStatusError, match="410"):
            asyncio.run(fetcher.fetch("http://a.example/gone"))
        assert list(recording.urls()) == ["http://a.example/"]
    archive.close()


def test_the_index_is_built_once_and_outside_the_corpus(corpus: Path, cache: Path) -> None:
    before = sorted(corpus.iterdir())
    open_recording(corpus).close()
    (index,) = (cache / "recordings").iterdir()
    first = index.stat().st_mtime_ns
    open_recording(corpus, lambda *_: pytest.fail("indexed again")).close()
    open_recording(Path(os.path.relpath(corpus))).close()
    assert [index.stat().st_mtime_ns] == [
        file.stat().st_mtime_ns for file in (cache / "recordings").iterdir()
    ]
    assert first == index.stat().st_mtime_ns
    assert sorted(corpus.iterdir()) == before


def test_a_changed_corpus_is_indexed_anew_and_its_old_index_removed(corpus: Path, cache: Path) -> None:
    open_recording(corpus).close()
    (corpus / "pages.jsonl").write_text(LINE.replace("one", "another"))
    with closing(open_recording(corpus)) as recording:
        response = recording.response("http://a.example/")
        assert response is not None
        assert response.body == b"<p>another"
    assert len(list((cache / "recordings").iterdir())) == 1


@pytest.mark.parametrize("keep", [0, 100, 5000])
def test_a_torn_index_is_built_again(corpus: Path, cache: Path, keep: int) -> None:
    open_recording(corpus).close()
    (index,) = (cache / "recordings").iterdir()
    index.write_bytes(index.read_bytes()[:keep])
    with closing(open_recording(corpus)) as recording:
        assert "http://a.example/" in recording


def test_a_failed_build_leaves_nothing(corpus: Path, cache: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_recording(corpus, interrupt)
    assert list((cache / "recordings").iterdir()) == []


def test_processes_may_build_at_once(corpus: Path, cache: Path) -> None:
    pages = "".join(LINE.replace("a.example/", f"a.example/{n}") for n in range(3000))
    (corpus / "pages.jsonl").write_text(pages)
    code = (
        "import sys; from pathlib import Path; from honeyguide.fetch.replay import open_recording;"
        "print(len(list(open_recording(Path(sys.argv[1])).urls())))"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(corpus)], stdout=subprocess.PIPE) for _ in range(3)
    ]
    assert [process.communicate()[0].strip() for process in running] == [b"3000"] * 3
    assert len(list((cache / "recordings").iterdir())) == 1


def test_a_cache_that_cannot_be_written_is_named(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "file"))
    with pytest.raises(ImportFailed, match="HONEYGUIDE_CACHE"):
        open_recording(corpus)


def test_a_full_cache_is_named(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("honeyguide.fetch.recording_index.IndexWriter.finish", full)
    with pytest.raises(ImportFailed, match=r"disk is full.*HONEYGUIDE_CACHE"):
        open_recording(corpus)


def test_the_cache_is_where_the_desktop_keeps_caches(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HONEYGUIDE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    open_recording(corpus).close()
    assert len(list((tmp_path / "xdg" / "honeyguide" / "recordings").iterdir())) == 1


def test_what_is_no_recording_is_refused_with_what_was_expected(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("nothing here")
    for path in (tmp_path / "empty", tmp_path / "absent", tmp_path / "notes.txt"):
        with pytest.raises(ImportFailed, match=r"Expected a folder with pages\.jsonl"):
            open_recording(path)
