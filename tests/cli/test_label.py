import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from honeyguide.cli.label import snippet
from honeyguide.cli.main import app
from honeyguide.crawls import Crawl
from tests.cli.conftest import Cli


@pytest.fixture
def folder(crawled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawled, tmp_path / "crawl"))


def answering(keys: str, *arguments: object) -> Result:
    typed = "".join(f"{key}\n" for key in keys)
    return CliRunner().invoke(
        app, [str(argument) for argument in arguments], input=typed, catch_exceptions=False
    )


def verdicts(folder: Path) -> dict[str, bool | None]:
    return {url: row.relevant for url, row in Crawl.open(folder).labels().items()}


def test_it_asks_page_by_page_and_the_topic_learns(folder: Path) -> None:
    result = answering("yyyq", "label", folder, "--by", "Ada")
    assert result.exit_code == 0, result.stderr
    assert "=[red]Bees[/red]" in result.stdout, "hostile titles are shown, not obeyed"
    assert "\x1b" not in result.stdout
    assert "decided by" in result.stdout
    assert "3 labels given, 3 in all" in result.stderr
    assert "revision 1 of the topic learned from 3 pages on it and 0 off it" in result.stderr
    assert sorted(verdicts(folder).values()) == [True, True, True]
    assert {row.by for row in Crawl.open(folder).labels().values()} == {"Ada"}


def test_answers_can_be_undone_skipped_or_left_open(folder: Path) -> None:
    result = answering("yu?sxq", "label", folder, "--no-learn")
    assert result.stdout.count("[1/4]") == 2
    assert result.stderr.count("y = on the topic") == 2, "what is not understood is explained again"
    assert "revision" not in result.stderr
    ((url, row),) = Crawl.open(folder).labels().items()
    assert row.is_unsure, url


def test_the_end_of_the_input_is_enough(folder: Path) -> None:
    assert answering("", "label", folder).exit_code == 0
    assert not verdicts(folder)


def test_labels_from_a_file_and_of_one_url(cli: Cli, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("url,label,note\nhttp://bees.example/hives,Yes,hives\n\nhttp://cars.example/,0\n")
    assert cli("label", folder, "--file", file, "--no-learn").exit_code == 0
    cli("label", folder, "--url", "HTTP://bees.example:80/", "--yes", "--no-learn")
    assert verdicts(folder) == {
        "http://bees.example/hives": True,
        "http://cars.example/": False,
        "http://bees.example/": True,
    }
    assert Crawl.open(folder).labels()["http://bees.example/hives"].note == "hives"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("http://a.example/,perhaps\n", "line 1: 'perhaps' is no label; write yes, no or unsure"),
        ("http://a.example/,1\nhttp://b.example/\n", "line 2: it should be url,label"),
        ("url,label\n", "no label in it"),
        (b"http://a.example/\xff,1\n", "cannot be read"),
    ],
    ids=["no label", "one cell", "only a head", "no UTF-8"],
)
def test_a_bad_file_is_told_and_nothing_is_said(
    cli: Cli, folder: Path, tmp_path: Path, content: str | bytes, told: str
) -> None:
    file = tmp_path / "labels.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    result = cli("label", folder, "--file", file)
    assert result.exit_code == 2
    assert told in result.stderr
    assert not verdicts(folder)


def test_wrong_options_are_told(cli: Cli, folder: Path) -> None:
    assert "there are best, teach, random" in cli("label", folder, "--queue", "x").stderr
    assert "--url goes with --yes or --no" in cli("label", folder, "--url", "http://bees.example/").stderr


def test_revisions_are_listed_and_gone_back_to(cli: Cli, folder: Path) -> None:
    assert "no label to learn from" in cli("revise", folder).stderr
    answering("yyyq", "label", folder)
    assert cli("revise", folder, "--list").stdout == "0  the topic it began with\n1  (in use)\n"
    assert "revision 0 guides the crawl" in cli("revise", folder, "--use", 0).stderr
    assert Crawl.open(folder).revision == 0
    assert "there is no revision 5" in cli("revise", folder, "--use", 5).stderr


def test_random_questions_tell_how_good_all_is(folder: Path) -> None:
    result = answering("yyyn", "label", folder, "--queue", "random", "--no-learn")
    assert (
        "of 4 random pages 75% are on the topic; of all that was fetched, 30% to 95% (95 %)" in result.stderr
    )


def test_snippets_begin_near_the_deciding_words() -> None:
    text = "menu " * 100 + "the queen bee lays eggs " + "and more " * 100
    assert "queen bee" in snippet(text, ["queen"])
    assert snippet(text, ["queen"]).startswith("...")
    assert snippet("short", ["nowhere"]) == "short..."
    assert snippet("", []) == "(no text)"
