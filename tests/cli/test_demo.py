from pathlib import Path

import pytest

from honeyguide.cli.demo import fresh_folder
from tests.cli.conftest import Cli


def test_the_demo_shows_what_focus_brings(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = cli("demo", "--pages", 100)
    assert result.exit_code == 0
    assert "has 500 pages" in result.stdout
    rows = [line.split() for line in result.stdout.splitlines()]
    focused, blind = (next(row for row in rows if row[:1] == [name]) for name in ("focused", "breadth-first"))
    assert focused[1] == blind[1] == "100"
    assert int(focused[2]) > 0
    for line in (row for row in rows if row[:1] == ["honeyguide"] and row[1] != "export"):
        assert cli(*line[1:]).exit_code == 0


def test_an_existing_folder_is_never_touched(cli: Cli, tmp_path: Path) -> None:
    first = fresh_folder(tmp_path / "demo")
    (first / "mine.txt").write_text("keep")
    assert fresh_folder(tmp_path / "demo") == tmp_path / "demo-2"
    assert fresh_folder(tmp_path / "demo") == tmp_path / "demo-3"
    assert (first / "mine.txt").read_text() == "keep"


def test_a_topic_can_be_chosen_and_a_wrong_one_is_told(cli: Cli, tmp_path: Path) -> None:
    assert '"chess' in cli("demo", "--pages", 100, "--topic", "chess", "--folder", tmp_path / "a").stdout
    result = cli("demo", "--topic", "nothing", "--folder", tmp_path / "b")
    assert result.exit_code == 2
    assert "bees, gardening" in result.stderr
    assert not (tmp_path / "b").exists()


def test_a_named_folder_with_a_crawl_is_refused(cli: Cli, crawled: Path) -> None:
    result = cli("demo", "--pages", 100, "--folder", crawled)
    assert result.exit_code == 2
    assert "already holds a crawl" in result.stderr
    assert result.stdout == "", "nothing is announced that will not happen"
