"""Learning from labels: a topic revised by what somebody said of some pages, and checked on what was held out.

The first topic is where learning starts: its log-odds stand in the sum, and words are learned for what they leave
unexplained (logistic regression with an offset). So a single label changes little, and many outweigh the first topic.

The pages that people are asked about were chosen, so they say little of all others. A random share of what was fetched
stands beside them, without labels: each counts a little, as not on the topic, for most pages are not; the less, the
more the first topic takes it for relevant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.model import Bools, Floats
from honeyguide.topics.base import TopicModel
from honeyguide.topics.classifier.calibration import sigmoid
from honeyguide.topics.classifier.features import DAMPED, Features, weigh
from honeyguide.topics.classifier.quality import area_under_curve
from honeyguide.topics.revised.topic import Origin, RevisedTopic, Weights, log_odds_above
from honeyguide.topics.text import Vocabulary, common_language, count_stems

if TYPE_CHECKING:
    from scipy.sparse import csr_array

UNLABELLED_WEIGHT = 0.1  # of a page that nobody has labelled, against one of a label
PENALTY = 3.0  # for errors, against large weights
TRUST = 10.0
"""So many labels for the topic halve what the first topic counts: words of a few pages say little of others."""
LESS_TRUST = (2.0, 5.0)
"""The same where labels that were held out do not speak against it."""
TOLERATED = 0.5
"""So much more, as log-likelihood, they may speak against it: people are asked about what the first topic has chosen,
so that their labels speak for it more than other pages would."""
SUREST = 30
"""Without labels so many pages that the first topic calls relevant are taken for labelled, the surest first."""
KEPT = 0.25
"""What the first topic says counts so much beside the words of these pages, however these drift."""
STEEPNESS = 2.0
"""Log-odds that a page is relevant rise by this much with each standard deviation, as far as labels place the line."""
SHARE_DOUBT = 10.0
"""So many labels of random pages count as much as what the revision itself says of how many pages are relevant."""
LEAST_WIDTH = 0.3
"""Standard deviation of log-odds where the first topic says nearly the same of all pages."""
FOLDS = 5
TELLING = 15
_MOST_STEPS = 60


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page as text, and what somebody said of it."""

    text: str
    is_relevant: bool
    is_random: bool = False  # nobody chose it: such pages tell how many of all are on the topic


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
        if self.irrelevant and not self.relevant:  # what is not meant tells little of what is
            return "no page is labelled as on the topic"
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
    said = labels or _surest(first, unlabelled)
    sample = _Sample.of(first, said, unlabelled)
    features = Features(Vocabulary(sample.stems, sample.language), sample.idf, len(sample.stems), DAMPED)
    known = sample.is_relevant[: len(labels)]
    both = bool(known.any() and not known.all())
    if both:
        learned, held_out = _checked(sample, seed)
    else:  # labels that are all alike do not tell where the line is, nor whom to trust
        learned, held_out = _fit(sample, sample.everything) if labels else _grown(sample), np.zeros(0)
    weights = _with_share(learned, sample, [label.is_random for label in said])
    report = RevisionReport(
        int(known.sum()),
        int((~known).sum()),
        len(unlabelled),
        area_under_curve(sample.first[: len(labels)], known) if both else None,
        area_under_curve(held_out, known) if both else None,
        RevisedTopic(first, features, weights).telling(TELLING),
    )
    origin = Origin(report.relevant, report.irrelevant, report.objection)
    return Revised(RevisedTopic(first, features, weights, origin), report)


def _surest(first: TopicModel, unlabelled: Sequence[str]) -> list[Labelled]:
    odds = log_odds_above(first, first.judge(unlabelled))
    best = np.argsort(-odds, kind="stable")[:SUREST]
    return [Labelled(unlabelled[place], True) for place in best[odds[best] > 0].tolist()]


@dataclass(frozen=True)
class _Sample:
    """Labelled pages, and after them those without a label."""

    stems: list[str]
    idf: Floats
    vectors: csr_array
    language: str
    is_relevant: Bools  # of the labelled
    first: Floats  # log-odds of each by the first topic

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
        return cls(
            [stems[place] for place in kept.tolist()],
            idf,
            weigh(counts[:, kept], idf, len(kept), DAMPED),
            language,
            np.array([label.is_relevant for label in labels], dtype=np.bool_),
            log_odds_above(first, first.judge(texts)),
        )

    @property
    def labelled(self) -> int:
        return len(self.is_relevant)

    @property
    def everything(self) -> NDArray[np.int64]:
        return np.arange(len(self.first))


def _checked(sample: _Sample, seed: int) -> tuple[Weights, Floats]:
    """What labels teach, with as little trust in the first topic as they allow; and their own log-odds, held out."""
    tried = []
    for trust in (*LESS_TRUST, TRUST):
        held_out = _held_out(sample, seed, trust)
        learned, loss = _with_line(_fit(sample, sample.everything, trust), sample, held_out)
        tried.append((loss, learned, held_out))
    least = min(loss for loss, *_ in tried)
    return next((learned, held_out) for loss, learned, held_out in tried if loss <= least + TOLERATED)


