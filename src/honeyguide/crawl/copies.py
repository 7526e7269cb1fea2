"""Pages that bring nothing: copies of earlier ones, and pages that say there is no such page.

They are fetched and logged like others, but not followed, and a copy does not count as harvest.
"""

from __future__ import annotations

from collections.abc import Iterable

from honeyguide.parse.duplicates import Duplicates

_SIGN = 2**63


class Copies:
    """Remembers the pages of a crawl by digest and signature; made anew from the visit log on reopening."""

    def __init__(self, originals: Iterable[tuple[int, str, int]]) -> None:
        self._pages = Duplicates()
        self._pages.restore((page, digest, signature % 2**64) for page, digest, signature in originals)

    def original_of(self, page: int, digest: str, signature: int) -> int | None:
        """The earlier page that this one copies; None when it is new, and then it is remembered."""
        number = signature % 2**64
        found = self._pages.find(digest, number)
        if found is None or found == page:  # a revisit is no copy of itself
            self._pages.add(page, digest, number)
            return None
        return found


def stored_signature(signature: int) -> int:
    """As a signed number, the only sort SQLite has."""
    return signature - 2**64 if signature >= _SIGN else signature
