"""The revised topic as the crawl uses it: what the first topic says, and the words that labelled pages taught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar
from unicodedata import normalize

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Explanation, Floats, Part
from honeyguide.topics.base import Judgment, TopicModel, TopicParts
from honeyguide.topics.classifier.calibration import sigmoid
from honeyguide.topics.classifier.features import DAMPED, Features
from honeyguide.topics.combined import nested_topic
from honeyguide.topics.parts import array_of, number_of, strings_of, text_of
from honeyguide.topics.text import Vocabulary, stem_words

MAX_STEMS = 1_000_000
MAX_OBJECTION = 1_000
MOST_TOLD = 15
SUREST = 0.01
"""Relevance is kept this far from 0 and 1 before it is taken as log-odds."""
_PRIOR = "first."


def log_odds_above(first: TopicModel, relevance: Floats) -> Floats:
    """What the first topic says, above or below the relevance from which on it calls pages relevant."""
    threshold = float(np.clip(first.relevant_above, SUREST, 1.0 - SUREST))
    bounded = np.clip(relevance, SUREST, 1.0 - SUREST)
    odds: Floats = np.log(bounded / (1.0 - bounded)) - np.log(threshold / (1.0 - threshold))
    return odds


@dataclass(frozen=True, slots=True)
class Weights:
    """What is learned: log-odds = words . weights + prior * log-odds by the first topic + bias."""

    words: Floats
    prior: float
    bias: float
    line: float = 0.0  # from these log-odds on a page is relevant
    least_sure: float = 0.0  # where labels are as likely good as bad; of chosen pages that is above the line


@dataclass(frozen=True, slots=True)
class Origin:
    """How many labels a revision was learned from, what spoke against using it, and when these labels were read."""

    relevant: int
    irrelevant: int
    objection: str
    learned_at: float = 0.0  # 0: not written down


class RevisedTopic(TopicModel):
    """Relevance = the probability by the words of labelled pages and by what the first topic says."""

    name: ClassVar[str] = "revised"

    def __init__(
        self,
        first: TopicModel,
        features: Features,
        weights: Weights,
        origin: Origin | None = None,
        struck: Sequence[str] = (),
    ) -> None:
        if isinstance(first, RevisedTopic):
            raise TopicError("a revised topic is not revised again; revise its first topic with all labels")
        self.first = first
        self.features = features
        self.weights = weights
        self.origin = origin  # None: an earlier version did not write it down
        self.struck = tuple(struck)  # stems that somebody did not want it to learn
        at = sigmoid(np.array([weights.line, weights.least_sure]))
        self.relevant_above, self._least_sure_at = float(at[0]), float(at[1])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_parts, (self.parts(),)

    @property
    def is_self_taught(self) -> bool:
        """Whether nobody has said anything: it was learned from the pages that the first topic was surest of."""
        return self.origin is not None and not self.origin.relevant and not self.origin.irrelevant

    @property
    def judges_words(self) -> bool:
        """As the first topic does."""
        return self.first.judges_words

    @property
    def least_sure_at(self) -> float:
        """Where people who were asked about chosen pages said yes as often as no."""
        return self._least_sure_at

    def judge(self, texts: Sequence[str]) -> Floats:
        """Probability that each text is on the topic."""
        return self._probability(texts, self.first.judge(texts))

    def classify(self, texts: Sequence[str]) -> Judgment:
        """The same, with the classes that the first topic knows."""
        first = self.first.classify(texts)
        relevance = self._probability(texts, first.relevance)
        return Judgment(relevance, relevance >= self.relevant_above, first.classes)

    def _probability(self, texts: Sequence[str], by_first: Floats) -> Floats:
        without_words = self.weights.prior * log_odds_above(self.first, by_first) + self.weights.bias
        return sigmoid(self.features.vectors(texts) @ self.weights.words + without_words)

    def explain(self, text: str) -> Explanation:
        """What the first topic says, and the words that were learned, by their share of the log-odds."""
        counts = self.features.vocabulary.counts([text])
        vector = self.features.weighed(counts)
        stems = self.features.vocabulary.stems
        shares = vector.data * self.weights.words[vector.indices]
        first = self.first.explain(text)
        prior = float(self.weights.prior * log_odds_above(self.first, self.first.judge([text]))[0])
        parts = [
            Part(f"{stems[stem]} x{counts[0, stem]:.0f}", float(share))
            for stem, share in zip(vector.indices.tolist(), shares, strict=True)
            if share
        ]
        parts += [Part(f"the first topic ({first.summary})", prior), Part("(no word)", self.weights.bias)]
        odds = sum(part.number for part in parts)
        summary = (
            f"revised: probability {float(sigmoid(np.array([odds]))[0]):.3f}; as log-odds {odds:.3f}, the sum of "
            "what was learned of each word and what the first topic says"
        )
        return Explanation(summary, sorted(parts, key=lambda part: -abs(part.number)))

    def says_the_same_as(self, other: RevisedTopic) -> bool:
        """Whether another revision of the same topic has learned just the same."""
        mine, theirs = self.weights, other.weights
        numbers = [(one.prior, one.bias, one.line) for one in (mine, theirs)]
        is_same_words = self.features.vocabulary.stems == other.features.vocabulary.stems
        return is_same_words and numbers[0] == numbers[1] and np.array_equal(mine.words, theirs.words)

    def learned_stems(self, words: Sequence[str]) -> list[str]:
        """The stems of these words; TopicError if one of them was not learned."""
        vocabulary = self.features.vocabulary
        weights = dict(zip(vocabulary.stems, self.weights.words.tolist(), strict=True))
        found: list[str] = []
        for word in words:
            plain = normalize("NFC", word).strip().lower()
            stems = [one for one in (plain, *stem_words([plain], vocabulary.language)) if weights.get(one)]
            if not stems:
                known = ", ".join(stem for stem, weight in self.telling(MOST_TOLD) if weight > 0)
                raise TopicError(
                    f"it has not learned {word[:200]!r}; words that count most are {known or 'none'}"
                )
            found += stems
        return found

    def without(self, stems: Sequence[str]) -> RevisedTopic:
        """The same without these stems, and those that were struck out before."""
        struck = [*dict.fromkeys((*self.struck, *stems))]
        left_out = frozenset(struck)
        is_kept = np.array([stem not in left_out for stem in self.features.vocabulary.stems], dtype=np.bool_)
        weights = replace(self.weights, words=self.weights.words * is_kept)
        return RevisedTopic(self.first, self.features, weights, self.origin, struck)

    def telling(self, most: int) -> list[tuple[str, float]]:
        """The stems with the greatest weights, for the topic or against it."""
        order = np.argsort(-np.abs(self.weights.words), kind="stable")[:most]
        stems = self.features.vocabulary.stems
        return [(stems[place], float(self.weights.words[place])) for place in order.tolist()]

    def parts(self) -> TopicParts:
        """The first topic's parts, and what was learned beside."""
        own = self.first.parts()
        return TopicParts(
            {
                "first": {"kind": self.first.name, "settings": dict(own.settings)},
                "language": self.features.vocabulary.language,
                "stems": self.features.vocabulary.stems,
                "prior": self.weights.prior,
                "bias": self.weights.bias,
                "line": self.weights.line,
                "least_sure": self.weights.least_sure,
                **({"origin": asdict(self.origin)} if self.origin else {}),
                **({"struck": [*self.struck]} if self.struck else {}),
            },
            {
                "idf": self.features.idf,
                "words": self.weights.words,
                **{f"{_PRIOR}{name}": array for name, array in own.arrays.items()},
            },
        )

    @classmethod
    def from_parts(cls, parts: TopicParts) -> RevisedTopic:
        """Take it apart again, everything checked."""
        settings = parts.settings
        if "spread" in settings:
            raise TopicError("it was learned by an earlier version; learn it again with `honeyguide revise`")
        stems = strings_of(settings, "stems", MAX_STEMS)
        language = settings.get("language")
        if not isinstance(language, str):
            raise TopicError(f"its language {language!r} is none")
        least_sure = "least_sure" if "least_sure" in settings else "line"  # one number in earlier versions
        idf, words = (array_of(parts.arrays, name, (len(stems),)) for name in ("idf", "words"))
        return cls(
            nested_topic("the topic that was revised", settings.get("first"), parts.arrays, _PRIOR),
            Features(Vocabulary(stems, language), idf, len(stems), DAMPED),
            Weights(words, *(number_of(settings, name) for name in ("prior", "bias", "line", least_sure))),
            _origin_of(settings["origin"]) if "origin" in settings else None,
            strings_of(settings, "struck", MAX_STEMS) if "struck" in settings else (),
        )


def _origin_of(told: Any) -> Origin:
    if not isinstance(told, dict):
        raise TopicError("the setting 'origin' is no table")
    relevant, irrelevant = (int(number_of(told, name)) for name in ("relevant", "irrelevant"))
    learned_at = number_of(told, "learned_at") if "learned_at" in told else 0.0
    return Origin(relevant, irrelevant, text_of(told, "objection", MAX_OBJECTION), learned_at)
