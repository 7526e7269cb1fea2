"""Attacks by many hosts at once."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from benchmarks._attack import LATER, SHORT_SECONDS, Attack, Evidence, gaps_of
from benchmarks._attack_server import HEALTHY, Answer, Request, keeps_silent, page, plays
from benchmarks._attacked_crawl import WILDCARD

SILENT_HOSTS = 300
LARGE_HOSTS = 200
LARGE_BYTES = 9_900_000
WORDS = b"<p>trains and railways, timetables and stations, bridges and tunnels of the old line</p>\n"

PACED_PAGES = 30
PACED_DELAY = 0.2
PACED_GAP = 2 * PACED_DELAY
"""On average between two healthy pages, of which one has to be read before the next is known."""
PACED = {
    "politeness.delay_seconds": PACED_DELAY,
    "fetch.connect_seconds": 8.0,
    "fetch.read_seconds": 8.0,
    "fetch.total_seconds": 8.0,
    "limits.max_seconds": 20.0,
}


def wildcard(asked: Request) -> str:
    number = int(asked.path.strip("/") or 0)
    hosts = range(number * 20 + 1, number * 20 + 21)
    return f"<p>host {number}</p>" + "".join(
        f'<a href="http://h{host}.{WILDCARD}:{asked.port}/{host}">host {host}</a>' for host in hosts
    )


def addresses(net: int, count: int) -> tuple[str, ...]:
    return tuple(f"127.66.{net + at // 250}.{1 + at % 250}" for at in range(count))


def home_pages(hosts: tuple[str, ...]) -> str:
    return " ".join(f"http://{host}:{{port}}/" for host in hosts)


def keeps_pace(evidence: Evidence) -> Iterator[str]:
    gaps = gaps_of(asked for asked in evidence.server.log if asked.address == HEALTHY)
    mean = sum(gaps) / max(len(gaps), 1)
    if mean > PACED_GAP:
        yield f"{mean:.2f} seconds between healthy pages, which are asked for every {PACED_DELAY}"


def silent(hosts: tuple[str, ...], own: tuple[str, ...]) -> Attack:
    """Hosts that take every request and answer none, not even for robots.txt."""
    return Attack(
        keeps_silent,
        None,
        LATER,
        keeps_silent,
        start=home_pages(hosts),
        addresses=own,
        settings=PACED,
        healthy_pages=PACED_PAGES,
        check=keeps_pace,
        within_seconds=20.0 + 8.0 + SHORT_SECONDS,
    )


def large_page() -> Answer:
    body = WORDS * (LARGE_BYTES // len(WORDS))
    return plays(page(zlib.compress(body, 6, 31), "Content-Encoding: gzip"))


def crowds() -> dict[str, Attack]:
    by_address = addresses(10, SILENT_HOSTS)
    large = addresses(20, LARGE_HOSTS)
    return {
        f"{SILENT_HOSTS} silent hosts": silent(by_address, by_address),
        f"{SILENT_HOSTS} silent hosts of one site": silent(
            tuple(f"s{number}.{WILDCARD}" for number in range(SILENT_HOSTS)), ()
        ),
        f"{LARGE_HOSTS} hosts, a page of 9.9 MB each": Attack(
            large_page(),
            None,
            LATER,
            start=home_pages(large),
            addresses=large,
            settings={"limits.max_seconds": 25.0},
            within_seconds=25.0 + SHORT_SECONDS,
        ),
    }
