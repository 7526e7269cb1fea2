from pathlib import Path

import pytest

from honeyguide.sample_web.server import serve
from honeyguide.sample_web.web import SampleWeb
from honeyguide.topics.classifier import ClassifierTopic
from honeyguide.topics.topic_file import read_topic
from tests.cli.conftest import Cli
from tests.cli.topic.conftest import WEB, refused


def test_from_a_folder(cli: Cli, examples: Path, tmp_path: Path) -> None:
    file = tmp_path / "bees.topic"
    result = cli("topic", "train", file, examples, "--model", "majority")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("trained on 12 positive examples and 12 negative ones; language: en\n")
    rows = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines() if line}
    assert rows["model"] == ["precision", "recall", "F1", "AUC", "Brier"]
    for model in ("svm", "naive-bayes", "network", "majority"):
        precision, recall, f1, auc, brier = map(float, rows[model])
        assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=0.002)
        assert auc > 0.8
        assert brier < 0.25
    assert "telling words: " in result.stdout
    assert "warning: only 12 positive examples: the figures are rough" in result.stderr
    assert f"classifier topic written to {file}" in result.stderr
    topic = read_topic(file)
    assert isinstance(topic, ClassifierTopic)
    assert topic.model == "majority"


def test_from_files_and_urls_of_a_recording(cli: Cli, examples: Path, web: Path, tmp_path: Path) -> None:
    urls = tmp_path / "urls.txt"
    targets = list(WEB.targets("bees"))[1:7]
    urls.write_text("\n".join(["# bees", *targets, "no url", "http://gone.example/"]))
    result = cli(
        *("topic", "train", tmp_path / "a", "--positive-urls", urls, "--recording", web),
        *("--negative", examples / "negative", "--positive", examples / "positive" / "000.html"),
    )
    assert result.exit_code == 0, result.output
    assert "trained on 7 positive examples and 12 negative ones" in result.stdout
    assert "urls.txt:8: " in result.stderr
    assert "warning: http://gone.example/: " in result.stderr


def test_of_many_negatives_some_are_drawn(cli: Cli, examples: Path, tmp_path: Path) -> None:
    for name in ("honey", "brood"):
        (tmp_path / f"{name}.txt").write_text(f"The bees in the hive of the apiary care for their {name}")
    two = ("--positive", tmp_path / "honey.txt", "--positive", tmp_path / "brood.txt")
    result = cli("topic", "train", tmp_path / "a", *two, "--negative", examples / "negative")
    assert result.exit_code == 0, result.output
    assert "and 8 negative ones, of 12: at most 4 for each positive one are learned from" in result.stdout


def test_without_negatives(cli: Cli, examples: Path, tmp_path: Path) -> None:
    result = cli("topic", "train", tmp_path / "a", "--positive", examples / "positive")
    assert "and 24 negative ones from the background collection" in result.stdout
    assert "warning: no negative examples" in result.stderr


def test_live_pages_are_fetched_politely(cli: Cli, tmp_path: Path) -> None:
    site = SampleWeb(pages=200, seed=3, crawl_delay_seconds=0.02)
    with serve(site) as server:
        urls = [server.served(url) for url in list(site.targets("bees"))[:4]]
        (tmp_path / "urls.txt").write_text("\n".join(urls))
        result = cli(
            *("topic", "train", tmp_path / "a", "--positive-urls", tmp_path / "urls.txt"),
            *("--set", "fetch.allow_networks=['127.0.0.0/8']", "--set", "politeness.delay_seconds=0.02"),
        )
        requests = list(server.log)
    assert result.exit_code == 0, result.output
    assert "trained on 4 positive examples" in result.stdout
    robots = {request.host for request in requests if request.path == "/robots.txt"}
    assert robots == {request.host for request in requests}


def test_unreadable_examples_are_named_and_left_out(cli: Cli, examples: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    for number in range(12):
        (more / f"{number}\x1b.png").write_bytes(b"\x89PNG\0\0")
    result = cli(
        *("topic", "train", tmp_path / "a", "--positive", examples / "positive", "--positive", more),
        *("--negative", examples / "negative"),
    )
    assert result.exit_code == 0
    assert result.stderr.count("neither HTML nor text") == 10
    assert "warning: and 2 more that could not be read" in result.stderr
    assert "\x1b" not in result.stderr


def test_what_cannot_be_trained_is_refused(cli: Cli, examples: Path, tmp_path: Path) -> None:
    file = tmp_path / "a"
    assert "no examples on the topic; give --positive" in refused(cli, "train", file)
    assert "there is no folder positive/ in it" in refused(cli, "train", file, tmp_path)
    one = examples / "positive" / "000.html"
    assert "1 usable positive examples" in refused(cli, "train", file, "--positive", one)
    (tmp_path / "empty.txt").write_text("# nothing\n")
    assert "empty.txt: there is no url in it" in refused(
        cli, "train", file, "--positive-urls", tmp_path / "empty.txt"
    )
    (tmp_path / "urls.txt").write_text("http://a.example/\n")
    line = refused(cli, "train", file, "--positive-urls", tmp_path / "urls.txt")
    assert line.startswith("politeness.contact is not set, and a.example is not this machine.")
    assert line.endswith("Give it with --contact, or a --recording of the pages.")
    assert not file.exists()
    file.write_text("precious")
    assert "is there already" in refused(cli, "train", file, examples)
