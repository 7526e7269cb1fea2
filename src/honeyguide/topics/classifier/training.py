"""Training of the classifier topic from examples, with an honest report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Bools, Floats
from honeyguide.topics.classifier.background import background_texts
from honeyguide.topics.classifier.calibration import Calibration, calibrate, threshold_by_positives
from honeyguide.topics.classifier.features import DAMPED, WEIGHTINGS, Features
from honeyguide.topics.classifier.fitting import Fit, Recipe
from honeyguide.topics.classifier.quality import Quality, quality
from honeyguide.topics.classifier.scorer import Scorer
from honeyguide.topics.classifier.sifting import FEWEST, nearly_contradictory, sift
from honeyguide.topics.classifier.topic import MAJORITY, MODELS, SCORERS, ClassifierTopic, Member
from honeyguide.topics.examples import CountedExamples, Example
from honeyguide.topics.text import Vocabulary, common_language, count_stems

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NEGATIVES_PER_POSITIVE = 2.0
TELLING_STEMS = 15
POOR_AUC = 0.75


@dataclass(frozen=True)
class TrainingReport:
    """What a topic was trained on, and how well it does on examples it was not trained on (cross-validation)."""

    model: str
    language: str
    positives: int
    negatives: int
    is_background: bool  # the negatives are stand-ins: none were given
    quality: Quality
    members: Mapping[str, Quality]  # each model by itself
    telling_stems: Sequence[str]  # what positive examples have most more of
    warnings: Sequence[str]


@dataclass(frozen=True)
class Trained:
    """A topic and how good it is."""

    topic: ClassifierTopic
    report: TrainingReport


def train_classifier(
    positives: Sequence[Example],
    negatives: Sequence[Example] = (),
    *,
    model: str = "svm",
    best_stems: int | None = None,
    negatives_per_positive: float = NEGATIVES_PER_POSITIVE,
    weighting: str = DAMPED,
    language: str = "",
    seed: int = 0,
) -> Trained:
    """Learn to tell positive examples from negative ones, or from a background collection when there are none.

    Of more negative examples than `negatives_per_positive` asks for, so many are drawn. Each model looks at as many
    stems as suit it, or at the `best_stems`. The language is detected unless given.
    """
    recipe = _recipe(model, best_stems, weighting, seed)
    sifted = sift(positives, negatives, negatives_per_positive, seed)
    on_topic, off_topic = (
        [example.readable for example in kept] for kept in (sifted.positives, sifted.negatives)
    )
    language = language or common_language(on_topic) or "en"
    is_background = not off_topic
    if is_background:
        number = max(FEWEST, round(negatives_per_positive * len(on_topic)))
        off_topic = background_texts(on_topic, number, language, seed)
    stems, counts = count_stems([*on_topic, *off_topic], language)
    is_positive = np.arange(counts.shape[0]) < len(on_topic)
    if not counts[is_positive].nnz or not counts[~is_positive].nnz:
        raise TopicError("the examples of a class have nothing but stop words; give pages with text")
    fit = recipe.fit(counts, is_positive)
    scores = recipe.unseen_scores(counts, is_positive)
    calibrations = [_calibration(own, is_positive, is_background) for own in scores]
    vocabulary = Vocabulary([stems[column] for column in fit.columns], language)
    features = Features(vocabulary, fit.idf, fit.vectors.shape[1], weighting)
    given = is_positive if is_background else np.ones(len(is_positive), dtype=np.bool_)
    examples = CountedExamples(counts[given][:, fit.columns], is_positive[given], vocabulary.stems, language)
    topic = ClassifierTopic(features, list(map(Member, fit.scorers, calibrations)), examples)
    warnings = [
        *sifted.warnings,
        *nearly_contradictory(fit.vectors, is_positive, [*sifted.positives, *sifted.negatives]),
    ]
    return Trained(topic, _report(topic, fit, scores, is_positive, is_background, warnings))


def _recipe(model: str, best_stems: int | None, weighting: str, seed: int) -> Recipe:
    if model not in MODELS:
        raise TopicError(f"there is no model {model!r}; there are {', '.join(MODELS)}")
    if weighting not in WEIGHTINGS or (best_stems is not None and best_stems < 1):
        raise TopicError(f"the weighting is {' or '.join(WEIGHTINGS)}, and there must be some best stems")
    scorers = list(SCORERS.values()) if model == MAJORITY else [SCORERS[model]]
    suiting = min(scorer.best_stems for scorer in scorers) if weighting == DAMPED else Scorer.best_stems
    return Recipe(scorers, best_stems or suiting, weighting, seed)


def _calibration(scores: Floats, is_positive: Bools, is_background: bool) -> Calibration:
    calibration = calibrate(scores, is_positive)
    # Real pages are nearer to the topic than the stand-ins, which would put the line too low.
    return (
        calibration.starting_at(threshold_by_positives(scores[is_positive])) if is_background else calibration
    )


def _report(
    topic: ClassifierTopic,
    fit: Fit,
    scores: Floats,
    is_positive: Bools,
    is_background: bool,
    warnings: list[str],
) -> TrainingReport:
    probabilities = np.array(
        [member.calibration.probabilities(own) for member, own in zip(topic.members, scores, strict=True)]
    )
    combined = quality(np.median(probabilities, axis=0), is_positive)
    if is_background:
        warnings.append(
            "no negative examples: a background collection stands in for them, and the figures say how well the topic "
            "is told from anything, not from what is near it; give some pages that are not on the topic"
        )
    if combined.auc < POOR_AUC:
        warnings.append(
            f"the classes are hard to tell apart (AUC {combined.auc:.2f}, chance is 0.5); check the examples or "
            f"give more"
        )
    return TrainingReport(
        topic.model,
        topic.features.vocabulary.language,
        int(is_positive.sum()),
        int((~is_positive).sum()),
        is_background,
        combined,
        {
            member.scorer.name: quality(own, is_positive)
            for member, own in zip(topic.members, probabilities, strict=True)
        },
        _telling(topic.features.vocabulary.stems, fit.vectors, is_positive),
        warnings,
    )


def _telling(stems: Sequence[str], vectors: csr_array, is_positive: Bools) -> list[str]:
    more = vectors[is_positive].mean(axis=0) - vectors[~is_positive].mean(axis=0)
    best = np.argsort(-more, kind="stable")[:TELLING_STEMS]
    return [stems[place] for place in best.tolist() if more[place] > 0]
