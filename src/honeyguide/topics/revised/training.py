"""Learning from labels: a topic revised by what somebody said of some pages, and checked on what was held out.

The first topic is where learning starts: its log-odds stand in the sum, and words are learned for what they leave
unexplained (logistic regression with an offset). So a single label changes little, and many outweigh the first topic.

What the first topic was trained on is learned from as well, where it has kept that: a few labels of pages that it has
chosen would make it forget the rest. And these pages were chosen, so they say little of all others. A random share of
what was fetched stands beside them, without labels: each counts a little, as not on the topic, for most pages are not;
the less, the more the first topic takes it for relevant.
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
from honeyguide.topics.revised.line import LEAST_WIDTH, draw_line, expected_share, find_doubt
from honeyguide.topics.revised.topic import Origin, RevisedTopic, Weights, log_odds_above
from honeyguide.topics.text import Vocabulary, common_language, count_stems

if TYPE_CHECKING:
    from scipy.sparse import csr_array

UNLABELLED_WEIGHT = 0.1  # of a page that nobody has labelled, against one of a label
SURE = 0.95
"""A label is taken for right with this probability: people err, and one page is not to be explained at any price."""
EXAMPLE_WEIGHT = 0.5
"""Of a page that the first topic was trained on: it may be of another web, or of another time."""
MOST_EXAMPLES = 100  # on the topic, and twice as many others
PENALTY = 5.0  # for errors, against large weights
TRUST = 10.0
"""So many labels for the topic halve what the first topic counts: words of a few pages say little of others."""
LESS_TRUST = (2.0, 5.0)
"""The same where labels that were held out do not speak against it."""
TOLERATED = 0.5
"""So much more, as log-likelihood, they may speak against it: people are asked about what the first topic has chosen,
so that their labels speak for it more than other pages would."""
SUREST = 15
"""Without labels so many pages that the first topic calls relevant are taken for labelled, the surest first."""
KEPT = 0.4
"""What the first topic says counts so much beside the words of these pages, however these drift; and more where they
are few, as two pages have most words in common by chance."""
SHARE_DOUBT = 10.0
"""So many labels of random pages count as much as what the revision itself says of how many pages are relevant."""
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
    examples: int = 0  # of the first topic, that it was learned from as well and are on the topic

    @property
    def objection(self) -> str:
        """What speaks against using it; empty if nothing does, as far as so few labels can tell."""
        if self.irrelevant and not (
            self.relevant or self.examples
        ):  # what is not meant tells little of what is
            return "no page is labelled as on the topic"
        if self.auc_before is None or self.auc_after is None:
            return ""
        # As if it had put one label of two more in order: one that orders a few perfectly is not sure to go on so.
        fewest = min(self.relevant, self.irrelevant)
        expected = (self.auc_before * fewest + 1) / (fewest + 2)
        chance = float((expected * (1 - expected) / fewest) ** 0.5)
        is_worse = self.auc_after < self.auc_before - chance
        return "it orders labels that were held out worse than the first topic" if is_worse else ""


@dataclass(frozen=True, slots=True)
class Revised:
    """A revised topic, and how good it is."""

    topic: RevisedTopic
    report: RevisionReport


def revise(
    first: TopicModel,
    labels: Sequence[Labelled],
    unlabelled: Sequence[str],
    seed: int = 0,
    learned_at: float = 0.0,
    promising: Sequence[str] = (),
    struck: Sequence[str] = (),
) -> Revised:
    """Learn from labels and from a random share of the fetched pages that have none.

    Without any label it learns from the pages that the first topic is surest of, among these and `promising` ones.
    When the labels were read is kept. Stems that are `struck` are not learned.
    """
    if isinstance(first, RevisedTopic):
        first = first.first
    if not unlabelled:
        raise TopicError("there is no fetched page without a label to compare with; crawl some more")
    said = labels or _surest(first, [*dict.fromkeys((*promising, *unlabelled))])
    if not said:
        raise TopicError(
            "there is no label, and the topic calls no fetched page relevant: there is nothing to learn from"
        )
    sample = _Sample.of(first, said, unlabelled, with_examples=bool(labels), struck=frozenset(struck))
    features = Features(Vocabulary(sample.stems, sample.language), sample.idf, len(sample.stems), DAMPED)
    known = sample.is_relevant[: len(labels)]
    both = bool(known.any() and not known.all())
    learned, held_out = _learned(sample, known, seed)
    if len(known) and sample.is_good.any():
        learned = _with_line(learned, sample, held_out)
    weights = _with_share(learned, sample, [label.is_random for label in said])
    report = RevisionReport(
        int(known.sum()),
        int((~known).sum()),
        len(unlabelled),
        area_under_curve(sample.first[: len(labels)], known) if both else None,
        area_under_curve(held_out, known) if both else None,
        RevisedTopic(first, features, weights).telling(TELLING),
        int(sample.is_good[sample.labelled : sample.usual[0]].sum()),
    )
    origin = Origin(report.relevant, report.irrelevant, report.objection, learned_at)
    return Revised(RevisedTopic(first, features, weights, origin, struck), report)


def _surest(first: TopicModel, pages: Sequence[str]) -> list[Labelled]:
    odds = log_odds_above(first, first.judge(pages))
    best = np.argsort(-odds, kind="stable")[:SUREST]
    return [Labelled(pages[place], True) for place in best[odds[best] > 0].tolist()]


@dataclass(frozen=True)
class _Sample:
    """Labelled pages, after them the examples of the first topic, and then pages without a label."""

    stems: list[str]
    idf: Floats
    vectors: csr_array
    language: str
    is_relevant: Bools  # of the labelled
    wanted: Floats  # of each: how likely it is on the topic, as far as somebody said so
    first: Floats  # log-odds of each by the first topic; none of its own examples, which it has by heart
    usual: NDArray[np.int64]  # the rows without a label

    @classmethod
    def of(
        cls,
        first: TopicModel,
        labels: Sequence[Labelled],
        unlabelled: Sequence[str],
        *,
        with_examples: bool,
        struck: frozenset[str],
    ) -> _Sample:
        from scipy.sparse import vstack  # slow to import, and only training needs it

        said, texts = [label.text for label in labels], [*(label.text for label in labels), *unlabelled]
        language = common_language(texts) or "en"
        stems, counts = count_stems(texts, language)
        examples = first.examples if with_examples else None
        own = examples.some(MOST_EXAMPLES) if examples and examples.language == language else None
        odds = log_odds_above(first, first.judge(texts))
        is_relevant = np.array([label.is_relevant for label in labels], dtype=np.bool_)
        parts = [np.where(is_relevant, SURE, 1.0 - SURE), np.zeros(len(unlabelled))]
        if own:
            known = own.columns_of(stems)
            counts = vstack([counts[: len(said)], known, counts[len(said) :]], format="csr")
            odds = np.insert(odds, len(said), np.zeros(known.shape[0]))
            parts.insert(1, own.is_relevant.astype(np.float64))
        wanted = np.concatenate(parts)
        is_wanted = np.array([stem not in struck for stem in stems], dtype=np.bool_)
        kept = np.flatnonzero(
            (_frequency(counts) > 1) & is_wanted
        )  # a word that one page has says nothing of others
        if not len(kept):
            raise TopicError("the labelled pages share no word with others; label pages with more text")
        counts = counts[:, kept]
        others = counts[np.flatnonzero(wanted < 0.5)]
        # As of the words of a classifier: what pages on the topic share weighs no less for that.
        idf = 1.0 + np.log((others.shape[0] + 1) / (_frequency(others) + 1))
        return cls(
            [stems[place] for place in kept.tolist()],
            idf,
            weigh(counts, idf, len(kept), DAMPED),
            language,
            is_relevant,
            wanted,
            odds,
            np.arange(len(wanted) - len(unlabelled), len(wanted)),
        )

    @property
    def labelled(self) -> int:
        return len(self.is_relevant)

    @property
    def is_good(self) -> Bools:
        """Whether each is said to be on the topic."""
        is_good: Bools = self.wanted > 0.5
        return is_good

    @property
    def everything(self) -> NDArray[np.int64]:
        return np.arange(len(self.first))

    def counted(self, rows: NDArray[np.int64]) -> Floats:
        """How much each of these rows counts. An unlabelled page does as far as the first topic is against it.

        To take such pages for what the first topic takes them for would teach its own errors.
        """
        weights = np.where(rows < self.labelled, 1.0, EXAMPLE_WEIGHT)
        is_usual = rows >= self.usual[0]
        # Where nothing is labelled as on the topic, they would only teach that nothing is.
        by_first = UNLABELLED_WEIGHT * sigmoid(-self.first[rows]) * self.is_good[rows].any()
        return np.where(is_usual, by_first, weights)


def _frequency(counts: csr_array) -> NDArray[np.int64]:
    """In how many rows each column is."""
    return np.bincount(counts.indices, minlength=counts.shape[1])


def _learned(sample: _Sample, known: Bools, seed: int) -> tuple[Weights, Floats]:
    """What there is to learn, and the log-odds of labels that were held out; none unless there are both kinds."""
    if not len(known):
        return _grown(sample), np.zeros(0)
    if known.all() or not known.any():  # labels that are all alike do not tell whom to trust
        return _fit(sample, sample.everything), np.zeros(0)
    return _checked(sample, seed)


def _checked(sample: _Sample, seed: int) -> tuple[Weights, Floats]:
    """What labels teach, with as little trust in the first topic as they allow; and their own log-odds, held out."""
    tried = []
    for trust in (*LESS_TRUST, TRUST):
        learned, held_out = _fit(sample, sample.everything, trust), _held_out(sample, seed, trust)
        usual = _odds(learned, sample, sample.usual)
        least_sure, against = find_doubt(held_out, sample.is_relevant, usual)
        tried.append((against, replace(learned, least_sure=least_sure), held_out))
    least = min(against for against, *_ in tried)
    return next((learned, held_out) for against, learned, held_out in tried if against <= least + TOLERATED)


def _fit(sample: _Sample, rows: NDArray[np.int64], halved_by: float = TRUST) -> Weights:
    """Learn from some pages of the sample."""
    from scipy.optimize import minimize  # slow to import, and only training needs it

    vectors, first, wanted, counted = (
        sample.vectors[rows],
        sample.first[rows],
        sample.wanted[rows],
        sample.counted(rows),
    )
    good = int(sample.is_good[rows[rows < sample.labelled]].sum())
    trust = halved_by / (halved_by + good)
    by_word = vectors.T.tocsr()

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds = trust * first + vectors @ weights[:-1] + weights[-1]
        errors = counted * (sigmoid(odds) - wanted)
        cost = counted @ (np.logaddexp(0.0, odds) - wanted * odds) + weights @ weights / (2 * PENALTY)
        return float(cost), np.append(by_word @ errors, errors.sum()) + weights / PENALTY

    start = np.zeros(vectors.shape[1] + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS}).x
    return _as_wide(Weights(found[:-1], trust, float(found[-1])), sample)


def _grown(sample: _Sample) -> Weights:
    """Without labels: the words that the surest pages have more of than usual ones, and a share of the first topic.

    Both are taken as multiples of their spread over usual pages. A regression would learn no more than what the first
    topic says already: that most pages have none of its words, which leaves these without any order.
    """
    surest, usual = sample.everything[: sample.labelled], sample.usual
    words = np.asarray(sample.vectors[surest].mean(axis=0) - sample.vectors[usual].mean(axis=0)).ravel()
    width = float((sample.vectors[usual] @ words).std()) or 1.0
    kept = 1.0 - (1.0 - KEPT) * len(surest) / SUREST
    words *= (1.0 - kept) / width
    prior = kept / max(float(sample.first[usual].std()), LEAST_WIDTH)
    odds = sample.vectors[usual] @ words + prior * sample.first[usual]
    called = float((sample.first[usual] >= 0).mean())  # as many pages are relevant as before
    learned = Weights(words, prior, -float(np.quantile(odds, 1.0 - called)))
    return _as_wide(learned, sample)


def _as_wide(learned: Weights, sample: _Sample) -> Weights:
    """The same order and the same line between relevant and not, but pages as far apart as by the first topic.

    Whoever ranks links by relevance has learned what much of it is; how sure to be, few chosen pages cannot tell.
    """
    fetched = np.concatenate((sample.everything[: sample.labelled], sample.usual))
    first, odds = sample.first[fetched], _odds(learned, sample, fetched) - learned.bias
    wider = max(float(first.std()), LEAST_WIDTH) / max(float(odds.std()), LEAST_WIDTH)
    is_usual = fetched >= sample.usual[0]
    bias = float(first[is_usual].mean() - wider * odds[is_usual].mean())
    line = bias - wider * learned.bias
    return Weights(wider * learned.words, wider * learned.prior, bias, line, line)


def _with_line(learned: Weights, sample: _Sample, held_out: Floats) -> Weights:
    """The same order, with the line where labels that were held out, and what the first topic calls, say that it is.

    Pages without a label teach words; but they are many and count as not on the topic, so that by them hardly any page
    would be.
    """
    usual = _odds(learned, sample, sample.usual)
    share = expected_share(float((sample.first[sample.usual] >= 0).mean()), len(usual))
    if not len(held_out):  # labels that are all alike do not tell where the line is
        return replace(learned, line=float(np.quantile(usual, 1.0 - share)))
    line = draw_line(held_out, sample.is_relevant, usual, share)
    return replace(learned, line=min(line, learned.least_sure))


def _odds(learned: Weights, sample: _Sample, rows: NDArray[np.int64]) -> Floats:
    """Log-odds of some pages of the sample."""
    odds: Floats = sample.vectors[rows] @ learned.words + learned.prior * sample.first[rows] + learned.bias
    return odds


def _with_share(learned: Weights, sample: _Sample, is_random: Sequence[bool]) -> Weights:
    """The same order, with the line where random pages that were labelled say that it is."""
    random = np.flatnonzero(is_random)
    if not len(random):
        return learned
    usual = np.concatenate((random, sample.usual))
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
