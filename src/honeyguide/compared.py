"""Two topics, or two revisions of one, side by side: words, thresholds, labels, pages. Called by `Crawl`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from honeyguide.errors import StoreError
from honeyguide.model import Visit
from honeyguide.store.archived_page import archived_text
from honeyguide.store.base import LabelRow
from honeyguide.store.reader import Reader
from honeyguide.topics.base import TopicModel
from honeyguide.topics.combined import leveled
from honeyguide.topics.difference import WordChange, changed_words
from honeyguide.topics.forms import usual_forms

PAGES_AT_ONCE = 100
FORMS_FROM = 50
"""Texts in which the usual forms of stems are looked for."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A topic, and from which relevance on it calls a page relevant."""

    topic: TopicModel
    relevant_above: float

    @classmethod
    def of(cls, topic: TopicModel) -> Guide:
        """A topic as it is."""
        return cls(topic, topic.relevant_above)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A page of which two topics think differently."""

    url: str
    title: str
    before: float
    after: float
    is_otherwise: bool  # one calls it relevant, the other does not


@dataclass(frozen=True, slots=True)
class LabelSource:
    """Labels by who gave them, and in answer to which questions; empty if nobody asked."""

    by: str
    asked: str
    relevant: int
    irrelevant: int
    unsure: int


@dataclass(frozen=True, slots=True)
class TopicDifference:
    """What became of a topic; the fields are the keys of the JSON form."""

    kinds: tuple[str, str]
    thresholds: tuple[float, float]
    unit: str  # of the words' weights; empty if these cannot be compared
    words: Sequence[WordChange]
    labels: Sequence[LabelSource]  # that the later one has learned from, and the earlier one has not
    sampled: int  # pages of the crawl that both have judged
    gained: int  # of these: relevant by the later one alone
    lost: int  # by the earlier one alone
    labelled: int  # of these: people said whether they are relevant
    right_before: int  # of these: the earlier one says the same
    right_after: int
    pages: Sequence[Disagreement]  # the greatest disagreement first


def compare_guides(
    one: Guide,
    other: Guide,
    reader: Reader | None,
    sampled: Iterable[Visit],
    most: int,
    said: Mapping[str, bool] | None = None,
) -> TopicDifference:
    """Compare two topics, on some pages of a crawl if there is one; `said` is what people said of pages, by url."""
    words = changed_words(one.topic, other.topic, most)
    texts: list[str] = []
    judged = [*_judged(one, other, reader, iter(sampled), texts)] if reader else []
    forms = usual_forms(texts, [change.word for change in words.words])
    labels = [(row, said[row.page.url]) for row in judged if said and row.page.url in said]
    different = (row for row in judged if row.page.before != row.page.after)
    return TopicDifference(
        kinds=(one.topic.name, other.topic.name),
        thresholds=(one.relevant_above, other.relevant_above),
        unit=words.unit,
        words=[replace(change, word=forms.get(change.word, change.word)) for change in words.words],
        labels=(),
        sampled=len(judged),
        gained=sum(row.is_called and not row.was_called for row in judged),
        lost=sum(row.was_called and not row.is_called for row in judged),
        labelled=len(labels),
        right_before=sum(row.was_called == label for row, label in labels),
        right_after=sum(row.is_called == label for row, label in labels),
        pages=[row.page for row in sorted(different, key=lambda row: (-row.apart, row.page.url))[:most]],
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """A page by two topics."""

    page: Disagreement
    was_called: bool  # relevant
    is_called: bool
    apart: float


def _judged(
    one: Guide, other: Guide, reader: Reader, visits: Iterator[Visit], texts: list[str]
) -> Iterator[_Judged]:
    """How far the two are apart on each page, their thresholds brought together; the first texts are kept."""
    while some := list(islice(visits, PAGES_AT_ONCE)):
        pages = [(visit, text) for visit in some if (text := _text(reader, visit))]
        texts += [text for _, text in pages[: FORMS_FROM - len(texts)]]
        before, after = (guide.topic.judge([text for _, text in pages]) for guide in (one, other))
        apart = abs(leveled(after, other.relevant_above) - leveled(before, one.relevant_above))
        called = before >= one.relevant_above, after >= other.relevant_above
        columns = (column.tolist() for column in (before, after, *called, apart))
        for (visit, _), was, now, was_called, is_called, far in zip(pages, *columns, strict=True):
            page = Disagreement(visit.url, visit.title, was, now, was_called != is_called)
            yield _Judged(page, was_called, is_called, far)


def _text(reader: Reader, visit: Visit) -> str:
    try:
        return archived_text(reader, visit.location) if visit.location else ""
    except StoreError:  # one page that is lost stays one page
        return ""


def label_sources(labels: Iterable[LabelRow], since: float, until: float) -> list[LabelSource]:
    """Labels that were given within some time, counted by where they came from; most first."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for label in labels:
        if since < label.time <= until:
            counts[label.by, label.asked][2 if label.relevant is None else int(not label.relevant)] += 1
    sources = [LabelSource(*where, *numbers) for where, numbers in counts.items()]
    return sorted(sources, key=lambda one: (-one.relevant - one.irrelevant - one.unsure, one.by, one.asked))
