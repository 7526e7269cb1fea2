"""Learning from labels: a topic revised by what somebody said of some pages, and checked on what was held out.

The pages that people are asked about were chosen, so they say little of all others. A random share of what was fetched
stands beside them, without labels: each counts a little, for the topic and against it, as likely as the first topic
finds it (one step of expectation maximisation, Nigam et al. 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.model import Bools, Floats
from honeyguide.topics.base import TopicModel
from honeyguide.topics.classifier.calibration import Calibration, sigmoid
from honeyguide.topics.classifier.features import DAMPED, Features, weigh
from honeyguide.topics.classifier.quality import area_under_curve
from honeyguide.topics.classifier.scorer import missing_scikit_learn
from honeyguide.topics.revised.topic import PriorScale, RevisedTopic, Weights
from honeyguide.topics.text import Vocabulary, common_language, count_stems

if TYPE_CHECKING:
    from scipy.sparse import csr_array

UNLABELLED_WEIGHT = 0.1  # of a page nobody has labelled
PENALTY = 10.0  # for errors, against large weights
PRIOR_TRUST, LEAST_TRUST = 4.0, 0.15
"""What the first topic says counts this much divided by the labels for the topic, and never less than the least."""
SHARES = (0.02, 0.3)  # between which the share of relevant pages may be
SLOPE = 1.5  # log-odds that a standard deviation of what the first topic says is worth
USUAL_LOG_ODDS = 4.0  # by which the usual page is less likely to be relevant than not
LEAST_GAP = 0.1
FEWEST_RELEVANT = 3
"""Labels on the topic: what is not meant tells little of what is."""
FOLDS = 5
TELLING = 15


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page as text, and what somebody said of it."""

    text: str
    is_relevant: bool


@dataclass(frozen=True, slots=True)
class RevisionReport:
    """What a revision was learned from, and how it does on labels that were held out from it."""

    relevant: int
    irrelevant: int
    unlabelled: int
    auc_before: float | None  # of the first topic on the labels; None where these are all alike
    auc_after: float | None
    telling: Sequence[tuple[str, float]]

    @property
    def objection(self) -> str:
        """What speaks against using it; empty if nothing does, as far as so few labels can tell."""
        if self.irrelevant and self.relevant < FEWEST_RELEVANT:
            return f"fewer than {FEWEST_RELEVANT} pages are labelled as on the topic"
        if self.auc_before is None or self.auc_after is None:
            return ""
        chance = float((self.auc_before * (1 - self.auc_before) / min(self.relevant, self.irrelevant)) ** 0.5)
        is_worse = self.auc_after < self.auc_before - chance
        return "it orders labels that were held out worse than the first topic" if is_worse else ""


@dataclass(frozen=True, slots=True)
class Revised:
    """A revised topic, and how good it is."""

    topic: RevisedTopic
    report: RevisionReport


def revise(
    first: TopicModel, labels: Sequence[Labelled], unlabelled: Sequence[str], seed: int = 0
) -> Revised:
    """Learn from labels and from a random share of the fetched pages that have none.

    Without any label it learns from the pages that the first topic is surest of.
    """
    if isinstance(first, RevisedTopic):
        first = first.first
    if not unlabelled:
        raise TopicError("there is no fetched page without a label to compare with; crawl some more")
    sample = _Sample.of(first, labels, unlabelled)
    words = _Words.fit(sample, sample.everything)
    held_out = _held_out(sample, seed)
    calibration = _calibration(sample, words.scores(sample), held_out)
    topic = _topic(first, sample, words, calibration)
    known = sample.is_relevant
    both = bool(known.any() and not known.all())
    report = RevisionReport(
        int(known.sum()),
        int((~known).sum()),
        len(unlabelled),
        area_under_curve(sample.prior[: len(labels)], known) if both else None,
        area_under_curve(held_out, known) if both else None,
        topic.telling(TELLING),
    )
    return Revised(topic, report)


@dataclass(frozen=True)
class _Sample:
    """Labelled pages, and after them those without a label."""

    stems: list[str]
    idf: Floats
    vectors: csr_array
    language: str
    is_relevant: Bools  # of the labelled
    scale: PriorScale
    prior: Floats  # standing of each by the first topic
    share: float  # of the usual pages that the first topic calls relevant
    likely: Floats  # probability of each by the first topic

    @classmethod
    def of(cls, first: TopicModel, labels: Sequence[Labelled], unlabelled: Sequence[str]) -> _Sample:
        texts = [*(label.text for label in labels), *unlabelled]
        language = common_language(texts) or "en"
        stems, counts = count_stems(texts, language)
        frequency = np.bincount(counts.indices, minlength=counts.shape[1])
        kept = np.flatnonzero(frequency > 1)  # a word that one page has says nothing of others
        if not len(kept):
            raise TopicError("the labelled pages share no word with others; label pages with more text")
        idf = np.log(len(texts) / frequency[kept])
        relevance = first.judge(texts)
        scale = PriorScale.of(relevance[len(labels) :])
        prior = scale.standing(relevance)
        called = relevance[len(labels) :] >= first.relevant_above
        share = float(np.clip(called.mean(), *SHARES))
        return cls(
            [stems[place] for place in kept.tolist()],
            idf,
            weigh(counts[:, kept], idf, len(kept), DAMPED),
            language,
            np.array([label.is_relevant for label in labels], dtype=np.bool_),
            scale,
            prior,
            share,
            _with_share(SLOPE * prior, share),
        )

    @property
    def labelled(self) -> int:
        return len(self.is_relevant)

    @property
    def trust(self) -> float:
        """In the first topic, against what was learned: words of a few pages say little of the others."""
        return max(LEAST_TRUST, PRIOR_TRUST / (1.0 + int(self.is_relevant.sum())))

    @property
    def everything(self) -> NDArray[np.int64]:
        return np.arange(self.vectors.shape[0])


