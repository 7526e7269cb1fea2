"""Failures in words. Used by several verbs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from honeyguide.errors import NotRecorded, StoreError

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl

NOT_RECORDED = str(NotRecorded())


def failure_reasons(crawl: Crawl) -> Counter[str]:
    """Count the failures of a crawl by their reason; nothing if it cannot be read, say on a full disk."""
    from honeyguide.explained import reason_of

    try:
        with crawl.reader() as reader:
            return Counter(map(reason_of, reader.failures()))
    except StoreError:
        return Counter()
