from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.topic.conftest import refused


def test_a_page(cli: Cli, keywords: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Honey [red]\x1b</title><p>Bees and honey")
    result = cli("topic", "explain", keywords, page)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].endswith(": relevant; the threshold is 0.4")
    assert lines[1] == "strategies that keep to pages on the topic follow its links"
    shares = {line.split()[1]: float(line.split()[0]) for line in lines[6:]}
    assert list(shares)[:2] == ["honey", "bees"]
    assert "\x1b" not in result.stdout


def test_a_text(cli: Cli, taxonomy: Path) -> None:
    text = "The beekeeper opens the hive: honey, bees, brood, pollen and a queen on the comb"
    result = cli("topic", "explain", taxonomy, "--text", text)
    assert ": relevant; the threshold is 0.5" in result.stdout
    assert "class: Home/Beekeeping" in result.stdout
    other = cli("topic", "explain", taxonomy, "--text", "a train leaves the station").stdout
    assert ": not relevant; " in other
    assert "do not follow its links" in other


def test_many_parts_are_cut(cli: Cli, classifier: Path, examples: Path) -> None:
    result = cli("topic", "explain", classifier, examples / "positive" / "000.html")
    assert result.stdout.splitlines()[-1].startswith("and ")
    assert len(result.stdout.splitlines()) < 30


def test_an_ontology_names_the_topics(cli: Cli, ontology: Path) -> None:
    output = cli("topic", "explain", ontology, "--text", "A Toyota Corolla").stdout
    assert "Toyota x1 (weight 1, " in output
    assert "Corolla x1 (weight 0.8, " in output


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "give one of PAGE and --text"),
        (("page", "--text", "words"), "give one of PAGE and --text"),
        (("http://a.example/",), "http://a.example/ is a url; save the page to a file"),
        (("nowhere",), "nowhere: cannot be read"),
    ],
)
def test_wrong_wishes(arguments: tuple[str, ...], expected: str, cli: Cli, keywords: Path) -> None:
    assert expected in refused(cli, "explain", keywords, *arguments)
