import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.topic.conftest import refused


@pytest.fixture
def labeled(tmp_path: Path) -> Path:
    """Two pages of each kind; one of each is on the wrong side."""
    pages = {
        "positive/good.txt": "honey of wild bees from the kitchen of a castle, with cheese, walnuts and wine",
        "positive/missed.txt": "trains and stations",
        "negative/good.txt": "cars and engines",
        "negative/wrong.txt": "honey bees, beekeeping",
    }
    for name, text in pages.items():
        path = tmp_path / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "pages"


def test_figures_and_mistakes(cli: Cli, keywords: Path, labeled: Path) -> None:
    result = cli("topic", "test", keywords, labeled)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "2 pages on the topic, 2 not; relevant from 0.4 on"
    figures = next(line.split() for line in lines if line.startswith("keywords"))
    # One of two found, one of two called so is right; of the four pairs one and a half are in order.
    assert figures[1:5] == ["0.500", "0.500", "0.500", "0.375"]
    mistakes = [line.split() for line in lines if line.endswith(".txt")]
    assert [line[:2] for line in mistakes] == [["missed", "0.000"], ["not", "on"]]
    assert mistakes[0][2].endswith("positive/missed.txt")


def test_json(cli: Cli, keywords: Path, labeled: Path) -> None:
    options = ("--positive", labeled / "positive", "--negative", labeled / "negative", "--json")
    found = json.loads(cli("topic", "test", keywords, *options).stdout)
    assert (found["model"], found["positives"], found["negatives"]) == ("keywords", 2, 2)
    assert found["quality"]["f1"] == 0.5
    assert [mistake["on_topic"] for mistake in found["mistakes"]] == [True, False]
    assert found["mistakes"][0]["relevance"] == 0.0


def test_pages_without_labels(
    cli: Cli, keywords: Path, labeled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(labeled)
    result = cli("topic", "test", keywords, "negative", "positive/good.txt")
    rows = [line.split() for line in result.stdout.splitlines()[2:]]
    assert [row[1:] for row in rows] == [
        ["no", "negative/good.txt"],
        ["yes", "negative/wrong.txt"],
        ["yes", "positive/good.txt"],
    ]
    assert result.stderr == "relevant from 0.4 on\n"
    found = json.loads(cli("topic", "test", keywords, "positive/good.txt", "--json").stdout)
    assert found["pages"][0]["relevant"] is True
    assert found["pages"][0]["page"] == "positive/good.txt"


def test_a_trained_topic_on_pages_it_was_made_of(cli: Cli, classifier: Path, examples: Path) -> None:
    result = cli("topic", "test", classifier, examples)
    assert "classifier       1.000    1.000   1.000   1.000" in result.stdout
    assert "worst mistakes" not in result.stdout


def test_urls_of_a_recording(cli: Cli, keywords: Path, corpus: Path) -> None:
    result = cli("topic", "test", keywords, "http://bees.example/", "--recording", corpus)
    assert result.stdout.splitlines()[-1].split()[1:] == ["yes", "http://bees.example/"]


def test_what_cannot_be_tested_is_refused(cli: Cli, keywords: Path, labeled: Path) -> None:
    assert "no pages to test with" in refused(cli, "test", keywords)
    assert "--negative is missing" in refused(cli, "test", keywords, "--positive", labeled / "positive")
    assert "--positive is missing" in refused(cli, "test", keywords, "--negative", labeled / "negative")
    line = refused(cli, "test", keywords, labeled, labeled / "positive" / "good.txt")
    assert "has no labels; test pages with and without labels apart" in line
    assert "there is no such file or folder" in refused(cli, "test", keywords, "nowhere")
    (labeled / "empty").mkdir()
    assert "there is no page to judge" in refused(cli, "test", keywords, labeled / "empty")
