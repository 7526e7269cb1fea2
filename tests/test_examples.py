"""Examples from files, folders and urls."""

import asyncio
import json

import pytest

from honeyguide import examples as module
from honeyguide.errors import ImportFailed
from honeyguide.examples import fetch_examples, read_example, read_examples, read_labeled
from honeyguide.fetch.replay import ReplayFetcher, open_recording

BEES = "<!doctype html><title>Bees</title><nav>Home</nav><p>Bees make <b>honey</b>.<script>var bees</script>"


@pytest.fixture
def folder(tmp_path):
    for name, content in {
        "positive/a.html": BEES.encode(),
        "positive/deep/b.txt": "Ein Bienenstock für Gärtner".encode("latin-1"),
        "positive/.hidden/c.html": b"<p>hidden",
        "positive/d.jpg": b"\xff\xd8\xff\x00\x10",
        "negative/e": b"\n <p>Trains run on rails.",
        "negative/f.txt": "Züge".encode("utf-16"),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_folders_of_both_classes(folder):
    found = read_labeled(folder)
    assert [(example.title, example.text) for example in found.positives.examples] == [
        ("Bees", "Home Bees make honey ."),
        ("", "Ein Bienenstock für Gärtner"),
    ]
    assert [example.text for example in found.negatives.examples] == ["Trains run on rails.", "Züge"]
    assert found.positives.examples[0].url == (folder / "positive/a.html").as_uri()
    (problem,) = found.positives.problems
    assert "d.jpg: neither HTML nor text" in problem


def test_negative_examples_are_optional_and_positive_ones_are_not(tmp_path):
    with pytest.raises(ImportFailed, match="positive/"):
        read_labeled(tmp_path)
    (tmp_path / "positive").mkdir()
    found = read_labeled(tmp_path)
    assert found.positives.examples == found.negatives.examples == []


def test_files_that_cannot_be_read_are_named(folder):
    with pytest.raises(ImportFailed, match=r"missing\.html"):
        read_example(folder / "missing.html")
    with pytest.raises(ImportFailed):
        read_example(folder / "a\0b")
    found = read_examples([folder / "missing.html", folder / "positive/a.html"])
    assert len(found.examples) == len(found.problems) == 1


def test_only_so_much_is_read(folder, monkeypatch):
    monkeypatch.setattr(module, "MAX_FILE_BYTES", 200)
    (folder / "long.txt").write_text("bees " * 1_000)
    assert len(read_example(folder / "long.txt").text) < 201
    monkeypatch.setattr(module, "MAX_FILES", 1)
    found = read_examples([folder / "positive"])
    assert len(found.examples) == 1
    assert "more than 1 files" in found.problems[-1]


def test_urls_are_fetched_in_order_and_redirects_followed(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    pages = [
        {"url": "https://bees.example/", "html": BEES, "labels": []},
        {"url": "https://rails.example/", "html": "<p>Trains", "labels": []},
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, pages)))
    (tmp_path / "links.tsv").write_text(
        "https://rails.example/\thttps://bees.example/\tx\thttps://bees.example/old\n"
    )
    fetcher = ReplayFetcher(open_recording(tmp_path))
    urls = ["https://rails.example/", "https://nowhere.example/", "https://bees.example/old"]
    found = asyncio.run(fetch_examples(urls, fetcher))
    asyncio.run(fetcher.close())
    assert [example.url for example in found.examples] == ["https://rails.example/", "https://bees.example/"]
    assert found.problems == ["https://nowhere.example/: not in this recording"]


def test_endless_redirects_are_given_up(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "pages.jsonl").write_text(
        json.dumps({"url": "https://a.example/", "html": "<p>x", "labels": []})
    )
    rows = [
        f"https://a.example/\thttps://a.example/{to}\tx\thttps://a.example/{n}" for n, to in [(1, 2), (2, 1)]
    ]
    (tmp_path / "links.tsv").write_text("\n".join(rows) + "\n")
    fetcher = ReplayFetcher(open_recording(tmp_path))
    found = asyncio.run(fetch_examples(["https://a.example/1"], fetcher))
    asyncio.run(fetcher.close())
    assert found.examples == []
    assert len(found.problems) == 1
