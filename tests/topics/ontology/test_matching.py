"""Names in texts."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.topics.ontology.matching import MAX_NAME_WORDS, NameFinder, findable
from honeyguide.topics.text import stem_phrase

NAMES = [
    (0, ["toyota"]),
    (1, ["corolla"]),
    (2, ["corolla", "verso"]),
    (0, ["toyota", "motor"]),
    (3, ["verso", "car"]),
]


def found(names, texts, language="en"):
    mentions = NameFinder(names, language).find(texts)
    counts = zip(mentions.texts.tolist(), mentions.topics.tolist(), mentions.counts.tolist(), strict=True)
    return [
        {topic: count for row, topic, count in counts_ if row == text}
        for counts_ in [list(counts)]
        for text in range(len(texts))
    ]


def test_names_are_found_as_stemmed_phrases_and_may_overlap():
    texts = ["Toyotas: the Corolla Verso car, Corollas.", "corolla. Verso", "verso corolla", ""]
    assert found(NAMES, texts) == [{0: 1, 1: 2, 2: 1, 3: 1}, {1: 1, 2: 1}, {1: 1}, {}]


def test_overlapping_names_of_one_topic_count_once():
    names = [(5, ["toyota"]), (5, ["toyota", "motor"]), (5, ["motor"])]
    assert found(names, ["Toyota Motor and a motor of Toyota"]) == [{5: 3}]


def test_a_name_two_topics_share_counts_for_both():
    assert found([(0, ["mercuri"]), (7, ["mercuri"])], ["Mercury"]) == [{0: 1, 7: 1}]


def test_phrases_do_not_run_from_one_text_into_the_next():
    assert found(NAMES, ["corolla", "verso car"]) == [{1: 1}, {3: 1}]


def test_no_names_and_no_texts():
    assert found([], ["anything at all"]) == [{}]
    assert found([], []) == []
    assert found(NAMES, []) == []


WORDS = st.sampled_from(["bee", "honey", "hive", "wax", "and"])


@given(
    st.lists(st.tuples(st.integers(0, 4), st.lists(WORDS, min_size=1, max_size=4)), max_size=8),
    st.lists(st.lists(WORDS, max_size=30), max_size=4),
)
def test_as_a_plain_search_would_find_them(names, texts):
    names = [(topic, stem_phrase(" ".join(words))) for topic, words in names]
    assert found(names, [" ".join(words) for words in texts]) == [searched(names, words) for words in texts]


def searched(names, words):
    words = stem_phrase(" ".join(words))
    spans = {
        (topic, start, start + len(name))
        for topic, name in names
        for start in range(len(words))
        if words[start : start + len(name)] == name
    }
    kept = (
        topic
        for topic, start, end in spans
        if not any(
            topic == other and first < end and start < last and (first, -last) < (start, -end)
            for other, first, last in spans
        )
    )
    return dict(Counter(kept))


@pytest.mark.parametrize(
    ("name", "stems"),
    [
        ("Beekeeping", ["beekeep"]),
        ("The Beatles", ["the", "beatl"]),
        ("World War 2", ["world", "war"]),
        ("IT", []),
        ("to be or not to be", []),
        ("C++", []),
        ("Area 51", []),
        ("1984", []),
        ("", []),
        ("word " * (MAX_NAME_WORDS + 1), []),
    ],
)
def test_names_that_would_be_found_everywhere_are_not_looked_for(name, stems):
    assert findable(name, "en") == stems
