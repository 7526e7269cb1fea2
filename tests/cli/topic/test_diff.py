import json
import shutil
from pathlib import Path

import pytest

from honeyguide.crawls import Crawl
from tests.cli.conftest import Cli
from tests.cli.topic.conftest import refused


@pytest.fixture
def revised(bee_crawl: Path, tmp_path: Path) -> Path:
    """A crawl whose topic was revised once."""
    folder = Path(shutil.copytree(bee_crawl, tmp_path / "crawl"))
    crawl = Crawl.open(folder)
    for number, page in enumerate(crawl.questions(8)):
        crawl.label(page.url, number < 4, by="[red]Ada")
    crawl.learn()
    return folder


def test_revisions_of_a_crawl(cli: Cli, revised: Path) -> None:
    result = cli("topic", "diff", f"{revised}:0", f"{revised}:1", "--most", 5)
    assert result.exit_code == 0, result.output
    assert "taxonomy, relevant from 0.5 on -> revised, relevant from 0." in result.stdout
    assert "words that gained or lost weight (log-odds" in result.stdout
    assert "[red]Ada" in result.stdout
    assert "of 120 are called otherwise" in result.stdout
    found = json.loads(cli("topic", "diff", f"{revised}:0", f"{revised}:1", "--json").stdout)
    assert found["labels"] == [{"by": "[red]Ada", "asked": "", "relevant": 4, "irrelevant": 4, "unsure": 0}]
    assert found["pages"][0]["url"] in result.stdout
    assert found["words"][0]["word"] in result.stdout


def test_files_with_and_without_a_crawl(cli: Cli, keywords: Path, taxonomy: Path, revised: Path) -> None:
    result = cli("topic", "diff", keywords, taxonomy)
    assert "no weight to a word by itself" in result.stderr
    assert "--crawl FOLDER names a crawl" in result.stderr
    assert "before" in cli("topic", "diff", keywords, taxonomy, "--crawl", revised).stdout
    mixed = cli("topic", "diff", keywords, f"{revised}:1")
    assert "shares of the greatest weight" in mixed.stdout
    assert "of 120 are" in mixed.stdout


def test_what_cannot_be_compared_is_told(cli: Cli, revised: Path, bee_crawl: Path, keywords: Path) -> None:
    assert "no revision 7" in refused(cli, "diff", f"{revised}:0", f"{revised}:7")
    assert "--crawl" in refused(cli, "diff", f"{revised}:0", f"{bee_crawl}:0")
    assert "nowhere.topic" in refused(cli, "diff", keywords, "nowhere.topic")
