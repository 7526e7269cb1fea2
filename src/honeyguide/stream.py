"""`honeyguide.crawl`: pages as they come, in a loop. A crawl in a thread of its own, and what it has stored so far."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue

from honeyguide.arguments import Topic
from honeyguide.crawled import CrawledPage
from honeyguide.crawls import Crawl


def crawl(
    topic: Topic,
    seeds: Sequence[str] | Path,
    pages: int = 1000,
    folder: str | Path | None = None,
    **start: object,
) -> Iterator[CrawledPage]:
    """Crawl, and give every page as soon as it is stored. Takes what `Crawl.start` takes.

    Leaving the loop ends the crawl; `Crawl.open(folder).run()` goes on with it.
    """
    started = Crawl.start(folder, topic, seeds, **start)  # type: ignore[arg-type]
    news: SimpleQueue[object] = SimpleQueue()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            started.run(pages, on_progress=news.put)
        except BaseException as error:
            failed.append(error)
        finally:
            news.put(None)

    thread = threading.Thread(target=run, name="crawl")
    thread.start()
    told = 0
    try:
        while True:
            has_ended = news.get() is None
            for page in started.visits(since=told):
                told = page.number
                yield page
            if has_ended:
                break
    finally:
        started.release()
        thread.join()
    if failed:
        raise failed[0]
