"""`honeyguide lab report` and `recall`."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from honeyguide.assembly import start_crawl
from honeyguide.lab.results import run_path, write_record, write_run
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder
from tests.cli.conftest import Cli
from tests.lab.runs import make_run

WEB = SampleWeb(pages=600, seed=1)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """An experiment with two runs."""
    folder = tmp_path / "results"
    names = []
    for name, speed in (("opic", 0.2), ("soft-focus", 0.5)):
        names.append(name)
        write_run(run_path(folder, name), make_run(name, speed))
    write_record(folder, "small", {}, {"honeyguide": "0"}, [], names)
    return folder


def test_a_report_on_an_experiment(cli: Cli, results: Path) -> None:
    done = cli("lab", "report", results, "--json", "--quiet")
    assert done.exit_code == 0, done.output
    page = Path(json.loads(done.stdout)["page"])
    assert page == results.with_name("results-report") / "report.html"
    assert "Experiment small" in page.read_text()


def test_a_report_on_a_crawl(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    done = cli("lab", "report", crawled, "--out", tmp_path / "out", "--quiet")
    assert done.exit_code == 0, done.output
    assert done.stdout.strip() == str(tmp_path / "out" / "report.html")
    assert "\x1b" not in (tmp_path / "out" / "report.html").read_text()


def test_what_is_neither_is_told(cli: Cli, tmp_path: Path) -> None:
    done = cli("lab", "report", tmp_path)
    assert done.exit_code == 2
    assert "holds no crawl" in done.stderr


def test_an_estimate_is_called_an_estimate(cli: Cli, crawled: Path) -> None:
    done = cli("lab", "recall", crawled, "--quiet")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("ESTIMATE by audit: recall ")
    assert "beware: " in done.stdout
    facts = json.loads(cli("lab", "recall", crawled, "--json", "--quiet").stdout)
    assert facts["is_estimate"] is True
    assert 0 <= facts["recall_low"] <= facts["recall"] <= facts["recall_high"] <= 1


def test_a_list_of_which_nothing_was_found(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("http://elsewhere.example/\n")
    done = cli("lab", "recall", crawled, "--list", tmp_path / "list", "--json")
    facts = json.loads(done.stdout)
    assert facts["recall"] == 0
    assert facts["total"] is None
    shown = cli("lab", "recall", crawled, "--list", tmp_path / "list").stdout
    assert "any number of them" in shown
    assert "or less" not in shown


def sample_crawl(folder: Path, seeds: list[str]) -> Path:
    changed = {"topic.text": WEB.description("bees"), "seeds.urls": seeds, "limits.max_pages": 30,
               "web.sample_pages": WEB.pages, "output.folder": str(folder), "output.archive": False}  # fmt: skip
    with closing(start_crawl(CrawlOrder().with_overrides(changed))) as crawler:
        crawler.run()
    return folder


def test_two_crawls_give_an_upper_bound(cli: Cli, tmp_path: Path) -> None:
    seeds = WEB.seeds("bees", 6)
    one, other = sample_crawl(tmp_path / "one", seeds[:3]), sample_crawl(tmp_path / "other", seeds[3:])
    shown = cli("lab", "recall", one, "--other", other).stdout
    assert " or less, with 95 % confidence at most " in shown


def test_looks_are_obeyed_the_second_time_too(cli: Cli, tmp_path: Path) -> None:
    folder = sample_crawl(tmp_path / "one", WEB.seeds("bees", 3))
    counts = []
    for looks in (16, 40, 16):
        facts = json.loads(cli("lab", "recall", folder, "--looks", looks, "--json", "--quiet").stdout)
        counts.append(facts["looked_at"] + facts["unanswered"])
    assert counts[0] == counts[2] <= 16 < counts[1] <= 40


def test_one_estimate_at_a_time(cli: Cli, crawled: Path) -> None:
    done = cli("lab", "recall", crawled, "--other", crawled, "--list", crawled)
    assert done.exit_code == 2
    assert "give one of them" in done.stderr
    assert "seeds in common" in cli("lab", "recall", crawled, "--other", crawled).stderr
