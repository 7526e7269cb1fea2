"""What a trained topic keeps of its examples, for revisions to learn from."""

import numpy as np
import pytest

from honeyguide.errors import TopicError
from honeyguide.topics.base import TopicParts
from honeyguide.topics.classifier import ClassifierTopic, train_classifier
from honeyguide.topics.combined import CombinedTopic
from honeyguide.topics.examples import Example
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.taxonomy import Taxonomy, TaxonomyTopic, TopicTree
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


def test_those_of_good_topics_and_below_are_relevant_ones_of_a_taxonomy():
    tree = TopicTree()
    places = [tree.place(path) for path in (["Insects", "Bees"], ["Insects"], ["Trains"])]
    taxonomy = Taxonomy.train(tree, [Example(BEES), Example("insects of all kinds"), Example(TRAINS)], places)
    taxonomy.mark_good("Insects/Bees")
    assert TaxonomyTopic(taxonomy).examples.is_relevant.tolist() == [True, False, False]
    taxonomy.mark_good("Insects")
    assert TaxonomyTopic(taxonomy).examples.is_relevant.tolist() == [True, True, False]


def test_combined_topics_have_those_of_a_member(trained):
    assert KeywordTopic("bees").examples is None
    assert CombinedTopic([KeywordTopic("bees"), trained]).examples is trained.examples


def test_of_very_many_some_are_drawn(trained):
    some = trained.examples.some(2)
    assert some.is_relevant.tolist() == [True, True, False, False, False, False]
    assert some.counts.shape[0] == 6
    assert trained.examples.some(100).counts.shape == trained.examples.counts.shape
