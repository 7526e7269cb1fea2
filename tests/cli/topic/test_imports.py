import shutil
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
    assert tree.find("Everything Else")
    assert "as everything else" in result.stdout
    rows = [line.split() for line in result.stdout.splitlines()[2:-2]]
    assert rows == [["Arts", "2", "2"], ["Music", "good", "1"], ["Games", "good", "1"]]


def test_a_part_of_the_tree(cli: Cli, table: Path, tmp_path: Path) -> None:
    cli("topic", "import", "tsv", table, tmp_path / "a", "--under", "Top/Arts", "--good", "Music")
    assert imported(tmp_path / "a").taxonomy.tree.names[:4] == ["Top", "Music", "Painting", "Arts"]
    cli("topic", "import", "tsv", table, tmp_path / "b", "--depth", 1, "--good", "Arts", "--per-topic", 1)
    taxonomy = imported(tmp_path / "b").taxonomy
    assert taxonomy.tree.names[:4] == ["Top", "Arts", "Games", "Business"]
    assert [len(taxonomy.examples_of(path)) for path in ("Arts", "Games")] == [1, 1]


def test_folders_of_html_files(cli: Cli, examples: Path, tmp_path: Path) -> None:
    result = cli("topic", "import", "folders", examples, tmp_path / "a", "--good", "positive")
    assert result.exit_code == 0, result.output
    topic = imported(tmp_path / "a")
    assert [len(topic.taxonomy.examples_of(kind)) for kind in ("positive", "negative")] == [12, 12]
    page = (examples / "positive" / "000.html").read_text()
    assert page.partition("<title>")[2].partition("</title>")[0] in topic.taxonomy.documents.titles


def test_a_good_folder_without_a_page_is_told(cli: Cli, examples: Path, tmp_path: Path) -> None:
    source = shutil.copytree(examples, tmp_path / "pages")
    (source / "Bees" / "Queens").mkdir(parents=True)
    file = tmp_path / "a"
    told = refused(cli, "import", "folders", source, file, "--good", "positive", "--good", "Bees")
    assert f"--good {source}/Bees: there is no page in it to learn from; add some" in told
    assert not file.exists()


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


def test_case_and_underscores_of_paths_do_not_matter(cli: Cli, tmp_path: Path) -> None:
    """Whatever a tree comes from: a table of a directory writes underscores, and folders may have them."""
    (tmp_path / "own" / "Honey_bees").mkdir(parents=True)
    (tmp_path / "own" / "Honey_bees" / "a.txt").write_text("bees in a hive make honey and wax")
    (tmp_path / "table.tsv").write_text("http://a.example/\tTop/Honey_bees\tHives\tbees and honey\n")
    for kind, source in (("folders", "own"), ("tsv", "table.tsv")):
        for good in ("honey_bees", "Honey bees"):
            file = tmp_path / f"{kind}-{good}"
            result = cli("topic", "import", kind, tmp_path / source, file, "--good", good)
            assert result.exit_code == 0, result.output
            assert imported(file).taxonomy.tree.names[1] == "Honey bees"


def test_other_languages_are_told(cli: Cli, tmp_path: Path) -> None:
    german = "Die Imkerin öffnet den Stock und sieht nach, ob die Bienen noch genug Honig haben."
    english = "The beekeeper opens the hive and looks whether the bees still have enough honey. "
    for name, text in (("a", english * 3), ("b", english * 2), ("c", german)):
        (tmp_path / "mixed" / "Bees").mkdir(parents=True, exist_ok=True)
        (tmp_path / "mixed" / "Bees" / f"{name}.txt").write_text(text)
        (tmp_path / "german" / "Bienen").mkdir(parents=True, exist_ok=True)
        (tmp_path / "german" / "Bienen" / f"{name}.txt").write_text(f"{name} {german}")
    mixed = cli("topic", "import", "folders", tmp_path / "mixed", tmp_path / "a", "--good", "Bees")
    assert "warning: 1 of 3 examples in another language (de) than the taxonomy's (en)" in mixed.stderr
    alone = cli("topic", "import", "folders", tmp_path / "german", tmp_path / "b", "--good", "Bienen")
    assert "there is a built-in taxonomy for English alone" in alone.stderr
    assert "another language" not in alone.stderr


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
