"""How rare topics are."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.topics.ontology.idf import RunningIdf, background_idf
from honeyguide.topics.ontology.matching import Mentions
from honeyguide.topics.rarity import rarity_of_stem


def mentions(pages):
    cells = [(page, topic) for page, topics in enumerate(pages) for topic in sorted(topics)]
    columns = np.array(cells, dtype=np.int64).reshape(-1, 2)
    return Mentions(columns[:, 0], columns[:, 1], np.ones(len(columns), dtype=np.int64))


def test_the_example_of_the_thesis():
    pages = [{0} if page < 5_999 else set() for page in range(49_999)]
    running = RunningIdf(1)
    running.of_next_pages(mentions(pages), len(pages))
    assert running.of_one_more_page(mentions([{0}]))[0] == pytest.approx(0.921, abs=0.0005)


def test_running_idf_counts_the_page_itself_and_those_before():
    running = RunningIdf(2)
    first = running.of_next_pages(mentions([{0}, {0, 1}]), 2)
    assert first == pytest.approx([math.log10(1 / 1), math.log10(2 / 2), math.log10(2 / 1)])
    assert running.of_one_more_page(mentions([{1}])) == pytest.approx([math.log10(3 / 2)])
    assert running.of_next_pages(mentions([set(), {1}]), 2) == pytest.approx([math.log10(4 / 2)])


@given(st.lists(st.sets(st.integers(0, 3)), max_size=20), st.integers(1, 5))
def test_running_idf_does_not_depend_on_batches(pages, size):
    whole = RunningIdf(4).of_next_pages(mentions(pages), len(pages))
    running, parts = RunningIdf(4), [np.empty(0)]
    for start in range(0, len(pages), size):
        batch = pages[start : start + size]
        parts.append(running.of_next_pages(mentions(batch), len(batch)))
    assert (np.concatenate(parts) == whole).all()


def test_background_idf_by_hand():
    word = rarity_of_stem("hive") / math.log(10)
    time, zone = rarity_of_stem("time"), rarity_of_stem("zone")
    two = (zone + time + zone) / 2  # halfway between the rarer word and both by chance
    either = -math.log10(10**-word + math.exp(-two))
    idf = background_idf([[["hive"]], [["hive"], ["time", "zone"]], []], "en")
    assert idf == pytest.approx([word, either, 0.0])


def test_common_words_are_not_rare_and_phrases_are_rarer_than_words():
    common, rare, phrase = background_idf([[["time"]], [["zeppelin"]], [["time", "zone"]]], "en")
    assert common < rare
    assert common < phrase
