from pathlib import Path

import pytest

from honeyguide.topics.combined import CombinedTopic
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.meaning.topic import MeaningTopic
from honeyguide.topics.ontology import OntologyTopic
from honeyguide.topics.taxonomy import TaxonomyTopic
from honeyguide.topics.topic_file import read_topic
from tests.cli.conftest import Cli
from tests.cli.topic.conftest import WEB, refused
from tests.topics.meaning.tiny_table import write_table


def test_words(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "my bees.topic"
    result = cli("topic", "new", file, "--words", "beekeeping, honey bees")
    assert result.exit_code == 0
    assert f"keywords topic written to {file}\n" in result.stderr
    assert f"use it:  honeyguide crawl --topic-file '{file}' --seed URL\n" in result.stderr
    topic = read_topic(file)
    assert isinstance(topic, KeywordTopic)
    assert (topic.text, topic.language) == ("beekeeping, honey bees", "en")


def test_words_in_a_language(cli: Cli, tmp_path: Path) -> None:
    cli("topic", "new", tmp_path / "a", "--words", "Bienen", "--language", "de")
    topic = read_topic(tmp_path / "a")
    assert isinstance(topic, KeywordTopic)
    assert topic.language == "de"


def test_expansion_shows_the_words_it_adds(cli: Cli, examples: Path, tmp_path: Path) -> None:
    result = cli(
        *("topic", "new", tmp_path / "a", "--words", "beekeeping", "--expand", examples / "positive"),
        *("--language", "en"),
    )
    added = result.stdout.removeprefix("words added: ").split()
    assert {"bees", "hives", "honey"} <= set(added)
    topic = read_topic(tmp_path / "a")
    assert isinstance(topic, KeywordTopic)
    assert topic.text == " ".join(["beekeeping", "beekeeping", *added])


def test_a_name_goes_into_the_built_in_taxonomy(cli: Cli, examples: Path, tmp_path: Path) -> None:
    result = cli(
        *("topic", "new", tmp_path / "a", "--name", "Bee/keeping", "--under", "Home"),
        *("--words", "bee honey hive", "--example", examples / "positive" / "000.html"),
    )
    assert result.exit_code == 0
    assert result.stdout.startswith("Home/Bee-keeping: 2 examples, told from ")
    topic = read_topic(tmp_path / "a")
    assert isinstance(topic, TaxonomyTopic)
    assert [topic.taxonomy.tree.path(node) for node in topic.taxonomy.tree.good] == ["Home/Bee-keeping"]


def test_examples_may_be_urls_of_a_recording(cli: Cli, web: Path, tmp_path: Path) -> None:
    url, gone = next(WEB.targets("bees")), "http://nowhere.example/"
    result = cli(
        *("topic", "new", tmp_path / "a", "--name", "Bees", "--under", "Home"),
        *("--example", url, "--example", gone, "--recording", web),
    )
    assert result.exit_code == 0, result.output
    assert "warning: http://nowhere.example/: " in result.stderr
    topic = read_topic(tmp_path / "a")
    assert isinstance(topic, TaxonomyTopic)
    assert topic.taxonomy.documents.urls[-1] == url


def test_an_ontology(cli: Cli, ontology: Path, tmp_path: Path) -> None:
    topic = read_topic(ontology)
    assert isinstance(topic, OntologyTopic)
    source = ontology.parent.parent / "maps0" / "cars.xtm"
    result = cli(
        *("topic", "new", tmp_path / "a", "--ontology", source, "--focus", "tmm", "--focus", "Corolla"),
        *("--limit", 0.02, "--idf", "running", "--hierarchy", "produces=producer", "--language", "en"),
        "--all-languages",
    )
    assert result.exit_code == 0, result.output
    assert "1   in focus" in result.stdout
    topic = read_topic(tmp_path / "a")
    assert isinstance(topic, OntologyTopic)
    assert (topic.settings.limit, topic.settings.idf, topic.settings.all_languages) == (0.02, "running", True)
    assert topic.settings.hierarchy == {"produces": "producer"}


def test_a_map_without_a_focus_is_shown_to_choose_from(cli: Cli, ontology: Path, tmp_path: Path) -> None:
    source = ontology.parent.parent / "maps0" / "cars.xtm"
    result = cli("topic", "new", tmp_path / "a", "--ontology", source)
    assert result.exit_code == 0, result.output
    lines = [line.rstrip() for line in result.stdout.splitlines()[2:]]
    assert lines[0].split() == ["Toyota", "4", "Avensis,", "Corolla"]
    assert lines[-1] == "7 topics"
    assert f"--ontology {source} --focus NAME" in result.stderr
    assert not (tmp_path / "a").exists()


def test_weights_of_an_ontology(cli: Cli, ontology: Path, tmp_path: Path) -> None:
    source = ontology.parent.parent / "maps0" / "cars.xtm"
    given = (
        "topic",
        "new",
        tmp_path / "a",
        "--ontology",
        source,
        "--focus",
        "Toyota",
        "--force",
        "--weights",
    )
    for weights, rest in (("0.9,0.7,0.3,0.2", 0.2), ("0.9,0.7,0.3", 0.1)):
        assert cli(*given, weights).exit_code == 0
        topic = read_topic(tmp_path / "a")
        assert isinstance(topic, OntologyTopic)
        of = [topic.weights[topic.map.find(name)] for name in ("Toyota", "Corolla", "tmm", "verso")]
        assert of == [0.9, 0.7, 0.3, pytest.approx(rest)]
    for wrong in ("1", "1,2,x", "1,1,1,1,1"):
        assert "should be three or four numbers" in refused(cli, *given[1:], wrong)


def test_a_combination(cli: Cli, keywords: Path, ontology: Path, tmp_path: Path) -> None:
    file = tmp_path / "both.topic"
    result = cli("topic", "new", file, "--combine", keywords, "--combine", ontology, "--rule", "any")
    assert result.stdout == f"any of {keywords} (keywords), {ontology} (ontology)\n"
    topic = read_topic(file)
    assert isinstance(topic, CombinedTopic)
    assert topic.rule == "any"
    line = refused(cli, "new", tmp_path / "c", "--combine", file, "--combine", keywords)
    assert line == f"{file} is combined already; combine the topics it was made of"
    assert "2 to 20 topics can be combined" in refused(cli, "new", tmp_path / "c", "--combine", keywords)


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("fetch.wokers=1", "fetch.wokers: unknown setting; did you mean fetch.workers?"),
        ("topic.txet=bees", "txet: unknown setting; did you mean text?"),
        ("strategy.decay=1", "decay: unknown setting"),
        ("nonsense=1", "nonsense: unknown setting"),
    ],
)
def test_settings_that_do_not_exist_are_refused_though_nothing_is_fetched(
    setting: str, expected: str, cli: Cli, tmp_path: Path
) -> None:
    assert expected in refused(cli, "new", tmp_path / "a", "--words", "bees", "--set", setting)
    assert not (tmp_path / "a").exists()


