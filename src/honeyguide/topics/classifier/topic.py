"""The classifier topic as the crawl uses it: judges with numpy alone, explains itself, can be taken apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Explanation, Floats, Part
from honeyguide.topics.base import TopicModel, TopicParts
from honeyguide.topics.classifier.calibration import Calibration
from honeyguide.topics.classifier.features import WEIGHTINGS, Features
from honeyguide.topics.classifier.naive_bayes import NaiveBayes
from honeyguide.topics.classifier.network import Network
from honeyguide.topics.classifier.scorer import Scorer
from honeyguide.topics.classifier.svm import Svm
from honeyguide.topics.examples import CountedExamples
from honeyguide.topics.parts import array_of, number_of, strings_of
from honeyguide.topics.text import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SCORERS: Mapping[str, type[Scorer]] = {scorer.name: scorer for scorer in (Svm, NaiveBayes, Network)}
MAJORITY = "majority"
"""All three; at least two must say yes."""
MODELS = (*SCORERS, MAJORITY)
MAX_STEMS = 1_000_000
_EXAMPLES = "examples."


@dataclass(frozen=True)
class Member:
    """One trained model with its way from score to probability."""

    scorer: Scorer
    calibration: Calibration

    def probabilities(self, vectors: csr_array) -> Floats:
        """Of each row's being on the topic."""
        return self.calibration.probabilities(self.scorer.scores(vectors))


class ClassifierTopic(TopicModel):
    """Relevance = the calibrated probability of its model, or the median of those of its three models.

    The median of three is at least one half exactly when at least two of them are.
    """

    name: ClassVar[str] = "classifier"

    def __init__(
        self, features: Features, members: Sequence[Member], examples: CountedExamples | None = None
    ) -> None:
        self.features = features
        self.members = tuple(members)
        self._examples = examples

    def __reduce__(self) -> tuple[object, tuple[TopicParts]]:
        return type(self).from_parts, (self.parts(),)

    @property
    def model(self) -> str:
        """Name of its model."""
        return MAJORITY if len(self.members) > 1 else self.members[0].scorer.name

    @property
    def judges_words(self) -> bool:
        """It counts them."""
        return True

    @property
    def examples(self) -> CountedExamples | None:
        """Those it was trained on, without stand-ins; earlier versions did not keep them."""
        return self._examples

    def judge(self, texts: Sequence[str]) -> Floats:
        """Probability that each text is on the topic; 0 where no word is known, of which nobody can tell."""
        said = self.probabilities(texts)
        return np.median(said, axis=0) if len(said) > 1 else said[0]

    def probabilities(self, texts: Sequence[str]) -> Floats:
        """What each member says: a row a member."""
        vectors = self.features.vectors(texts)
        has_known_word = np.diff(vectors.indptr) > 0
        return np.array([member.probabilities(vectors) * has_known_word for member in self.members])

    def explain(self, text: str) -> Explanation:
        """The words that decided, by what the score of the deciding model owes to each, greatest first."""
        counts = self.features.vocabulary.counts([text])
        vector = self.features.vectors([text])
        probabilities = self.probabilities([text])[:, 0]
        decider = self.members[int(np.argsort(probabilities, kind="stable")[len(probabilities) // 2])]
        shares = decider.scorer.shares(vector)
        stems = self.features.vocabulary.stems
        parts = [
            Part(f"{stems[stem]} x{counts[0, stem]:.0f}", float(share))
            for stem, share in zip(vector.indices.tolist(), shares, strict=True)
        ]
        score = float(decider.scorer.scores(vector)[0])
        rest = score - float(shares.sum())
        parts = sorted((part for part in parts if part.number), key=lambda part: -abs(part.number))
        return Explanation(self._summary(probabilities, decider, score), [*parts, Part("(no word)", rest)])

    def _summary(self, probabilities: Floats, decider: Member, score: float) -> str:
        said = ", ".join(
            f"{member.scorer.name} {probability:.3f}"
            for member, probability in zip(self.members, probabilities, strict=True)
        )
        return (
            f"classifier: probability {float(np.median(probabilities)):.3f} ({said}); the score of "
            f"{decider.scorer.name} is {score:.3f}, and this is what it owes to each word"
        )

    def parts(self) -> TopicParts:
        """Stems and calibrations as settings, numbers as arrays."""
        arrays = {"idf": self.features.idf}
        for member in self.members:
            for name, array in member.scorer.arrays().items():
                arrays[f"{member.scorer.name}.{name}"] = array
        if self._examples:
            arrays |= {f"{_EXAMPLES}{name}": array for name, array in self._examples.arrays().items()}
        settings = {
            "language": self.features.vocabulary.language,
            "weighting": self.features.weighting,
            "selected": self.features.selected,
            "members": {
                member.scorer.name: {
                    "slope": member.calibration.slope,
                    "intercept": member.calibration.intercept,
                }
                for member in self.members
            },
            "stems": self.features.vocabulary.stems,
        }
        return TopicParts(settings, arrays)

    @classmethod
    def from_parts(cls, parts: TopicParts) -> Self:
        """The same topic again, every part checked."""
        features = _features(parts)
        members = parts.settings.get("members")
        if not isinstance(members, Mapping) or set(members) - set(SCORERS) or len(members) not in (1, 3):
            raise TopicError(f"its models are not one or all of {', '.join(SCORERS)}")
        own = [_member(name, members[name], parts, features) for name in members]
        return cls(features, own, _examples(parts, features.vocabulary))


def _features(parts: TopicParts) -> Features:
    settings = parts.settings
    stems = strings_of(settings, "stems", MAX_STEMS)
    selected = int(number_of(settings, "selected"))
    language, weighting = settings.get("language"), settings.get("weighting")
    if not 0 < selected <= len(stems):
        raise TopicError(f"{selected} of {len(stems)} stems cannot be selected")
    if weighting not in WEIGHTINGS or not isinstance(language, str):
        raise TopicError(f"its weighting {weighting!r} or language {language!r} is not known")
    return Features(
        Vocabulary(stems, language), array_of(parts.arrays, "idf", (len(stems),)), selected, weighting
    )


def _examples(parts: TopicParts, vocabulary: Vocabulary) -> CountedExamples | None:
    arrays = {
        name.removeprefix(_EXAMPLES): array
        for name, array in parts.arrays.items()
        if name.startswith(_EXAMPLES)
    }
    if not arrays:
        return None
    try:
        return CountedExamples.from_arrays(arrays, vocabulary.stems, vocabulary.language)
    except KeyError as error:
        raise TopicError(f"the array {error} of its examples is missing; train it again") from None
    except (TypeError, ValueError) as error:
        raise TopicError(f"its examples are damaged: {error}; train it again") from None


def _member(name: str, settings: object, parts: TopicParts, features: Features) -> Member:
    if not isinstance(settings, Mapping):
        raise TopicError(f"the calibration of {name} is missing")
    own = {
        key.removeprefix(f"{name}."): array
        for key, array in parts.arrays.items()
        if key.startswith(f"{name}.")
    }
    scorer = SCORERS[name].from_arrays(own, features.selected)
    return Member(scorer, Calibration(number_of(settings, "slope"), number_of(settings, "intercept")))
