"""kill -9 while the archive is sent elsewhere: no page is lost, and what was sent is never sent again."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.killed_crawl import PAGES_AFTER_LOSS
from tests.object_store import object_server

SCRIPT = "tests.end_to_end.killed_crawl"
REPOSITORY = Path(__file__).parents[2]


def killed(folder: Path, address: str, kills: int, pages: int, loses_folder: bool) -> dict:
    command = [sys.executable, "-m", SCRIPT, str(folder), str(pages), str(kills), "soft-focus", "1"]
    told = {"KILLED_CRAWL_ARCHIVE_AT": address} | ({"KILLED_CRAWL_LOSES_FOLDER": "1"} if loses_folder else {})
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        cwd=REPOSITORY,
        env=os.environ | told,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["kills"] >= kills // 2, (
        "the crawl ended before it was killed often enough: give it more pages"
    )
    assert found["lost"] == []
    assert found["numbers"][0] == pages + PAGES_AFTER_LOSS * loses_folder
    assert all(found["last_archived"]), "every page can be read"
    return found


@pytest.mark.slow
def test_killed_at_random_moments(tmp_path):
    found = killed(tmp_path / "crawl", (tmp_path / "shared").as_uri(), 25, 900, loses_folder=False)
    assert found["asked_again"] == []
    assert all(found["archived"])
    assert len(found["visits"]) == 900


@pytest.mark.parametrize(("kills", "pages"), [(4, 400), pytest.param(25, 900, marks=pytest.mark.slow)])
def test_killed_and_gone_on_with_by_another_machine(tmp_path, kills, pages):
    found = killed(tmp_path / "crawl", (tmp_path / "shared").as_uri(), kills, pages, loses_folder=True)
    asked_again = len(found["visits"]) - found["numbers"][0]
    print(f"{asked_again} pages asked for again after {kills} machines were lost")
    assert found["archived"].count(False) == asked_again, "only what was lost"


@pytest.mark.slow
@pytest.mark.parametrize("loses_folder", [False, True])
def test_killed_while_it_sends_to_an_object_store(tmp_path, loses_folder):
    with object_server():
        found = killed(tmp_path / "crawl", f"s3://pages/{tmp_path.name}", 10, 300, loses_folder)
    assert loses_folder or len(found["visits"]) == 300
