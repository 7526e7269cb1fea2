"""Pages that show a reader nothing new after another: copies, near copies, and the same page under another url."""

from __future__ import annotations

from honeyguide.model import Visit
from honeyguide.parse.duplicates import NO_SIGNATURE, distance
from honeyguide.parse.listings import without_variant
from honeyguide.urls import host_of

NEAR_BITS = 6
"""By so many bits signatures of pages differ that show a reader nothing new."""
SAME_RELEVANCE = 0.005


def shows_nothing_new(one: Visit, other: Visit) -> bool:
    """Whether a reader who saw the one page knows the other."""
    if one.digest and one.digest == other.digest:
        return True
    is_same = bool(one.title) and one.title == other.title and host_of(one.url) == host_of(other.url)
    if is_same and without_variant(one.url) == without_variant(other.url):
        return True
    if one.signature != NO_SIGNATURE != other.signature:
        return distance(one.signature, other.signature) <= NEAR_BITS
    # Recorded pages have no signature. The same page under two urls has one title, and is judged alike.
    return is_same and abs(one.relevance - other.relevance) < SAME_RELEVANCE
