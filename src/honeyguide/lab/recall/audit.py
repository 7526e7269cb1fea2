"""The audit of a crawl: a sample of what it knows and has not fetched, then of what is behind that, is looked at.

Each of the two steps is a small crawl of its own in FOLDER-audit, kept by the state of the crawl and the number of
looks: the same audit is gone on with, another one is made beside it, and nothing is ever removed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from honeyguide.assembly import read_order
from honeyguide.crawls import Crawl
from honeyguide.engine.running import StopReason
from honeyguide.errors import HoneyguideError, StoreError
from honeyguide.fetch.replay import open_recording
from honeyguide.lab.recall.crawls import Found, read_found
from honeyguide.lab.recall.estimate import (
    Audit,
    Looked,
    RecallEstimate,
    chances,
    draw_audit,
    estimate_by_audit,
)
from honeyguide.making import make_topic, read_order_seeds
from honeyguide.model import ROOT, Bools, Failure, Floats, Pages, Priorities, Status, Visit
from honeyguide.settings import CrawlOrder
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.store import open_reader
from honeyguide.store.disk import write_atomically
from honeyguide.store.folder import holds_crawl
from honeyguide.store.reader import LinkRow, Reader
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.topics.base import TopicModel

AUDIT_SUFFIX = "-audit"
KNOWN, BEYOND = "known", "beyond"
BEYOND_SHARE = 0.3  # of the looks
MOST_ANCHORS = 10  # of one url, all different
UNLIMITED = (
    "max_pages",
    "max_requests",
    "max_seconds",
    "max_failures",
    "max_queue",
    "max_urls_per_host",
    "max_urls_per_site",
)
NO_ANSWER = frozenset({"FetchTimeout", "HostUnreachable"})
RunCrawl = Callable[[Crawl], StopReason]


class SeedsAlone(BreadthFirst):
    """Fetches the seeds. Where their pages link to is noted, and not followed."""

    name: ClassVar[str] = "seeds-alone"

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Queue what the root links to."""
        found = super().prioritize(pages, crawl)
        is_seed = crawl.depth[found.ids] == 0
        return Priorities(found.ids[is_seed], found.priorities[is_seed])


@dataclass(frozen=True)
class Sample:
    """The urls of one step of an audit."""

    urls: list[str]
    places: list[int]
    strata: list[int]
    sizes: list[int]

    @classmethod
    def of(cls, queue: Sequence[str], looks: int) -> Sample:
        """Draw from a queue."""
        drawn = draw_audit(len(queue), looks)
        numbers = (array.tolist() for array in (drawn.places, drawn.strata, drawn.sizes))
        return cls([queue[place] for place in drawn.places.tolist()], *numbers)

    @property
    def drawn(self) -> Audit:
        """As arrays."""
        return Audit(*(np.array(own, dtype=np.int64) for own in (self.places, self.strata, self.sizes)))


@dataclass(frozen=True)
class Step:
    """One step as it was done."""

    sample: Sample
    folder: Path
    answered: Sequence[bool]  # whether each sampled url brought a page, or the news that there is none
    pages: Sequence[tuple[str, Visit]]  # the sampled url by which each page was come to, and the page

    @cached_property
    def roots(self) -> dict[str, str]:
        """The sampled url by which each page was come to."""
        return {visit.url: root for root, visit in reversed(self.pages)}

    @property
    def digests(self) -> frozenset[str]:
        """Of all pages."""
        return frozenset(visit.digest for _, visit in self.pages)

    def missed(self, found: Found, seen: frozenset[str]) -> Bools:
        """Which sampled urls lead to relevant pages that the crawl does not have, under another url or its own."""
        missed = {
            root
            for root, visit in self.pages
            if visit.is_relevant(found.relevant_above)
            and visit.url not in found.relevant
            and visit.digest not in seen
            and self.roots[visit.url] == root  # of two urls of one page the first counts
        }
        return np.array([url in missed for url in self.sample.urls], dtype=bool)


def _read_step(sample: Sample, folder: Path) -> Step:
    if not sample.urls:
        return Step(sample, folder, (), ())
    with open_reader(folder) as reader:
        state, failures = reader.state(), {failure.url: failure for failure in reader.failures()}
        visits = {visit.url: visit for visit in reader.visits()}
        ends = [_end(state, reader.find_url(url)) for url in sample.urls]
        answered = [
            end is not None and _is_answer(state.urls["outcome"][end], failures.get(reader.url_text(end)))
            for end in ends
        ]
        urls = ["" if end is None else reader.url_text(end) for end in ends]
    # Whatever else somebody crawled in this folder is not of the sample.
    pages = [(url, visits[end]) for url, end in zip(sample.urls, urls, strict=True) if end in visits]
    return Step(sample, folder, answered, pages)


