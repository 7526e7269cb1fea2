"""What an attack is: what hosts do, what is done to the crawl meanwhile, and what must come of it."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from typer.testing import CliRunner

import honeyguide.assembly  # noqa: F401 - commands import it when called, and would come too late
from benchmarks._attack_server import ATTACKER, HEALTHY_PAGES, NO_ROBOTS, Answer, AttackServer, Request
from honeyguide.cli.main import app
from honeyguide.model import Failure

ENDED = ("frontier_empty",)
CUT_OFF = ("page_limit", "frontier_empty")
"""A place without end: the page limit ends the crawl, unless it has seen before that nothing comes."""
LATER = ("time_limit",)
"""What cannot be had now is left for a minute and more, which is longer than these crawls last."""
STOPPED = ("stopped_by_user",)
KILLED = ("exit code -9",)
BRIEFLY = {"limits.max_seconds": 5.0}

MAX_SECONDS = 40.0
"""Of any run; what takes longer is killed."""
SHORT_SECONDS = 10.0
"""Within seconds: what is asked of a crawl, or comes to its end, is done by then, also on a busy machine."""
LOOK_SECONDS = 0.02


@dataclass(slots=True)
class Running:
    """A crawl under way, as somebody sees it who does something to it."""

    process: subprocess.Popen[str]
    server: AttackServer
    crawl: Path  # its folder

    def waits_for(self, is_so: Callable[[], object]) -> bool:
        """Wait until something is so; False if the crawl ends or the time is over before."""
        deadline = time.monotonic() + 3 * SHORT_SECONDS
        while not is_so():
            if self.process.poll() is not None or time.monotonic() > deadline:
                return False
            time.sleep(LOOK_SECONDS)
        return True

    def was_asked(self, path: str, times: int = 1) -> bool:
        """Whether the attack's hosts have been asked for this so often; an empty path is any."""
        return sum(path in ("", asked.path) for asked in self.server.attacked) >= times

    def workers(self) -> list[int]:
        """The processes that the crawl has started."""
        return [pid for pid in in_session(self.process.pid) if pid != self.process.pid]


Act = Callable[[Running], Iterable[str]]
"""Does something to a crawl under way, and tells what was wrong with what came of it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known once everything is over."""

    server: AttackServer
    visits: list[str]  # urls
    failures: list[Failure]
    said: str  # by the processes, and in the crawl's log
    seconds: float
    crawl: Path

    def failed_for_good(self, url: str) -> bool:
        """Whether a url was given up, with a reason, and is no page."""
        given_up = any(why.url == url and why.final and why.message for why in self.failures)
        return given_up and url not in self.visits

    def attacked(self, path: str = "/") -> str:
        """A url of the attacker."""
        return f"http://{ATTACKER}:{self.server.port}{path}"


Check = Callable[[Evidence], Iterable[str]]
"""Tells what was wrong."""


def nothing_done(running: Running) -> Iterable[str]:
    return ()


def nothing_more(evidence: Evidence) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Run:
    """One process that crawls: how it may end, what is done to it, and what is wrong with its machine."""

    stops: tuple[str, ...] = ENDED
    act: Act = nothing_done
    faults: tuple[str, ...] = ()  # names in _attacked_crawl


