import json
import shutil
from pathlib import Path

import pytest

from honeyguide.cli import terminal
from honeyguide.cli.top import page_table
from honeyguide.crawls import Crawl
from honeyguide.model import Visit
from tests.cli.conftest import Cli


def test_best_pages_and_hosts_first(cli: Cli, crawled: Path) -> None:
    found = json.loads(cli("top", crawled, "--json").stdout)
    relevance = [page["relevance"] for page in found["pages"]]
    assert relevance == sorted(relevance, reverse=True)
    assert found["pages"][-1]["relevance"] == 0
    assert [(host["host"], host["relevant"]) for host in found["hosts"]] == [
        ("bees.example", 2),
        ("cars.example", 0),
    ]


def test_numbers_of_rows_can_be_chosen(cli: Cli, crawled: Path) -> None:
    found = json.loads(cli("top", crawled, "--json", "--pages", 1, "--hosts", 0).stdout)
    assert (len(found["pages"]), len(found["hosts"])) == (1, 0)
    assert "host" not in cli("top", crawled, "--hosts", 0).stdout.split()


def test_pages_labelled_as_off_the_topic_are_left_out_and_others_marked(
    cli: Cli, crawled: Path, tmp_path: Path
) -> None:
    crawl = Crawl.open(shutil.copytree(crawled, tmp_path / "crawl"))
    assert "label" not in cli("top", crawl.folder, "--hosts", 0).stdout.split()
    crawl.label("http://bees.example/hives", False, by="Ada", note="only\nhives")
    crawl.label("http://bees.example/", True)
    crawl.label("http://bees.example/queens", None, unsure=True)
    found = json.loads(cli("top", crawl.folder, "--json").stdout)
    assert {page["url"]: page["label"] for page in found["pages"]} == {
        "http://bees.example/": "yes",
        "http://bees.example/queens": "unsure",
        "http://cars.example/": "",
    }
    assert "label" in cli("top", crawl.folder, "--hosts", 0).stdout.split()
    told = cli("explain", crawl.folder, "http://bees.example/hives").stdout
    assert "labelled not relevant by Ada on 20" in told
    assert "UTC: only hives" in told
    crawl.label("http://far.example/", True)
    assert "labelled relevant on 20" in cli("explain", crawl.folder, "http://far.example/").stdout


def test_a_title_is_shown_and_never_obeyed(
    cli: Cli, crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "=[red]Bees[/red]" in cli("top", crawled).stdout
    # The parser may take control characters out; the table must not count on it.
    visit = Visit(1, "http://a.example/\x07", 0.0, 200, 0.5, 0.5, 1, 9, title="\x1b[2J\x9b2JBees\n[b]")
    terminal.out().print(page_table([visit]))
    output = capsys.readouterr().out
    assert "[2J\ufffd2JBees [b]" in output
    assert not {"\x1b", "\x9b", "\x07"} & set(output)