def _end(state: State, url_id: int | None) -> int | None:
    """Where a url leads to, through redirects."""
    return None if url_id is None else int(state.destinations(np.array([url_id], dtype=np.int32))[0])


def _is_answer(outcome: int, failure: Failure | None) -> bool:
    """Whether a url is settled: its page is there, or there is none. A host that is silent settles nothing."""
    if outcome == Status.FAILED and failure is not None:
        return failure.error not in NO_ANSWER and not failure.message.startswith("HTTP status 5")
    return outcome in (Status.FETCHED, Status.LISTING)


def audit(folder: Path, looks: int, run: RunCrawl) -> RecallEstimate:
    """Fetch and judge a sample of what a crawl knows and has not fetched, and of what those pages link to."""
    found = read_found(folder)
    place = _audits(folder) / f"{found.pages}-pages-{looks}-looks"
    behind = round(BEYOND_SHARE * looks)
    known = _step(
        place / KNOWN, found.order, run, lambda: Sample.of(_known_queue(folder, found), looks - behind)
    )
    beyond = _step(
        place / BEYOND, found.order, run, lambda: Sample.of(_beyond_queue(folder, found, known), behind)
    )
    return _estimate(found, known, beyond)


def made_before(folder: Path) -> list[RecallEstimate]:
    """The audits of a crawl as it is now that were done to the end, if there are any; the largest last."""
    found = read_found(folder)
    places = _audits(folder).glob(f"{found.pages}-pages-*-looks")
    steps = [
        [step for name in (KNOWN, BEYOND) if (step := _done_before(place / name))]
        for place in sorted(places, key=lambda place: int(place.name.split("-")[2]))
    ]
    return [_estimate(found, *both) for both in steps if len(both) == 2]


def _audits(folder: Path) -> Path:
    return folder.with_name(folder.name + AUDIT_SUFFIX)


def _step(folder: Path, order: CrawlOrder, run: RunCrawl, draw: Callable[[], Sample]) -> Step:
    """Do a step, or what is left of it."""
    sample = _read_sample(folder)
    if sample is None:
        sample = draw()
        folder.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(_sample_path(folder), json.dumps(asdict(sample)))
    if sample.urls:
        with _crawl(order, sample, folder) as crawl:
            reason = run(crawl)
        if reason not in (StopReason.FRONTIER_EMPTY, StopReason.ROBOTS_BLOCKED_ALL):
            raise HoneyguideError(
                f"the audit ended before its end ({reason.value}); give the same command again to go on with it"
            )
    return _read_step(sample, folder)


def _done_before(folder: Path) -> Step | None:
    sample = _read_sample(folder)
    if sample is None or (sample.urls and not holds_crawl(folder)):
        return None
    return _read_step(sample, folder)


def _sample_path(folder: Path) -> Path:
    return folder.with_suffix(".json")


