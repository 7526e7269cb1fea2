"""Recall estimates of crawls in their folders: reads what they found, and crawls the sample that an audit needs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from honeyguide.assembly import make_topic, read_order, read_order_seeds, resume_crawl, start_crawl
from honeyguide.crawl.crawler import Crawler
from honeyguide.errors import SettingsError, StoreError
from honeyguide.lab.recall_estimate import (
    Audit,
    RecallEstimate,
    draw_audit,
    estimate_by_audit,
    estimate_by_list,
    estimate_by_recapture,
)
from honeyguide.model import ROOT, Floats, Status, Visit
from honeyguide.seeds import read_seeds
from honeyguide.settings import CrawlOrder
from honeyguide.store.disk import write_atomically
from honeyguide.store.reader import CrawlReader
from honeyguide.store.sqlite import DATABASE_NAME
from honeyguide.topics.base import TopicModel
from honeyguide.urls import UrlPolicy

AUDIT_SUFFIX = "-audit"
MOST_ANCHORS = 10  # of one url, all different
RunCrawl = Callable[[Crawler], object]


@dataclass(frozen=True)
class Found:
    """What a crawl brought."""

    order: CrawlOrder
    relevant_above: float
    relevant: frozenset[str]  # neither seeds nor copies of pages are among them
    seeds: frozenset[str]
    digests: frozenset[str]  # of all pages
    pages: int


@dataclass(frozen=True)
class Sample:
    """The urls of an audit, and the crawl as it was then."""

    pages: int
    urls: list[str]
    places: list[int]
    strata: list[int]
    sizes: list[int]

    @property
    def drawn(self) -> Audit:
        """As arrays."""
        return Audit(np.array(self.places), np.array(self.strata, dtype=np.int64), np.array(self.sizes))


def read_found(folder: Path) -> Found:
    """Read the relevant pages of a crawl."""
    order = read_order(folder)
    limit = order.topic.relevant_above
    limit = make_topic(order).relevant_above if limit is None else limit
    seeds = frozenset(read_order_seeds(order).urls)
    with closing(CrawlReader(folder)) as reader:
        visits = list(reader.visits())
    relevant = frozenset(visit.url for visit in visits if _is_relevant(visit, limit))
    digests = frozenset(visit.digest for visit in visits)
    return Found(order, limit, relevant - seeds, seeds, digests, len(visits))


def _is_relevant(visit: Visit, limit: float) -> bool:
    return visit.copy_of is None and visit.relevance >= limit


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
    listed = read_seeds(path, UrlPolicy(found.order.scope.dropped_parameters))
    urls = frozenset(listed.urls) - found.seeds
    if not urls:
        raise SettingsError(f"{path}: no url but seeds of the crawl; list other relevant pages, one a line")
    return estimate_by_list(found.relevant, urls)


def audit(folder: Path, looks: int, run: RunCrawl) -> RecallEstimate:
    """Fetch and judge a sample of what a crawl knows and has not fetched, in a small crawl of its own beside it."""
    found = read_found(folder)
    sample = _sample(folder, found, looks)
    if sample.urls:
        with closing(_audit_crawl(found.order, sample, _beside(folder))) as crawler:
            run(crawler)
    return _audited(folder, found, sample)


def made_before(folder: Path) -> list[RecallEstimate]:
    """The audit of a crawl as it is now, if there is one."""
    found = read_found(folder)
    path = _sample_path(folder)
    if not path.exists() or not (_beside(folder) / DATABASE_NAME).exists():
        return []
    sample = Sample(**json.loads(path.read_text(encoding="utf-8")))
    return [_audited(folder, found, sample)] if sample.pages == found.pages else []


def _audited(folder: Path, found: Found, sample: Sample) -> RecallEstimate:
    missed = _missed(_beside(folder), found) if sample.urls else frozenset()
    is_missed = np.array([url in missed for url in sample.urls], dtype=bool)
    return estimate_by_audit(len(found.relevant), sample.drawn, is_missed)


def _beside(folder: Path) -> Path:
    return folder.with_name(folder.name + AUDIT_SUFFIX)


def _sample_path(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}{AUDIT_SUFFIX}.json")


def waiting(reader: CrawlReader, topic: TopicModel) -> list[str]:
    """The urls a crawl knows and has not fetched, those that promise most in front, whatever its strategy thinks."""
    status = reader.state().urls["status"]
    open_ids = np.flatnonzero(np.isin(status, (Status.QUEUED, Status.IN_FLIGHT, Status.KNOWN)))
    urls = [reader.url_text(url_id) for url_id in open_ids.tolist() if url_id != ROOT]
    promise = _promises(reader, topic, urls)
    return [urls[place] for place in np.argsort(-promise, kind="stable").tolist()]


def _promises(reader: CrawlReader, topic: TopicModel, urls: Sequence[str]) -> Floats:
    """What the links into urls promise: relevance of their anchors together, and of the pages they are on."""
    places = {url: place for place, url in enumerate(urls)}
    relevance = {visit.url: visit.relevance for visit in reader.visits()}
    anchors: list[dict[str, None]] = [{} for _ in urls]
    parents = np.zeros(len(urls))
    for link in reader.links():
        place = places.get(link.target)
        if place is not None:
            parents[place] = max(parents[place], relevance.get(link.source, 0.0))
            if len(anchors[place]) < MOST_ANCHORS:
                anchors[place][link.anchor] = None
    return parents + topic.judge([" ".join(own) for own in anchors])


def _sample(folder: Path, found: Found, looks: int) -> Sample:
    """The sample drawn earlier from the same crawl, or a new one."""
    path = _sample_path(folder)
    if path.exists():
        sample = Sample(**json.loads(path.read_text(encoding="utf-8")))
        if sample.pages != found.pages:
            raise StoreError(
                f"{path} belongs to an earlier state of {folder}; remove it and {path.with_suffix('')}"
            )
        return sample
    with closing(CrawlReader(folder)) as reader:
        known = waiting(reader, make_topic(found.order))
    drawn = draw_audit(len(known), looks)
    urls = [known[place] for place in drawn.places.tolist()]
    numbers = (array.tolist() for array in (drawn.places, drawn.strata, drawn.sizes))
    sample = Sample(found.pages, urls, *numbers)
    write_atomically(path, json.dumps(asdict(sample)))
    return sample


def _audit_crawl(order: CrawlOrder, sample: Sample, folder: Path) -> Crawler:
    """A crawl of the sample alone: no link is followed."""
    if (folder / DATABASE_NAME).exists():
        return resume_crawl(folder)
    changed = {
        "seeds.urls": sample.urls,
        "seeds.file": "",
        "strategy": {"name": "breadth-first"},
        "scope.max_depth": 0,
        "limits.max_pages": 0,
        "output.folder": str(folder),
        "output.archive": False,
    }
    return start_crawl(order.with_overrides(changed))


def _missed(folder: Path, found: Found) -> frozenset[str]:
    """The sampled urls that lead to relevant pages which the crawl does not have, under another url or its own."""
    with closing(CrawlReader(folder)) as reader:
        return frozenset(
            reader.url_text(reader.path_from_seed(visit.url_id)[0])
            for visit in reader.visits()
            if _is_relevant(visit, found.relevant_above)
            and visit.url not in found.relevant
            and visit.digest not in found.digests
        )
