import csv
import json
from pathlib import Path

import pytest

from honeyguide import Crawl
from tests.cli.conftest import Cli


@pytest.fixture(scope="module")
def by_sites(corpus: Path, cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawls") / "by-sites"
    crawl = ("crawl", "--topic", "honey bees", "--seed", "http://bees.example/", "--recording", corpus)
    done = cli(
        *crawl, "--folder", folder, "--set", "crawl.level=sites", "--set", "crawl.site_relevance=share"
    )
    assert done.exit_code == 0, done.output
    return folder


def test_sites_are_listed_by_relevance(cli: Cli, crawled: Path) -> None:
    found = json.loads(cli("sites", crawled, "--json").stdout)
    assert [site["site"] for site in found["sites"]] == ["bees.example", "cars.example"]
    best, other = found["sites"]
    assert (best["pages"], best["relevant"], best["density"]) == (3, 2, pytest.approx(2 / 3))
    assert best["relevance"] > 0.5 > other["relevance"]
    assert (other["relevant"], other["expected"]) == (0, None)
    assert (found["sites_found"], found["relevant_sites"], found["pages_per_relevant_site"]) == (2, 1, 4.0)


def test_sites_are_sorted_and_cut_as_asked(cli: Cli, crawled: Path) -> None:
    crawl = Crawl.open(crawled)
    assert [site.pages for site in crawl.sites(by="pages")] == [3, 1]
    assert [site.density for site in crawl.sites(1, by="density")] == [pytest.approx(2 / 3)]
    table = cli("sites", crawled, "--most", 1).stdout
    assert "bees.example" in table
    assert "cars.example" not in table
    assert "2 sites with a page, 1 relevant; 4.0 pages per relevant site" in table
    assert cli("sites", crawled, "--by", "luck").exit_code != 0


def test_a_crawl_by_sites_says_what_it_expects(cli: Cli, by_sites: Path, crawled: Path) -> None:
    found = Crawl.open(by_sites).sites()
    assert found[0].relevance == pytest.approx((1 + 2) / 5), "two pages at a half, and three"
    expected = {site.site: site.expected for site in found}
    assert expected["bees.example"] > 0.5 > expected["cars.example"]
    told = cli("explain", by_sites, "bees.example").stdout
    for part in ("a site of 1 host: 3 pages, 2 relevant", "number 1 of 2 sites", "by the share of its pages"):
        assert part in told
    assert "1 page of other sites link to it, the seeds' list included" in told
    assert "of the 8 pages of its present budget are spent" in told
    assert "http://bees.example/hives" in told
    assert "and it stands on step 6" in told
    assert "order of sites" not in cli("explain", crawled, "bees.example").stdout


def test_a_host_is_explained_as_its_site_and_a_url_as_itself(cli: Cli, by_sites: Path) -> None:
    assert "Found by this path from a seed" in cli("explain", by_sites, "cars.example").stdout
    page = cli("explain", by_sites, "http://bees.example/hives").stdout
    assert "sites: 3 pages of its site were judged" in page
    assert "the step of its site" in page
    assert "not in this crawl" in cli("explain", by_sites, "nowhere.example").stdout


def test_sites_are_exported(cli: Cli, by_sites: Path, tmp_path: Path) -> None:
    out = tmp_path / "sites.csv"
    assert cli("export", by_sites, out, "--what", "sites").exit_code == 0
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [row["site"] for row in rows] == ["bees.example", "cars.example"]
    assert float(rows[0]["relevance"]) == Crawl.open(by_sites).sites()[0].relevance


def test_the_level_of_a_crawl_stays(cli: Cli, by_sites: Path) -> None:
    told = cli("resume", by_sites, "--set", "crawl.level=pages")
    assert told.exit_code != 0
    assert "crawl.level: cannot be changed" in told.stderr
