"""What a trained topic keeps of its examples, for revisions to learn from."""

import numpy as np
import pytest

from honeyguide.errors import TopicError
from honeyguide.topics.base import TopicParts
from honeyguide.topics.classifier import ClassifierTopic, train_classifier
from honeyguide.topics.combined import CombinedTopic
from honeyguide.topics.examples import CountedExamples, Example
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.topic_file import read_topic, write_topic

BEES, TRAINS = "the queen bee of a hive of honey bees", "the train waits at a station for the train"
POSITIVES = [Example(f"{BEES} {more}") for more in ("swarm", "brood", "comb", "nectar", "apiary")]
NEGATIVES = [
    Example(f"{TRAINS} {more}") for more in ("signal", "coach", "tunnel", "bridge", "driver", "track")
]


@pytest.fixture(scope="module")
def trained():
    return train_classifier(POSITIVES, NEGATIVES).topic


def test_a_classifier_keeps_what_it_learned_from(trained, tmp_path):
    write_topic(tmp_path / "a.topic", trained)
    for topic in (trained, read_topic(tmp_path / "a.topic")):
        examples = topic.examples
        assert (int(examples.is_relevant.sum()), len(examples.is_relevant)) == (5, 11)
        counts = examples.columns_of(["train", "bee", "zebra"]).toarray()
        assert counts[examples.is_relevant].max(axis=0).tolist() == [0, 2, 0]
        assert (counts[~examples.is_relevant] == [2, 0, 0]).all()


def test_stand_ins_are_no_examples():
    assert train_classifier(POSITIVES).topic.examples.is_relevant.all()


def test_topics_of_earlier_versions_have_none(trained):
    parts = trained.parts()
    arrays = {name: array for name, array in parts.arrays.items() if not name.startswith("examples.")}
    former = ClassifierTopic.from_parts(TopicParts(parts.settings, arrays))
    assert former.examples is None
    assert (former.judge([BEES, TRAINS]) == trained.judge([BEES, TRAINS])).all()


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("count_starts", lambda array: np.array([0, *[20_000_000] * (len(array) - 2), len(array)])),
        ("count_starts", lambda array: array[:-1]),
        ("count_starts", lambda array: np.minimum(array, array[-2])),
        ("count_terms", lambda array: -1 - array),
        ("count_terms", lambda array: array + 1_000_000),
        ("counts", lambda array: array * 0),
        ("counts", lambda array: array.astype(np.float64) + 0.5),
        ("count_starts", lambda array: array[::-1].copy()),
        ("relevant", lambda array: array[:-1]),
        ("relevant", lambda array: np.stack((array, array))),
    ],
)
def test_damaged_examples_are_refused(trained, name, spoil):
    parts = trained.parts()
    arrays = {**parts.arrays, f"examples.{name}": spoil(parts.arrays[f"examples.{name}"])}
    with pytest.raises(TopicError, match="its examples are damaged"):
        ClassifierTopic.from_parts(TopicParts(parts.settings, arrays))


def test_nothing_that_counts_is_read_beyond_its_end(trained):
    """What scipy takes for an empty matrix."""
    nothing = {name: np.empty(0, dtype=np.int64) for name in ("counts", "count_terms")}
    for starts in ([0, 20_000_000, 0], [0, 2**63, 0]):
        arrays = {
            **nothing,
            "count_starts": np.array(starts, dtype=np.uint64),
            "relevant": np.array([True, False]),
        }
        with pytest.raises(ValueError, match="divided"):
            CountedExamples.from_arrays(arrays, ["bee"], "en")


def test_a_missing_array_is_named(trained):
    parts = trained.parts()
    arrays = {name: array for name, array in parts.arrays.items() if name != "examples.relevant"}
    with pytest.raises(TopicError, match="'relevant' of its examples is missing"):
        ClassifierTopic.from_parts(TopicParts(parts.settings, arrays))


def test_looking_at_them_changes_nothing(trained):
    before = trained.examples.counts.toarray()
    first, second = (trained.examples.columns_of(["train", "bee"]).toarray() for _ in range(2))
    assert (first == second).all()
    assert (trained.examples.counts.toarray() == before).all()


def test_examples_of_one_member_say_nothing_of_combined_topics(trained):
    """What is not on one of them may be just what the other is about."""
    assert CombinedTopic([KeywordTopic("bees"), trained]).examples is None


def test_of_very_many_some_are_drawn(trained):
    some = trained.examples.some(2)
    assert some.is_relevant.tolist() == [True, True, False, False, False, False]
    assert some.counts.shape[0] == 6
    assert trained.examples.some(100).counts.shape == trained.examples.counts.shape
