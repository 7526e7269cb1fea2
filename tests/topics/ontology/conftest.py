"""Topic maps to test with."""

from pathlib import Path

import pytest

from honeyguide.topics.ontology import TopicMap, read_topic_map
from tests.topics.ontology import toyota


@pytest.fixture
def read(tmp_path):
    """Read a map from a text."""

    def reading(text: str | bytes, name: str = "map.xtm", **limits: int) -> TopicMap:
        path: Path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_topic_map(path, **limits)

    return reading


@pytest.fixture
def cars(read) -> TopicMap:
    return read(toyota.xtm2(), "cars.xtm")
