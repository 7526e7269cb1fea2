import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


def test_to_standard_output(cli: Cli, crawled: Path) -> None:
    rows = [json.loads(line) for line in cli("export", crawled, "-").stdout.splitlines()]
    assert len(rows) == 4
    failures = cli("export", crawled, "-", "--what", "failures", "--format", "csv").stdout
    assert failures.startswith("url,host,failed_at,error,")
    assert failures.count(",not in this recording,") == 2


def test_only_relevant_pages(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    out = tmp_path / "pages.jsonl.gz"
    result = cli("export", crawled, out, "--relevant")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"2 rows of pages written to {out}\n"
    with gzip.open(out, "rt") as file:
        rows = [json.loads(line) for line in file]
    assert len(rows) == 2
    assert all(row["relevance"] >= 0.05 for row in rows)


def test_impossible_wishes_are_told(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    for arguments, expected in (
        ((tmp_path / "pages.xls",), "no format is known by this name"),
        (("-", "--what", "links", "--relevant"), "--relevant chooses pages"),
        (("-", "--format", "parquet"), "parquet goes to a file"),
        ((tmp_path / "none" / "pages.csv",), "cannot be written: No such file or directory"),
        ((tmp_path, "--format", "csv"), "cannot be written: Is a directory"),
    ):
        result = cli("export", crawled, *arguments)
        assert result.exit_code == 2
        assert expected in result.stderr
        assert len(result.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_ends_with_exit_code_3(cli: Cli, crawled: Path) -> None:
    result = cli("export", crawled, "/dev/full", "--format", "csv")
    assert result.exit_code == 3
    assert result.stderr.startswith("error: no room left for /dev/full")


# Buffered, as for users: what is left in the buffer must not fail a second time when the program ends.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
COMMAND = (sys.executable, "-c", "from honeyguide.cli.main import app; app()")


@pytest.mark.parametrize("arguments", [("status",), ("top", "--json"), ("export", "-")])
def test_a_reader_that_goes_away_is_no_error(arguments: tuple[str, ...], crawled: Path) -> None:
    verb, *options = arguments
    process = subprocess.Popen(
        [*COMMAND, verb, str(crawled), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=BUFFERED,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=20) == 141


@pytest.mark.parametrize("arguments", [("status",), ("status", "--json"), ("export", "-")])
def test_a_result_that_cannot_be_written_is_told_in_one_line(
    arguments: tuple[str, ...], crawled: Path
) -> None:
    verb, *options = arguments
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, verb, str(crawled), *options],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=20, check=False, env=BUFFERED,
        )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr.startswith("error: the result cannot be written: No space left on device")
    assert len(done.stderr.splitlines()) == 1
