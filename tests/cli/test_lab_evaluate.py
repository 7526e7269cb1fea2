"""`honeyguide lab reproduce` and `blind`."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.lab.labelled_web import RULES, write_labelled_web


@pytest.fixture
def web(tmp_path: Path) -> Path:
    (tmp_path / "rules.toml").write_text(RULES)
    return write_labelled_web(tmp_path / "mine")


def test_an_unknown_paper_is_told(cli: Cli) -> None:
    done = cli("lab", "reproduce", "nobody-2001")
    assert done.exit_code == 2
    assert (
        "there are otie, hcla, ontology, cc-bfs, focused-1999, default, guide, sites, recall, freshness, all"
        in done.stderr
    )


def test_one_page_is_on_all_there_is(cli: Cli) -> None:
    done = cli("lab", "reproduce", "otie", "--page", "page.md")
    assert done.exit_code == 2
    assert "not on otie alone" in done.stderr


@pytest.mark.slow
def test_all_without_any_corpus_tells_what_failed(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    place = ("--corpora", tmp_path / "empty", "--results", tmp_path / "results")
    done = cli("lab", "reproduce", "all", *place, "--tasks", 1, "--pages", 5, "--processes", 1, "--json")
    assert done.exit_code == 1, done.output
    told = json.loads(done.stdout)
    assert {"default", "otie", "recall", "classifiers"} <= set(told["problems"])
    assert Path(told["page"]) == tmp_path / "results" / "evaluation.md"
    assert "# Evaluation" in Path(told["page"]).read_text()
    assert "otie: " in done.stderr


def test_a_blind_test(cli: Cli, web: Path, tmp_path: Path) -> None:
    place = ("--corpus", web, "--rules", tmp_path / "rules.toml", "--results", tmp_path / "results")
    done = cli("lab", "blind", *place, "--tasks", 1, "--pages", 5, "--processes", 1, "--quiet")
    assert done.exit_code == 0, done.output
    assert "% of the best other's" in done.stdout
    assert done.stdout.strip().endswith(str(tmp_path / "results" / "report.html"))


def test_what_is_no_web_is_told(cli: Cli, web: Path, tmp_path: Path) -> None:
    done = cli("lab", "blind", "--corpus", web, "--rules", "nowhere.toml")
    assert done.exit_code == 2
    assert "--rules: there is no nowhere.toml" in done.stderr
    (web / "pages.jsonl").unlink()
    place = ("--corpus", web, "--rules", tmp_path / "rules.toml", "--results", tmp_path / "results")
    done = cli("lab", "blind", *place)
    assert done.exit_code == 2
    assert "there is no pages.jsonl(.gz)" in done.stderr
