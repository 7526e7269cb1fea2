"""`honeyguide status`: a crawl in numbers, also while it runs."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder, open_crawl, threshold

if TYPE_CHECKING:
    from honeyguide.store.reader import CrawlReader

EXAMPLES = """Examples:
  honeyguide status crawls/beekeeping
  honeyguide status crawls/beekeeping --json | jq .harvest_all"""


def status(folder: Folder, as_json: AsJson = False) -> None:
    """Show how a crawl stands: pages, harvest rates, queue, failures, refused links.

    Works while the crawl runs. The harvest rate is the share of relevant pages.
    """
    from honeyguide.assembly import read_order

    order = read_order(folder)
    with open_crawl(folder) as reader:
        numbers = {
            "folder": str(folder),
            "topic": order.topic.text,
            "strategy": order.strategy.name,
            "process": process_at_work(folder),
            **crawl_numbers(reader, threshold(order)),
        }
    if as_json:
        typer.echo(json.dumps(numbers, indent=2))
    else:
        _print(numbers)


def process_at_work(folder: Path) -> int | None:
    """Tell which process has the crawl open; None when nobody has."""
    from honeyguide.store.lock import LOCK_NAME

    try:
        with (folder / LOCK_NAME).open("r", encoding="utf-8", errors="replace") as file:
            try:
                # A shared lock is refused exactly while somebody crawls; closing the file gives it back.
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = file.read(20).strip()
                return int(owner) if owner.isdecimal() else 0
    except FileNotFoundError:
        pass
    return None


def crawl_numbers(reader: CrawlReader, relevant_above: float) -> dict[str, object]:
    """Gather everything there is to count."""
    from honeyguide.crawl.harvest import LONG, SHORT, Harvest
    from honeyguide.model import Status

    summary = reader.summary()
    harvest = Harvest(relevant_above)
    for visit in reader.visits():
        harvest.add(visit.relevance)
    statuses = reader.state().urls["status"][1:]
    return {
        "pages": harvest.pages,
        "relevant": harvest.relevant,
        "relevant_above": relevant_above,
        "harvest_last_50": harvest.last(SHORT),
        "harvest_last_500": harvest.last(LONG),
        "harvest_all": harvest.overall,
        "mean_relevance": summary.mean_relevance,
        "failures": summary.failures,
        "hosts": summary.hosts,
        "urls": summary.urls,
        "urls_by_status": {each.name.lower(): int((statuses == each).sum()) for each in Status},
        "first_time": summary.first_time,
        "last_time": summary.last_time,
        "counts": summary.counts,
    }


def _print(numbers: Mapping[str, object]) -> None:
    process = numbers["process"]
    rows = terminal.table("what", "number", fold=("number",))
    rows.show_header = False
    rows.add_row("crawl", terminal.clean(f"{numbers['folder']}: {numbers['topic']}"))
    rows.add_row("strategy", terminal.clean(str(numbers["strategy"])))
    rows.add_row("at work now", "no" if process is None else f"yes, process {process or 'unknown'}")
    for name in ("first_time", "last_time"):
        rows.add_row(f"{name.partition('_')[0]} page", terminal.moment(numbers[name]))  # type: ignore[arg-type]
    rows.add_row("pages", f"{numbers['pages']:,}")
    rows.add_row("relevant", f"{numbers['relevant']:,} (relevance {numbers['relevant_above']} or more)")
    rates = (
        terminal.percent(float(str(numbers[f"harvest_{span}"]))) for span in ("last_50", "last_500", "all")
    )
    rows.add_row("harvest rate", "{} of the last 50, {} of the last 500, {} of all".format(*rates))
    rows.add_row("hosts", f"{numbers['hosts']:,}")
    rows.add_row("failures", f"{numbers['failures']:,}")
    _add_counts(rows, numbers)
    terminal.out().print(rows)