@dataclass(frozen=True)
class _Words:
    """Weights of words, such that the scores of usual pages are one apart."""

    weights: Floats
    mean: float

    @classmethod
    def fit(cls, sample: _Sample, rows: NDArray[np.int64]) -> _Words:
        """Learn from some pages of the sample: labels count in full, every other page for both sides."""
        try:
            from sklearn.linear_model import LogisticRegression
        except ImportError as error:
            raise missing_scikit_learn() from error
        known, others = rows[rows < sample.labelled], rows[rows >= sample.labelled]
        chosen = np.concatenate((known, others, others))
        sides = np.concatenate(
            (sample.is_relevant[known], np.ones(len(others), dtype=bool), np.zeros(len(others), dtype=bool))
        )
        likely = sample.likely[others]
        counted = np.concatenate(
            (np.ones(len(known)), UNLABELLED_WEIGHT * likely, UNLABELLED_WEIGHT * (1 - likely))
        )
        machine = LogisticRegression(C=PENALTY, solver="liblinear", max_iter=200)
        machine.fit(sample.vectors[chosen], sides, sample_weight=counted)
        raw = machine.coef_[0].astype(np.float64)
        usual = sample.vectors[sample.labelled :] @ raw
        spread = float(max(usual.std(), 1e-6))
        return cls(raw / spread, float(usual.mean()) / spread)

    def scores(self, sample: _Sample) -> Floats:
        """Of all pages of a sample: by their words, and by the first topic."""
        scores: Floats = sample.vectors @ self.weights - self.mean + sample.trust * sample.prior
        return scores


def _held_out(sample: _Sample, seed: int) -> Floats:
    """Scores of the labelled pages, each by what was learned without it."""
    dice = np.random.default_rng(seed)
    folds = np.zeros(sample.labelled, dtype=np.int64)
    for side in (True, False):
        own = np.flatnonzero(sample.is_relevant == side)
        folds[own] = dice.permutation(len(own)) % FOLDS
    scores = np.zeros(sample.labelled)
    for fold in np.unique(folds).tolist():
        rows = np.concatenate((np.flatnonzero(folds != fold), sample.everything[sample.labelled :]))
        scores[folds == fold] = _Words.fit(sample, rows).scores(sample)[: sample.labelled][folds == fold]
    return scores


def _calibration(sample: _Sample, scores: Floats, held_out: Floats) -> Calibration:
    """From scores to probabilities: one half where labels put the line, next to nothing for the usual page.

    A few labels tell how many pages are relevant, but hardly how surely: that would make all of them alike.
    """
    usual = scores[sample.labelled :]
    line = _line(sample, usual, held_out)
    slope = USUAL_LOG_ODDS / max(line - float(np.median(usual)), LEAST_GAP)
    return Calibration(slope, -slope * line)


def _line(sample: _Sample, usual: Floats, held_out: Floats) -> float:
    """The score from which on pages are called relevant, so that their share of the usual pages is likely.

    Labels count in full, the usual pages a little, as the first topic judges them: the labelled ones are mostly good.
    """
    from sklearn.linear_model import LogisticRegression

    likely = sample.likely[sample.labelled :]
    targets = np.concatenate((sample.is_relevant, np.ones(len(usual)), np.zeros(len(usual)))).astype(bool)
    counted = UNLABELLED_WEIGHT * np.concatenate((likely, 1.0 - likely))
    counted = np.concatenate((np.ones(sample.labelled), counted))
    machine = LogisticRegression(C=PENALTY)
    machine.fit(np.concatenate((held_out, usual, usual))[:, None], targets, sample_weight=counted)
    slope, bias = float(machine.coef_[0, 0]), float(machine.intercept_[0])
    lowest, highest = (float(np.quantile(usual, 1.0 - share)) for share in reversed(SHARES))
    return float(np.clip(-bias / slope, lowest, highest)) if slope > 0 else highest


def _topic(first: TopicModel, sample: _Sample, words: _Words, calibration: Calibration) -> RevisedTopic:
    slope = calibration.slope
    features = Features(Vocabulary(sample.stems, sample.language), sample.idf, len(sample.stems), DAMPED)
    bias = calibration.intercept - slope * words.mean
    return RevisedTopic(
        first, features, sample.scale, Weights(slope * words.weights, slope * sample.trust, bias)
    )


def _with_share(odds: Floats, share: float) -> Floats:
    """Probabilities that are so much on average."""
    return sigmoid(odds + _shift(odds, share))


def _shift(odds: Floats, share: float) -> float:
    low, high = -50.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if float(sigmoid(odds + middle).mean()) > share else (middle, high)
    return (low + high) / 2
