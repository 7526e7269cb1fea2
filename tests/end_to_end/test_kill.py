"""kill -9 at any moment: nothing committed is lost, nothing committed is fetched again, the end is the same."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = "tests.end_to_end.killed_crawl"
REPOSITORY = Path(__file__).parents[2]
PARTS = ("visits", "links", "failures", "columns", "tables", "numbers", "contributed", "harvest_log")
KILLS = 50
PAGES = 1_200


def run(folder: Path, kills: int, strategy: str, pages: int = PAGES) -> dict:
    command = [sys.executable, "-m", SCRIPT, str(folder), str(pages), str(kills), strategy, "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=REPOSITORY)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("strategy", "kills", "pages"),
    [
        ("soft-focus", 10, 300),
        ("honeyguide", 20, 500),
        pytest.param("soft-focus", KILLS, PAGES, marks=pytest.mark.slow),
        pytest.param("honeyguide", KILLS, PAGES, marks=pytest.mark.slow),
        ("otie by sites", 10, 300),
        pytest.param("honeyguide by sites", KILLS, PAGES, marks=pytest.mark.slow),
    ],
)
def test_killed_at_fifty_random_moments(tmp_path, strategy, kills, pages):
    killed = run(tmp_path / "killed", kills, strategy, pages)
    whole = run(tmp_path / "whole", 0, strategy, pages)
    print(f"{strategy}: killed {killed['kills']} times, {killed['pages_at_last_kill']} pages by then")
    assert killed["kills"] >= kills // 2, (
        "the crawl ended before it was killed often enough: give it more pages"
    )
    assert killed["lost"] == []
    assert killed["asked_again"] == []
    assert len(killed["visits"]) == pages
    assert all(killed["archived"])
    for part in PARTS:
        assert killed[part] == whole[part], f"{part} differ from those of the uninterrupted crawl"


@pytest.mark.parametrize(
    ("strategy", "kills", "pages"),
    [
        ("honeyguide", 5, 160),
        pytest.param("honeyguide", KILLS, PAGES, marks=pytest.mark.slow),
        pytest.param("link-context", KILLS, PAGES, marks=pytest.mark.slow),
    ],
)
def test_killed_while_pages_change_and_are_fetched_again(tmp_path, strategy, kills, pages):
    """What is added and taken back is the same, to the last bit, as if nobody had killed it."""
    killed = run(tmp_path / "killed", kills, f"returning {strategy}", pages)
    whole = run(tmp_path / "whole", 0, f"returning {strategy}", pages)
    distinct, requests, _ = killed["numbers"]
    print(f"{strategy}: killed {killed['kills']} times; {requests} requests for {distinct} pages")
    assert killed["kills"] >= kills // 2, (
        "the crawl ended before it was killed often enough: give it more pages"
    )
    assert killed["lost"] == []
    assert distinct == pages, "pages that turned into redirects make room for others"
    assert len(killed["visits"]) > 1.2 * pages
    assert all(killed["archived"])
    for part in PARTS:
        assert killed[part] == whole[part], f"{part} differ from those of the uninterrupted crawl"


@pytest.mark.parametrize(
    ("kills", "requests"), [(5, 150), pytest.param(KILLS, PAGES, marks=pytest.mark.slow)]
)
def test_killed_while_it_is_kept_fresh(tmp_path, kills, requests):
    """Which pages are asked for again, when, and what that tells of them is the same as if nobody had killed it."""
    killed = run(tmp_path / "killed", kills, "keeping honeyguide", requests)
    whole = run(tmp_path / "whole", 0, "keeping honeyguide", requests)
    distinct, asked, _ = killed["numbers"]
    print(f"killed {killed['kills']} times; {asked} requests for {distinct} pages, {killed['gone']} gone")
    assert killed["kills"] >= kills // 2, (
        "the crawl ended before it was killed often enough: give it more requests"
    )
    assert killed["lost"] == []
    assert asked == requests
    assert len(killed["visits"]) > 1.2 * (distinct + killed["gone"])
    for part in (*PARTS, "kept", "looks", "gone"):
        assert killed[part] == whole[part], f"{part} differ from those of the uninterrupted crawl"
