"""Docs that cannot rot: their examples run, and they name what there is."""

import importlib.util
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

from honeyguide.checks import check_strategy
from honeyguide.cli.main import app
from honeyguide.graph.site_relevance import Definition
from honeyguide.sample_web.web import SampleWeb
from honeyguide.store.moving import move_to_postgres
from honeyguide.store.sql_views import FUNCTIONS, VIEWS
from honeyguide.strategies.sites import LEVELS, MOVES_PER_PAGE
from tests.postgres_server import server

ROOT = Path(__file__).parents[1]


def blocks(page: str, language: str) -> list[str]:
    """The code on a page, without the indentation of a list."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    return [re.sub(rf"^{indent}", "", code, flags=re.MULTILINE) for indent, code in found]


@pytest.fixture
def example(tmp_path, monkeypatch):
    """The strategy and the test in CONTRIBUTING.md as files; the strategy can be imported."""
    strategy, test = (tmp_path / name for name in ("site_hops.py", "test_site_hops.py"))
    for path, code in zip((strategy, test), blocks("CONTRIBUTING.md", "python"), strict=True):
        path.write_text(code, encoding="utf-8")
    name = "honeyguide.strategies.site_hops"
    spec = importlib.util.spec_from_file_location(name, strategy)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return strategy, test


def test_the_strategy_in_contributing_passes_the_checks(example):
    module = sys.modules["honeyguide.strategies.site_hops"]
    check_strategy(module.SiteHops)
    names = {}
    exec(example[1].read_text(encoding="utf-8"), names)
    tests = [test for name, test in names.items() if name.startswith("test_")]
    assert tests
    for test in tests:
        test()


def test_the_strategy_in_contributing_passes_make_check(example):
    for tool in (["ruff", "format", "--check"], ["ruff", "check", "--no-cache"]):
        command = [sys.executable, "-m", *tool, "--config", str(ROOT / "pyproject.toml"), str(example[0])]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_tutorial_can_be_followed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in blocks("docs/tutorial.md", "python"):
        exec(code, names)
    told = capsys.readouterr().out
    assert "200 pages, " in told
    assert "Found by this path from a seed" in told
    assert "1 of 1 urls are seeds now" in told


def test_a_crawl_is_kept_fresh_as_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in blocks("docs/freshness.md", "python"):
        exec(code, names)
    told = capsys.readouterr().out
    assert re.search(r"^new http\S+ $", told, re.MULTILINE)
    assert re.search(r"^changed http\S+ - .* \+ ", told, re.MULTILINE)


def test_a_crawl_is_steered_as_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in blocks("docs/steering.md", "python"):
        exec(code, names)
    told = capsys.readouterr().out
    assert "urls wait, on" in told
    assert re.search(r"rule 1: \d+ waiting urls of 1 host are excluded", told)


def test_a_crawl_by_sites_is_as_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for code in blocks("docs/sites.md", "python"):
        exec(code, {})
    told = capsys.readouterr().out
    assert re.search(r"number 1 of \d+ sites by relevance", told)
    assert "of its present budget are spent" in told
    for code in blocks("docs/sites.md", "sh"):
        for line in code.splitlines():
            done = CliRunner().invoke(app, shlex.split(line)[1:], catch_exceptions=False)
            assert done.exit_code == 0, done.output
    page = (ROOT / "docs" / "sites.md").read_text(encoding="utf-8")
    for definition in get_args(Definition):
        assert f"| `{definition}` |" in page
    assert f"stand on {LEVELS} steps" in page
    assert f"pays for {MOVES_PER_PAGE} of these" in page


def test_the_questions_in_sql_can_be_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in blocks("docs/sql.md", "python"):
        exec(code, names)
    crawl, questions = names["crawl"], blocks("docs/sql.md", "sql")
    answers = [crawl.sql(question) for question in questions]
    assert all(answer.rows for answer in answers)
    around, sites, unfetched = (answer.rows for answer in answers[:3])
    assert "Hobbies/gardening" in {row[0] for row in around}
    density = [row[3] for row in sites]
    assert density == sorted(density, reverse=True)
    assert {row[1] for row in unfetched} <= {"known", "queued"}
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    with server() as database:
        move_to_postgres(crawl.folder, database.address, lambda done, total: None)
        for question, answer in zip(questions, answers, strict=True):
            there = crawl.sql(question)
            assert there.columns == answer.columns
            assert [*map(pytest.approx, answer.rows)] == [*there.rows], question


def test_the_views_of_sql_are_documented():
    page = (ROOT / "docs" / "sql.md").read_text(encoding="utf-8")
    for name, view in VIEWS.items():
        _, _, section = page.partition(f"### {name}\n\n{view.meaning}")
        rows = [f"| `{column}` | {meaning} |" for column, meaning in view.columns.items()]
        table = "\n\n| column | meaning |\n|---|---|\n" + "\n".join(rows) + "\n\n"
        assert section.startswith(" It has the columns of `pages`." if name == "visits" else table), name
    functions = page.partition("The functions are ")[2]
    assert set(re.findall(r"`(\w+)`", functions)) == FUNCTIONS


def test_the_pages_found_can_be_searched_as_the_docs_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    python, *more = blocks("docs/search.md", "python")
    exec(python, names)
    for code in blocks("docs/search.md", "sh"):
        for line in code.splitlines():
            done = CliRunner().invoke(app, shlex.split(line)[1:], catch_exceptions=False)
            assert done.exit_code == 0, done.output
    for code in more:
        exec(code, names)


def test_the_corpora_in_the_docs_can_be_crawled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    for code in blocks("docs/recordings.md", "python"):
        exec(code, {})
    commands = [
        shlex.split(line)[1:] for code in blocks("docs/recordings.md", "sh") for line in code.splitlines()
    ]
    outputs = [CliRunner().invoke(app, command, catch_exceptions=False) for command in commands]
    assert [output.exit_code for output in outputs] == [0] * len(commands)
    assert outputs[0].stdout.splitlines()[1].startswith("3 pages, 3 relevant")
    assert outputs[-1].stdout.splitlines()[1].startswith("3 pages, ")
    web = SampleWeb(pages=300, seed=7)
    arguments = ["crawl", "--topic", web.description("bees"), "--seed", web.seeds("bees")[0]]
    crawl = CliRunner().invoke(
        app, [*arguments, "--recording", "sample", "--pages", "20", "--folder", "found"]
    )
    assert crawl.stdout.startswith("page_limit: ")


def test_the_keys_of_a_corpus_are_documented(tmp_path):
    from honeyguide.fetch.corpus import CorpusPage, parse_page

    page = (ROOT / "docs" / "recordings.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(CorpusPage._fields)
    assert parse_page(json.dumps({"url": "http://a.example/", "html": ""}).encode()) is not None


def test_the_tour_names_every_package():
    tour = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for folder in (ROOT / "src" / "honeyguide").iterdir():
        if folder.is_dir() and (folder / "__init__.py").exists():
            assert f"  {folder.name}/" in tour, f"docs/architecture.md does not show {folder.name}/"


def test_make_targets_named_in_the_docs_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"(?:^|`)make ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert target in targets, f"{page.name} names `make {target}`"