@dataclass(frozen=True, slots=True)
class Attack:
    """What hosts do, and what must be recorded for their urls: pages, error classes, redirects, refusals."""

    answer: Answer
    recorded: str | None  # what ends with ? need not be; None: whatever `check` lets pass
    stops: tuple[str, ...] = ENDED
    robots: Answer = NO_ROBOTS
    start: str = f"http://{ATTACKER}:{{port}}/"
    settings: Mapping[str, object] = field(default_factory=dict)
    is_read: bool = False  # whether logs, commands and exports are looked at afterwards
    addresses: tuple[str, ...] = ()  # of further hosts
    is_seed: bool = False  # whether the attack's urls are seeds too
    healthy_pages: int = HEALTHY_PAGES
    needs_healthy: bool = True  # False: the crawl ends before it can have them all
    act: Act = nothing_done
    faults: tuple[str, ...] = ()
    then: tuple[Run, ...] = ()  # the crawl is resumed so often
    check: Check = nothing_more
    within_seconds: float = MAX_SECONDS  # of its first request each run must end

    def runs(self) -> tuple[Run, ...]:
        """All processes, the first one too."""
        return (Run(self.stops, self.act, self.faults), *self.then)

    def is_as_recorded(self, found: Iterable[str]) -> bool:
        """Whether all that must be recorded was found, and nothing else but what may be."""
        if self.recorded is None:
            return True
        needed = {word for word in self.recorded.split() if not word.endswith("?")}
        return needed <= {*found} <= {word.removesuffix("?") for word in self.recorded.split()}


def in_session(leader: int) -> Iterator[int]:
    """The processes of a session that are alive, whoever their parents are now."""
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            state, _, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(session) == leader and state != "Z":
                yield int(entry.name)


def given_up(*paths: str) -> Check:
    """The attacker's urls must be failed for good, with a reason."""

    def check(evidence: Evidence) -> Iterator[str]:
        for path in paths or ("/",):
            if not evidence.failed_for_good(evidence.attacked(path)):
                yield f"{path} is not marked as failed"

    return check


def had_or_given_up(*paths: str) -> Check:
    """Something must have become of the attacker's urls."""

    def check(evidence: Evidence) -> Iterator[str]:
        for path in paths or ("/",):
            url = evidence.attacked(path)
            if url not in evidence.visits and not evidence.failed_for_good(url):
                yield f"nothing has become of {path}"

    return check


def had(pages: int) -> Check:
    """All pages of the attacker must be had, each once."""

    def check(evidence: Evidence) -> Iterator[str]:
        own = [url for url in evidence.visits if url.startswith(evidence.attacked())]
        if len(own) != pages or len(set(own)) != pages:
            yield f"{len(set(own))} of {pages} pages in {len(own)} visits"

    return check


def at_most(requests: int, path: str = "") -> Check:
    """The attack's hosts may be asked so often, for a path or for anything."""

    def check(evidence: Evidence) -> Iterator[str]:
        asked = sum(path in ("", request.path) for request in evidence.server.attacked)
        if asked > requests:
            yield f"{asked} requests{f' for {path}' if path else ''}, more than {requests}"

    return check


def gaps_of(requests: Iterable[Request]) -> list[float]:
    """The seconds between each request and the next."""
    times = [request.time for request in requests]
    return [later - earlier for earlier, later in itertools.pairwise(times)]


def asks_to_stop(running: Running) -> Iterator[str]:
    """`honeyguide stop`, which must be obeyed within seconds."""
    done = CliRunner().invoke(app, ["stop", str(running.crawl)])
    if done.exit_code:
        yield f"`stop` failed: {done.output.strip()}"
    try:
        running.process.wait(SHORT_SECONDS)
    except subprocess.TimeoutExpired:
        yield f"`stop` was not obeyed within {SHORT_SECONDS:.0f} seconds"


def kills(running: Running) -> Iterator[str]:
    """Use kill -9, after which nobody may be left, however busy."""
    os.kill(running.process.pid, signal.SIGKILL)
    running.process.wait()
    deadline = time.monotonic() + SHORT_SECONDS / 2
    while (left := running.workers()) and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
    if left:
        yield f"the worker lives on {SHORT_SECONDS / 2:.0f} seconds after its crawler was killed"


def once(is_so: Callable[[Running], object], act: Act, seconds: float = 0.0) -> Act:
    """Wait until something is so, and a little longer; then act."""

    def acts(running: Running) -> Iterator[str]:
        if not running.waits_for(lambda: is_so(running)):
            yield "the crawl did not come to where the attack begins"
            return
        time.sleep(seconds)
        yield from act(running)

    return acts
