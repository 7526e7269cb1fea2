import csv
import json
from pathlib import Path

from tests.cli.conftest import HOSTILE_TITLE, Cli


def test_an_answer_as_a_table(cli: Cli, crawled: Path) -> None:
    result = cli("sql", crawled, "select host, relevant, mean_relevance from hosts order by relevant desc")
    assert result.exit_code == 0, result.stderr
    heading, _, first, second = result.stdout.splitlines()
    assert heading.split() == ["host", "relevant", "mean_relevance"]
    assert first.split()[:2] == ["bees.example", "2"]
    assert second.split() == ["cars.example", "0", "0.000"]


def test_an_answer_for_programs(cli: Cli, crawled: Path) -> None:
    found = json.loads(cli("sql", crawled, "select title from pages order by number", "--json").stdout)
    assert (found["columns"], found["truncated"]) == (["title"], False)
    assert found["rows"][0] == ["Bees and honey"]


def test_an_answer_for_spreadsheets_is_no_formula(cli: Cli, crawled: Path) -> None:
    question = "select url, title from pages where url like '%hives'"
    rows = list(csv.reader(cli("sql", crawled, question, "--csv").stdout.splitlines()))
    assert rows[0] == ["url", "title"]
    assert rows[1][1].startswith("'=[red]Bees")


def test_a_title_is_shown_and_never_obeyed(cli: Cli, crawled: Path) -> None:
    output = cli("sql", crawled, f"select title, '{HOSTILE_TITLE}' as own from pages").stdout
    assert "=[red]Bees[/red]" in output
    assert "\x1b" not in output


def test_without_a_question_the_views_are_listed(cli: Cli, crawled: Path) -> None:
    listed = cli("sql", crawled).stdout
    assert "links" in listed
    assert "source_id, source, target_id, target, anchor" in listed


def test_rows_left_out_are_told(cli: Cli, crawled: Path) -> None:
    result = cli("sql", crawled, "select url from pages", "--rows", 2)
    assert len(result.stdout.splitlines()) == 4
    assert "only the first 2 rows; --rows N gives more" in result.stderr


def test_what_is_wrong_is_told_in_a_line(cli: Cli, crawled: Path) -> None:
    for arguments, words in (
        (["delete from main.visits"], "error: the question is refused: it may only be a SELECT"),
        (["select url from nope"], "error: the question cannot be answered: no such table: nope; there are pages"),
        (["select 1", "--json", "--csv"], "give one of them"),
        (["select 1", "--seconds", "0"], "seconds of a question is"),
    ):  # fmt: skip
        result = cli("sql", crawled, *arguments)
        assert (result.exit_code, words in result.stderr) == (2, True), result.stderr
        assert len(result.stderr.splitlines()) == 1
