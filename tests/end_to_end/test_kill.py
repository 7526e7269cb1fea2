"""kill -9 at any moment: nothing committed is lost, nothing committed is fetched again, the end is the same."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("killed_crawl.py")
KILLS = 50
PAGES = 1_200


def run(folder: Path, kills: int, strategy: str, pages: int = PAGES) -> dict:
    command = [sys.executable, str(SCRIPT), str(folder), str(pages), str(kills), strategy, "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("strategy", "kills", "pages"),
    [
        ("soft-focus", KILLS, PAGES),
        ("honeyguide", KILLS, PAGES),
        ("otie by sites", 10, 300),
        pytest.param("honeyguide by sites", KILLS, PAGES, marks=pytest.mark.slow),
    ],
)
def test_killed_at_fifty_random_moments(tmp_path, strategy, kills, pages):
    killed = run(tmp_path / "killed", kills, strategy, pages)
    whole = run(tmp_path / "whole", 0, strategy, pages)
    print(f"{strategy}: killed {killed['kills']} times, {killed['pages_at_last_kill']} pages by then")
    assert killed["kills"] == kills, "the crawl ended before it was killed often enough: give it more pages"
    assert killed["lost"] == []
    assert killed["asked_again"] == []
    assert len(killed["visits"]) == pages
    assert all(killed["archived"])
    for part in ("visits", "links", "failures", "columns", "tables", "harvest_log"):
        assert killed[part] == whole[part], f"{part} differ from those of the uninterrupted crawl"
