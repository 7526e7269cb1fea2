"""Two topics compared: what each word counts in one and in the other, and from where on pages are called relevant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from honeyguide.topics.base import TopicModel
from honeyguide.topics.classifier.naive_bayes import NaiveBayes
from honeyguide.topics.classifier.svm import Svm
from honeyguide.topics.classifier.topic import ClassifierTopic
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.revised import RevisedTopic

LEAST_CHANGE = 1e-6


@dataclass(frozen=True, slots=True)
class WordChange:
    """What a word counts in one topic and in another; 0 where it is not known."""

    word: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """By how much it counts more; less if negative."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class WordChanges:
    """Words that gained or lost weight, the greatest change first."""

    unit: str  # what the weights are; empty where the words of one of the topics have none
    words: tuple[WordChange, ...] = ()


def changed_words(one: TopicModel, other: TopicModel, most: int) -> WordChanges:
    """What words count in two topics. Weights of different kinds are brought to the same scale first."""
    if _revises(other, one) or _revises(one, other):
        before, after = (_learned(topic) for topic in (one, other))
        return WordChanges("log-odds, beside what the first topic says", _changes(before, after, most))
    known = _weights(one), _weights(other)
    if not all(known):
        return WordChanges("")
    if type(one) is type(other):
        return WordChanges(_UNITS[one.name], _changes(*known, most))
    before, after = map(_to_one, known)
    return WordChanges(
        "shares of the greatest weight, as the topics are of two kinds", _changes(before, after, most)
    )


_UNITS = {
    KeywordTopic.name: "shares of the phrase",
    ClassifierTopic.name: "the score of its model",
    RevisedTopic.name: "log-odds, beside what the first topic says",
}


def _revises(topic: TopicModel, first: TopicModel) -> bool:
    """Whether a topic was learned on top of another."""
    if not isinstance(topic, RevisedTopic) or isinstance(first, RevisedTopic):
        return False
    known = topic.first
    return known.name == first.name and dict(known.parts().settings) == dict(first.parts().settings)


def _learned(topic: TopicModel) -> dict[str, float]:
    return _weights(topic) if isinstance(topic, RevisedTopic) else {}


def _weights(topic: TopicModel) -> dict[str, float]:
    """What each word counts; nothing where a word by itself has no weight."""
    match topic:
        case RevisedTopic():
            return dict(topic.telling(len(topic.features.vocabulary.stems)))
        case KeywordTopic():
            return topic.weights
        case ClassifierTopic(members=[member]) if isinstance(member.scorer, Svm):
            return dict(zip(topic.features.vocabulary.stems, member.scorer.weights.tolist(), strict=False))
        case ClassifierTopic(members=[member]) if isinstance(member.scorer, NaiveBayes):
            greatest = member.scorer.log_odds[:, -1].tolist()
            return dict(zip(topic.features.vocabulary.stems, greatest, strict=False))
    return {}


def _to_one(weights: Mapping[str, float]) -> dict[str, float]:
    greatest = max(map(abs, weights.values())) or 1.0
    return {word: weight / greatest for word, weight in weights.items()}


def _changes(before: Mapping[str, float], after: Mapping[str, float], most: int) -> tuple[WordChange, ...]:
    changes = (
        WordChange(word, before.get(word, 0.0), after.get(word, 0.0))
        for word in dict.fromkeys((*before, *after))
    )
    changed = (one for one in changes if abs(one.change) > LEAST_CHANGE)
    return tuple(islice(sorted(changed, key=lambda one: (-abs(one.change), one.word)), most))
