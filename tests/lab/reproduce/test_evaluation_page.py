"""docs/evaluation.md is put together from what reproductions and reports wrote."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from honeyguide.lab.report.document import Document, Paragraph, write_document
from honeyguide.lab.report.plots import Picture
from honeyguide.lab.reproduce.base import Examined, Finding, Reproduction, Verdict, Workshop
from tests.conftest import REPOSITORY


@pytest.fixture
def script(tmp_path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "script", REPOSITORY / "scripts" / "write_evaluation_page.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.PICTURES = tmp_path / "docs" / "evaluation"
    return module


def test_the_page(script: ModuleType, tmp_path: Path) -> None:
    findings = [
        Finding("a | b", "1", "2", Verdict.CONFIRMED),
        Finding("c", "1", "2", Verdict.REFUTED, "so it is"),
    ]
    picture = Picture("curve", "A curve", lambda figure: None, 1.0, 1.0)
    toy = Reproduction("otie", "a paper", "x", "y", lambda _: {}, lambda _: Examined(findings, [picture]))
    results = tmp_path / "results"
    toy.run(Workshop(results / "otie"))
    experiment = tmp_path / "webkb"
    write_document(Document("Experiment webkb", [Paragraph("All of them.")]), experiment)
    page = script.page(results, [experiment])
    assert "| [otie](#otie) | a paper | 1 | 0 | 1 | 0 | 0 | 0 |" in page
    assert "refuted: so it is" in page
    assert "honeyguide lab reproduce otie" in page
    assert "## Experiment webkb" in page
    assert "](evaluation/otie/curve.svg)" in page
    assert (tmp_path / "docs" / "evaluation" / "otie" / "curve.svg").exists()
    assert page.count("\n# ") == 0
    assert page.startswith("# Evaluation")
