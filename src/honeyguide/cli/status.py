"""`honeyguide status`: a crawl in numbers, also while it runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import typer

from honeyguide.cli import at_work, terminal
from honeyguide.cli.options import AsJson, Folder, open_crawl, threshold, topic_name

if TYPE_CHECKING:
    from honeyguide.settings import CrawlOrder
    from honeyguide.store.reader import CrawlReader

EXAMPLES = """Examples:
  honeyguide status crawls/beekeeping
  honeyguide status crawls/beekeeping --json | jq .harvest_all"""


@dataclass(frozen=True, slots=True)
class CrawlNumbers:
    """Everything there is to count; the fields are the keys of the JSON form."""

    folder: str
    topic: str
    strategy: str
    process: int | None  # that has the crawl open; 0 if it did not say which
    paused: bool
    first_time: float | None
    last_time: float | None
    pages: int
    relevant: int
    relevant_above: float
    harvest_last_50: float
    harvest_last_500: float
    harvest_all: float
    mean_relevance: float
    failures: int
    hosts: int
    hosts_starved: int
    urls: int
    urls_by_status: dict[str, int]
    counts: dict[str, int]


def status(folder: Folder, as_json: AsJson = False) -> None:
    """Show how a crawl stands: pages, harvest rates, queue, failures, refused links.

    Works while the crawl runs. The harvest rate is the share of relevant pages.
    """
    from honeyguide.assembly import read_order

    order = read_order(folder)
    with open_crawl(folder) as reader:
        numbers = crawl_numbers(reader, order)
    if as_json:
        typer.echo(json.dumps(asdict(numbers), indent=2))
        return
    rows = terminal.table("what", "number", fold=("number",))
    rows.show_header = False
    for name, value in _lines(numbers):
        rows.add_row(name, terminal.clean(value))
    terminal.print_table(rows)


def crawl_numbers(reader: CrawlReader, order: CrawlOrder) -> CrawlNumbers:
    """Count a crawl."""
    import numpy as np

    from honeyguide.assembly import make_yields
    from honeyguide.model import Status
    from honeyguide.telemetry.harvest import LONG, SHORT, Harvest

    summary = reader.summary()
    harvest = Harvest(threshold(order))
    for visit in reader.visits():
        harvest.add(visit.harvest)
    process = at_work.process_at_work(reader.folder)
    state = reader.state()
    statuses = state.urls["status"][1:]
    hosts = np.arange(len(state.hosts), dtype=np.int32)
    return CrawlNumbers(
        folder=str(reader.folder),
        topic=topic_name(order),
        strategy=order.strategy.name,
        process=process,
        paused=process is not None and at_work.is_paused(reader.folder),
        first_time=summary.first_time,
        last_time=summary.last_time,
        pages=harvest.pages,
        relevant=harvest.relevant,
        relevant_above=harvest.relevant_above,
        harvest_last_50=harvest.last(SHORT),
        harvest_last_500=harvest.last(LONG),
        harvest_all=harvest.overall,
        mean_relevance=summary.mean_relevance,
        failures=summary.failures,
        hosts=summary.hosts,
        hosts_starved=int(make_yields(order, state).starved(hosts).sum()),
        urls=summary.urls,
        urls_by_status={each.name.lower(): int((statuses == each).sum()) for each in Status},
        counts=summary.counts,
    )


def _lines(numbers: CrawlNumbers) -> Iterator[tuple[str, str]]:
    yield "crawl", f"{numbers.folder}: {numbers.topic}"
    yield "strategy", numbers.strategy
    yield "at work now", _at_work(numbers)
    yield "first page", terminal.moment(numbers.first_time)
    yield "last page", terminal.moment(numbers.last_time)
    yield "pages", f"{numbers.pages:,}"
    yield "relevant", f"{numbers.relevant:,} (relevance {numbers.relevant_above:g} or more)"
    rates = (numbers.harvest_last_50, numbers.harvest_last_500, numbers.harvest_all)
    yield (
        "harvest rate",
        "{} of the last 50, {} of the last 500, {} of all".format(*map(terminal.percent, rates)),
    )
    yield "mean relevance", f"{numbers.mean_relevance:.3f}"
    starved = f", {numbers.hosts_starved:,} starved" if numbers.hosts_starved else ""
    yield "hosts", f"{numbers.hosts:,}{starved}"
    by_status = (
        f"{count:,} {name.replace('_', ' ')}" for name, count in numbers.urls_by_status.items() if count
    )
    yield "urls", f"{numbers.urls:,}: {', '.join(by_status)}"
    yield "failures", f"{numbers.failures:,}"
    for name, count in numbers.counts.items():
        yield name.replace("_", " "), f"{count:,}"


def _at_work(numbers: CrawlNumbers) -> str:
    if numbers.process is None:
        return "no"
    return f"{'paused' if numbers.paused else 'yes'}, {at_work.named(numbers.process)}"
