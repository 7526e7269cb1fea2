"""The classifier topic as the crawl uses it."""

import copy
import math

import numpy as np
import pytest

from honeyguide.checks import check_topic_model
from honeyguide.errors import TopicError
from honeyguide.topics.base import TopicParts
from honeyguide.topics.classifier import ClassifierTopic, train_classifier
from honeyguide.topics.classifier.calibration import Calibration
from honeyguide.topics.classifier.topic import MODELS, Member

ON_TOPIC, OFF_TOPIC = "The bees swarm, the queen leaves the hive.", "The train stops at the station."


@pytest.mark.parametrize("model", MODELS)
def test_it_is_a_topic_model(model, on_topic, off_topic):
    check_topic_model(train_classifier(on_topic, off_topic, model=model).topic, ON_TOPIC, OFF_TOPIC)


@pytest.mark.parametrize(
    ("said", "relevance"),
    [((0.9, 0.4, 0.45), 0.45), ((0.9, 0.55, 0.0), 0.55), ((0.5, 0.5, 0.1), 0.5)],
    ids=["one yes", "two yes", "just two"],
)
def test_it_is_relevant_when_two_of_three_say_yes(trained, said, relevance):
    """Each member says the same of every text here; relevance is the middle of the three."""
    members = [
        Member(member.scorer, Calibration(0.0, math.log(own / (1 - own)) if own else -1e9))
        for member, own in zip(trained.topic.members, said, strict=True)
    ]
    judged = ClassifierTopic(trained.topic.features, members).classify([ON_TOPIC, OFF_TOPIC])
    assert judged.relevance == pytest.approx(relevance)
    assert (judged.accepted == (relevance >= 0.5)).all()


@pytest.mark.parametrize("model", MODELS)
def test_what_has_no_known_word_is_not_relevant(model, on_topic, off_topic):
    """Else empty anchors and pages in other languages would inherit the share of positive examples."""
    judged = train_classifier(on_topic, off_topic[:6], model=model).topic.classify(
        ["", "12", "мёд", ON_TOPIC]
    )
    assert judged.relevance[:3].tolist() == [0, 0, 0]
    assert judged.accepted.tolist() == [False, False, False, True]


def test_explanation_adds_up_to_the_score(on_topic, off_topic):
    topic = train_classifier(on_topic, off_topic).topic
    explanation = topic.explain(ON_TOPIC)
    score = topic.members[0].scorer.scores(topic.features.vectors([ON_TOPIC]))[0]
    assert sum(part.number for part in explanation.parts) == pytest.approx(score)
    assert {part.label for part in explanation.parts} == {
        "bee x1",
        "swarm x1",
        "queen x1",
        "hive x1",
        "(no word)",
    }
    assert f"probability {topic.judge([ON_TOPIC])[0]:.3f}" in explanation.summary


def test_the_middle_one_of_three_explains(trained):
    explanation = trained.topic.explain(OFF_TOPIC)
    each = trained.topic.probabilities([OFF_TOPIC])[:, 0]
    middle = trained.topic.members[int(np.argsort(each)[1])].scorer.name
    assert f"the score of {middle} is" in explanation.summary


def test_parts_make_it_again(trained):
    again = ClassifierTopic.from_parts(trained.topic.parts())
    assert (again.probabilities([ON_TOPIC, ""]) == trained.topic.probabilities([ON_TOPIC, ""])).all()


def _changed(parts: TopicParts, path: tuple[str, ...], value: object) -> TopicParts:
    settings = copy.deepcopy(dict(parts.settings))
    place = settings
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return TopicParts(settings, parts.arrays)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("stems",), []),
        (("stems",), "bees"),
        (("stems",), [1]),
        (("selected",), 0),
        (("selected",), 10**9),
        (("selected",), "2"),
        (("language",), None),
        (("weighting",), "heavy"),
        (("members",), {}),
        (("members",), []),
        (("members", "svm"), 1),
        (("members", "svm", "slope"), "steep"),
        (("members", "svm", "slope"), float("nan")),
        (("members", "svm", "intercept"), True),
        (("members", "oracle"), {}),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else repr(value),
)
def test_settings_that_make_no_sense_are_refused(trained, path, value):
    with pytest.raises(TopicError):
        ClassifierTopic.from_parts(_changed(trained.topic.parts(), path, value))


def test_missing_arrays_are_refused(trained):
    parts = trained.topic.parts()
    for name in parts.arrays:
        rest = {other: array for other, array in parts.arrays.items() if other != name}
        with pytest.raises(TopicError, match="missing"):
            ClassifierTopic.from_parts(TopicParts(parts.settings, rest))
