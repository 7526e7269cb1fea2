"""Docs that cannot rot: their examples run, and they name what there is."""

import re
from pathlib import Path

import numpy as np

from honeyguide.checks import check_strategy
from honeyguide.crawl.view import CrawlView
from honeyguide.model import Explanation, Pages, Priorities
from honeyguide.strategies.base import Strategy, best_of

ROOT = Path(__file__).parents[1]


def test_the_strategy_in_contributing_passes_the_checks():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    indented = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    code = re.sub(r"^   ", "", indented, flags=re.MULTILINE)
    names = {
        "ClassVar": __import__("typing").ClassVar,
        "CrawlView": CrawlView,
        "Explanation": Explanation,
        "Pages": Pages,
        "Priorities": Priorities,
        "Strategy": Strategy,
        "best_of": best_of,
        "np": np,
    }
    exec(code, names)
    check_strategy(names["SiteHops"])


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
