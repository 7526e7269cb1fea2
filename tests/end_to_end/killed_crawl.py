"""Crawl the sample web while being killed at random moments; prints one JSON line. Run by test_kill.py.

Each life of the crawl is a forked process, so that it dies at any moment of its work and not of Python's start-up.
"""

import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

import numpy as np

from honeyguide.assembly import assemble
from honeyguide.errors import StoreError
from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.fetch.sample import SampleFetcher
from honeyguide.making import make_strategy, make_topic
from honeyguide.model import Response, Validators
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder
from honeyguide.store import archive, open_reader
from tests.end_to_end.changing_web import ChangingWeb, Returning

WEB = SampleWeb(pages=3_000)
SMALL_WEB = SampleWeb(pages=60, seed=1)  # of which everything is found soon, and asked for again from then on
LONGEST_LIFE_SECONDS = 0.12
RETURNING = "returning "
KEEPING = "keeping "
CHANGE_DAYS = 20.0
ARCHIVE_AT = os.environ.get("KILLED_CRAWL_ARCHIVE_AT", "")
LOSES_FOLDER = "KILLED_CRAWL_LOSES_FOLDER" in os.environ
"""Whether the archive's folder goes with each life, as if another machine went on."""
PAGES_AFTER_LOSS = 150
"""More for the last life: what was lost waits where the limit of pages is reached, until that is raised."""
if ARCHIVE_AT:
    archive.SEND_SECONDS = 0.0  # a file for each batch
    LONGEST_LIFE_SECONDS = 0.5


class NotingFetcher(Fetcher):
    """Writes down every url asked for, at once, so that the notes outlive the process."""

    def __init__(self, notes: Path, inner: Fetcher) -> None:
        self._inner = inner
        self._notes = os.open(notes, os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        os.write(self._notes, f"{url}\n".encode())
        return await self._inner.fetch(url, validators)

    def turn_to(self, now: float) -> None:
        self._inner.turn_to(now)

    async def close(self) -> None:
        os.close(self._notes)


def web_of(strategy: str) -> SampleWeb:
    return SMALL_WEB if strategy.startswith(KEEPING) else WEB


def order_of(pages: int, strategy: str) -> CrawlOrder:
    """`strategy` is a name, or a name and a level: `otie by sites`. A crawl that keeps fresh ends by its requests."""
    name, _, level = strategy.removeprefix(RETURNING).removeprefix(KEEPING).partition(" by ")
    kept_fresh = {
        "crawl.keep_fresh": True,
        "web.sample_change_days": CHANGE_DAYS,
        "scope.max_depth": 2,
        "limits.max_pages": 0,
        "limits.max_requests": pages,
    }
    web = web_of(strategy)
    topic = web.topic_names[0]
    order = CrawlOrder().with_overrides(
        {
            "topic.text": web.description(topic),
            "seeds.urls": web.seeds(topic),
            "strategy.name": name,
            "limits.max_pages": pages,
            "crawl.batch": 8,
            "crawl.level": level or "pages",
            "web.sample_pages": web.pages,
            "output.archive_at": ARCHIVE_AT,
        }
    )
    return order.with_overrides(kept_fresh) if strategy.startswith(KEEPING) else order


def crawl(folder: Path, pages: int, name: str) -> None:
    """Crawl with a strategy; "returning honeyguide" is one that fetches pages again, on a web that changes.

    "keeping honeyguide" leaves it to the crawl when pages are fetched again.
    """
    order = order_of(pages, name)
    guide = make_strategy(order)
    if not name.startswith(RETURNING):
        fetcher = NotingFetcher(
            folder / "asked.txt", SampleFetcher(web_of(name), order.web.sample_change_days)
        )
        with assemble(order, folder, fetcher, make_topic(order), guide) as crawler:
            crawler.run()
        return
    web = ChangingWeb(WEB)
    fetcher = NotingFetcher(folder / "asked.txt", web)
    with assemble(order, folder, fetcher, make_topic(order), Returning(guide)) as crawler:
        web.time = crawler.progress().requests
        crawler.run(lambda progress: setattr(web, "time", progress.requests))


def committed(folder: Path) -> list[str]:
    try:
        reader = open_reader(folder)
    except StoreError:  # killed before the first commit
        return []
    try:
        return [visit.url for visit in reader.visits()]
    finally:
        reader.close()


def live_and_die(folder: Path, pages: int, strategy: str, seconds: float) -> bool:
    """True when the crawl was killed, false when it had ended before."""
    child = os.fork()
    if child == 0:
        try:
            crawl(folder, pages, strategy)
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def result(folder: Path, strategy: str) -> dict[str, object]:
    tables = make_strategy(order_of(0, strategy)).tables
    reader = open_reader(folder)
    visits = list(reader.visits())
    bodies = [reader.response(visit.location).body if visit.location else b"" for visit in visits]
    state, numbers = reader.state(None, tables), reader.numbers(0.5)
    _, _, contributed = state.links.contributions_into(np.arange(len(state), dtype=np.int32), 5)
    outcome = {
        "visits": [(v.url_id, v.url, v.relevance, v.priority, v.digest) for v in visits],
        "links": [(link.source, link.target, link.anchor) for link in reader.links()],
        "failures": [(failure.url, failure.error) for failure in reader.failures()],
        "columns": {
            name: [repr(number) for number in state.urls[name].tolist()]
            for name in sorted(state.urls.names())
        },
        "kept": {name: repr(array.tolist()) for name, array in sorted(state.arrays.items())},
        "looks": [(v.time, v.status, v.changed) for v in visits if strategy.startswith(KEEPING)],
        "gone": len(reader.gone(0.0, 1_000_000)),
        "numbers": (numbers.pages, numbers.requests, numbers.mean_relevance),
        "contributed": repr(contributed.tolist()),
        "tables": {
            name: {column: repr(state.tables[name].value(column).tolist()) for column in columns}
            for name, columns in tables.items()
        },
        "last_archived": [
            *{visit.url_id: bool(body) for visit, body in zip(visits, bodies, strict=True)}.values()
        ],
        "archived": [len(body) == visit.bytes for body, visit in zip(bodies, visits, strict=True)],
        "harvest_log": [line.split("\t")[1:] for line in (folder / "harvest.log").read_text().splitlines()],
    }
    reader.close()
    return outcome


def main() -> None:
    folder, pages, kills, strategy, seed = (
        Path(sys.argv[1]),
        *map(int, sys.argv[2:4]),
        sys.argv[4],
        int(sys.argv[5]),
    )
    folder.mkdir(parents=True, exist_ok=True)
    dice, killed, lost, asked_again = random.Random(seed), 0, [], []
    safe: list[str] = []
    while killed < kills:
        (folder / "asked.txt").write_text("")
        if not live_and_die(folder, pages, strategy, dice.uniform(0.0, LONGEST_LIFE_SECONDS)):
            break
        killed += 1
        if LOSES_FOLDER:
            shutil.rmtree(folder / "archive", ignore_errors=True)
        asked_again += sorted(set(safe) & set((folder / "asked.txt").read_text().split("\n")))
        now = committed(folder)
        lost += [url for url, kept in zip(safe, now, strict=False) if url != kept] + safe[len(now) :]
        safe = now
    pages_at_kills = len(safe)
    crawl(folder, pages + PAGES_AFTER_LOSS * LOSES_FOLDER, strategy)
    print(
        json.dumps(
            {
                "kills": killed,
                "pages_at_last_kill": pages_at_kills,
                "lost": lost,
                "asked_again": asked_again,
                **result(folder, strategy),
            }
        )
    )


if __name__ == "__main__":
    main()
