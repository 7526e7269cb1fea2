"""Names of the archive's files."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

import pytest

from honeyguide.store.archive_files import compression_of, file_number, finished_files, next_name

NOW = datetime(2024, 5, 6, 7, 8, 9, 123456, UTC)


def test_names_are_those_the_iipc_recommends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "node", lambda: "crawler-1.a.example")
    first = next_name(None, NOW, "gzip")
    assert first == f"honeyguide-20240506070809123-00000-{os.getpid()}~crawler-1.a.example.warc.gz"
    second = next_name(first, NOW, "zstd")
    assert second.endswith("~crawler-1.a.example.warc.zst")
    assert (file_number(first), file_number(second)) == (0, 1)
    assert (compression_of(first), compression_of(second)) == ("gzip", "zstd")


@pytest.mark.parametrize("host", ["", "../x", "a\nb", "büro", "x" * 300])
def test_no_machine_spoils_a_name(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setattr(platform, "node", lambda: host)
    name = next_name(None, NOW, "gzip")
    assert file_number(name) == 0
    assert len(name) < 150
    assert Path(name).name == name


@pytest.mark.parametrize(
    "name", ["", "x", "../x.warc.gz", "honeyguide-1-00000.warc.gz", "index.cdxj", "x.open"]
)
def test_other_names_are_not_ours(name: str) -> None:
    assert file_number(name) is None


def test_finished_files_are_in_order_and_without_those_being_written(tmp_path: Path) -> None:
    names = [next_name(None, NOW, "gzip")]
    names.append(next_name(names[0], NOW, "gzip"))
    for name in [*names, "notes.txt"]:
        (tmp_path / name).touch()
    (tmp_path / (next_name(names[1], NOW, "gzip") + ".open")).touch()
    assert finished_files(tmp_path) == names
