from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.topic.conftest import refused


@pytest.fixture
def pages(tmp_path: Path) -> tuple[Path, Path, Path]:
    texts = ("The Avensis is a car.", "A Corolla, twice a Corolla.", "A train")
    paths = (tmp_path / "a.txt", tmp_path / "b.html", tmp_path / "c.txt")
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def test_what_a_page_touches(cli: Cli, ontology: Path, pages: tuple[Path, Path, Path]) -> None:
    result = cli("topic", "footprint", ontology, pages[1])
    assert result.exit_code == 0, result.output
    *rows, last = (line.split() for line in result.stdout.splitlines()[2:])
    assert [row[:2] for row in rows] == [["0", "Corolla"], ["1", "Toyota"], ["2", "Japanese"]]
    assert float(rows[0][2]) > 0
    assert " ".join(last) == "1 topic mentioned, 2 above them, 2 associations between them"


def test_two_pages_meet_in_a_class_above(cli: Cli, ontology: Path, pages: tuple[Path, Path, Path]) -> None:
    lines = cli("topic", "footprint", ontology, *pages[:2]).stdout.splitlines()[2:]
    assert [line.split() for line in lines] == [
        ["0", "0.000"],
        ["1", "0.333", "Toyota"],
        ["2", "0.500", "Japanese", "car,", "Toyota"],
    ]
    assert "share nothing of the map" in cli("topic", "footprint", ontology, *pages[1:]).stdout


def test_other_topics_have_no_footprints(cli: Cli, keywords: Path, pages: tuple[Path, Path, Path]) -> None:
    assert "is a keywords topic and has no map" in refused(cli, "footprint", keywords, pages[0])
