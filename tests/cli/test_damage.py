"""A crawl whose files were damaged: every verb says so in a line, with a way out, and none ends in a traceback."""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from honeyguide.sample_web.web import SampleWeb
from tests.cli.conftest import Cli
from tests.cli.test_crawl import pages_in, start

WEB = SampleWeb(pages=300)
Damage = Callable[[bytes], object]

BLOBS: dict[str, Damage] = {
    "a byte less": lambda blob: blob[:-1],
    "a number less": lambda blob: blob[:-4],
    "a byte more": lambda blob: blob + b"x",
    "no byte": lambda blob: b"",
    "far too many": lambda blob: blob * 5_000,
    "a text": lambda blob: "text",
}
IDS: dict[str, Damage] = {
    **BLOBS,
    "too large an id": lambda blob: b"\xff\xff\xff\x7f" + blob[4:],
    "a negative id": lambda blob: b"\xff" * 4 + blob[4:],
}
JSON: dict[str, Damage] = {
    "no JSON": lambda text: "[",
    "no list": lambda text: "7",
    "other types": lambda text: '[["a"]]',
    "far too large": lambda text: "[1000000000000, 1000000000000]",
    "too long": lambda text: json.dumps([1] * 100),
    "negative": lambda text: "[-1]",
    "bytes": lambda text: b"\xff",
}
TYPES: dict[str, Damage] = {
    name: lambda _, name=name: name
    for name in ("O", "no type", "<i4", "<U9999999", "V8", "[('a', 'f4')]", "M8")
}
NUMBERS: dict[str, Damage] = {
    name: lambda _, value=value: value
    for name, value in {"too large": 2**40, "negative": -1, "a text": "text"}.items()
}
COLUMNS: dict[str, dict[str, Damage]] = {
    "links.targets": IDS,
    "links.anchors": JSON,
    "changes.ids": IDS,
    "changes.numbers": BLOBS,
    "arrays.numbers": BLOBS,
    "arrays.shape": JSON,
    "arrays.dtype": TYPES,
    "urls.host": NUMBERS,
    "urls.via": {**NUMBERS, "itself": lambda _: 10},
    "links.page": NUMBERS,
    "changes.name": {"another column": lambda _: "host", "a number": lambda _: 7},
}
ALWAYS_HARMLESS = {"links.anchors too long", "changes.name a number"}
USUAL = 2
"""Damages of each column that are always tried; the others by `make slow`, as each takes every verb a second."""
CASES = [
    pytest.param(column, name, marks=[pytest.mark.slow] if place >= USUAL else [])
    for column, damages in COLUMNS.items()
    for place, name in enumerate(damages)
]


@pytest.fixture(scope="module")
def halfway(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that could go on."""
    folder = tmp_path_factory.mktemp("crawls") / "bees"
    seeds = (option for url in WEB.seeds("bees") for option in ("--seed", url))
    result = cli(
        *("crawl", "--topic", WEB.description("bees"), *seeds, "--folder", folder, "--pages", 40),
        *("--set", "web.sample_pages=300", "--set", "crawl.batch=8"),
    )
    assert result.exit_code == 0
    return folder


def commands(folder: Path, url: str) -> list[tuple[object, ...]]:
    return [
        ("status", folder),
        ("top", folder),
        ("hubs", folder),
        *(("export", folder, "-", "--what", what) for what in ("pages", "links", "hosts", "failures")),
        *(("explain", folder, url) for url in (WEB.seeds("bees")[0], url)),
        ("resume", folder, "--pages", 60, "-q"),
    ]


def url_of(db: sqlite3.Connection, url_id: int) -> str:
    return str(db.execute("SELECT url FROM urls WHERE id = ?", (url_id,)).fetchone()[0])


def told(cli: Cli, folder: Path, url: str) -> list[str]:
    """Run every verb, check that none is lost for words, and give what they said."""
    errors = []
    for command in commands(folder, url):
        result = cli(*command)  # a traceback would be raised here
        lines = result.stderr.splitlines()
        assert result.exit_code in (0, 2), (command, result.output)
        if result.exit_code:
            errors += [line for line in lines if line.startswith("error: ")]
            assert lines, command
    return errors


@pytest.mark.parametrize(("column", "name"), CASES, ids=lambda text: text)
def test_a_damaged_column_is_told_with_a_way_out(
    column: str, name: str, cli: Cli, halfway: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "bees"
    shutil.copytree(halfway, folder)
    table, _, field = column.partition(".")
    key = {"urls": "id", "arrays": "name"}.get(table, "n")
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        # A strategy's own columns may be lost without a word; those of urls may not. Links are of pages that led on.
        further = {"changes": "AND rows_of = 'urls'", "links": "AND page IN (SELECT via FROM urls)"}
        where = f"{field} IS NOT NULL {further.get(table, '')}"
        rows = db.execute(f"SELECT {key}, {field} FROM {table} WHERE {where} ORDER BY {key}").fetchall()
        row, value = next(row for row in rows if row[0] == 10) if table == "urls" else rows[len(rows) // 2]
        url = url_of(db, 10)
        if table == "links":  # a page that was found by one of them
            found = "SELECT urls.id FROM urls JOIN links ON urls.via = links.page WHERE links.n = ?"
            url = url_of(db, *db.execute(found, (row,)).fetchone())
        db.execute(f"UPDATE {table} SET {field} = ? WHERE {key} = ?", (COLUMNS[column][name](value), row))
        db.commit()
    errors = told(cli, folder, url)
    for error in errors:
        assert error.startswith(f"error: {folder}: its crawl.db is damaged: "), error
        assert f"honeyguide crawl {folder / 'order.toml'} --recording {folder} --folder NEW" in error
    assert errors or f"{column} {name}" in ALWAYS_HARMLESS


def test_what_is_advised_crawls_the_archive_again(cli: Cli, halfway: Path, tmp_path: Path) -> None:
    result = cli(
        *("crawl", halfway / "order.toml", "--recording", halfway, "--folder", tmp_path / "new"),
    )
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] if seed >= USUAL else []) for seed in range(8)]
)
def test_bytes_changed_anywhere_never_end_in_a_traceback(
    seed: int, cli: Cli, halfway: Path, tmp_path: Path
) -> None:
    dice = random.Random(seed)
    folder = tmp_path / "bees"
    shutil.copytree(halfway, folder)
    content = bytearray((folder / "crawl.db").read_bytes())
    for _ in range(20):
        at = dice.randrange(100, len(content))
        content[at : at + 8] = dice.randbytes(8)
    (folder / "crawl.db").write_bytes(content)
    for command in commands(halfway, WEB.seeds("bees")[1]):
        result = cli(*(folder if part == halfway else part for part in command))
        assert result.exit_code in (0, 2, 3)
        assert result.exit_code == 0 or "error: " in result.stderr


def test_a_lock_that_is_removed_ends_the_crawl_in_a_line(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    crawl = start(folder, 5)
    (folder / "crawl.lock").unlink()
    _, stderr = crawl.communicate(timeout=60)
    assert crawl.returncode == 2
    assert stderr.splitlines()[-1] == (
        f"error: {folder}: its crawl.lock was removed while the crawl ran, and nothing keeps a second process out;"
        f" `honeyguide resume {folder}` goes on after the last stored batch"
    )
    assert "Traceback" not in stderr
    pages = pages_in(folder)
    assert cli("resume", folder, "--pages", pages + 5).exit_code == 0
    assert pages_in(folder) == pages + 5
