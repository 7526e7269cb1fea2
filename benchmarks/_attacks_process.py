"""Attacks on the crawl's own processes and clock, most at the worst moment, and each crawl resumed afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator

from benchmarks._attack import (
    ENDED,
    KILLED,
    SHORT_SECONDS,
    STOPPED,
    Attack,
    Evidence,
    Run,
    Running,
    asks_to_stop,
    gaps_of,
    had,
    in_session,
    kills,
    once,
)
from benchmarks._attack_server import ATTACKER, HEALTHY, Request, html, page, plays
from benchmarks._attacked_crawl import CLOCK_LATE, CLOCK_SET_BACK, SET_BACK_NAME
from honeyguide.store.folder import LOCK

SITE_PAGES = 60
SITE_DELAY = {"politeness.delay_seconds": 0.05}
HOST_DELAY = 10.0
SLOW_SECONDS = 2.0
SEEDS = 200_000


def pages_of_a_site(asked: Request) -> str:
    links = "".join(f'<a href="/{number}">bees {number}</a>' for number in range(SITE_PAGES))
    return f"<p>bees and honey, page {asked.path}</p>{links if asked.path == '/' else ''}"


def kills_the_worker(running: Running) -> Iterator[str]:
    workers = running.workers()
    if not workers:
        yield "there is no worker"
    for pid in workers:
        os.kill(pid, signal.SIGKILL)


def ends_the_group(running: Running) -> Iterator[str]:
    """SIGTERM to the process group, as `timeout` sends it."""
    os.killpg(running.process.pid, signal.SIGTERM)
    if not running_out(running):
        yield f"SIGTERM was not obeyed within {SHORT_SECONDS:.0f} seconds"


def ends_everyone(running: Running) -> Iterator[str]:
    """SIGTERM to all processes, as systemd sends it, whatever groups they have made."""
    for pid in in_session(running.process.pid):
        os.kill(pid, signal.SIGTERM)
    if not running_out(running):
        yield f"SIGTERM was not obeyed within {SHORT_SECONDS:.0f} seconds"


def running_out(running: Running) -> bool:
    deadline = time.monotonic() + SHORT_SECONDS
    while running.process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    return running.process.poll() is not None


def after(requests: int) -> Callable[[Running], bool]:
    return lambda running: running.was_asked("", requests)


def workers() -> dict[str, Attack]:
    site = html(pages_of_a_site)
    first, second, third = (once(after(requests), ends_the_group) for requests in (10, 25, 40))
    return {
        "worker killed once": Attack(
            site,
            "page",
            settings=SITE_DELAY,
            act=once(after(20), kills_the_worker),
            check=had(1 + SITE_PAGES),
        ),
        "SIGTERM to the process group": Attack(
            site,
            "page",
            STOPPED,
            settings=SITE_DELAY,
            act=first,
            then=(Run(STOPPED, second), Run(STOPPED, third), Run(ENDED)),
            check=had(1 + SITE_PAGES),
        ),
        "SIGTERM to all processes": Attack(
            site,
            "page",
            STOPPED,
            settings=SITE_DELAY,
            act=once(after(1), ends_everyone),
            then=(Run(STOPPED, once(after(20), ends_everyone)), Run(ENDED)),
            check=had(1 + SITE_PAGES),
        ),
    }


def sets_clock_back(running: Running) -> Iterator[str]:
    (running.crawl.parent / SET_BACK_NAME).touch()
    return iter(())


def is_under_way(running: Running) -> bool:
    return running.server.asked[HEALTHY] >= 4 and running.was_asked("", 6)


def says_clock(evidence: Evidence) -> Iterator[str]:
    yield from had(1 + SITE_PAGES)(evidence)
    if "clock" not in evidence.said:
        yield "nobody was told of the clock"


def clocks() -> dict[str, Attack]:
    site = html(pages_of_a_site)
    return {
        "clock set back by an hour": Attack(
            site,
            "page",
            settings=SITE_DELAY,
            act=once(is_under_way, sets_clock_back),
            faults=(CLOCK_SET_BACK,),
            check=had(1 + SITE_PAGES),
        ),
        "clock set back by an hour, then resumed": Attack(
            site,
            "page",
            STOPPED,
            settings=SITE_DELAY,
            act=once(is_under_way, asks_to_stop),
            then=(Run(ENDED, faults=(CLOCK_LATE,)),),
            check=says_clock,
        ),
    }


async def slow_page(asked: Request, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(SLOW_SECONDS)
    writer.write(page(b"<p>bees and honey</p>"))


def rests_after_kill(evidence: Evidence) -> Iterator[str]:
    gaps = gaps_of(asked for asked in evidence.server.attacked if asked.path == "/")
    if not gaps:
        yield "the host was not asked again"
    elif gaps[0] < HOST_DELAY:
        yield f"asked again after {gaps[0]:.1f} s, though the host wants {HOST_DELAY:.0f} s"


def has_begun(running: Running) -> bool:
    """Whether the crawl's folder is locked: from then on `stop` says that it will be obeyed."""
    file = running.crawl / LOCK
    return file.exists() and file.read_text() == str(running.process.pid)


def was_obeyed(evidence: Evidence) -> Iterator[str]:
    if len(evidence.server.log) > 200:
        yield f"{len(evidence.server.log)} requests after it was told to stop"


def moments() -> dict[str, Attack]:
    return {
        "kill -9 in a slow answer, then resume": Attack(
            slow_page,
            "page",
            KILLED,
            plays(page(f"User-agent: *\nCrawl-delay: {HOST_DELAY}".encode(), content_type="text/plain")),
            settings={"fetch.read_seconds": 5.0, "fetch.total_seconds": 5.0},
            act=once(lambda running: running.was_asked("/"), kills, 0.3),
            then=(Run(ENDED),),
            check=rests_after_kill,
        ),
        "honeyguide stop during start-up": Attack(
            html(lambda asked: "bees"),
            None,
            STOPPED,
            start=" ".join(f"http://{ATTACKER}:{{port}}/{number}" for number in range(SEEDS)),
            is_seed=True,
            needs_healthy=False,
            act=once(has_begun, asks_to_stop),
            check=was_obeyed,
        ),
    }