def _read_sample(folder: Path) -> Sample | None:
    path = _sample_path(folder)
    return Sample(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def _crawl(order: CrawlOrder, sample: Sample, folder: Path) -> Crawl:
    """A crawl of the sample alone."""
    if not holds_crawl(folder):
        changed = {
            "seeds.urls": sample.urls,
            "seeds.file": "",
            "strategy": {"name": "breadth-first"},
            "scope.max_depth": 1,
            "scope.starve_host_after": 0,
            # No limit of the crawl may keep any of the sample out.
            **{f"limits.{name}": 0 for name in UNLIMITED},
            "output.folder": str(folder),
            "output.archive": False,
        }
        Crawl.start(order=order.with_overrides(changed))
    own = read_order(folder)
    if strange := sorted(set(read_order_seeds(own).urls).symmetric_difference(sample.urls)):
        raise StoreError(
            f"{folder} does not hold the crawl of {_sample_path(folder).name}: {strange[0]} is of one and not of the "
            f"other; move {folder.parent} away"
        )
    return Crawl.open(folder, strategy=SeedsAlone()).take()


def _known_queue(folder: Path, found: Found) -> list[str]:
    with open_reader(folder) as reader:
        return _recorded(found.order, waiting(reader, make_topic(found.order)))


def _beyond_queue(folder: Path, found: Found, known: Step) -> list[str]:
    """What the audited pages link to and the crawl has never heard of, the most promising first."""
    urls = list(_linking(folder, known))
    if not urls:
        return []
    with open_reader(known.folder) as reader:
        relevance = {visit.url: visit.relevance for visit in reader.visits()}
        promise = promises(reader.links(), relevance, make_topic(found.order), urls)
    return _recorded(found.order, [urls[place] for place in np.argsort(-promise, kind="stable").tolist()])


def _linking(folder: Path, known: Step) -> dict[str, list[str]]:
    """New urls that audited pages link to, each with the sampled urls by which these pages were come to."""
    if not known.sample.urls:
        return {}
    sampled = frozenset(known.sample.urls)
    found: dict[str, dict[str, None]] = {}
    with open_reader(folder) as crawl, open_reader(known.folder) as reader:
        for link in reader.links():
            root = known.roots.get(link.source)
            if root is not None and link.target not in sampled:
                found.setdefault(link.target, {})[root] = None
        return {url: list(roots) for url, roots in found.items() if crawl.find_url(url) is None}


def _recorded(order: CrawlOrder, urls: list[str]) -> list[str]:
    """In a recorded web there is nothing to be found but what was recorded."""
    if not order.web.recording:
        return urls
    with closing(open_recording(Path(order.web.recording))) as recording:
        return [url for url in urls if url in recording]


def _estimate(found: Found, known: Step, beyond: Step) -> RecallEstimate:
    answered, replied = (np.array(step.answered, dtype=bool) for step in (known, beyond))
    first = Looked.of_known(known.sample.drawn.only(answered), known.missed(found, found.digests)[answered])
    urls = [url for url, has in zip(known.sample.urls, known.answered, strict=True) if has]
    weights = dict(zip(urls, first.audit.weights.tolist(), strict=True))
    all_linking = _linking(found.folder, known)
    linking = [all_linking[url] for url in beyond.sample.urls]
    chance = chances([[weights[root] for root in roots] for roots in linking])
    known_by = np.array([urls.index(roots[0]) for roots in linking], dtype=np.int64)
    seen = found.digests | known.digests | _heard_of(found.folder, beyond)
    second = Looked(
        beyond.sample.drawn.only(replied),
        beyond.missed(found, seen)[replied],
        chance[replied],
        known_by[replied],
    )
    unanswered = int((~answered).sum() + (~replied).sum())
    return estimate_by_audit(len(found.relevant), first, second, unanswered)


def _heard_of(folder: Path, beyond: Step) -> frozenset[str]:
    """Pages that new urls lead to and the crawl knew under their own: these are not behind what it knows."""
    with open_reader(folder) as crawl:
        return frozenset(visit.digest for _, visit in beyond.pages if crawl.find_url(visit.url) is not None)


def waiting(reader: Reader, topic: TopicModel) -> list[str]:
    """The urls a crawl knows and has not fetched, those that promise most in front, whatever its strategy thinks."""
    urls = reader.state().urls
    is_waiting = np.isin(urls["status"], (Status.QUEUED, Status.IN_FLIGHT, Status.KNOWN))
    open_ids = np.flatnonzero(is_waiting & np.isin(urls["outcome"], (Status.KNOWN, Status.FAILED)))
    texts = [reader.url_text(url_id) for url_id in open_ids.tolist() if url_id != ROOT]
    relevance = {visit.url: visit.relevance for visit in reader.visits()}
    promise = promises(reader.links(), relevance, topic, texts)
    return [texts[place] for place in np.argsort(-promise, kind="stable").tolist()]


def promises(
    links: Iterable[LinkRow], relevance: Mapping[str, float], topic: TopicModel, urls: Sequence[str]
) -> Floats:
    """What the links into urls promise: relevance of their anchors together, and of the pages they are on."""
    places = {url: place for place, url in enumerate(urls)}
    anchors: list[dict[str, None]] = [{} for _ in urls]
    parents = np.zeros(len(urls))
    for link in links:
        place = places.get(link.target)
        if place is not None:
            parents[place] = max(parents[place], relevance.get(link.source, 0.0))
            if len(anchors[place]) < MOST_ANCHORS:
                anchors[place][link.anchor] = None
    return parents + topic.judge([" ".join(own) for own in anchors])
