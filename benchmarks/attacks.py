"""Hostile hosts on loopback, each crawled in a process of its own beside healthy pages that must be had all the same.

Prints what every attack came to, with seconds, memory and requests. Some by a part of their names:
`python -m benchmarks.attacks --only "endless paging" 304`; `--list` names them all.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import category

from typer.testing import CliRunner

from benchmarks._attack import MAX_SECONDS, Attack, Evidence, Run, Running, in_session
from benchmarks._attack_server import HEALTHY, INNER, NETWORK, START, AttackServer
from benchmarks._attack_table import make_attacks
from benchmarks._figures import figure
from honeyguide.cli.main import app
from honeyguide.errors import StoreError
from honeyguide.model import Failure
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader
from honeyguide.urls import host_of

MAX_MEGABYTES = 1000.0
"""Of a crawl and its worker together; the tree of a page made for it takes thirty times the page's size."""
SAMPLE_SECONDS = 0.02
LAST_SECONDS = 5.0
"""What a crawl has started must have ended by then, once it has."""
SHOWN_CHARS = 500
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


@dataclass(slots=True)
class Outcome:
    """What came of one attacked crawl."""

    ends: list[str] = field(default_factory=list)  # of each process: the stop reason, or how it ended
    recorded: Counter[str] = field(default_factory=Counter)
    healthy_pages: int = 0
    requests: int = 0  # to the attack's hosts
    inner_requests: int = 0
    control_characters: list[str] = field(default_factory=list)  # what holds some
    seconds: float = 0.0  # of the longest process
    crawled_seconds: float = 0.0  # of the longest, from its first request
    megabytes: float = 0.0
    wrong: list[str] = field(default_factory=list)  # what else was
    said: str = ""  # by the processes

    def problems(self, attack: Attack) -> Iterator[str]:
        """Why this attack was not survived; nothing if it was."""
        for end, run in zip(self.ends, attack.runs(), strict=True):
            if end not in run.stops:
                yield f"stopped by {end}, not {' or '.join(run.stops)}"
        if not attack.is_as_recorded(self.recorded):
            yield f"recorded {', '.join(self.recorded)}, not {attack.recorded}"
        if self.healthy_pages != attack.healthy_pages and attack.needs_healthy:
            yield f"{self.healthy_pages} of {attack.healthy_pages} healthy pages"
        if self.inner_requests:
            yield f"{self.inner_requests} requests to a forbidden address"
        if self.control_characters:
            yield f"control characters in {', '.join(self.control_characters)}"
        if self.crawled_seconds > attack.within_seconds:
            yield f"more than {attack.within_seconds:.0f} seconds"
        if self.megabytes > MAX_MEGABYTES:
            yield f"more than {MAX_MEGABYTES:.0f} MB"
        yield from self.wrong


def crawl_order(server: AttackServer, attack: Attack, folder: Path) -> CrawlOrder:
    """A crawl in a hurry: nobody rests, and nobody is waited for long."""
    seeds = folder.parent / "seeds.txt"
    seeds.write_text("\n".join((server.seed, *(server.start_urls if attack.is_seed else ()))))
    return CrawlOrder().with_overrides(
        {
            "topic.text": "bees and honey",
            "seeds.file": str(seeds),
            "politeness.contact": "https://example.org/attacks",
            "politeness.delay_seconds": 0.0,
            "politeness.slowdown": 0.0,
            "politeness.max_backoff_seconds": 0.2,
            "fetch.allow_networks": [NETWORK],
            "fetch.connect_seconds": 2.0,
            "fetch.read_seconds": 1.5,
            "fetch.total_seconds": 2.5,
            "limits.max_pages": 300,
            "limits.max_seconds": 25.0,
            "output.folder": str(folder),
            **attack.settings,
        }
    )


def served(attack: Attack) -> AttackServer:
    """The attack's hosts."""
    return AttackServer(
        attack.answer,
        robots=attack.robots,
        start=attack.start,
        addresses=attack.addresses,
        healthy_pages=attack.healthy_pages,
    )


def recorded(folder: Path) -> tuple[Counter[str], int]:
    """What a crawl knows of the attacking hosts, and how many healthy pages it has."""
    visits, failures, counts = _records(folder)
    hosts = [host_of(url).partition(":")[0] for url in visits]
    found = Counter("page" for host in hosts if host not in (START, HEALTHY))
    found.update({failure.url: failure.error for failure in failures}.values())
    # What comes from a starved host is refused; whether any comes after its last page is chance.
    refused = {name: n for name, n in counts.items() if name.startswith("refused_") and "starved" not in name}
    found.update(refused | {name: n for name, n in counts.items() if name == "redirects"})
    return found, hosts.count(HEALTHY)


def _records(folder: Path) -> tuple[list[str], list[Failure], dict[str, int]]:
    with open_reader(folder) as reader:
        return [visit.url for visit in reader.visits()], list(reader.failures()), reader.numbers(0.5).counts


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


