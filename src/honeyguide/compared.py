"""Two topics, or two revisions of one, side by side: words, thresholds, labels, pages. Called by `Crawl`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from honeyguide.errors import StoreError
from honeyguide.model import Visit
from honeyguide.store.archived_page import archived_text
from honeyguide.store.base import LabelRow
from honeyguide.store.reader import Reader
from honeyguide.topics.base import TopicModel
from honeyguide.topics.combined import leveled
from honeyguide.topics.difference import WordChange, changed_words

MOST_WORDS = 30
PAGES_AT_ONCE = 100


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
    looked_at: int  # pages of the crawl
    called_otherwise: int  # of these: relevant by one, and not by the other
    pages: Sequence[Disagreement]  # the greatest disagreement first


def compare_guides(
    one: Guide, other: Guide, reader: Reader | None, looked_at: Iterable[Visit], most: int
) -> TopicDifference:
    """Compare two topics, on some pages of a crawl if there is one."""
    words = changed_words(one.topic, other.topic, MOST_WORDS)
    judged = _judged(one, other, reader, iter(looked_at)) if reader else []
    pages = [page for _, page in sorted(judged, key=lambda pair: (-pair[0], pair[1].url))]
    return TopicDifference(
        (one.topic.name, other.topic.name),
        (one.relevant_above, other.relevant_above),
        words.unit,
        words.words,
        (),
        len(judged),
        sum(page.is_otherwise for page in pages),
        pages[:most],
    )


def _judged(
    one: Guide, other: Guide, reader: Reader, visits: Iterable[Visit]
) -> list[tuple[float, Disagreement]]:
    """How far the two are apart on each page, their thresholds brought together."""
    found: list[tuple[float, Disagreement]] = []
    rest = iter(visits)
    while some := list(islice(rest, PAGES_AT_ONCE)):
        pages = [(visit, text) for visit in some if (text := _text(reader, visit))]
        texts = [text for _, text in pages]
        before, after = (guide.topic.judge(texts) for guide in (one, other))
        apart = abs(leveled(after, other.relevant_above) - leveled(before, one.relevant_above))
        otherwise = (before >= one.relevant_above) != (after >= other.relevant_above)
        rows = zip(pages, before.tolist(), after.tolist(), otherwise.tolist(), apart.tolist(), strict=True)
        found += [
            (far, Disagreement(visit.url, visit.title, was, now, is_otherwise))
            for (visit, _), was, now, is_otherwise, far in rows
        ]
    return found


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