def _fit(sample: _Sample, rows: NDArray[np.int64], halved_by: float = TRUST) -> Weights:
    """Learn from some pages of the sample: labels count in full, the others as far as the first topic is against them.

    To take these for what the first topic takes them for would teach its own errors.
    """
    from scipy.optimize import minimize  # slow to import, and only training needs it

    vectors, first = sample.vectors[rows], sample.first[rows]
    known = rows < sample.labelled
    wanted = np.zeros(len(rows))
    wanted[known] = sample.is_relevant[rows[known]]
    # Where nothing is labelled as on the topic, they would only teach that nothing is.
    counted = np.where(known, 1.0, UNLABELLED_WEIGHT * sigmoid(-first) * wanted.any())
    trust = halved_by / (halved_by + float(wanted.sum()))
    by_word = vectors.T.tocsr()

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds = trust * first + vectors @ weights[:-1] + weights[-1]
        errors = counted * (sigmoid(odds) - wanted)
        cost = counted @ (np.logaddexp(0.0, odds) - wanted * odds) + weights @ weights / (2 * PENALTY)
        return float(cost), np.append(by_word @ errors, errors.sum()) + weights / PENALTY

    start = np.zeros(vectors.shape[1] + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS}).x
    return _as_wide(Weights(found[:-1], trust, float(found[-1]), 0.0), vectors, first, ~known)


def _grown(sample: _Sample) -> Weights:
    """Without labels: the words that the surest pages have more of than usual ones, and a share of the first topic.

    Both are taken as multiples of their spread over usual pages. A regression would learn no more than what the first
    topic says already: that most pages have none of its words, which leaves these without any order.
    """
    surest, usual = sample.everything[: sample.labelled], sample.everything[sample.labelled :]
    if not len(surest):
        return Weights(np.zeros(len(sample.stems)), 1.0, 0.0, 0.0)
    words = np.asarray(sample.vectors[surest].mean(axis=0) - sample.vectors[usual].mean(axis=0)).ravel()
    width = float((sample.vectors[usual] @ words).std()) or 1.0
    words *= (1.0 - KEPT) / width
    prior = KEPT / max(float(sample.first[usual].std()), LEAST_WIDTH)
    odds = sample.vectors[usual] @ words + prior * sample.first[usual]
    called = float((sample.first[usual] >= 0).mean())  # as many pages are relevant as before
    learned = Weights(words, prior, -float(np.quantile(odds, 1.0 - called)), 0.0)
    return _as_wide(learned, sample.vectors, sample.first, sample.everything >= sample.labelled)


def _as_wide(learned: Weights, vectors: csr_array, first: Floats, is_usual: Bools) -> Weights:
    """The same order and the same line between relevant and not, but pages as far apart as by the first topic.

    Whoever ranks links by relevance has learned what much of it is; how sure to be, few chosen pages cannot tell.
    """
    odds = learned.prior * first + vectors @ learned.words
    wider = max(float(first.std()), LEAST_WIDTH) / max(float(odds.std()), LEAST_WIDTH)
    bias = float(first[is_usual].mean() - wider * odds[is_usual].mean())
    return Weights(wider * learned.words, wider * learned.prior, bias, bias - wider * learned.bias)


def _with_line(learned: Weights, sample: _Sample, held_out: Floats) -> tuple[Weights, float]:
    """The same order, with the line where labels that were held out say that it is; and what they have against it.

    Pages without a label teach words; but they are many and count as not on the topic, so that by them hardly any page
    would be. Where labels say little, the line is in the middle of all pages.
    """
    from scipy.optimize import brentq  # slow to import, and only training needs it

    odds = _odds(learned, sample, sample.everything[sample.labelled :])
    width = max(float(odds.std()), LEAST_WIDTH)
    expected = float(odds.mean())
    places = (held_out - expected) / width

    def slope(line: float) -> float:
        """Of the loss: of a logistic regression in which the line alone is free, and doubted by one width."""
        surplus = sigmoid(STEEPNESS * (places - line)) - sample.is_relevant
        return line - STEEPNESS * float(surplus.sum())

    farthest = STEEPNESS * len(places) + 1.0
    line = float(brentq(slope, -farthest, farthest))
    above = STEEPNESS * (places - line)
    loss = float((np.logaddexp(0.0, above) - sample.is_relevant * above).sum()) + line**2 / 2
    return replace(learned, line=expected + width * line), loss


def _odds(learned: Weights, sample: _Sample, rows: NDArray[np.int64]) -> Floats:
    """Log-odds of some pages of the sample."""
    odds: Floats = sample.vectors[rows] @ learned.words + learned.prior * sample.first[rows] + learned.bias
    return odds


def _with_share(learned: Weights, sample: _Sample, is_random: Sequence[bool]) -> Weights:
    """The same order, with the line where random pages that were labelled say that it is."""
    random = np.flatnonzero(is_random)
    if not len(random):
        return learned
    usual = np.concatenate((random, sample.everything[sample.labelled :]))
    odds = _odds(learned, sample, usual)
    called = float((odds >= learned.line).mean())
    share = (sample.is_relevant[random].sum() + SHARE_DOUBT * called) / (len(random) + SHARE_DOUBT)
    return replace(learned, line=float(np.quantile(odds, 1.0 - share)))


def _held_out(sample: _Sample, seed: int, halved_by: float) -> Floats:
    """Log-odds of the labelled pages, each by what was learned without it."""
    dice = np.random.default_rng(seed)
    folds = np.zeros(sample.labelled, dtype=np.int64)
    for side in (True, False):
        own = np.flatnonzero(sample.is_relevant == side)
        folds[own] = dice.permutation(len(own)) % FOLDS
    odds = np.zeros(sample.labelled)
    for fold in np.unique(folds).tolist():
        held = np.flatnonzero(folds == fold)
        odds[held] = _odds(_fit(sample, np.setdiff1d(sample.everything, held), halved_by), sample, held)
    return odds
