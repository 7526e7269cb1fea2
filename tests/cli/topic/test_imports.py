from pathlib import Path

import pytest

from honeyguide.topics.taxonomy import TaxonomyTopic
from honeyguide.topics.topic_file import read_topic
from tests.cli.conftest import Cli
from tests.cli.topic.conftest import refused

TABLE = """url\tcategory\ttitle\tdescription
http://a.example/\tTop/Arts/Music\tOpera\tsingers and arias
http://b.example/\tTop/Arts/Painting\tOils\tcanvas and brush
http://c.example/\tTop/Games\tChess\tpawns and knights
mailto:x@y.example\tTop/Games\tMail\tno page
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "directory.tsv"
    path.write_text(TABLE)
    return path


def imported(file: Path) -> TaxonomyTopic:
    topic = read_topic(file)
    assert isinstance(topic, TaxonomyTopic)
    return topic


def test_without_good_topics_the_tree_is_shown(cli: Cli, table: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.topic"
    result = cli("topic", "import", "tsv", table, file)
    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines()[2:]]
    assert rows == [
        ["Arts", "2", "2"],
        ["Music", "1"],
        ["Painting", "1"],
        ["Games", "1"],
        ["4", "topics,", "3", "examples"],
    ]
    assert result.stderr.splitlines()[0] == "1 left out: not a web page"
    assert f"honeyguide topic import tsv {table} {file} --good PATH" in result.stderr
    assert not file.exists()


@pytest.mark.parametrize("path", ["Arts/Music", "Top/Arts/Music"])
def test_a_table(path: str, cli: Cli, table: Path, tmp_path: Path) -> None:
    result = cli("topic", "import", "tsv", table, tmp_path / "a", "--good", path, "--good", "Games")
    assert result.exit_code == 0, result.output
    tree = imported(tmp_path / "a").taxonomy.tree
    assert [tree.path(node) for node in sorted(tree.good)] == ["Arts/Music", "Games"]
    rows = [line.split() for line in result.stdout.splitlines()[2:-1]]
    assert rows == [["Arts", "2", "2"], ["Music", "good", "1"], ["Games", "good", "1"]]


def test_a_part_of_the_tree(cli: Cli, table: Path, tmp_path: Path) -> None:
    cli("topic", "import", "tsv", table, tmp_path / "a", "--under", "Top/Arts", "--good", "Music")
    assert imported(tmp_path / "a").taxonomy.tree.names == ["Top", "Music", "Painting"]
    cli("topic", "import", "tsv", table, tmp_path / "b", "--depth", 1, "--good", "Arts", "--per-topic", 1)
    taxonomy = imported(tmp_path / "b").taxonomy
    assert (taxonomy.tree.names, len(taxonomy.documents)) == (["Top", "Arts", "Games"], 2)


def test_folders_of_html_files(cli: Cli, examples: Path, tmp_path: Path) -> None:
    result = cli("topic", "import", "folders", examples, tmp_path / "a", "--good", "positive")
    assert result.exit_code == 0, result.output
    topic = imported(tmp_path / "a")
    assert len(topic.taxonomy.documents) == 24
    page = (examples / "positive" / "000.html").read_text()
    assert page.partition("<title>")[2].partition("</title>")[0] in topic.taxonomy.documents.titles


def test_bookmarks(cli: Cli, shared: Path, tmp_path: Path) -> None:
    source = shared / "fixtures" / "bookmarks" / "shaarli" / "firefox_nested.htm"
    result = cli("topic", "import", "bookmarks", source, tmp_path / "a", "--good", "Dev/PHP")
    assert result.exit_code == 0, result.output
    assert len(imported(tmp_path / "a").taxonomy.examples_of("Dev/PHP")) == 2


def test_dmoz_in_two_files(cli: Cli, shared: Path, tmp_path: Path) -> None:
    folder = shared / "fixtures" / "dmoz"
    sources = (folder / "structure_sample.rdf.u8", folder / "content_sample_2013.rdf.u8")
    result = cli("topic", "import", "dmoz", *sources, tmp_path / "a", "--good", "Top/Arts/Animation")
    assert result.exit_code == 0, result.output
    assert len(imported(tmp_path / "a").taxonomy.examples_of("Arts/Animation")) == 5


def test_what_cannot_be_imported_is_refused(cli: Cli, table: Path, tmp_path: Path, shared: Path) -> None:
    file = tmp_path / "a"
    assert "there is no topic 'Artz'; below 'the root' there are Arts" in refused(
        cli, "import", "tsv", table, file, "--good", "Artz"
    )
    nested = refused(cli, "import", "tsv", table, file, "--good", "Arts", "--good", "Arts/Music")
    assert "'Arts' lies above 'Arts/Music'" in nested
    assert "tsv takes one SOURCE, then FILE" in refused(cli, "import", "tsv", table, table, file)
    assert "no folder; give the one" in refused(cli, "import", "folders", table, file)
    empty = shared / "fixtures" / "bookmarks" / "shaarli" / "empty.htm"
    assert "no topics found" in refused(cli, "import", "bookmarks", empty, file)
    assert "no bookmark file" in refused(cli, "import", "bookmarks", table, file)
    assert "not well-formed" in refused(cli, "import", "dmoz", table, file)
    assert "cannot be read" in refused(cli, "import", "tsv", tmp_path / "none", file)
    assert refused(cli, "import", "opml", table, file).startswith("KIND: 'opml' is not one of")
    assert not file.exists()
    file.write_text("precious")
    assert "is there already" in refused(cli, "import", "tsv", table, file, "--good", "Arts")
