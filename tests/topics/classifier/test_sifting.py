"""What is wrong with examples."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from honeyguide.errors import TopicError
from honeyguide.topics.classifier import sifting
from honeyguide.topics.classifier.sifting import nearly_contradictory, sift
from honeyguide.topics.examples import Example

from .conftest import BEES, RAILS, make_examples


def test_good_examples_are_kept_with_twice_as_many_negatives_as_positives(on_topic):
    kept = sift(on_topic, make_examples(RAILS, 100), 2.0, seed=0)
    assert kept.positives == on_topic
    assert len(kept.negatives) == 60
    assert kept.warnings == []


def test_examples_in_both_classes_are_named_and_left_out(on_topic, off_topic):
    kept = sift([*on_topic, off_topic[0]], off_topic, 2.0, seed=0)
    assert kept.positives == on_topic
    assert off_topic[0] not in kept.negatives
    assert "both positive and negative" in kept.warnings[0]
    assert off_topic[0].url in kept.warnings[0]


def test_repeated_and_empty_examples_are_left_out(on_topic, off_topic):
    again = Example(on_topic[0].text.upper() + " 1234", url="https://copy.example/")
    kept = sift([*on_topic, again, Example("", url="https://empty.example/")], off_topic, 2.0, seed=0)
    assert kept.positives == on_topic
    assert any("https://empty.example/" in warning for warning in kept.warnings)
    assert any("same words as another" in warning for warning in kept.warnings)


@pytest.mark.parametrize(
    ("positives", "negatives", "named"),
    [
        ([], make_examples(RAILS, 5), "0 usable positive"),
        (make_examples(BEES, 1), make_examples(RAILS, 5), "1 usable positive"),
        (make_examples(BEES, 5), make_examples(RAILS, 1), "1 usable negative"),
        (make_examples(BEES, 5), make_examples(BEES, 5), "0 usable positive"),
        ([Example("123 !"), Example("")], make_examples(RAILS, 5), "have no words"),
    ],
    ids=["none", "one", "one-class", "contradictory", "empty"],
)
def test_what_cannot_be_learned_from_is_refused(positives, negatives, named):
    with pytest.raises(TopicError, match=named):
        sift(positives, negatives, 2.0, seed=0)


def test_few_examples_are_warned_of(off_topic):
    kept = sift(make_examples(BEES, 5), off_topic, 2.0, seed=0)
    assert "only 5 positive examples" in kept.warnings[0]


def test_more_examples_than_are_of_use_are_drawn_from(monkeypatch, off_topic):
    monkeypatch.setattr(sifting, "MAX_POSITIVES", 40)
    many = make_examples(BEES, 400)
    kept = sift(many, off_topic, 2.0, seed=0)
    assert len(kept.positives) == 40
    assert kept.positives == sift(many, off_topic, 2.0, seed=0).positives
    assert "of 400 positive examples 40 were drawn" in kept.warnings[0]


def test_nearly_the_same_examples_of_both_classes_are_named(monkeypatch):
    monkeypatch.setattr(sifting, "_ROWS_AT_ONCE", 1)
    vectors = csr_array(np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.05, 0.99875]]))
    classes = np.array([True, True, False, False])
    examples = [Example("", url=f"https://{name}.example/") for name in "abcd"]
    (warning,) = nearly_contradictory(vectors, classes, examples)
    assert warning.startswith("1 positive example")
    assert "https://b.example/" in warning
    assert nearly_contradictory(vectors[:3], classes[:3], examples) == []
