"""A sample web whose hosts ask for different manners, and its server in a process of its own.

`python -m benchmarks._polite_web` serves until its input ends, and then prints its log, one request a line.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from honeyguide.sample_web.server import Request, serve
from honeyguide.sample_web.web import SampleWeb

PAGES = 12_000
DELAYS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
LEAST_DELAY = 0.1
LIFETIME_SECONDS = 300.0
_KINDS = 4


@dataclass(frozen=True)
class PoliteWeb(SampleWeb):
    """Every host closes some of its pages to us, in one of four ways, and asks for one of six delays."""

    def delay(self, host: int) -> float:
        """The seconds a host wants between two requests; a few say nothing, and get our own."""
        return DELAYS[host // _KINDS % len(DELAYS)]

    def is_closed(self, host: int, path: str) -> bool:
        """Whether we may not ask for a path: said apart from the robots.txt, so that both can be compared."""
        if path == "/robots.txt":
            return False
        closed = {
            0: path.startswith(self._section(host, 1)),
            1: path.startswith(self._section(host, 2)),
            2: path.endswith("7.html"),
            3: path.startswith(self._section(host, 1)) and path != self._section(host, 1),
        }
        return path.startswith("/private/") or closed[host % _KINDS]

    def _robots(self, host: int) -> str:
        delay = self.delay(host)
        wanted = f"Crawl-delay: {delay:g}\n" if delay != LEAST_DELAY else ""
        everyone, us = "User-agent: *\nDisallow: /private/\n", "User-agent: HoneyGuide\nDisallow: /private/\n"
        first, second = self._section(host, 1), self._section(host, 2)
        return {
            0: f"{everyone}{wanted}Disallow: {first}\n",
            1: f"User-agent: *\nDisallow: /\n\n{us}Disallow: {second}\n{wanted}",
            2: f"{everyone}Disallow: /*7.html$\n{wanted}\nUser-agent: other\nDisallow: /\n",
            3: f"{us}{wanted}Disallow: {first}\nAllow: {first}$\n\nUser-agent: *\nCrawl-delay: 20\n",
        }[host % _KINDS]

    def _section(self, host: int, place: int) -> str:
        return self._addresses.path(self.hosts.first(host) + place)


@dataclass(frozen=True)
class Manners:
    """What a server's log says about a crawler."""

    requests: int
    hosts: int
    forbidden: int
    before_robots: int
    too_soon: int
    parallel: int
    shortest_gap: float  # in delays

    @property
    def violations(self) -> int:
        """All of them."""
        return self.forbidden + self.before_robots + self.too_soon + self.parallel


def judge(web: PoliteWeb, log: Iterable[Request]) -> Manners:
    """Count what was done wrong, from the requests in the server's log."""
    by_host: defaultdict[int, list[Request]] = defaultdict(list)
    for request in log:
        by_host[int(request.host)].append(request)
    gaps = []
    for host, requests in by_host.items():
        requests.sort()
        gaps += [((after.started - before.ended), web.delay(host)) for before, after in pairwise(requests)]
    everything = [(host, request) for host, requests in by_host.items() for request in requests]
    return Manners(
        requests=len(everything),
        hosts=len(by_host),
        forbidden=sum(web.is_closed(host, request.path) for host, request in everything),
        before_robots=sum(requests[0].path != "/robots.txt" for requests in by_host.values()),
        too_soon=sum(0 <= gap < delay for gap, delay in gaps),
        parallel=sum(gap < 0 for gap, _ in gaps),
        shortest_gap=min((gap / delay for gap, delay in gaps), default=0.0),
    )


def _be_punctual() -> None:
    """Let nobody interrupt us between the end of an answer and its line in the log, where that may be asked for."""
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    gc.disable()


def main() -> None:
    _be_punctual()
    web = PoliteWeb(pages=PAGES)
    with serve(web, lifetime_seconds=LIFETIME_SECONDS) as server:
        homes = [server.url(web.hosts.first(host)) for host in range(web.hosts.count)]
        print(json.dumps(homes), flush=True)
        sys.stdin.read()
        numbers = {address: str(host) for host, address in enumerate(server.addresses)}
        log = [request._replace(host=numbers[request.host]) for request in server.log]
    print(json.dumps(log))


if __name__ == "__main__":
    main()
