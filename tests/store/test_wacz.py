"""A WACZ: all that is committed, found by its index, with hashes that are right; also of a crawl that still runs."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator

import honeyguide as hg
from honeyguide.errors import SettingsError, StoreError
from honeyguide.sample_web.web import SampleWeb
from honeyguide.store.archive_files import OPEN, finished_files
from honeyguide.store.wacz import Wacz

WEB = SampleWeb(pages=300, seed=1)


def crawled(folder: Path, **settings: object) -> hg.Crawl:
    given = {"web.sample_pages": 300, "limits.max_pages": 40, **settings}
    crawl = hg.Crawl.start(folder, WEB.description("bees"), WEB.seeds("bees"), settings=given)
    crawl.run()
    return crawl


def packed(crawl: hg.Crawl) -> zipfile.ZipFile:
    with crawl.reader() as reader:
        made = Wacz(reader, "bees", crawl.threshold)
    return zipfile.ZipFile(io.BytesIO(b"".join(made.chunks())))


def captures(found: zipfile.ZipFile) -> dict[str, str]:
    """The urls of the index, each with the url of the record it leads to."""
    lines = gzip.decompress(found.read("indexes/index.cdx.gz")).splitlines()
    assert lines == sorted(lines)
    led = {}
    for line in lines:
        told = json.loads(line.split(b" ", 2)[2])
        offset, length = int(told["offset"]), int(told["length"])
        content = found.read(f"archive/{told['filename']}")[offset : offset + length]
        (record,) = ArchiveIterator(io.BytesIO(content), parse_http=False)
        led[told["url"]] = record.headers["WARC-Target-URI"]
    return led


def test_every_page_is_found_by_the_index_and_every_hash_is_right(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "crawl")
    found = packed(crawl)
    described = json.loads(found.read("datapackage.json"))
    assert described["wacz_version"] == "1.1.1"
    for one in described["resources"]:
        content = found.read(one["path"])
        assert (one["hash"], one["bytes"]) == (
            f"sha256:{hashlib.sha256(content).hexdigest()}",
            len(content),
        )
    assert {one["path"] for one in described["resources"]} | {
        "datapackage.json",
        "datapackage-digest.json",
    } == {*found.namelist()}
    assert all(
        one.compress_type == zipfile.ZIP_STORED for one in found.infolist() if one.filename.endswith(".gz")
    )
    led = captures(found)
    assert all(url == target for url, target in led.items())
    good, others = (
        [json.loads(line) for line in found.read(f"pages/{name}.jsonl").splitlines()[1:]]
        for name in ("pages", "extraPages")
    )
    assert {page["url"] for page in good} == {page.url for page in crawl.visits(relevant=True)}
    assert {page["url"] for page in [*good, *others]} == {page.url for page in crawl.visits()} <= set(led)
    first, *places = found.read("indexes/index.idx").splitlines()
    assert first.startswith(b"!meta 0 ")
    assert json.loads(places[0].split(b" ", 2)[2])["offset"] == 0


def test_what_is_not_committed_yet_stays_out(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "crawl")
    before = captures(packed(crawl))
    archive = crawl.folder / "archive"
    (name,) = finished_files(archive)
    (archive / name).rename(archive / (name + OPEN))
    with (archive / (name + OPEN)).open("ab") as file:
        file.write(gzip.compress(b"WARC/1.1\r\nWARC-Type: response\r\n"))
    assert captures(packed(crawl)) == before


def test_what_cannot_be_packed_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="zstd"):
        packed(crawled(tmp_path / "zstd", **{"output.compression": "zstd", "limits.max_pages": 2}))
    with pytest.raises(StoreError, match=r"output\.archive"):
        packed(crawled(tmp_path / "none", **{"output.archive": False, "limits.max_pages": 2}))
