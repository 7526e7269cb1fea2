"""One crawl by another crawler: `python -m benchmarks._peer_crawls NAME URLS PAGES SECONDS`.

Run with the Python that `_peers` has made for it. They only fetch and follow links, robots on, no delay; the bare
loop downloads a list and unpacks.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks._meter import Meter

CONCURRENCY = 64
WARM_AFTER = 300


def scrapy(urls: Sequence[str], pages: int, seconds: int) -> None:
    import scrapy
    from scrapy.crawler import CrawlerProcess
    from scrapy.exceptions import CloseSpider

    meter = Meter(WARM_AFTER)

    class Follower(scrapy.Spider):  # type: ignore[misc]
        name = "follower"
        start_urls = urls

        def parse(self, response: Any) -> Any:
            if meter.pages == pages:
                raise CloseSpider
            meter.count(meter.pages + 1)
            if meter.pages == pages:
                meter.end()
            yield from response.follow_all(css="a")

    process = CrawlerProcess(
        {
            "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
            "CLOSESPIDER_TIMEOUT": seconds,
            "CONCURRENT_REQUESTS": CONCURRENCY,
            "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
            "COOKIES_ENABLED": False,
            "DOWNLOAD_DELAY": 0,
            "LOG_LEVEL": "ERROR",
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
            "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        }
    )
    process.crawl(Follower)
    process.start()
    meter.print()


def crawlee(urls: Sequence[str], pages: int, seconds: int) -> None:
    from datetime import timedelta

    from crawlee import ConcurrencySettings
    from crawlee.crawlers import ParselCrawler
    from crawlee.storage_clients import MemoryStorageClient

    meter = Meter(WARM_AFTER)

    async def crawl() -> None:
        crawler = ParselCrawler(
            concurrency_settings=ConcurrencySettings(
                min_concurrency=CONCURRENCY, desired_concurrency=CONCURRENCY, max_concurrency=CONCURRENCY
            ),
            configure_logging=False,
            respect_robots_txt_file=True,
            storage_client=MemoryStorageClient(),
            statistics_log_format="inline",
            request_handler_timeout=timedelta(seconds=seconds),
        )
        deadline = time.monotonic() + seconds

        async def follow(context: Any) -> None:
            if meter.pages == pages or time.monotonic() > deadline:
                crawler.stop()
                return
            meter.count(meter.pages + 1)
            meter.end()
            await context.enqueue_links(strategy="all")

        crawler.router.default_handler(follow)
        await crawler.run(list(urls))

    _run(crawl())
    meter.print()


def wget2(urls: Sequence[str], pages: int, seconds: int) -> None:
    """Into memory, as it cannot follow links without keeping the pages; all of it counts, for it starts at once."""
    meter = Meter(0)
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        options = ["--recursive", "--level=inf", "--span-hosts", f"--max-threads={CONCURRENCY}", "--quiet"]
        meter.count(0)
        process = subprocess.Popen(["wget2", *options, f"--directory-prefix={folder}", *urls])
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        found = sum(1 for path in Path(folder).rglob("*") if path.is_file() and path.name != "robots.txt")
        meter.count(found)
        meter.end()
        process.kill()
        process.wait()
    meter.print()


def bare(urls: Sequence[str], pages: int, seconds: int) -> None:
    """GET and unpack, nothing else."""
    import aiohttp

    meter, left = Meter(WARM_AFTER), list(urls[:pages])

    async def download(session: aiohttp.ClientSession) -> None:
        while left:
            async with session.get(left.pop()) as reply:
                await reply.read()
            meter.count(meter.pages + 1)

    async def crawl() -> None:
        connector = aiohttp.TCPConnector(limit=CONCURRENCY)
        async with aiohttp.ClientSession(connector=connector) as session, asyncio.timeout(seconds):
            await asyncio.gather(*(download(session) for _ in range(CONCURRENCY)))
        meter.end()

    _run(crawl())
    meter.print()


def _run(crawl: Coroutine[Any, Any, None]) -> None:
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(crawl)


CRAWLS: dict[str, Callable[[Sequence[str], int, int], None]] = {
    "scrapy": scrapy,
    "crawlee": crawlee,
    "wget2": wget2,
    "bare": bare,
}

if __name__ == "__main__":
    name, listed, most_pages, most_seconds = sys.argv[1:]
    CRAWLS[name](Path(listed).read_text().split(), int(most_pages), int(most_seconds))
