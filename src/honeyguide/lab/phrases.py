"""How good a topic made of a few words is: it ranks the pages of a recorded web, and people have said which are right.

Nothing is crawled. The phrases are in phrases.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from statistics import fmean

import numpy as np

from honeyguide.lab.report.document import Table
from honeyguide.lab.tasks.closed_web import ClosedWeb
from honeyguide.lab.tasks.labels import INDEX
from honeyguide.lab.tasks.rules import rules_of
from honeyguide.lab.tasks.tasks import corpora_folder
from honeyguide.model import Bools, Floats
from honeyguide.topics.base import TopicModel

TOP = 20
MakeTopic = Callable[[str], TopicModel]


@dataclass(frozen=True)
class Phrase:
    """What somebody types, and the labels, as patterns, of the pages that are right."""

    words: str
    corpus: str
    right: tuple[str, ...]
    split: str


@dataclass(frozen=True)
class Pool:
    """The pages that a phrase is to rank: those of which people have said what they are about."""

    texts: Sequence[str]
    labels: Sequence[frozenset[str]]

    def is_right(self, phrase: Phrase) -> Bools:
        """Which pages a phrase means."""
        known = frozenset().union(*self.labels)
        right = {label for label in known if any(fnmatchcase(label, own) for own in phrase.right)}
        return np.array([not right.isdisjoint(own) for own in self.labels], dtype=bool)


@dataclass(frozen=True)
class Ranking:
    """How well a topic ranked the pages of a pool for a phrase."""

    phrase: Phrase
    precision: float  # of the first TOP pages
    average_precision: float
    share_right: float  # of all pages
    share_called_relevant: float  # by the topic's own threshold


def read_phrases() -> list[Phrase]:
    """All of them, by corpus."""
    text = files("honeyguide.lab").joinpath("phrases.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)["phrases"]
    return [Phrase(one["words"], one["corpus"], tuple(one["right"]), one["split"]) for one in entries]


def read_pool(folder: Path) -> Pool:
    """The labelled pages of a corpus, without lists of them."""
    web, rules = ClosedWeb(folder, without=INDEX), rules_of(folder)
    required = rules.requires if rules else ()
    urls = [url for url in web.urls if web.labels[url].issuperset(required)]
    return Pool([web.text(url) for url in urls], [web.labels[url] for url in urls])


def rank(phrase: Phrase, pool: Pool, relevance: Floats, relevant_above: float) -> Ranking:
    """Measure a ranking by relevance; of equals those that come first in the recording are first."""
    is_right = pool.is_right(phrase)
    ranked = is_right[np.argsort(-relevance, kind="stable")]
    return Ranking(
        phrase,
        float(ranked[:TOP].mean()),
        average_precision(ranked),
        float(is_right.mean()),
        float((relevance >= relevant_above).mean()),
    )


def average_precision(ranked: Bools) -> float:
    """The mean, over all pages that are right, of the precision of the ranking up to each.

    >>> average_precision(np.array([True, False, True]))
    0.8333333333333333
    """
    found = np.cumsum(ranked)
    places = np.flatnonzero(ranked)
    return float((found[places] / (places + 1)).mean()) if len(places) else 0.0


def rank_phrases(
    make_topic: MakeTopic, phrases: Iterable[Phrase], corpora: Path | None = None
) -> Iterator[Ranking]:
    """Have the topic of each phrase judge its corpus; one corpus is in memory at a time."""
    for corpus, own in groupby(phrases, lambda phrase: phrase.corpus):
        pool = read_pool(corpora_folder(corpora) / corpus)
        for phrase in own:
            topic = make_topic(phrase.words)
            yield rank(phrase, pool, topic.judge(pool.texts), topic.relevant_above)


def ranking_table(rankings: Sequence[Ranking]) -> Table:
    """A row a phrase, and the means of those for tuning and of those for reports."""
    rows = [(one.phrase.words, one.phrase.corpus, one.phrase.split, *_shown([one])) for one in rankings]
    for split in dict.fromkeys(one.phrase.split for one in rankings):
        own = [one for one in rankings if one.phrase.split == split]
        rows.append((f"mean of {len(own)}", "", split, *_shown(own)))
    head = ("phrase", "corpus", "for", f"precision of {TOP}", "average precision", "right", "called relevant")
    return Table("Rankings of recorded pages by a phrase.", head, rows)


def _shown(rankings: Sequence[Ranking]) -> tuple[str, str, str, str]:
    return (
        f"{fmean(one.precision for one in rankings):.3f}",
        f"{fmean(one.average_precision for one in rankings):.3f}",
        f"{fmean(one.share_right for one in rankings):.3f}",
        f"{fmean(one.share_called_relevant for one in rankings):.3f}",
    )
