"""Answers of other portals, which may be anything."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.serve.portal.federation.answers import MOST_HITS, read_answer
from honeyguide.serve.portal.views import result_of

GOOD = {"url": "https://bees.example/a", "title": "Bees", "snippet": [["all ", False], ["bees", True]]}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
FIELDS = (
    "url",
    "title",
    "language",
    "time",
    "relevance",
    "authority",
    "topic_class",
    "snippet",
    "total",
    "score",
)


def read(*hits, **more):
    return read_answer(json.dumps({"hits": list(hits), **more}).encode())


def test_a_good_answer_is_read():
    hits, total, unusable = read({**GOOD, "relevance": 0.7, "time": 1e9, "surprise": 1}, total=17)
    assert (hits[0].url, hits[0].title, hits[0].relevance, total, unusable) == (
        "https://bees.example/a",
        "Bees",
        0.7,
        17,
        0,
    )
    assert hits[0].snippet == (("all ", False), ("bees", True))


def test_one_bad_hit_is_one_bad_hit():
    hits, _, unusable = read(GOOD, {**GOOD, "url": "javascript:alert(1)"}, 7, {"title": "no url"}, GOOD)
    assert (len(hits), unusable) == (2, 3)


def test_what_is_claimed_is_bounded():
    hits, total, _ = read(
        *[{**GOOD, "relevance": 1e400, "time": -1e400, "score": 1e308, "title": "x" * 9_000}] * 50, total=-5
    )
    assert len(hits) == total == MOST_HITS
    assert hits[0].relevance == 1.0
    assert hits[0].time == hits[0].score == 0.0
    assert len(hits[0].title) <= 200
    assert hits[0].label is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b'{"hits": 3}',
        b"\xff\xfe",
        b"[" * 500_000,
        b'{"hits": [' + b"9" * 10_000 + b"]}",
    ],
)
def test_what_is_no_answer_is_told(body):
    with pytest.raises(ValueError, match=r"[a-z]"):
        read_answer(body)


@settings(max_examples=25)
@given(st.dictionaries(st.sampled_from(FIELDS), JSON), JSON)
def test_any_json_is_read_and_shown(fields, total):
    hits, counted, _ = read({**GOOD, **fields}, fields, total=total)
    assert counted >= len(hits)
    for hit in hits:
        assert result_of(hit, "").link.startswith(("http://", "https://"))
