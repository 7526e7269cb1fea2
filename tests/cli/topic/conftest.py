"""Example pages of a made-up web, topics made of them, and a crawl."""

from pathlib import Path

import pytest

from honeyguide.sample_web.corpus import write_corpus
from honeyguide.sample_web.web import SampleWeb
from tests.cli.conftest import Cli

WEB = SampleWeb(pages=400, seed=7)
WORDS = "bee honey hive apiary beekeeper swarm nectar pollen queen drone comb beeswax brood"


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 12 pages in positive/ and 12 in negative/."""
    folder = tmp_path_factory.mktemp("examples")
    wanted = {"positive": 12, "negative": 12}
    for number in range(400):
        kind = "positive" if WEB.topic_of(number) == "bees" else "negative"
        (folder / kind).mkdir(exist_ok=True)
        if wanted[kind]:
            (folder / kind / f"{number:03}.html").write_bytes(WEB.html(number))
            wanted[kind] -= 1
    assert wanted == {"positive": 0, "negative": 0}
    return folder


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole made-up web, recorded."""
    folder = tmp_path_factory.mktemp("web")
    write_corpus(WEB, folder)
    return folder


@pytest.fixture(scope="session")
def keywords(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A topic of words."""
    return _made(cli, tmp_path_factory, "keywords", "--words", "beekeeping, honey bees")


@pytest.fixture(scope="session")
def taxonomy(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A topic in the built-in taxonomy."""
    return _made(
        cli, tmp_path_factory, "taxonomy", "--name", "Beekeeping", "--under", "Home", "--words", WORDS
    )


@pytest.fixture(scope="session")
def ontology(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A topic map of cars."""
    from tests.topics.ontology.toyota import xtm2

    source = tmp_path_factory.mktemp("maps") / "cars.xtm"
    source.write_text(xtm2())
    return _made(cli, tmp_path_factory, "ontology", "--ontology", source, "--focus", "Toyota")


@pytest.fixture(scope="session")
def classifier(cli: Cli, examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained topic."""
    file = tmp_path_factory.mktemp("topics") / "classifier.topic"
    result = cli("topic", "train", file, examples)
    assert result.exit_code == 0, result.output
    return file


def _made(cli: Cli, factory: pytest.TempPathFactory, name: str, *options: object) -> Path:
    file = factory.mktemp("topics") / f"{name}.topic"
    result = cli("topic", "new", file, *options)
    assert result.exit_code == 0, result.output
    return file


@pytest.fixture(scope="session")
def bee_crawl(cli: Cli, web: Path, taxonomy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of 120 pages for the taxonomy topic."""
    folder = tmp_path_factory.mktemp("crawls") / "bees"
    result = cli(
        *("crawl", "--topic-file", taxonomy, "--seed", WEB.seeds("bees")[0], "--recording", web),
        *("--pages", 120, "--folder", folder),
    )
    assert result.exit_code == 0, result.output
    return folder


def refused(cli: Cli, *arguments: object) -> str:
    """Call a verb that must end with one line of error; gives the line."""
    result = cli("topic", *arguments)
    assert result.exit_code == 2, result.output
    *_, line = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert "Traceback" not in result.stderr
    return line.removeprefix("error: ")
