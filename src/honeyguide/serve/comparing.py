"""Two revisions of a topic side by side: which words gained, which pages moved, which is right about the labels."""

from __future__ import annotations

import random
from collections.abc import Container, Iterator
from dataclasses import dataclass

from honeyguide.crawls import Crawl
from honeyguide.model import Bools, Floats, Visit
from honeyguide.serve.excerpts import usual_forms
from honeyguide.store.archived_page import archived_text
from honeyguide.topics.base import TopicModel
from honeyguide.topics.revised import RevisedTopic

SAMPLED = 300
"""Pages that both revisions judge."""
MOST_LABELLED = 200
WORDS = 200
"""Words of a revision that are looked at, the weightiest first."""
MOST_GAINED = 15
FORMS_FROM = 50
"""Texts in which the usual forms of stems are looked for."""


@dataclass(frozen=True, slots=True)
class MovedPage:
    """A page that two revisions see differently."""

    url: str
    title: str
    before: float
    after: float
    was_relevant: bool
    is_relevant: bool
    label: bool | None


@dataclass(frozen=True, slots=True)
class GainedWord:
    """A word that weighs more, or less, than before."""

    word: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changes from one revision to another."""

    before: int
    after: int
    sampled: int  # pages that both judged
    gained: int  # that count now and did not
    lost: int
    labelled: int  # of them have a label
    right_before: int
    right_after: int
    words: list[GainedWord]
    pages: list[MovedPage]


def compare(crawl: Crawl, before: int, after: int, most: int) -> Comparison:
    """Compare two revisions on a sample of the crawl's pages and on those that have labels."""
    old, new = (crawl.of_revision(number) for number in (before, after))
    labels = {url: row.relevant for url, row in crawl.labels().items() if row.relevant is not None}
    pages = [*_labelled(crawl, [*labels][-MOST_LABELLED:]), *sample(crawl, SAMPLED, without=labels)]
    texts = [text for _, text in pages]
    was, now = (model.judge(texts) for model in (old, new))
    counted, counts = was >= old.relevant_above, now >= new.relevant_above
    said = [labels.get(visit.url) for visit, _ in pages]
    return Comparison(
        before,
        after,
        len(pages),
        int((counts & ~counted).sum()),
        int((counted & ~counts).sum()),
        sum(label is not None for label in said),
        _right(counted, said),
        _right(counts, said),
        _gained(old, new, texts),
        _moved([visit for visit, _ in pages], (was, now), (counted, counts), said, most),
    )


def _right(called: Bools, said: list[bool | None]) -> int:
    return sum(
        label is not None and bool(verdict) == label for verdict, label in zip(called, said, strict=True)
    )


def _gained(old: TopicModel, new: TopicModel, texts: list[str]) -> list[GainedWord]:
    was, now = (dict(one.telling(WORDS)) if isinstance(one, RevisedTopic) else {} for one in (old, new))
    gains = {stem: now.get(stem, 0.0) - was.get(stem, 0.0) for stem in {**now, **was}}
    most = sorted((stem for stem in gains if gains[stem]), key=lambda stem: -abs(gains[stem]))[:MOST_GAINED]
    forms = usual_forms(texts[:FORMS_FROM], most)
    return [GainedWord(forms.get(stem, stem), was.get(stem, 0.0), now.get(stem, 0.0)) for stem in most]


def _moved(
    visits: list[Visit],
    relevance: tuple[Floats, Floats],
    called: tuple[Bools, Bools],
    said: list[bool | None],
    most: int,
) -> list[MovedPage]:
    was, now = relevance
    order = sorted(
        range(len(visits)), key=lambda at: (called[0][at] == called[1][at], -abs(now[at] - was[at]))
    )
    return [
        MovedPage(
            visits[at].url,
            visits[at].title,
            float(was[at]),
            float(now[at]),
            bool(called[0][at]),
            bool(called[1][at]),
            said[at],
        )
        for at in order[:most]
        if was[at] != now[at]
    ]


def _labelled(crawl: Crawl, urls: list[str]) -> Iterator[tuple[Visit, str]]:
    with crawl.reader() as reader:
        for url in urls:
            url_id = reader.find_url(url)
            visit = None if url_id is None else reader.last_visit(url_id)
            if visit and visit.location:
                yield visit, archived_text(reader, visit.location)


def sample(crawl: Crawl, most: int, without: Container[str] = ()) -> Iterator[tuple[Visit, str]]:
    """Random pages of a crawl with their texts; the same ones until it has fetched more."""
    with crawl.reader() as reader:
        last = reader.last_number()
        numbers = random.Random(last).sample(range(1, last + 1), min(last, most))
        for visit in reader.numbered(numbers):
            if visit.location and visit.url not in without:
                yield visit, archived_text(reader, visit.location)
