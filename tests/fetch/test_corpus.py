"""Corpus folders: the real ones, and broken ones."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import ImportFailed
from honeyguide.fetch import corpus
from honeyguide.fetch.recording import Recording
from honeyguide.fetch.replay import open_recording
from honeyguide.urls import DEFAULT_POLICY

A = {"url": "http://a.example/", "html": "<p>a", "labels": ["x"]}
B = {"url": "http://b.example/b", "html": "<p>b"}


def write_corpus(folder: Path, *lines: bytes | dict[str, object], links: bytes | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    (folder / "pages.jsonl.gz").write_bytes(gzip.compress(b"\n".join(texts), 1))
    if links is not None:
        (folder / "links.tsv").write_bytes(links)
    return folder


def bodies(recording: Recording) -> dict[str, bytes]:
    return {url: response.body for url in recording.urls() if (response := recording.response(url))}


@pytest.fixture(scope="module")
def webkb(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recording]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HONEYGUIDE_CACHE", str(tmp_path_factory.mktemp("webkb")))
        with closing(open_recording(shared / "corpora" / "webkb")) as recording:
            yield recording


def test_every_page_of_webkb_comes_back_as_recorded(webkb: Recording, shared: Path) -> None:
    asked = other_schemes = 0
    with gzip.open(shared / "corpora" / "webkb" / "pages.jsonl.gz") as file:
        for page in map(json.loads, file):
            if not page["url"].startswith("http"):
                other_schemes += 1
                assert page["url"] not in webkb
                continue
            asked += 1
            response = webkb.response(page["url"])
            assert response is not None
            assert (response.url, response.status) == (page["url"], 200)
            assert response.body.decode() == page["html"]
            assert response.content_type in ("text/html; charset=utf-8", "text/plain; charset=utf-8")
            assert webkb.labels(page["url"]) == tuple(page["labels"])
    assert (asked, other_schemes) == (8263 - 52, 52)
    assert webkb.skipped == 52
    assert sum(1 for _ in webkb.urls()) == asked


def test_webkb_has_the_labels_of_its_readme(webkb: Recording) -> None:
    counts = Counter(label for url in webkb.urls() for label in webkb.labels(url))
    assert counts["student"] == 1640
    assert 500 <= counts["project"] <= 504  # less the pages under ftp: and file:


def test_webkb_keeps_the_other_headers(webkb: Recording) -> None:
    dated = sum("date" in response.headers for url in webkb.urls() if (response := webkb.response(url)))
    assert dated > 8000


def test_links_written_otherwise_are_redirects_in_webkb(webkb: Recording, shared: Path) -> None:
    redirects = 0
    with gzip.open(shared / "corpora" / "webkb" / "links.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            _, target, _, written = line.rstrip("\n").split("\t")
            if not written.startswith("http") or not target.startswith("http"):
                continue
            response = webkb.response(written)
            assert response is not None
            if response.status == 301:
                redirects += 1
                assert response.redirect is not None
                assert (landed := webkb.response(response.redirect))
                assert landed.status == 200
    assert redirects > 500
    assert not any(url[-6:] == "ulfar/" for url in webkb.urls())  # redirects are not pages
    assert "http://www.cs.cornell.edu/Info/People/ulfar/" in webkb


def test_wikispeedia_is_indexed_with_progress(shared: Path) -> None:
    calls: list[tuple[int, int]] = []
    with closing(
        open_recording(shared / "corpora" / "wikispeedia", lambda *call: calls.append(call))
    ) as recording:
        assert sum(1 for _ in recording.urls()) == 5462
        assert recording.skipped == 0
        labels = Counter(label for url in recording.urls() for label in recording.labels(url))
    assert (labels["kind:article"], labels["kind:index"]) == (4654, 230)
    assert calls == sorted(calls)
    assert calls[-1][0] == calls[-1][1]


def test_first_of_two_spellings_wins_and_labels_are_merged(tmp_path: Path) -> None:
    second = {"url": "HTTP://A.example:80/#top", "html": "other", "labels": ["x", "y"]}
    with closing(open_recording(write_corpus(tmp_path / "c", A, second, B))) as recording:
        assert bodies(recording) == {"http://a.example/": b"<p>a", "http://b.example/b": b"<p>b"}
        assert recording.labels("http://A.EXAMPLE/") == ("x", "y")
        assert recording.labels("http://b.example/b") == recording.labels("mailto:x") == ()


def test_a_page_wins_over_a_redirect_of_the_same_url(tmp_path: Path) -> None:
    links = (
        b"http://a.example/\thttp://b.example/b\tb\thttp://a.example/\n"
        b"http://a.example/\thttp://b.example/b\tb\thttp://b.example/old\r\nbroken\n"
        b"http://a.example/\thttp://b.example/b\tb\tmailto:b\n"
    )
    with closing(open_recording(write_corpus(tmp_path / "c", A, B, links=links))) as recording:
        page, moved = recording.response("http://a.example/"), recording.response("http://b.example/old")
        assert page is not None
        assert page.body == b"<p>a"
        assert moved is not None
        assert (moved.status, moved.redirect, moved.body) == (301, "http://b.example/b", b"")
        assert recording.skipped == 1


def test_what_the_server_said_about_its_bytes_is_dropped(tmp_path: Path) -> None:
    text = (
        "HTTP/1.0 200 OK\nContent-Type: application/xhtml+xml; charset=latin-1\nContent-Length: 1\nETag: a:b"
    )
    mapping = {"Content-Encoding": "gzip", "X-Count": 3}
    lines = ({**A, "headers": text}, {**B, "headers": mapping})
    with closing(open_recording(write_corpus(tmp_path / "c", *lines))) as recording:
        first, second = (recording.response(url) for url in recording.urls())
    assert first is not None
    assert second is not None
    assert first.headers == {"content-type": "application/xhtml+xml; charset=utf-8", "etag": "a:b"}
    assert second.headers == {"content-type": "text/html; charset=utf-8", "x-count": "3"}


BROKEN = [
    b"",
    b"{",
    b"[]",
    b"3",
    b"null",
    b'"url html"',
    b"\xff\xfe",
    b"\x00" * 50,
    b"[" * 100_000,
    b'{"url": "http://a.example/x"}',
    b'{"html": "x"}',
    b'{"url": 3, "html": "x"}',
    b'{"url": "http://a.example/x", "html": null}',
    b'{"url": "http://a.example/x", "html": "x", "labels": "one"}',
    b'{"url": "ftp://a.example/x", "html": "x"}',
    b'{"url": "\\ud800", "html": "x"}',
]


def test_broken_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    with closing(open_recording(write_corpus(tmp_path / "c", A, *BROKEN, B))) as recording:
        assert list(recording.urls()) == [A["url"], B["url"]]
        assert recording.skipped == len(BROKEN)


def test_lone_surrogates_do_no_harm(tmp_path: Path) -> None:
    lone = "x\ud800y"
    page = {**A, "html": lone, "labels": [lone, 3], "headers": {lone: lone}}
    with closing(open_recording(write_corpus(tmp_path / "c", page))) as recording:
        response = recording.response("http://a.example/")
        assert response is not None
        assert response.body == b"x?y"
        assert recording.labels("http://a.example/") == ("x?y", "3")


def test_overlong_lines_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "MAX_LINE_BYTES", 1000)
    long = {"url": "http://l.example/", "html": "x" * 600_000}
    with closing(open_recording(write_corpus(tmp_path / "c", long, A, long, B))) as recording:
        assert list(recording.urls()) == [A["url"], B["url"]]
        assert recording.skipped == 2


@pytest.mark.parametrize("lost", [1, 9, 200, 2000])
def test_a_truncated_file_gives_the_pages_before_the_break(tmp_path: Path, lost: int) -> None:
    pages = [{**A, "url": f"http://a.example/{n}", "html": f"{n:05d}" * 50} for n in range(1000)]
    file = write_corpus(tmp_path / "c", *pages) / "pages.jsonl.gz"
    file.write_bytes(file.read_bytes()[:-lost])
    with closing(open_recording(tmp_path / "c")) as recording:
        found = bodies(recording)
        assert 500 < len(found) <= 1000
        assert recording.skipped == (len(found) < 1000)
        assert all(found[page["url"]] == page["html"].encode() for page in pages[: len(found)])


@pytest.mark.parametrize("content", [b"", b"not gzip", gzip.compress(b"a,b,c\n1,2,3\n", mtime=0)])
def test_a_file_that_is_no_corpus_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "pages.jsonl.gz").write_bytes(content)
    with pytest.raises(ImportFailed, match=r"holds no page.*pages\.jsonl"):
        open_recording(tmp_path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
page_objects = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("url", "html", "labels", "headers", "title"), json_values)
)
urls = st.sampled_from(
    ["http://a.example/", "http://A.example", "https://b.example/?q=é", "ftp://c.example/"]
)
odd_pages = st.builds(lambda page, url: {**page, "url": url, "html": "x"}, page_objects, urls)
lines = st.binary(max_size=80) | (page_objects | odd_pages).map(lambda page: json.dumps(page).encode())


@settings(max_examples=60, deadline=None)
@given(st.lists(lines, max_size=8), st.lists(st.binary(max_size=60), max_size=4))
def test_no_line_can_stop_the_reading(page_lines: list[bytes], link_lines: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HONEYGUIDE_CACHE", f"{folder}/cache")
        write_corpus(Path(folder), *page_lines, B, links=b"\n".join(link_lines))
        with closing(open_recording(Path(folder))) as recording:
            assert B["url"] in recording
            for url in recording.urls():
                assert DEFAULT_POLICY.canonical(url) == url
                assert (response := recording.response(url))
                assert all(isinstance(text, str) for item in response.headers.items() for text in item)


@given(lines)
def test_a_line_is_a_page_or_nothing(line: bytes) -> None:
    page = corpus.parse_page(line)
    assert page is None or (isinstance(page.url, str) and isinstance(page.html, str))
