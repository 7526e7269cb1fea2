"""Hostile hosts on loopback, each crawled in a process of its own beside healthy pages that must be had all the same.

Prints what every attack came to, with time and memory. `python -m benchmarks.attacks ORDER.toml` is one such crawl.
"""

from __future__ import annotations

import itertools
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unicodedata import category

from typer.testing import CliRunner

from benchmarks._attack_farms import make_farms
from benchmarks._attack_server import (
    ATTACKER,
    HEALTHY,
    HEALTHY_PAGES,
    INNER,
    NETWORK,
    START,
    AttackServer,
)
from benchmarks._attack_table import FORGED_NAMES, REBINDING, Attack, make_attacks
from benchmarks._figures import figure
from honeyguide.assembly import start_crawl
from honeyguide.cli.main import app
from honeyguide.errors import StoreError
from honeyguide.settings import CrawlOrder
from honeyguide.store.reader import CrawlReader
from honeyguide.urls import host_of

MAX_SECONDS = 40.0
MAX_MEGABYTES = 1000.0
"""Of a crawl and its worker together; the tree of a page made for it takes thirty times the page's size."""
SAMPLE_SECONDS = 0.02
COMMANDS = (
    ("status", ()),
    ("top", ()),
    ("top", ("--json",)),
    ("pages.csv", ()),
    ("pages.jsonl", ()),
    ("links.csv", ("--what", "links")),
    ("failures.jsonl", ("--what", "failures")),
)
"""Commands with a crawl's folder as argument, and names of exports, with their options."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one attacked crawl."""

    stop_reason: str  # or how the process ended
    recorded: Counter[str]
    healthy_pages: int
    inner_requests: int
    control_characters: list[str]  # what holds some
    seconds: float
    megabytes: float

    def problems(self, attack: Attack) -> Iterator[str]:
        """Why this attack was not survived; nothing if it was."""
        if self.stop_reason not in attack.stops:
            yield f"stopped by {self.stop_reason}, not {' or '.join(attack.stops)}"
        if set(self.recorded) != set(attack.recorded.split()):
            yield f"recorded {', '.join(self.recorded)}, not {attack.recorded}"
        if self.healthy_pages != HEALTHY_PAGES:
            yield f"{self.healthy_pages} of {HEALTHY_PAGES} healthy pages"
        if self.inner_requests:
            yield f"{self.inner_requests} requests to a forbidden address"
        if self.control_characters:
            yield f"control characters in {', '.join(self.control_characters)}"
        if self.seconds > MAX_SECONDS or self.megabytes > MAX_MEGABYTES:
            yield "too much time or memory"


def crawl_order(server: AttackServer, attack: Attack, folder: Path) -> CrawlOrder:
    """A crawl in a hurry: nobody rests, and nobody is waited for long."""
    return CrawlOrder().with_overrides(
        {
            "topic.text": "bees and honey",
            "seeds.urls": [server.seed],
            "politeness.contact": "https://example.org/attacks",
            "politeness.delay_seconds": 0.0,
            "politeness.slowdown": 0.0,
            "politeness.max_backoff_seconds": 0.2,
            "fetch.allow_networks": [NETWORK],
            "fetch.connect_seconds": 2.0,
            "fetch.read_seconds": 1.5,
            "fetch.total_seconds": 2.5,
            "limits.max_pages": 300,
            "limits.max_seconds": 30.0,
            "output.folder": str(folder),
            **attack.settings,
        }
    )


def recorded(folder: Path) -> tuple[Counter[str], int]:
    """What a crawl knows of the attacking hosts, and how many healthy pages it has."""
    with closing(CrawlReader(folder)) as reader:
        visited = [host_of(visit.url).partition(":")[0] for visit in reader.visits()]
        failed = {url: failure.error for url, failure in reader.failures()}
        counts = reader.summary().counts
    attacked = Counter("page" for host in visited if host not in (START, HEALTHY))
    attacked.update(failed.values())
    attacked.update(
        {
            name: n
            for name, n in counts.items()
            # What comes from a starved host is refused; whether any came after the last page is chance.
            if name == "redirects" or (name.startswith("refused_") and not name.endswith("_starved"))
        }
    )
    return attacked, visited.count(HEALTHY)


