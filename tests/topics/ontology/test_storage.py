"""Maps as JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import TopicError
from honeyguide.topics.ontology import read_topic_map
from honeyguide.topics.ontology.storage import map_from_json, map_to_json


def test_every_map_comes_back_as_it_was(shared):
    suite = shared / "fixtures/topicmaps/cxtm"
    files = [
        path
        for path in sorted(suite.glob("*/in/*.xtm"))
        if (path.parents[1] / "baseline" / f"{path.name}.cxtm").exists()
    ]
    assert len(files) > 100
    for path in files:
        made = read_topic_map(path)
        assert map_from_json(map_to_json(made)) == made


SMALL = {
    "topics": [
        [["a"], [], [], [["Bee", 0, [], [["bees", [0], "d", -1, []]], -1, []]], [[0, "x", "d", [], -1, []]]]
    ],
    "associations": [[0, [[0, 0, -1, []]], [], -1, []]],
    "reifier": -1,
    "item_identifiers": [],
}


def test_the_small_map_is_read():
    assert map_from_json(json.dumps(SMALL).encode()).topics[0].label == "Bee"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"Bee", 0', '"Bee", 7'),
        ('"Bee", 0', '"Bee", -1'),
        ('"Bee", 0', '"Bee", 0.0'),
        ('"Bee"', "null"),
        ('"reifier": -1', '"reifier": 1'),
        ('"associations"', '"others"'),
        ("[[0, 0, -1, []]]", "[[0, 0, -1]]"),
        ('["a"]', "[1]"),
        ("{", ""),
    ],
)
def test_damage_is_told(old, new):
    text = json.dumps(SMALL)
    assert old in text
    with pytest.raises(TopicError, match="damaged"):
        map_from_json(text.replace(old, new, 1).encode())


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data):
    with pytest.raises(TopicError):
        map_from_json(data)
