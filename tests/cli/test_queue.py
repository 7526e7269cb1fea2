"""`queue` and `steer`: what waits, and what people want of it."""

import json
from pathlib import Path

import pytest

from honeyguide.crawls import Crawl
from honeyguide.sample_web.web import SampleWeb
from tests.cli.conftest import Cli

WEB = SampleWeb(pages=300)


@pytest.fixture
def begun(tmp_path: Path) -> Crawl:
    topic = WEB.topic_names[0]
    crawl = Crawl.start(tmp_path / "crawl", WEB.description(topic), WEB.seeds(topic), web=WEB)
    crawl.run(pages=20)
    return crawl


def test_the_queue_is_shown(cli: Cli, begun: Crawl) -> None:
    found = begun.queue(most=3)
    result = cli("queue", begun.folder, "-n", 3)
    assert result.exit_code == 0
    assert f"{found.waiting:,} urls wait; all match, of {found.hosts:,} hosts" in result.stdout
    assert all(url.url in result.stdout.replace("\n", "") for url in found.urls)
    told = json.loads(cli("queue", begun.folder, "--host", found.by_host[0].host, "--json").stdout)
    assert told["hits"] == found.by_host[0].urls
    assert "0 of them match" in cli("queue", begun.folder, "--match", "nothing like this").stdout


def test_rules_are_previewed_begun_listed_and_undone(cli: Cli, begun: Crawl) -> None:
    share = begun.queue().by_host[0]
    assert "no rule steers this crawl" in cli("steer", begun.folder).stdout
    seen = cli("steer", begun.folder, "--preview", share.host).stdout
    assert f"{share.urls:,} waiting urls of 1 hosts fit {share.host}" in seen
    result = cli("steer", begun.folder, "--exclude", share.host)
    assert "it becomes a rule when the crawl runs again: honeyguide resume" in result.stdout
    (rule,) = json.loads(cli("steer", begun.folder, "--list", "--json").stdout)
    assert (rule["action"], rule["pattern"], rule["is_waiting"]) == ("exclude", share.host, True)
    begun.run(pages=21)
    assert begun.queue(host=share.host).hits == 0
    assert share.host in cli("steer", begun.folder, "--list").stdout
    assert f"{share.urls:,} excluded" in cli("queue", begun.folder).stdout
    assert "the rule is taken back when" in cli("steer", begun.folder, "--undo", rule["number"]).stdout
    begun.run(pages=22)
    assert begun.rules() == []


def test_what_is_wrong_is_told(cli: Cli, begun: Crawl) -> None:
    result = cli("steer", begun.folder, "--raise", "a.example", "--lower", "b.example")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "give one of --raise, --lower" in result.stderr
    for option in ("--raise", "--preview"):
        result = cli("steer", begun.folder, option, "no host")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "'no host' is no host" in result.stderr
