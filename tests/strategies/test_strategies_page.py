"""docs/strategies.md: every strategy is there with all its settings, and its example runs."""

import inspect
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from honeyguide.cli.main import app
from honeyguide.strategies import STRATEGIES

PAGE = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([a-z-]+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))


def test_every_strategy_has_its_section():
    assert sorted(SECTIONS) == sorted(strategy.name for strategy in STRATEGIES)
    assert re.findall(r"^\| \[([a-z-]+)\]\(#", PAGE, re.MULTILINE) == list(SECTIONS)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_a_section_names_all_settings(strategy):
    for setting in inspect.signature(strategy).parameters:
        assert f"`{setting}`" in SECTIONS[strategy.name], f"{setting} of {strategy.name} is not documented"


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_the_example_runs(strategy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall(
        r"^```sh\nhoneyguide (.*?)\n```", SECTIONS[strategy.name], re.DOTALL | re.MULTILINE
    )
    ran = CliRunner().invoke(app, shlex.split(command), catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    assert f"--strategy {strategy.name} " in command
    assert (tmp_path / "crawls" / strategy.name / "crawl.db").exists()
