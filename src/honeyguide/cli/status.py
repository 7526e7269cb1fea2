"""`honeyguide status`: a crawl in numbers, also while it runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder

if TYPE_CHECKING:
    from honeyguide.crawled import CrawlStatus

EXAMPLES = """Examples:
  honeyguide status crawls/beekeeping
  honeyguide status crawls/beekeeping --json | jq .harvest_all"""


def status(folder: Folder, as_json: AsJson = False) -> None:
    """Show how a crawl stands: pages, harvest rates, queue, failures, refused links.

    Works while the crawl runs. The harvest rate is the share of relevant pages.
    """
    from honeyguide.crawls import Crawl

    numbers = Crawl.open(folder).status()
    if as_json:
        typer.echo(json.dumps(asdict(numbers), indent=2))
        return
    rows = terminal.table("what", "number", fold=("number",))
    rows.show_header = False
    for name, value in _lines(numbers):
        rows.add_row(name, terminal.clean(value))
    terminal.print_table(rows)


def _lines(numbers: CrawlStatus) -> Iterator[tuple[str, str]]:
    yield "crawl", f"{numbers.folder}: {numbers.topic}"
    yield "strategy", numbers.strategy
    yield "at work now", _at_work(numbers)
    yield "first page", wording.moment(numbers.first_time)
    yield "last page", wording.moment(numbers.last_time)
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
    yield "requests", f"{numbers.requests:,}"
    yield "failures", f"{numbers.failures:,}"
    if numbers.not_recorded:
        yield "links not in the recording", f"{numbers.not_recorded:,}"
    for name, count in numbers.counts.items():
        yield name.replace("_", " "), f"{count:,}"


def _at_work(numbers: CrawlStatus) -> str:
    if numbers.process is None:
        return "no"
    return f"{'paused' if numbers.paused else 'yes'}, {terminal.process(numbers.process)}"
