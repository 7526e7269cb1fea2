"""`honeyguide search` and `honeyguide index`."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Cli


@pytest.fixture
def folder(crawled: Path, tmp_path: Path) -> Path:
    """A copy of the crawl, without an index."""
    shutil.copytree(crawled, tmp_path / "bees")
    return tmp_path / "bees"


def test_pages_are_found_by_their_words(cli: Cli, folder: Path) -> None:
    found = cli("search", folder, "honey hives", "--explain")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert lines[0].startswith("1 page in 0.")
    assert "\x1b" not in found.stdout, "a title can only be shown"
    assert lines[3] == "   http://bees.example/hives"
    assert "score " in lines[5]
    assert " x relevance " in lines[5]


def test_json_for_programs(cli: Cli, folder: Path) -> None:
    told = json.loads(cli("search", folder, "queens", "--json").stdout)
    assert told["hits"][0]["url"] == "http://bees.example/queens"
    assert told["indexed"] == 4


def test_what_was_ignored_and_what_was_meant_is_told(cli: Cli, folder: Path) -> None:
    found = cli("search", folder, 'quens "')
    assert "ignored: the quotation mark that is not closed" in found.stderr
    assert "Did you mean: queens" in found.stdout
    wrong = cli("search", folder, "honey", "--since", "yesterday")
    assert wrong.exit_code == 2
    assert "--since 'yesterday' is no date; write it as 2026-01-31" in wrong.stderr
    assert cli("search", folder, "honey", "--since", "2000-01-01").stdout.startswith("2 pages")


def test_the_index_is_told_of(cli: Cli, folder: Path) -> None:
    assert "4 new pages taken in, 4 in all" in cli("index", folder).stderr
    assert "0 new pages taken in, 4 in all" in cli("index", folder).stderr
    assert "4 new pages taken in, 4 in all" in cli("index", folder, "--rebuild").stderr
    none = cli("index", folder.parent)
    assert none.exit_code != 0
    assert "no crawl" in none.stderr


def test_following_ends_by_ctrl_c(folder: Path) -> None:
    # Whoever is started in the background of a shell ignores Ctrl-C, and so would this.
    listening = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [
        sys.executable,
        "-c",
        f"{listening}; from honeyguide.cli.main import app; app()",
        "index",
        str(folder),
        "--follow",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "4 new pages taken in, 4 in all\n"
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
    assert "Traceback" not in told
