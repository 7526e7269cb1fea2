"""Phrases that rank the pages of a labelled web."""

import json

import numpy as np
import pytest

from honeyguide.lab.phrases import (
    Phrase,
    Pool,
    average_precision,
    rank,
    rank_phrases,
    ranking_table,
    read_phrases,
    read_pool,
)
from honeyguide.lab.tasks.labels import read_labels
from honeyguide.topics.keywords import KeywordTopic

BEES = Phrase("honey bees", "tiny", ("subject.Bees", "subject.Insects.*"), "reporting")


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def corpora(tmp_path):
    pages = [
        ("Trains leave the station.", ["subject.Trains"]),
        ("Honey bees in a hive.", ["subject.Insects.Hymenoptera"]),
        ("Bees, honey and wax.", ["subject.Bees"]),
        ("All pages on honey bees.", ["subject.Bees", "kind:index"]),
    ]
    folder = tmp_path / "corpora" / "tiny"
    folder.mkdir(parents=True)
    lines = [
        json.dumps({"url": f"https://a.example/{number}", "html": f"<p>{text}", "labels": labels})
        for number, (text, labels) in enumerate(pages)
    ]
    (folder / "pages.jsonl").write_text("\n".join(lines))
    return folder.parent


def test_labels_match_by_patterns_and_lists_of_pages_are_not_ranked(corpora):
    pool = read_pool(corpora / "tiny")
    assert pool.is_right(BEES).tolist() == [False, True, True]


def test_a_topic_is_measured_by_what_it_ranks_first(corpora):
    (ranking,) = rank_phrases(KeywordTopic, [BEES], corpora)
    assert ranking.average_precision == 1.0
    assert ranking.precision == pytest.approx(2 / 3)  # there are no more than three pages
    assert ranking.share_right == ranking.share_called_relevant == pytest.approx(2 / 3)
    assert ranking_table([ranking]).rows[-1][:4] == ("mean of 1", "", "reporting", "0.667")


def test_a_wrong_order_costs_average_precision():
    pool = Pool(["", "", ""], [frozenset({"subject.Bees"}), frozenset(), frozenset({"subject.Bees"})])
    ranking = rank(BEES, pool, np.array([0.1, 0.9, 0.5]), 0.5)
    assert ranking.average_precision == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert ranking.share_called_relevant == pytest.approx(2 / 3)
    assert average_precision(np.array([False, False])) == 0.0


def test_a_third_of_the_phrases_is_for_tuning_and_all_are_of_known_corpora():
    phrases = read_phrases()
    assert [phrase.split for phrase in phrases].count("tuning") == len(phrases) / 3
    assert {phrase.corpus for phrase in phrases} == {"wikispeedia", "multisite", "webkb"}
    assert len({phrase.words for phrase in phrases}) == len(phrases)


@pytest.mark.parametrize("corpus", ["wikispeedia", "webkb"])
def test_the_labels_of_phrases_are_those_of_the_corpus(shared, corpus):
    folder = shared / "corpora" / corpus
    if not folder.is_dir():
        pytest.skip(f"no corpus at {folder}")
    labels = list(read_labels(folder).values())
    pool = Pool([""] * len(labels), labels)
    for phrase in read_phrases():
        if phrase.corpus == corpus:
            assert pool.is_right(phrase).sum() >= 20, phrase.words
