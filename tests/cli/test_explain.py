import json
import re
import shutil
from pathlib import Path

import pytest

from honeyguide.topics.ontology import OntologyTopic
from honeyguide.topics.topic_file import write_topic
from tests.cli.conftest import Cli


def test_a_fetched_page(cli: Cli, crawled: Path) -> None:
    output = cli("explain", crawled, "HTTP://bees.example:80/x/../hives#top").stdout
    assert output.startswith("http://bees.example/hives\ntitle: =[red]Bees[/red]")
    assert "\x1b" not in output
    assert "(relevant; the threshold is 0.3)" in output
    assert "honey x1" in output
    assert "\n  most relevant of what links to it: http://bees.example/ (0." in output
    assert "the words around the links to it" in output
    assert "  1. http://bees.example/\n" in output
    assert '  2. http://bees.example/hives  "to [b]/hives"' in output


def test_what_the_strategy_has_learned(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    output = cli("explain", crawled, "--strategy").stdout
    assert output.startswith("honeyguide: what each kind of evidence is worth")
    assert re.search(r"\n *pages +trust +start right +learned right +always +words", output)
    assert re.search(r"\n *0 +0\.50 +0\.50 +0\.50 +-3\.00 +0\.55", output)
    told = json.loads(cli("explain", crawled, "--strategy", "--json").stdout)
    assert told["columns"][:2] == ["pages", "trust"]
    assert len(told["rows"][0]) == len(told["columns"])
    for wrong in ((crawled,), (crawled, "http://bees.example/", "--strategy")):
        refused = cli("explain", *wrong)
        assert refused.exit_code == 2
        assert "give either a url or --strategy" in refused.stderr


def test_most_strategies_learn_nothing(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    cli(
        *("crawl", "--topic", "bees", "--seed", "http://bees.example/", "--recording", corpus),
        *("--strategy", "soft-focus", "--folder", tmp_path / "bees"),
    )
    output = cli("explain", tmp_path / "bees", "--strategy").stdout
    assert output == "soft-focus learns nothing on the way: its order follows from its settings alone\n"


def test_a_seed_is_linked_from_the_list_of_seeds(cli: Cli, crawled: Path) -> None:
    output = cli("explain", crawled, "http://bees.example/").stdout
    assert "most relevant of what links to it: the list of seeds (1.000)" in output


def test_words_that_read_like_the_number_of_a_url_stay_words(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "map.xtm").write_text(
        '<topicMap xmlns="http://www.topicmaps.org/xtm/" version="2.0">'
        '<topic id="one"><name><value>bees of url 1</value></name></topic></topicMap>'
    )
    write_topic(tmp_path / "map.topic", OntologyTopic(tmp_path / "map.xtm", ["bees of url 1"]))
    cli(
        *("crawl", "--topic-file", tmp_path / "map.topic", "--seed", "http://bees.example/"),
        *("--recording", corpus, "--folder", tmp_path / "bees"),
    )
    output = cli("explain", tmp_path / "bees", "http://bees.example/").stdout
    assert "in focus: bees of url 1\n" in output


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://bees.example/gone", "not fetched: could not be fetched"),
        ("http://bees.example/gone", ": not in this recording; given up"),
        ("http://bees.example/moved", "not fetched: moved to http://bees.example/queens"),
        ("http://www.evil.example/", "the rule host denied of [scope] refuses it: scope.deny_hosts has"),
        ("http://unknown.example/", "no page fetched so far links to it"),
    ],
)
def test_a_url_that_was_not_fetched(url: str, expected: str, cli: Cli, crawled: Path) -> None:
    result = cli("explain", crawled, url)
    assert result.exit_code == 0
    assert expected in result.stdout


@pytest.mark.parametrize(
    "url", ["bees.example/hives", "https://bees.example/hives", "http://bees.example/hives"]
)
def test_the_scheme_does_not_matter(url: str, cli: Cli, crawled: Path) -> None:
    assert cli("explain", crawled, url).stdout.startswith("http://bees.example/hives\ntitle: ")


def test_a_url_that_is_waiting(cli: Cli, corpus: Path, tmp_path: Path) -> None:
    cli(
        *("crawl", "--topic", "honey bees", "--seed", "http://bees.example/", "--recording", corpus),
        *("--folder", tmp_path / "bees", "--pages", 1),
    )
    output = cli("explain", tmp_path / "bees", "http://bees.example/hives").stdout
    assert "not fetched: waiting in the queue" in output
    assert re.search(r"\nPriority -?\d", output)
    assert "Relevance" not in output


def test_without_the_archive_it_says_so(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(crawled, copy)
    shutil.rmtree(copy / "archive")
    result = cli("explain", copy, "http://bees.example/hives")
    assert result.exit_code == 0
    assert "the page is not in the archive, so nothing more can be said: the page at byte" in result.stdout


def test_what_is_no_url_is_an_error(cli: Cli, crawled: Path) -> None:
    result = cli("explain", crawled, "honey and bees")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: 'honey and bees' is no url")
    word = cli("explain", crawled, "URL")
    assert word.stderr == "error: 'URL' is no url: write it in full, as in https://example.org/\n"
