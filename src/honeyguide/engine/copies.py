"""Pages that bring nothing: copies of earlier ones, and pages that say there is no such page.

They are fetched and logged like others, but not followed, and a copy does not count as harvest.
"""

from __future__ import annotations

from collections.abc import Iterable

from honeyguide.parse.duplicates import Duplicates


class Copies:
    """Remembers the pages of a crawl by digest and signature; made anew from the visit log on reopening."""

    def __init__(self, originals: Iterable[tuple[int, str, int]]) -> None:
        self._pages = Duplicates()
        self._pages.restore(originals)

    def original_of(self, page: int, digest: str, signature: int) -> int | None:
        """The earlier page that this one copies; None when it is new, and then it is remembered."""
        found = self._pages.find(digest, signature)
        if found is None or found == page:  # a revisit is no copy of itself
            self._pages.add(page, digest, signature)
            return None
        return found
