"""Answers of several collections as one list, by reciprocal ranks; the same page once.

    score(page) = sum over the collections that have it of 1 / (60 + its rank there)

Scores of different indexes cannot be compared, and a portal could claim any; a rank can be had only once. So the first
hits of all collections stand before all second ones, and what several have moves up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from honeyguide.parse.listings import without_variant
from honeyguide.search.results import Hit
from honeyguide.serve.portal.federation.answers import Answer

RANK_OFFSET = 60
"""As published (Cormack, Clarke and Büttcher 2009): how fast a rank loses weight."""
MOST_MERGED = 50


@dataclass(slots=True)
class Merged:
    """A page with every answer that has it, the one that ranks it highest first."""

    hit: Hit
    score: float = 0.0
    answers: list[Answer] = field(default_factory=list)


def merge(answers: Sequence[Answer]) -> list[Merged]:
    """The hits of all answers, the best first; of equals, those of the answer that stands first."""
    pages: dict[object, Merged] = {}
    found: list[Merged] = []
    for rank, answer, hit in _by_rank(answers):
        known = next((pages[key] for key in _keys(hit) if key in pages), None)
        page = known or Merged(hit)
        if known is None:
            found.append(page)
        pages |= dict.fromkeys(_keys(hit), page)
        if not any(answer is other for other in page.answers):  # a page named twice counts once
            page.score += 1 / (RANK_OFFSET + rank)
            page.answers.append(answer)
    return sorted(found, key=lambda page: -page.score)[:MOST_MERGED]


def _by_rank(answers: Sequence[Answer]) -> Iterator[tuple[int, Answer, Hit]]:
    for place in range(max((len(answer.hits) for answer in answers), default=0)):
        for answer in answers:
            if place < len(answer.hits):
                yield place + 1, answer, answer.hits[place]


def _keys(hit: Hit) -> Iterator[object]:
    """By what two hits are one page: the address without what often differs, or the title on the same site."""
    scheme_less = without_variant(hit.url).partition("://")[2]
    yield scheme_less.removeprefix("www.")
    if title := " ".join(hit.title.casefold().split()):
        yield title, hit.site
