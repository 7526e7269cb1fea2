"""A small recorded sample web, and a task on it."""

from pathlib import Path

import pytest

from honeyguide.lab.sample_corpus import write_corpus
from honeyguide.lab.tasks import Task, find_tasks
from honeyguide.lab.tasks_sample import sample_web

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
