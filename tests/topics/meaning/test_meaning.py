"""Topics by meaning, on a table made here, and on the installed one where there is one."""

import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from honeyguide.errors import TopicError
from honeyguide.model import Passages
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.meaning import similarities, table
from honeyguide.topics.meaning.topic import WORDS_SHARE, MeaningTopic
from honeyguide.topics.topic_file import read_topic, write_topic
from tests.topics.meaning.tiny_table import WORDS, write_table

NEAR, FAR = "The hive and its nectar", "A train of the railway"


@pytest.fixture
def folder(tmp_path):
    table.read_table.cache_clear()
    return str(write_table(tmp_path))


def test_the_cosine_by_hand(folder):
    hive, bees = np.array(WORDS["hive"]), np.array(WORDS["bees"])
    text = 7 / 4 * hive + np.array(WORDS["train"])  # 1 + ln 2, in quarters
    expected = text @ bees / np.linalg.norm(text) / np.linalg.norm(bees)
    assert similarities("bees", ["Hive, the hive: train"], folder=folder)[0] == pytest.approx(expected)


def test_texts_without_a_word_of_the_phrase_are_told_apart(folder):
    topic = MeaningTopic("bees honey", folder=folder)
    near, far, nothing = topic.judge([NEAR, FAR, "1 2"])
    assert near > topic.relevant_above > far
    assert nothing == 0.0
    assert (KeywordTopic("bees honey").judge([NEAR, FAR]) == 0.0).all()


def test_what_is_not_meant_is_far(folder):
    plain, without = (
        similarities(phrase, ["The railway"], folder=folder)[0] for phrase in ("page", "page -car")
    )
    assert without < plain


def test_relevance_is_that_of_words_and_of_meaning_by_their_shares(folder):
    texts = ["Bees of a hive, and a page", FAR]
    words = KeywordTopic("bees").judge(texts)
    meaning = np.clip(similarities("bees", texts, folder=folder), 0, 1)
    expected = WORDS_SHARE * words + (1 - WORDS_SHARE) * meaning
    assert MeaningTopic("bees", folder=folder).judge(texts) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["Bees in a hive, honey on a page", FAR, "", "unknown words"])
def test_the_explanation_adds_up(folder, text):
    topic = MeaningTopic("bees honey", folder=folder)
    parts = topic.explain(text).parts
    assert sum(part.number for part in parts) == pytest.approx(topic.judge([text])[0])


def test_what_was_met_before_changes_nothing(folder):
    texts = [NEAR, FAR, "honey bees railway page hive car nectar"]
    first = MeaningTopic("bees", folder=folder)
    other = MeaningTopic("bees", folder=folder)
    other.judge(["car nectar page", *reversed(texts)])
    assert (first.judge(texts) == other.judge(texts)).all()
    assert (first.judge(Passages.of(texts)) == other.judge(texts)).all()


def test_a_file_holds_it_and_another_table_is_told(folder, tmp_path):
    topic = MeaningTopic("bees", folder=folder)
    write_topic(tmp_path / "bees.topic", topic)
    assert (read_topic(tmp_path / "bees.topic").judge([NEAR, FAR]) == topic.judge([NEAR, FAR])).all()
    write_table(tmp_path, words={**WORDS, "bees": (1, 2, 3)})
    table.read_table.cache_clear()
    with pytest.raises(TopicError, match="not those the topic was made with"):
        read_topic(tmp_path / "bees.topic")


def test_a_folder_without_a_table_is_told(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(TopicError, match=r"no model\.safetensors"):
        MeaningTopic("bees", folder=str(tmp_path / "empty"))
    (tmp_path / "model.safetensors").write_bytes(b"damaged")
    table.read_table.cache_clear()
    with pytest.raises(TopicError, match="cannot be read"):
        MeaningTopic("bees", folder=folder)
    write_table(tmp_path, tensor="something")
    with pytest.raises(TopicError, match="it holds something"):
        MeaningTopic("bees", folder=folder)


def test_without_the_package_the_remedy_is_told(monkeypatch):
    monkeypatch.setattr(table, "PACKAGE", "no_such_package_of_vectors")
    table.read_table.cache_clear()
    with pytest.raises(TopicError, match=r"honeyguide\[meaning\]"):
        MeaningTopic("bees")


def test_a_phrase_of_unknown_words_is_refused(folder):
    with pytest.raises(TopicError, match="meaning is known"):
        MeaningTopic("zebra", folder=folder)


def test_nothing_of_it_is_imported_at_start():
    code = (
        "import sys, honeyguide.topics; "
        "sys.exit(any(name in sys.modules for name in ('tokenizers', 'safetensors', 'wordllama')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_installed_table_knows_what_words_mean():
    if find_spec(table.PACKAGE) is None:
        pytest.skip("no table is installed")
    table.read_table.cache_clear()
    near, far = similarities("volcanoes", ["Lava and ash of an eruption", "The parliament passed a law"])
    assert near > far + 0.1
