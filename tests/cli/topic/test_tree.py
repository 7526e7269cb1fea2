from pathlib import Path

import pytest

from honeyguide.topics.imports import read_directory_tsv
from honeyguide.topics.taxonomy import Taxonomy, TaxonomyTopic
from honeyguide.topics.topic_file import read_topic, write_topic
from tests.cli.conftest import Cli
from tests.cli.topic.conftest import WEB, refused
from tests.cli.topic.test_imports import TABLE


@pytest.fixture
def arts(tmp_path: Path) -> Path:
    """A small taxonomy with the good topic Arts/Music, and nothing of the built-in one."""
    (tmp_path / "directory.tsv").write_text(TABLE)
    collected = read_directory_tsv(tmp_path / "directory.tsv")
    taxonomy = Taxonomy.train(collected.tree, collected.examples, collected.places, language="en")
    taxonomy.mark_good("Arts/Music")
    write_topic(tmp_path / "arts.topic", TaxonomyTopic(taxonomy))
    return tmp_path / "arts.topic"


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


def test_topics_and_examples_are_removed(cli: Cli, arts: Path) -> None:
    result = cli("topic", "tree", arts, "--remove-example", "0,2", "--remove", "games", "--add", "Folk_tales")
    assert result.exit_code == 0, result.output
    taxonomy = taxonomy_of(arts)
    assert taxonomy.tree.names == ["Top", "Arts", "Music", "Painting", "Folk tales"]
    assert taxonomy.documents.titles == ["Oils"]
    assert taxonomy.examples_of("Arts/Painting") == [0]


def test_a_class_proposed_for_a_page_can_be_marked_good(cli: Cli, arts: Path, tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text("arias on a canvas, singers with a brush")
    proposed = cli("topic", "suggest", arts, "--for", tmp_path / "page.txt").stdout.splitlines()[2:]
    for path in {line.split("  ")[0] for line in proposed} | {"Arts", "Arts/Music"}:
        result = cli("topic", "tree", arts, "--good", path)
        assert result.exit_code == 0, result.output
    assert (
        "Arts/Music is wanted already, as a part of Arts"
        in cli("topic", "tree", arts, "--good", "Arts/Music").stderr
    )
    assert [taxonomy_of(arts).tree.path(node) for node in taxonomy_of(arts).tree.good] == ["Arts"]


def test_an_example_in_another_language_is_told(cli: Cli, arts: Path, tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text("Die Sängerin tritt am Abend mit dem Orchester in der Oper auf. " * 2)
    result = cli("topic", "tree", arts, "--add-example", f"Arts/Music={tmp_path / 'page.txt'}")
    assert "warning: 1 of 1 example in another language (de) than the taxonomy's (en)" in result.stderr


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
        (("--add", "Arts/Music"), "there is a topic 'Arts/Music' already"),
        (("--add", ""), "'' is no path of a topic; write names with a slash between, as Arts/Music"),
        (("--add", "Birds/"), "'Birds/' is no path of a topic"),
        (("--rename", "Arts"), "--rename: 'Arts' should be PATH=NAME"),
        (("--rename", "Nope=X"), "there is no topic 'Nope'"),
        (("--move", "Arts=Arts/Music"), "cannot be moved below itself"),
        (("--move-example", "x=Arts"), "--move-example: 'x' should be numbers of examples"),
        (("--move-example", "99=Arts"), "there are examples 0 to 2, not 99"),
        (("--refine", "Arts"), "--refine: 'Arts' should be PATH/NEW=N,N,..."),
        (("--refine", "Arts/Old=2"), "example 2 belongs to 'Games', not to 'Arts'"),
        (("--remove-example", "99"), "there are examples 0 to 2, not 99"),
        (("--remove", "Arts"), "no topic would be good any more"),
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
