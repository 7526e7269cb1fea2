"""What `honeyguide revise` says of revisions that nobody gave labels for; the rest is in test_label.py."""

from pathlib import Path

from honeyguide import Crawl
from honeyguide.sample_web.web import SampleWeb
from tests.cli.conftest import Cli

WEB = SampleWeb(pages=600)
TOPIC = WEB.topic_names[0]


def test_what_a_crawl_has_taught_itself_is_said_to_be_from_its_pages(cli: Cli, tmp_path: Path) -> None:
    words = WEB.description(TOPIC).split()[0]
    crawl = Crawl.start(tmp_path / "crawl", words, WEB.seeds(TOPIC), settings={"web.sample_pages": 600})
    crawl.run(pages=100)
    crawl.learn_itself()
    listed = cli("revise", crawl.folder, "--list").stdout
    assert "by itself, from the pages it was surest of, in use" in listed
