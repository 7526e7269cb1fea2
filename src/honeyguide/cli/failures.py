"""Failures in words: on a recorded web a url that was not recorded is no HTTP status. Used by several verbs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.cli.options import open_crawl
from honeyguide.errors import StoreError

if TYPE_CHECKING:
    from honeyguide.model import Failure
    from honeyguide.settings import CrawlOrder

NOT_RECORDED = "not in this recording"


def message_of(error: str, message: str, order: CrawlOrder) -> str:
    """Say what a failure means in this crawl."""
    is_missing = error == "HttpStatusError" and message == "HTTP status 404"
    return NOT_RECORDED if is_missing and order.web.recording else message


def reason_of(failure: Failure, order: CrawlOrder) -> str:
    """Say why a page could not be had."""
    message = message_of(failure.error, failure.message, order)
    return message if message == NOT_RECORDED else f"{failure.error}: {message}"


def failure_reasons(folder: Path, order: CrawlOrder) -> Counter[str]:
    """Count the failures of a crawl by their reason; nothing if it cannot be read, say on a full disk."""
    try:
        with open_crawl(folder) as reader:
            return Counter(reason_of(failure, order) for _, failure in reader.failures())
    except StoreError:
        return Counter()
