"""One live crawl by honeyguide, everything on: `python -m benchmarks._own_crawl SEEDS FOLDER SETTING=VALUE ...`.

Loopback only. Prints what a `Meter` measured.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks._meter import Meter
from benchmarks._peer_crawls import WARM_AFTER
from honeyguide.assembly import start_crawl
from honeyguide.settings import CrawlOrder
from honeyguide.settings.order import parse_assignments

MEASURED_EVERY = 500


def crawl_order(seeds: Path, folder: Path, settings: list[str]) -> CrawlOrder:
    return CrawlOrder().with_overrides(
        {
            "seeds.file": str(seeds),
            "output.folder": str(folder),
            "fetch.allow_networks": ["127.0.0.0/8"],
            **parse_assignments(settings),
        }
    )


def measure(meter: Meter, pages: int, limit: int) -> None:
    before = meter.pages
    meter.count(pages)
    # When the crawl has ended, so has the process that parses. Any report may be the last, but to measure at each
    # would cost the crawl more than it costs those that end where they mean to.
    if pages >= limit or pages // MEASURED_EVERY > before // MEASURED_EVERY:
        meter.end()


def main() -> None:
    seeds, folder, *settings = sys.argv[1:]
    order, meter = crawl_order(Path(seeds), Path(folder), settings), Meter(WARM_AFTER)
    with start_crawl(order) as crawler:
        crawler.run(lambda progress: measure(meter, progress.pages, order.limits.max_pages))
    meter.print()


if __name__ == "__main__":
    main()
