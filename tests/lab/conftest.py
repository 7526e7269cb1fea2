"""A small recorded sample web, and a task on it."""

from pathlib import Path

import pytest

from honeyguide.lab.tasks.sample import sample_web
from honeyguide.lab.tasks.tasks import Task, find_tasks
from honeyguide.sample_web.corpus import write_corpus

CORPUS = "sample-600"


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sample web of 600 pages; recordings of all lab tests are indexed beside it."""
    folder = tmp_path_factory.mktemp("lab") / CORPUS
    write_corpus(sample_web(CORPUS), folder)
    return folder


@pytest.fixture(scope="session")
def task() -> Task:
    """Find the pages on bees."""
    return find_tasks([f"{CORPUS}/bees"])[0]
