import json
from pathlib import Path

import pytest

from honeyguide.cli import terminal
from honeyguide.cli.top import page_table
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
