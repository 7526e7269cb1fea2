from pathlib import Path

import pytest

from honeyguide.topics.taxonomy import Taxonomy, TaxonomyTopic
from honeyguide.topics.topic_file import read_topic
from tests.cli.conftest import Cli
from tests.cli.topic.conftest import WEB, refused
from tests.cli.topic.test_imports import TABLE


@pytest.fixture
def arts(cli: Cli, tmp_path: Path) -> Path:
    """A small taxonomy with the good topic Arts/Music."""
    (tmp_path / "directory.tsv").write_text(TABLE)
    file = tmp_path / "arts.topic"
    cli("topic", "import", "tsv", tmp_path / "directory.tsv", file, "--good", "Arts/Music")
    return file


def taxonomy_of(file: Path) -> Taxonomy:
    topic = read_topic(file)
    assert isinstance(topic, TaxonomyTopic)
    return topic.taxonomy


def rows(output: str) -> list[list[str]]:
    return [line.split() for line in output.splitlines()[2:-1]]


def test_levels_and_good_topics(cli: Cli, arts: Path) -> None:
    assert rows(cli("topic", "tree", arts).stdout) == [
        ["Arts", "2", "2"],
        ["Music", "good", "1"],
        ["Painting", "1"],
        ["Games", "1"],
    ]
    assert rows(cli("topic", "tree", arts, "--depth", 0).stdout) == [
        ["Arts", "2", "2"],
        ["Music", "good", "1"],
    ]
    assert cli("topic", "tree", arts).stdout.endswith("4 topics, 3 examples\n")


def test_examples_with_their_numbers(cli: Cli, arts: Path) -> None:
    lines = cli("topic", "tree", arts, "--examples", "Arts").stdout.splitlines()
    assert [line.split() for line in lines[2:]] == [
        ["0", "Arts/Music", "Opera", "http://a.example/"],
        ["1", "Arts/Painting", "Oils", "http://b.example/"],
    ]


def test_all_changes_in_one_command(cli: Cli, arts: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<title>Jazz</title>trumpets")
    result = cli(
        *("topic", "tree", arts, "--good", "Culture/Music/Opera", "--not-good", "Culture/Music"),
        *("--rename", "Arts=Culture", "--add", "Sports/Chess", "--move", "Games=Sports"),
        *("--move-example", "2=Sports/Chess", "--refine", "Culture/Music/Opera=0"),
        *("--add-example", f"Culture/Music={tmp_path / 'page.html'}"),
    )
    assert result.exit_code == 0, result.output
    assert result.stderr == f"8 changes written to {arts}\n"
    taxonomy = taxonomy_of(arts)
    paths = [taxonomy.tree.path(node) for node in range(1, len(taxonomy.tree))]
    assert sorted(paths) == [
        *("Culture", "Culture/Music", "Culture/Music/Opera", "Culture/Painting"),
        *("Sports", "Sports/Chess", "Sports/Games"),
    ]
    places = [taxonomy.tree.path(int(node)) for node in taxonomy.documents.places]
    assert places == ["Culture/Music/Opera", "Culture/Painting", "Sports/Chess", "Culture/Music"]
    assert taxonomy.documents.titles[-1] == "Jazz"
    assert [taxonomy.tree.path(node) for node in taxonomy.tree.good] == ["Culture/Music/Opera"]
    assert ["Opera", "good", "1"] in rows(cli("topic", "tree", arts).stdout)


def test_a_changed_topic_judges_otherwise(cli: Cli, arts: Path) -> None:
    before = read_topic(arts).judge(["pawns and knights"])[0]
    cli("topic", "tree", arts, "--move-example", "2=Arts/Music")
    assert read_topic(arts).judge(["pawns and knights"])[0] > before + 0.3


def test_an_example_from_a_crawl(cli: Cli, arts: Path, bee_crawl: Path) -> None:
    url = WEB.seeds("bees")[0]
    result = cli("topic", "tree", arts, "--add-example", f"Games={url}", "--recording", bee_crawl)
    assert result.exit_code == 0, result.output
    assert taxonomy_of(arts).documents.urls[-1] == url


def test_an_ontology_shows_its_weights(cli: Cli, ontology: Path) -> None:
    lines = [line.split("  ") for line in cli("topic", "tree", ontology).stdout.splitlines()[2:-1]]
    found = {cells[0].strip() or cells[1].strip() or cells[2].strip(): cells[-1].strip() for cells in lines}
    assert found == {
        "1": "Toyota",
        "0.8": "Japanese car, Avensis, Corolla",
        "0.5": "Toyota Motor Manufacturing, Inc.",
        "0.1": "Kiichiro Toyoda, Corolla Verso",
    }


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--add", "Arts/Music", "--rename", "Arts"), "--rename: 'Arts' should be PATH=NAME"),
        (("--rename", "Nope=X"), "there is no topic 'Nope'"),
        (("--move", "Arts=Arts/Music"), "cannot be moved below itself"),
        (("--move-example", "x=Arts"), "--move-example: 'x' should be numbers of examples"),
        (("--move-example", "99=Arts"), "there are examples 0 to 2, not 99"),
        (("--refine", "Arts"), "--refine: 'Arts' should be PATH/NEW=N,N,..."),
        (("--good", "Arts"), "'Arts' lies above 'Arts/Music'"),
        (("--not-good", "Arts/Music"), "no topic would be good any more"),
        (("--add-example", "Nope=x"), "there is no topic 'Nope'"),
        (("--add-example", "Arts=nowhere"), "nowhere: there is no such file or folder"),
        (("--examples", "Nope"), "there is no topic 'Nope'"),
    ],
)
def test_a_wrong_change_changes_nothing(
    options: tuple[str, ...], expected: str, cli: Cli, arts: Path
) -> None:
    before = arts.read_bytes()
    assert expected in refused(cli, "tree", arts, "--add", "New", *options)
    assert arts.read_bytes() == before


def test_topics_without_a_tree(cli: Cli, keywords: Path, ontology: Path) -> None:
    assert "is a keywords topic and has no tree; make one with" in refused(cli, "tree", keywords)
    assert "is an ontology; change its map" in refused(cli, "tree", ontology, "--good", "x")
