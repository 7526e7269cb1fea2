import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


def test_hubs_and_authorities_of_all_links(cli: Cli, crawled: Path) -> None:
    found = json.loads(cli("hubs", crawled, "--all-links", "--json").stdout)
    # Of four pages the top share is one, and one page links to it.
    assert [page["url"] for page in found["authorities"]] == ["http://bees.example/"]
    assert [page["url"] for page in found["hubs"]] == ["http://bees.example/hives"]
    assert sum(page["hub"] ** 2 for page in found["hubs"]) == pytest.approx(1)
    assert found["sites"] == [{"site": "bees.example", "density": 2 / 3, "relevant": 2, "pages": 3}]


def test_a_site_cannot_praise_itself(cli: Cli, crawled: Path) -> None:
    result = cli("hubs", crawled)
    assert result.exit_code == 0
    assert "try --all-links" in result.stderr
    assert json.loads(cli("hubs", crawled, "--json").stdout)["hubs"] == []


def test_titles_are_shown_and_never_obeyed(cli: Cli, crawled: Path) -> None:
    output = cli("hubs", crawled, "--all-links", "--most", 1).stdout
    assert "=[red]Bees[/red]" in output
    assert "\x1b" not in output
