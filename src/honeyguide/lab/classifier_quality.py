"""How good each classifier is: F1, AUC and calibration on WebKB (a university left out) and Wikispeedia's subjects.

75 positive and 150 negative pages are learned from, as in the paper; all figures are of other pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ImportFailed
from honeyguide.fetch.replay import open_recording
from honeyguide.lab.tasks.labels import ARTICLE, CATEGORIES, UNIVERSITIES, subject_paths, without_giveaways
from honeyguide.model import Bools, Floats
from honeyguide.parse import first_words, parse_page
from honeyguide.topics.classifier import train_classifier
from honeyguide.topics.classifier.features import RAW
from honeyguide.topics.classifier.quality import Quality, quality
from honeyguide.topics.classifier.topic import MAJORITY
from honeyguide.topics.examples import Example

POSITIVES, NEGATIVES = 75, 150
MAX_TESTED = 1_500
FEWEST_ARTICLES = 150
AS_PUBLISHED, WITHOUT_NEGATIVES = "svm, tf undamped", "svm, no negatives"


@dataclass(frozen=True)
class LabeledPage:
    """A page and what people said it is about."""

    example: Example
    labels: frozenset[str]


@dataclass(frozen=True)
class Trial:
    """What to learn from, what to test on."""

    subject: str
    positives: Sequence[Example]
    negatives: Sequence[Example]
    tested: Sequence[str]
    is_relevant: Bools


@dataclass(frozen=True)
class QualityRow:
    """Quality of a classifier on a subject: the mean over its trials."""

    corpus: str
    subject: str
    classifier: str
    quality: Quality


def classifier_quality(corpus: Path) -> list[QualityRow]:
    """Quality of every classifier on each subject of a corpus folder, webkb or wikispeedia."""
    make_trials = TRIALS.get(corpus.name)
    if make_trials is None:
        raise ImportFailed(f"{corpus}: no subjects are known of this corpus, only of {', '.join(TRIALS)}")
    found: dict[tuple[str, str], list[Quality]] = {}
    for trial in make_trials(_pages(corpus)):
        for classifier, judged in _judgments(trial).items():
            found.setdefault((trial.subject, classifier), []).append(quality(judged, trial.is_relevant))
    return [
        QualityRow(corpus.name, subject, classifier, _mean(measured))
        for (subject, classifier), measured in found.items()
    ]


def _pages(corpus: Path) -> list[LabeledPage]:
    recording = open_recording(corpus)
    pages = []
    for url in recording.urls():
        response = recording.response(url)
        if response is not None:
            body = without_giveaways(corpus.name, response.body)
            page = parse_page(body, url, response.content_type)
            example = Example(first_words(page.text), url, page.title)
            pages.append(LabeledPage(example, frozenset(recording.labels(url))))
    recording.close()
    return pages


def _webkb_trials(pages: Sequence[LabeledPage]) -> Iterator[Trial]:
    for category in CATEGORIES:
        relevant = np.array([category in page.labels for page in pages])
        within = {
            name: np.array([f"university:{name}" in page.labels for page in pages]) for name in UNIVERSITIES
        }
        for university in UNIVERSITIES:
            others = np.any([within[other] for other in UNIVERSITIES if other != university], axis=0)
            yield _trial(category, pages, relevant, others, within[university])


def _wikispeedia_trials(pages: Sequence[LabeledPage]) -> Iterator[Trial]:
    articles = [page for page in pages if ARTICLE in page.labels]
    subjects = [
        frozenset("/".join(path[:depth]) for path in subject_paths(page.labels) for depth in (1, 2))
        for page in articles
    ]
    anywhere = np.ones(len(articles), dtype=bool)
    for subject in sorted(frozenset().union(*subjects)):
        relevant = np.array([subject in own for own in subjects])
        if FEWEST_ARTICLES <= relevant.sum() < len(articles) / 2:
            yield _trial(subject, articles, relevant, anywhere, anywhere)


TRIALS: Mapping[str, Callable[[Sequence[LabeledPage]], Iterator[Trial]]] = {
    "webkb": _webkb_trials,
    "wikispeedia": _wikispeedia_trials,
}


def _trial(
    subject: str, pages: Sequence[LabeledPage], relevant: Bools, learned: Bools, tested: Bools
) -> Trial:
    dice = np.random.default_rng(0)
    positives = dice.permutation(np.flatnonzero(relevant & learned))[:POSITIVES]
    negatives = dice.permutation(np.flatnonzero(~relevant & learned))[:NEGATIVES]
    rest = np.setdiff1d(np.flatnonzero(tested), np.concatenate((positives, negatives)))
    rest = dice.permutation(rest)[:MAX_TESTED]
    return Trial(
        subject,
        _examples(pages, positives),
        _examples(pages, negatives),
        [pages[place].example.readable for place in rest],
        relevant[rest],
    )


def _examples(pages: Sequence[LabeledPage], places: NDArray[np.int64]) -> list[Example]:
    return [pages[place].example for place in places.tolist()]


def _judgments(trial: Trial) -> dict[str, Floats]:
    """Relevance of the tested pages by each classifier."""
    majority = train_classifier(trial.positives, trial.negatives, model=MAJORITY).topic
    each = majority.probabilities(trial.tested)
    published = train_classifier(trial.positives, trial.negatives, weighting=RAW).topic
    background = train_classifier(trial.positives).topic
    return {
        **{member.scorer.name: judged for member, judged in zip(majority.members, each, strict=True)},
        MAJORITY: np.median(each, axis=0),
        AS_PUBLISHED: published.judge(trial.tested),
        WITHOUT_NEGATIVES: background.judge(trial.tested),
    }


def _mean(measured: Sequence[Quality]) -> Quality:
    return Quality(
        fmean(own.precision for own in measured),
        fmean(own.recall for own in measured),
        fmean(own.f1 for own in measured),
        fmean(own.auc for own in measured),
        fmean(own.brier for own in measured),
    )


def quality_table(rows: Sequence[QualityRow]) -> str:
    """F1 as a Markdown table, a line a subject and a column a classifier; below it the means of all measures."""
    classifiers = list(dict.fromkeys(row.classifier for row in rows))
    by_subject: dict[str, dict[str, Quality]] = {}
    for row in rows:
        by_subject.setdefault(f"{row.corpus}: {row.subject}", {})[row.classifier] = row.quality
    means = {name: _mean([row.quality for row in rows if row.classifier == name]) for name in classifiers}
    lines = [["F1", *classifiers], ["---", *("---:" for _ in classifiers)]]
    lines += [[name, *(f"{own[each].f1:.2f}" for each in classifiers)] for name, own in by_subject.items()]
    lines += [
        [f"**mean {measure}**", *(f"**{getattr(means[each], measure):.3f}**" for each in classifiers)]
        for measure in ("f1", "precision", "recall", "auc", "brier")
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