def attacked(attack: Attack, folder: Path) -> Outcome:
    """Crawl an attack, in one process after the other, and tell what came of it."""
    outcome, crawl, order_file = Outcome(), folder / "crawl", folder / "order.toml"
    with served(attack) as server:
        order_file.write_text(crawl_order(server, attack, crawl).to_toml())
        for run in attack.runs():
            _run(order_file, run, server, crawl, outcome)
    outcome.requests, outcome.inner_requests = len(server.attacked), server.asked[INNER]
    with suppress(StoreError):  # there is no crawl if the process failed at once
        outcome.recorded, outcome.healthy_pages = recorded(crawl)
        outcome.control_characters += with_control_characters(crawl) if attack.is_read else ()
    outcome.wrong += attack.check(_evidence(server, crawl, outcome))
    return outcome


def _evidence(server: AttackServer, crawl: Path, outcome: Outcome) -> Evidence:
    visits, failures, log = list[str](), list[Failure](), crawl / "crawl.log"
    with suppress(StoreError):
        visits, failures, _ = _records(crawl)
    said = outcome.said + (log.read_text(errors="replace") if log.exists() else "")
    return Evidence(server, visits, failures, said, outcome.seconds, crawl)


def _run(order_file: Path, run: Run, server: AttackServer, crawl: Path, outcome: Outcome) -> None:
    """Crawl in a process of its own, and note in the outcome what came of it."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        command = [sys.executable, "-m", "benchmarks._attacked_crawl", str(order_file), *run.faults]
        started = time.monotonic()
        # In a session of its own, so that its whole process group can be sent a signal.
        process = subprocess.Popen(command, stdout=output, stderr=errors, text=True, start_new_session=True)
        actor = threading.Thread(
            target=lambda: outcome.wrong.extend(run.act(Running(process, server, crawl)))
        )
        actor.start()
        while process.poll() is None and time.monotonic() < started + MAX_SECONDS:
            outcome.megabytes = max(outcome.megabytes, sum(_peak_megabytes(process.pid)))
            time.sleep(SAMPLE_SECONDS)
        process.kill()
        code = process.wait()
        ended = time.monotonic()
        first = next((asked.time for asked in server.log if asked.time >= started), started)
        outcome.seconds = max(outcome.seconds, ended - started)
        outcome.crawled_seconds = max(outcome.crawled_seconds, ended - first)
        actor.join()
        outcome.wrong += _left_behind(process.pid)
        output.seek(0), errors.seek(0)
        outcome.ends.append(output.read().strip() if code == 0 else f"exit code {code}")
        outcome.said += errors.read()


def _peak_megabytes(pid: int) -> Iterator[float]:
    """The most memory that a process and each of its children have had so far."""
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        peak = next(line for line in lines if line.startswith("VmHWM:"))
        yield int(peak.split()[1]) / 1024
        for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in tasks.read_text().split():
                yield from _peak_megabytes(int(child))


def _left_behind(session: int) -> Iterator[str]:
    """Tell whether processes have outlived their crawl; they are ended."""
    deadline = time.monotonic() + LAST_SECONDS
    while (left := list(in_session(session))) and time.monotonic() < deadline:
        time.sleep(SAMPLE_SECONDS)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if left:
        yield f"{len(left)} processes left behind"


def main(only: Sequence[str] = ()) -> None:
    attacks = {
        name: attack
        for name, attack in make_attacks().items()
        if not only or any(part.lower() in name.lower() for part in only)
    }
    print(f"{'attack':38} {'seconds':>7} {'MB':>5} {'asked':>5}  outcome")
    survived = 0
    for name, attack in attacks.items():
        with tempfile.TemporaryDirectory() as folder:
            outcome = attacked(attack, Path(folder))
        problems = list(dict.fromkeys(outcome.problems(attack)))
        survived += not problems
        _print(name, outcome, problems)
    figure("attacks_survived", survived, f"of {len(attacks)}")


def _print(name: str, outcome: Outcome, problems: list[str]) -> None:
    ends = ", ".join(outcome.ends)
    found = ", ".join(f"{count} {what}" for what, count in outcome.recorded.items())
    figures = f"{outcome.seconds:7.1f} {outcome.megabytes:5.0f} {outcome.requests:5}"
    print(f"{name:38} {figures}  {ends}: {found}", flush=True)
    if problems:
        print(f"    NOT SURVIVED: {'; '.join(problems)}", flush=True)
        for line in outcome.said.splitlines()[-1:]:
            print(f"    {line[:SHOWN_CHARS]}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Crawl hostile hosts on loopback.")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="attacks whose names hold one")
    parser.add_argument("--list", action="store_true", help="name all attacks")
    given = parser.parse_args()
    if given.list:
        print("\n".join(make_attacks()))
    else:
        main(given.only)
