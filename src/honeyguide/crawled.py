"""What a crawl brought, as programs see it: pages, numbers, and a picture for notebooks. Called by `Crawl`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.admission.yields import MOST_TIMES
from honeyguide.errors import StoreError
from honeyguide.model import Visit
from honeyguide.parse import parse_page
from honeyguide.parse.charset import decode
from honeyguide.parse.listings import FEWEST_LINKS, has_url_of_list, is_mostly_links
from honeyguide.parse.repeats import shows_nothing_new
from honeyguide.settings import CrawlOrder
from honeyguide.store.archived_page import archived_text
from honeyguide.store.folder import HARVEST_LOG
from honeyguide.store.reader import LinkRow, Numbers, Reader
from honeyguide.telemetry.harvest import LONG, SHORT, Harvest, read_harvest_log
from honeyguide.telemetry.reporter import Progress
from honeyguide.topics.base import TopicModel
from honeyguide.urls import host_of

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl

LOOKED_AT_PER_PAGE = 50

_CURVE_WIDTH, _CURVE_HEIGHT = 480, 120
_MOST_POINTS = 400


@dataclass(frozen=True, slots=True)
class CrawledPage:
    """A page of a crawl: what is known of it, and, from the archive, the page itself."""

    visit: Visit
    crawl: Crawl

    @property
    def number(self) -> int:
        """Its place in the order of the crawl, from 1."""
        return self.visit.number

    @property
    def url(self) -> str:
        """Its canonical url."""
        return self.visit.url

    @property
    def host(self) -> str:
        """Its host, with the port if that is unusual."""
        return host_of(self.visit.url)

    @property
    def title(self) -> str:
        """Its title, or an empty text."""
        return self.visit.title

    @property
    def relevance(self) -> float:
        """How much it is on the topic, 0 to 1."""
        return self.visit.relevance

    @property
    def is_relevant(self) -> bool:
        """Whether it counts as relevant; a copy of an earlier page does not."""
        return self.visit.is_relevant(self.crawl.threshold)

    @property
    def is_kept(self) -> bool:
        """Whether it is in the archive; a page may ask not to be kept (`visit.noindex`)."""
        return self.visit.location is not None

    def text(self) -> str:
        """Its readable text; empty if it is not kept."""
        location = self.visit.location
        if location is None:
            return ""
        with self.crawl.reader() as reader:
            return archived_text(reader, location)

    def html(self) -> str:
        """The page as it was sent; empty if it is not kept."""
        location = self.visit.location
        if location is None:
            return ""
        with self.crawl.reader() as reader:
            page = reader.response(location)
        return decode(page.body, page.content_type)[0]

    def links(self) -> list[LinkRow]:
        """Its links that entered the crawl."""
        with self.crawl.reader() as reader:
            return list(reader.links(self.visit.url_id))


def is_list(visit: Visit, reader: Reader) -> bool:
    """Whether a page lists others rather than saying something: by its url, or by the page if it is kept."""
    if has_url_of_list(visit.url):
        return True
    if visit.location is None or visit.links < FEWEST_LINKS:
        return False
    try:
        response = reader.response(visit.location)
    except StoreError:  # what is lost from the archive is still shown
        return False
    return is_mostly_links(parse_page(response.body, response.url, response.content_type))


def distinct(visits: Iterator[Visit], most: int) -> Iterator[Visit]:
    """Leave out pages that show a reader nothing new after those before them."""
    shown: list[Visit] = []
    for visit in islice(visits, LOOKED_AT_PER_PAGE * most):
        if not any(shows_nothing_new(visit, other) for other in shown):
            shown.append(visit)
            yield visit


@dataclass(frozen=True, slots=True)
class CrawlStatus:
    """A crawl in numbers; the fields are the keys of the JSON form."""

    folder: str
    topic: str
    strategy: str
    process: int | None  # that has the crawl open; 0 if it is not ready yet
    paused: bool
    first_time: float | None
    last_time: float | None
    pages: int
    max_pages: int  # that it may fetch; 0: as many as there are
    relevant: int
    relevant_above: float
    harvest_last_50: float
    harvest_last_500: float
    harvest_all: float
    mean_relevance: float
    requests: int
    failures: int
    not_recorded: int  # links that lead out of a recording; no failures
    hosts: int
    hosts_starved: int
    urls: int
    urls_by_status: dict[str, int]
    counts: dict[str, int]

    def as_progress(self) -> Progress:
        """The same as a crawl tells it while it runs."""
        return Progress(
            pages=self.pages,
            relevant=self.relevant,
            harvest_last_50=self.harvest_last_50,
            harvest_last_500=self.harvest_last_500,
            harvest_all=self.harvest_all,
            requests=self.requests,
            failures=self.failures + self.not_recorded,
            queued=self.urls_by_status["queued"],
            known=self.urls,
            under_way=0,
            seconds=0.0,
        )


def count_crawl(
    reader: Reader, numbers: Numbers, order: CrawlOrder, topic: TopicModel, process: int | None
) -> CrawlStatus:
    """A crawl as it was counted, with what its last pages and hosts say."""
    harvest = Harvest(numbers.relevant_above)
    for one in reader.harvest(LONG):
        harvest.add(one)
    not_recorded = numbers.counts.get("not_recorded", 0)
    return CrawlStatus(
        folder=str(reader.folder),
        topic=order.topic.text or f"a {topic.name} topic from a file",
        strategy=order.strategy.name,
        process=process,
        paused=process is not None and numbers.is_paused,
        first_time=numbers.first_time,
        last_time=numbers.last_time,
        pages=numbers.pages,
        max_pages=order.limits.max_pages,
        relevant=numbers.relevant,
        relevant_above=harvest.relevant_above,
        harvest_last_50=harvest.last(SHORT),
        harvest_last_500=harvest.last(LONG),
        harvest_all=numbers.relevant / numbers.pages if numbers.pages else 0.0,
        mean_relevance=numbers.mean_relevance,
        requests=numbers.requests,
        failures=numbers.failures - not_recorded,
        not_recorded=not_recorded,
        hosts=numbers.hosts,
        hosts_starved=reader.starved_hosts(order.scope.starve_host_after, MOST_TIMES),
        urls=numbers.urls,
        urls_by_status={status.name.lower(): count for status, count in numbers.urls_by_status.items()},
        counts={name: count for name, count in numbers.counts.items() if name != "not_recorded"},
    )


def crawl_as_html(status: CrawlStatus, folder: Path) -> str:
    """The numbers and the harvest curve, for a notebook; no script and nothing from elsewhere."""
    rows = {
        "topic": status.topic,
        "strategy": status.strategy,
        "pages": f"{status.pages:,}, {status.relevant:,} relevant",
        "harvest rate": f"{status.harvest_all:.1%} of all, {status.harvest_last_500:.1%} of the last {LONG}",
        "waiting": f"{status.urls_by_status['queued']:,} of {status.urls:,} urls on {status.hosts:,} hosts",
        "at work": "no"
        if status.process is None
        else "paused"
        if status.paused
        else f"process {status.process}",
    }
    cells = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows.items()
    )
    curve = _curve([(pages, recent) for pages, _, recent, _ in read_harvest_log(folder / HARVEST_LOG)])
    return f"<div><b>{escape(status.folder)}</b><table>{cells}</table>{curve}</div>"


def _curve(points: Sequence[tuple[int, float]]) -> str:
    if len(points) < 2:
        return ""
    shown = points[:: max(1, len(points) // _MOST_POINTS)]
    last = shown[-1][0]
    line = " ".join(
        f"{_CURVE_WIDTH * pages / last:.1f},{_CURVE_HEIGHT * (1 - rate):.1f}" for pages, rate in shown
    )
    return (
        f'<svg width="{_CURVE_WIDTH}" height="{_CURVE_HEIGHT}" role="img" style="border:1px solid #ccc">'
        f"<title>Harvest rate of the last {LONG} pages, from 0 to 100 %, over {last:,} pages</title>"
        f'<polyline points="{line}" fill="none" stroke="#b8860b" stroke-width="2"/></svg>'
    )
