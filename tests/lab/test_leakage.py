"""No score depends on a page that was not fetched: with other unfetched pages, everything comes out the same."""

import gzip
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honeyguide.lab.oracle import Peek
from honeyguide.lab.tasks.closed_web import ClosedWeb, Guide
from honeyguide.lab.tasks.tasks import Task
from honeyguide.lab.trial import crawl_order, crawl_with
from honeyguide.store import open_reader
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.base import Strategy
from honeyguide.topics.keywords import KeywordTopic

PAGES = 60
SOONER: dict[str, Any] = {
    "every": 10,
    "corpus_pages": 20,
    "redistribute_every": 10,
    "minimum_frontier": 10_000,
}
"""So that whatever happens now and then happens in a short crawl, too."""


def other_pages(corpus: Path, fetched: set[str], folder: Path) -> Path:
    """The same web, but of all pages that were not fetched text, title and links are others."""
    folder.mkdir(parents=True)
    with (
        gzip.open(corpus / "pages.jsonl.gz", "rt") as before,
        (folder / "pages.jsonl").open("w") as after,
    ):
        for line in before:
            page = json.loads(line)
            if page["url"] not in fetched:
                page["title"] = "Beekeeping"
                page["html"] = "<title>Bees</title><p>" + "Beekeeping, hives and honey. " * 50
            after.write(json.dumps(page) + "\n")
    (folder / "links.tsv.gz").write_bytes((corpus / "links.tsv.gz").read_bytes())
    return folder


def outcome(
    web: ClosedWeb, task: Task, strategy: Strategy, folder: Path
) -> tuple[list[str], dict[str, np.ndarray]]:
    """Urls in the order they were fetched, and every number that was given to any url."""
    guide = Guide(KeywordTopic(task.words), web)
    crawl_with(crawl_order(task, PAGES, batch=4), folder, guide, strategy)
    reader = open_reader(folder)
    visits = [visit.url for visit in reader.visits()]
    state = reader.state(strategy.values, strategy.tables)
    reader.close()
    numbers = {name: state.urls[name] for name in ("priority", "relevance", "depth", "via", *strategy.values)}
    kept = {f"array {name}": array for name, array in state.arrays.items()}
    for name, columns in strategy.tables.items():
        kept |= {f"{column} of {name}": state.tables[name].value(column) for column in columns}
    return visits, numbers | kept


def is_independent_of_unfetched_pages(make: Any, corpus: Path, task: Task, folder: Path) -> bool:
    web = ClosedWeb(corpus)
    visits, numbers = outcome(web, task, make(web), folder / "first")
    assert len(visits) == PAGES
    other = ClosedWeb(other_pages(corpus, set(visits), folder / "others" / corpus.name))
    assert len(other.urls) == len(web.urls)
    again, numbers_again = outcome(other, task, make(other), folder / "second")
    return visits == again and all(
        np.array_equal(numbers[name], numbers_again[name], equal_nan=numbers[name].dtype.kind == "f")
        for name in numbers | numbers_again
    )


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HONEYGUIDE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_strategy(strategy: type[Strategy], corpus: Path, task: Task, tmp_path: Path) -> None:
    takes = inspect.signature(strategy).parameters
    keywords = {name: value for name, value in SOONER.items() if name in takes}
    assert is_independent_of_unfetched_pages(lambda web: strategy(**keywords), corpus, task, tmp_path)


def test_peeking_is_noticed(corpus: Path, task: Task, tmp_path: Path) -> None:
    def make(web: ClosedWeb) -> Peek:
        return Peek(Guide(KeywordTopic(task.words), web))

    assert not is_independent_of_unfetched_pages(make, corpus, task, tmp_path)
