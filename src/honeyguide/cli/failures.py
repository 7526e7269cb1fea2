"""Failures in words. Used by several verbs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from honeyguide.errors import NotRecorded, StoreError

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl
    from honeyguide.model import Failure

NOT_RECORDED = str(NotRecorded())


def reason_of(failure: Failure) -> str:
    """Say why a page could not be had."""
    return NOT_RECORDED if failure.error == NotRecorded.__name__ else f"{failure.error}: {failure.message}"


def failure_reasons(crawl: Crawl) -> Counter[str]:
    """Count the failures of a crawl by their reason; nothing if it cannot be read, say on a full disk."""
    try:
        with crawl.reader() as reader:
            return Counter(map(reason_of, reader.failures()))
    except StoreError:
        return Counter()
