"""Questions to an index and what it answers: plain data, for whoever shows, sends or merges results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_HITS = 100
"""At once; whoever wants more asks for the next ones."""
MOST_COUNTED = 1_000
"""Values of a facet."""
DEEPEST = 10_000
"""Hits behind this place are not given: nobody reads them, and each would have to be ranked."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question to an index. What is left empty does not matter; an empty query finds the best pages."""

    query: str = ""
    site: str = ""
    language: str = ""  # two letters; what follows them, as in de-AT, does not matter
    topic_class: str = ""
    year: int | None = None  # of the visit
    since: float | None = None  # seconds since 1970
    relevant: bool = False
    like: str = ""  # a url: pages like this one
    offset: int = 0
    most: int = 10
    counted: int = 10  # values of each facet


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found. Its texts are the page's own: escape them where they are shown."""

    number: int  # of the visit
    url: str
    title: str
    host: str
    site: str
    language: str
    time: float
    relevance: float
    authority: float  # 0 to 1, by the links into it
    topic_class: str  # empty if there is none
    label: bool | None  # what somebody said of it
    snippet: tuple[tuple[str, bool], ...]  # pieces of plain text, True where a word of the query stands
    score: float
    parts: Mapping[str, float]  # what the score is the product of: text, relevance, authority
    copies: int  # pages with the same text that are not shown


@dataclass(frozen=True, slots=True)
class Results:
    """What an index answers."""

    query: str
    hits: tuple[Hit, ...] = ()
    total: int = 0
    ignored: tuple[str, ...] = ()  # what of the query could not be understood, or did not count, and why
    suggestion: str = ""  # a query that finds more; empty if there is nothing better
    facets: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    indexed: int = 0  # visits the index has taken in
    waiting: int = 0  # visits it has not
    seconds: float = 0.0


FACETS = ("site", "language", "topic_class", "year")
"""By which results are counted."""
