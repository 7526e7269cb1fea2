"""The revisions of a crawl's topic that are kept: what each was learned from, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from honeyguide.errors import TopicError
from honeyguide.store.folder import revision_file
from honeyguide.topics.revised import RevisedTopic

if TYPE_CHECKING:
    from honeyguide.teaching import Teaching


@dataclass(frozen=True, slots=True)
class RevisionRow:
    """A revision; the fields are the keys of the JSON form."""

    number: int  # 0 is what the crawl began with
    learned_at: float | None
    relevant: int | None  # labels it was learned from; None where that was not written down
    irrelevant: int | None
    objection: str | None  # what spoke against using it
    used_at: float | None  # since when it guided the crawl, the last time; None: never
    is_in_use: bool


def revision_rows(crawl: Teaching) -> Iterator[RevisionRow]:
    """All that are kept, the first topic first."""
    with crawl.reader() as reader:
        used_at = dict(reader.revisions())
    in_use = crawl.revision
    for number in crawl.revisions():
        topic = kept_revision(crawl, number)
        origin = topic.origin if topic else None
        yield RevisionRow(
            number=number,
            learned_at=learned_at(crawl, number) if number else None,
            relevant=origin.relevant if origin else None,
            irrelevant=origin.irrelevant if origin else None,
            objection=origin.objection if origin else None,
            used_at=used_at.get(number),
            is_in_use=number == in_use,
        )


def learned_at(crawl: Teaching, number: int) -> float:
    """When the labels were read that a revision was learned from; 0 for the first topic."""
    revised = kept_revision(crawl, number)
    if revised and revised.origin and revised.origin.learned_at:
        return revised.origin.learned_at
    # Earlier versions did not write it down; a copy of their crawls says when it was made.
    return revision_file(crawl.folder, number).stat().st_mtime if number else 0.0


def kept_revision(crawl: Teaching, number: int) -> RevisedTopic | None:
    """A revision that was learned; None if it is the first topic, or this version cannot read it."""
    with suppress(TopicError):
        topic = crawl.of_revision(number)
        return topic if number and isinstance(topic, RevisedTopic) else None
    return None


def struck_stems(crawl: Teaching) -> list[str]:
    """What was struck out of any revision, whichever is in use."""
    kept = (kept_revision(crawl, number) for number in crawl.revisions()[1:])
    return [*dict.fromkeys(stem for topic in kept if topic for stem in topic.struck)]