def test_words_that_are_not_looked_for_are_told(cli: Cli, tmp_path: Path) -> None:
    made = cli("topic", "new", tmp_path / "a", "--words", "programming in c")
    assert 'it looks for programming; "in", "c" say too little by themselves: put' in made.stderr
    assert "looks for" not in cli("topic", "new", tmp_path / "b", "--words", "programming in C").stderr


def test_nothing_is_replaced_unasked(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.topic"
    file.write_text("precious")
    assert refused(cli, "new", file, "--words", "bees") == (
        f"{file} is there already; give another name, or --force to replace it"
    )
    assert file.read_text() == "precious"
    assert cli("topic", "new", file, "--words", "bees", "--force").exit_code == 0
    assert read_topic(file).name == "keywords"
    assert "there is no folder" in refused(cli, "new", tmp_path / "none" / "a", "--words", "bees")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), "nothing to make a topic of; give --words, --name"),
        (("--focus", "x"), "nothing to make a topic of"),
        (("--words", "1 2 3"), "has no distinctive word"),
        (("--words", "https://bees.example/"), "is a url"),
        (("--words", "bees", "--rule", "all"), "--rule does not go with --words"),
        (("--ontology", "x.xtm", "--words", "bees"), "--words does not go with --ontology"),
        (("--ontology", "x.xtm"), "x.xtm: cannot be read"),
        (("--ontology", "x.xtm", "--focus", "a"), "x.xtm: cannot be read: No such file or directory"),
        (("--name", "Bees"), "the topic 'Bees' needs some words or an example page"),
        (("--name", "Bees", "--words", "hive", "--under", "Hom"), "there is no topic 'Hom'; below"),
        (("--name", "Bees", "--example", "nowhere"), "nowhere: there is no such file or folder"),
        (("--name", "Bees", "--example", "http://a.example/"), "Give it with --contact, or a --recording"),
        (("--combine", "nowhere", "--combine", "x"), "nowhere: the topic cannot be read"),
        (("--words", "bees", "--set", "nonsense"), "nonsense"),
    ],
)
def test_wrong_wishes(options: tuple[str, ...], expected: str, cli: Cli, tmp_path: Path) -> None:
    given = (*options, "--expand", "http://a.example/") if "--set" in options else options
    assert expected in refused(cli, "new", tmp_path / "a", *given)
    assert not list(tmp_path.iterdir())


def test_words_without_a_known_meaning_are_looked_for_alone(cli: Cli, tmp_path: Path) -> None:
    write_table(tmp_path)
    made = cli("topic", "new", tmp_path / "t", "--words", "C++", "--vectors", tmp_path)
    assert "they alone are looked for" in made.stderr
    assert isinstance(read_topic(tmp_path / "t"), KeywordTopic)


def test_words_and_their_meaning(cli: Cli, tmp_path: Path) -> None:
    write_table(tmp_path)
    result = cli("topic", "new", tmp_path / "a", "--words", "bees", "--vectors", tmp_path)
    assert result.exit_code == 0, result.output
    topic = read_topic(tmp_path / "a")
    assert isinstance(topic, MeaningTopic)
    assert topic.judge(["hive"])[0] > 0
    assert "--meaning does not go with --name" in refused(
        cli, "new", tmp_path / "b", "--name", "Bees", "--words", "bees", "--meaning"
    )
