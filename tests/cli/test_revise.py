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


def test_what_a_phrase_has_learned_is_told_at_the_end_and_can_be_struck_out(cli: Cli, tmp_path: Path) -> None:
    words, seeds = WEB.description(TOPIC).split()[0], tmp_path / "seeds.txt"
    seeds.write_text("\n".join(WEB.seeds(TOPIC)))
    folder = tmp_path / "crawl"
    told = cli(
        *("crawl", "--topic", words, "--seeds", seeds, "--folder", folder, "--pages", "300"),
        *("--set", "web.sample_pages=3000"),
    )
    (line,) = [line for line in told.stdout.splitlines() if line.startswith("learned on the way")]
    assert f"revise {folder} --use 0" in line
    assert f"topic diff {folder}:0 {folder}:" in line
    word = line.partition("surest of: ")[2].partition(",")[0]
    assert f"guides the crawl, without {word}" in cli("revise", folder, "--strike", word).stderr
    refused = cli("revise", folder, "--strike", word)
    assert (refused.exit_code, f"it has not learned '{word}'" in refused.stderr) == (2, True)
    both = cli("revise", folder, "--strike", word, "--use", "0")
    assert (both.exit_code, "give one of --list, --use and --strike" in both.stderr) == (2, True)
