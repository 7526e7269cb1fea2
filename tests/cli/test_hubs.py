import json
import shutil
from pathlib import Path

import pytest

import honeyguide as hg
from honeyguide.sample_web.web import SampleWeb
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


def test_what_people_said_of_hubs_and_pages_is_shown_and_counts(
    cli: Cli, crawled: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(crawled, tmp_path / "crawl"))
    result = cli("label", folder, "--hub", "http://bees.example/hives", "--no")
    assert result.exit_code == 0
    cli("label", folder, "--hub", "http://bees.example/queens", "--yes")
    cli("label", folder, "--url", "http://cars.example/", "--yes", "--no-learn")
    found = json.loads(cli("hubs", folder, "--all-links", "--json").stdout)
    marks = {page["url"]: (page["mark"], page["hub"]) for page in found["hubs"]}
    assert marks["http://bees.example/hives"] == ("bad", 0.0)
    assert marks["http://bees.example/queens"][0] == "good"
    assert found["hubs"][0]["url"] == "http://bees.example/queens"
    assert found["hubs"][-1]["url"] == "http://bees.example/hives"
    labelled = {page["url"]: page["relevance"] for page in found["hubs"] + found["authorities"]}
    assert labelled.get("http://cars.example/", 1.0) == 1.0
    assert "bad" in cli("hubs", folder, "--all-links").stdout
    assert (
        "--hub with --yes, --no or --forget" in cli("label", folder, "--hub", "http://bees.example/").stderr
    )


def test_a_crawl_not_started_yet_has_none(cli: Cli, tmp_path: Path) -> None:
    web = SampleWeb(60)
    hg.Crawl.start(
        tmp_path / "bees", web.description("bees"), web.seeds("bees"), settings={"web.sample_pages": 60}
    ).release()
    result = cli("hubs", tmp_path / "bees", "--json")
    assert json.loads(result.stdout) == {"hubs": [], "authorities": [], "sites": []}
