from pathlib import Path

import pytest

from honeyguide.topics.ontology import read_topic_map
from tests.cli.conftest import Cli
from tests.cli.topic.conftest import refused
from tests.cli.topic.test_imports import TABLE


@pytest.mark.parametrize("ending", ["xtm", "ttl"])
def test_a_map_comes_back_as_it_was(ending: str, cli: Cli, ontology: Path, tmp_path: Path) -> None:
    out = tmp_path / f"cars.{ending}"
    result = cli("topic", "export", ontology, out)
    assert (result.exit_code, result.stderr) == (0, f"17 topics written to {out}\n")
    again = read_topic_map(out)
    assert again.topics[again.find("Corolla Verso")].label == "Corolla Verso"


@pytest.mark.parametrize("ending", ["xtm", "ttl"])
def test_relevant_pages_go_into_the_map(
    ending: str, cli: Cli, ontology: Path, crawled: Path, tmp_path: Path
) -> None:
    out = tmp_path / f"cars.{ending}"
    result = cli("topic", "export", ontology, out, "--crawl", crawled)
    assert "and 2 pages written to" in result.stderr
    text = out.read_text()
    assert text.count("http://bees.example/hives") >= 1
    assert "http://cars.example/" not in text
    read_topic_map(out)


def test_a_taxonomy_comes_back_from_its_table(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(TABLE.replace("Painting", "Oil_Painting"))
    file, out, again = tmp_path / "a.topic", tmp_path / "b.tsv", tmp_path / "c.topic"
    cli("topic", "import", "tsv", tmp_path / "a.tsv", file, "--good", "Games")
    result = cli("topic", "export", file, out)
    assert result.stderr.startswith(f"3 examples written to {out}\n")
    lines = out.read_text().splitlines()
    assert lines[0] == "url\tcategory\ttitle\tdescription"
    assert lines[2].split("\t")[:3] == ["http://b.example/", "Top/Arts/Oil_Painting", "Oils"]
    assert cli("topic", "import", "tsv", out, again, "--good", "Games").exit_code == 0
    trees = [cli("topic", "tree", path).stdout for path in (file, again)]
    assert trees[0] == trees[1]


def test_examples_without_an_address_are_left_out(cli: Cli, taxonomy: Path, tmp_path: Path) -> None:
    result = cli("topic", "export", taxonomy, tmp_path / "a.tsv")
    assert result.stderr.splitlines()[0].startswith("0 examples written to ")
    assert "examples without a web address left out" in result.stderr


def test_wrong_wishes(
    cli: Cli, keywords: Path, taxonomy: Path, ontology: Path, crawled: Path, tmp_path: Path
) -> None:
    table = tmp_path / "a.tsv"
    assert "of this topic (ontology) OUT should be NAME.xtm or NAME.ttl" in refused(
        cli, "export", ontology, table
    )
    assert "OUT should be NAME.tsv" in refused(cli, "export", taxonomy, tmp_path / "a.xtm")
    assert "is a keywords topic; there is no format for it" in refused(cli, "export", keywords, table)
    assert "--crawl puts pages into an ontology" in refused(
        cli, "export", taxonomy, table, "--crawl", crawled
    )
    assert "holds no crawl" in refused(cli, "export", ontology, tmp_path / "a.xtm", "--crawl", tmp_path)
    assert not list(tmp_path.iterdir())
    table.write_text("precious")
    assert "is there already" in refused(cli, "export", taxonomy, table)
