"""What crawls found, read from their folders, and the recall estimates that need no further crawling."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from honeyguide.crawls import Crawl
from honeyguide.errors import SettingsError
from honeyguide.lab.recall.estimate import RecallEstimate, estimate_by_list, estimate_by_recapture
from honeyguide.making import read_order_seeds
from honeyguide.seeds import read_seeds
from honeyguide.settings import CrawlOrder


@dataclass(frozen=True)
class Found:
    """What a crawl brought."""

    folder: Path
    order: CrawlOrder
    relevant_above: float
    relevant: frozenset[str]  # neither seeds nor copies of pages are among them
    seeds: frozenset[str]
    digests: frozenset[str]  # of all pages
    pages: int


def read_found(folder: Path) -> Found:
    """Read the relevant pages of a crawl."""
    crawl = Crawl.open(folder)
    order, limit = crawl.order, crawl.threshold
    seeds = frozenset(read_order_seeds(order).urls)
    with crawl.reader() as reader:
        visits = list(reader.visits())
    relevant = frozenset(visit.url for visit in visits if visit.is_relevant(limit))
    digests = frozenset(visit.digest for visit in visits)
    return Found(folder, order, limit, relevant - seeds, seeds, digests, len(visits))


def _same_topic(first: CrawlOrder, second: CrawlOrder) -> bool:
    """Whether two crawls judged alike; each has its own copy of a topic file."""
    files = [Path(order.topic.file) for order in (first, second) if order.topic.file]
    if len(files) == 2:
        return files[0].read_bytes() == files[1].read_bytes()
    return first.topic == second.topic


def recapture(folder: Path, other: Path) -> RecallEstimate:
    """Compare two crawls on one topic; seeds were not found by crawling, so they are left out."""
    first, second = read_found(folder), read_found(other)
    if not _same_topic(first.order, second.order):
        raise SettingsError(f"{folder} and {other} differ in [topic]; crawl on the same topic twice")
    if common := first.seeds & second.seeds:
        raise SettingsError(
            f"{folder} and {other} have {len(common)} seeds in common, as {min(common)}; give each its own"
        )
    return estimate_by_recapture(first.relevant - second.seeds, second.relevant - first.seeds)


def against_list(folder: Path, path: Path) -> RecallEstimate:
    """Compare a crawl with a list of relevant pages, one url a line, that was made without it."""
    found = read_found(folder)
    listed = read_seeds(path, found.order.url_policy)
    urls = frozenset(listed.urls) - found.seeds
    if not urls:
        raise SettingsError(f"{path}: no url but seeds of the crawl; list other relevant pages, one a line")
    return estimate_by_list(found.relevant, urls)
