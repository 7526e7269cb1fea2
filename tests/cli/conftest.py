"""A tiny recorded web and a finished crawl of it, and a way to call the command line."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from honeyguide.cli.main import app

Cli = Callable[..., Result]

HOSTILE_TITLE = "=[red]Bees[/red] \x1b[31m"
PAGES = {
    "http://bees.example/": ("Bees and honey", "honey bees", ["/hives", "/moved", "/gone", "/queens"]),
    "http://bees.example/hives": (HOSTILE_TITLE, "bees in hives make honey", ["/", "http://cars.example/"]),
    "http://bees.example/queens": ("Queens", "kings and queens of the realm", ["/hives"]),
    "http://cars.example/": ("Cars", "engines and wheels", ["/none"]),
}


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Indexes of recordings stay out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HONEYGUIDE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def cli() -> Cli:
    """Call `honeyguide` in this process."""

    def call(*arguments: object) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)

    return call


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pages on two hosts, a redirect and two dead links."""
    folder = tmp_path_factory.mktemp("corpus")
    with (folder / "pages.jsonl").open("w") as file:
        for url, (title, text, links) in PAGES.items():
            anchors = "".join(f'<a href="{link}">to [b]{link}</a>' for link in links)
            html = f"<title>{title}</title><p>{text}</p>{anchors}"
            file.write(json.dumps({"url": url, "html": html}) + "\n")
    (folder / "links.tsv").write_text(
        "http://bees.example/\thttp://bees.example/queens\tto\thttp://bees.example/moved\n"
    )
    return folder


@pytest.fixture(scope="session")
def crawled(corpus: Path, cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a crawl that visited all of the corpus."""
    folder = tmp_path_factory.mktemp("crawls") / "bees"
    result = cli(
        *("crawl", "--topic", "honey bees", "--seed", "http://bees.example/", "--recording", corpus),
        *("--folder", folder, "--set", "scope.deny_hosts=['evil.example']"),
    )
    assert result.exit_code == 0, result.output
    return folder