def with_control_characters(crawl: Path) -> Iterator[str]:
    """Logs, exports and words of commands that hold what a terminal would obey, or that failed."""
    for log in ("crawl.log", "crawl.jsonl"):
        if _has_control_characters((crawl / log).read_bytes()):
            yield log
    with tempfile.TemporaryDirectory() as folder:
        for name, options in COMMANDS:
            exported = Path(folder) / name
            arguments = ["export", str(crawl), str(exported)] if exported.suffix else [name, str(crawl)]
            done = CliRunner().invoke(app, [*arguments, *options])
            written = exported.read_bytes() if exported.exists() else b""
            if done.exit_code or _has_control_characters(done.stdout_bytes + done.stderr_bytes + written):
                yield " ".join((name, *options))


def _has_control_characters(text: bytes) -> bool:
    # Tables of comma-separated values end their lines with two of them.
    lines = text.decode().replace("\r\n", "\n").split("\n")
    return any(category(character) in ("Cc", "Zl", "Zp") for line in lines for character in line)


def attacked(attack: Attack, folder: Path) -> tuple[Outcome, str]:
    """Crawl an attack; returns what came of it and what the process had to say."""
    crawl, order_file = folder / "crawl", folder / "order.toml"
    with AttackServer(attack.answer, robots=attack.robots, start=attack.start) as server:
        order_file.write_text(crawl_order(server, attack, crawl).to_toml())
        started = time.monotonic()
        reason, megabytes, errors = _run(order_file)
        seconds = time.monotonic() - started
    found, healthy, controls = Counter[str](), 0, list[str]()
    with suppress(StoreError):  # there is no crawl if the process failed at once
        found, healthy = recorded(crawl)
        controls += with_control_characters(crawl) if attack.is_read else ()
    return Outcome(reason, found, healthy, server.asked[INNER], controls, seconds, megabytes), errors


def _run(order_file: Path) -> tuple[str, float, str]:
    """Crawl in a process of its own: the stop reason, the most memory of it and its worker, its complaints."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        command = [sys.executable, "-m", "benchmarks.attacks", str(order_file)]
        process = subprocess.Popen(command, stdout=output, stderr=errors)
        peaks: dict[int, float] = {}
        deadline = time.monotonic() + MAX_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            peaks.update(_peak_megabytes(process.pid))
            time.sleep(SAMPLE_SECONDS)
        process.kill()
        code = process.wait()
        output.seek(0), errors.seek(0)
        said, complaints = output.read().strip(), errors.read()
    return said if code == 0 else f"exit code {code}", sum(peaks.values()), complaints


def _peak_megabytes(pid: int) -> Iterator[tuple[int, float]]:
    """The most memory that a process and its children have had so far."""
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        peak = next(line for line in lines if line.startswith("VmHWM:"))
        yield pid, int(peak.split()[1]) / 1024
        for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in tasks.read_text().split():
                yield from _peak_megabytes(int(child))


def forge_dns() -> None:
    """Give the forged names addresses; one has an inner address too, and no other from the second answer on."""
    look_up = socket.getaddrinfo
    rebinding = itertools.chain([(INNER, ATTACKER)], itertools.repeat((INNER,)))

    def forged(host: Any, *options: Any, **more: Any) -> Any:
        if not str(host).endswith(FORGED_NAMES):
            return look_up(host, *options, **more)
        addresses = next(rebinding) if host == REBINDING else (ATTACKER,)
        return [found for address in addresses for found in look_up(address, *options, **more)]

    socket.getaddrinfo = forged


def crawl_one(order_file: Path) -> None:
    forge_dns()
    with start_crawl(CrawlOrder.read(order_file)) as crawler:
        print(crawler.run())


def main() -> None:
    print(f"{'attack':36} {'seconds':>7} {'MB':>5}  outcome")
    survived, attacks = 0, make_attacks() | make_farms()
    for name, attack in attacks.items():
        with tempfile.TemporaryDirectory() as folder:
            outcome, errors = attacked(attack, Path(folder))
        problems = list(outcome.problems(attack))
        survived += not problems
        found = ", ".join(f"{count} {what}" for what, count in outcome.recorded.items())
        print(
            f"{name:36} {outcome.seconds:7.1f} {outcome.megabytes:5.0f}  {outcome.stop_reason}: {found}",
            flush=True,
        )
        if problems:
            print(f"    NOT SURVIVED: {'; '.join(problems)} {errors[-500:]}".rstrip(), flush=True)
    figure("attacks_survived", survived, f"of {len(attacks)}")


if __name__ == "__main__":
    crawl_one(Path(sys.argv[1]))
