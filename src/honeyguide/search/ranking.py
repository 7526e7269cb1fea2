"""How pages are ranked: text x relevance x authority.

*text* is BM25 of the words of the query, those of the title and of anchors counting more. *relevance* and *authority*
are factors from 1 up, so that no page is lost for being off the topic or unknown, and a page can be at most four times
and twice as good for them. The product of the two is in the index as the weight of a page.
"""

from __future__ import annotations

import math

FIELDS = {"title": 3.0, "anchors": 1.5, "text": 1.0, "url": 0.5}
"""How much a word counts, by where it stands."""
RELEVANCE = 3.0
AUTHORITY = 1.0


def judged(relevance: float, label: bool | None) -> float:
    """The relevance that counts: what people say of a page is the last word."""
    return relevance if label is None else float(label)


def factors(relevance: float, authority: float) -> tuple[float, float]:
    """What relevance and authority multiply the score of a text by.

    >>> factors(1.0, 0.5), factors(0.0, 0.0)
    ((4.0, 1.5), (1.0, 1.0))
    """
    return 1.0 + RELEVANCE * relevance, 1.0 + AUTHORITY * authority


def weight(relevance: float, authority: float) -> float:
    """What both are together."""
    return math.prod(factors(relevance, authority))


def as_indexed(weight: float) -> float:
    """A weight as the index takes it: tantivy multiplies a score by log2(2 + x).

    >>> as_indexed(1.0), as_indexed(3.0)
    (0.0, 6.0)
    """
    return math.exp2(weight) - 2.0
