"""Manners as the servers saw them: a crawl of 200 hosts with mixed robots and delays, one of 500 hosts at 1 second.

Figures: what the first server's log shows that was forbidden, too soon or at the same time (must be 0), and the pages
of the second crawl over the most that politeness allows.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks._figures import figure
from benchmarks._nginx import nginx
from benchmarks._peers import REPOSITORY, run_pinned
from benchmarks._polite_web import LEAST_DELAY, PAGES, Manners, PoliteWeb, judge
from benchmarks._static_web import EvenWeb, prepared, served_url
from honeyguide.sample_web.server import Request

MIXED_SECONDS = 30
WEB = EvenWeb(pages=30_000)
DELAY_SECONDS = 1.0
WARM_UP_SECONDS, STEADY_SECONDS = 15, 25


def crawl(seeds: Sequence[str], folder: Path, seconds: int, delay_seconds: float) -> None:
    listed = folder / "seeds.txt"
    listed.write_text("\n".join(seeds))
    limits = [
        "limits.max_pages=0",
        f"limits.max_seconds={seconds}",
        f"politeness.delay_seconds={delay_seconds}",
    ]
    module = [sys.executable, "-m", "benchmarks._own_crawl"]
    settings = ["topic.text=beekeeping: honey bees, hives, queens", "scope.starve_host_after=0", *limits]
    command = [*module, str(listed), str(folder / "crawl"), *settings]
    result = run_pinned(command, seconds, sorted(os.sched_getaffinity(0)))
    if result:
        load = os.getloadavg()[0]
        print(
            f"# {result.pages:,} pages in {seconds} s, {result.cpu_per_1000:.2f} s of processor per 1,000 pages "
            f"(load average {load:.1f})",
            flush=True,
        )


def mixed_manners() -> Manners:
    """Crawl hosts that all ask for something else, and read what their server saw."""
    module = [sys.executable, "-m", "benchmarks._polite_web"]
    server = subprocess.Popen(
        module, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout
    try:
        with tempfile.TemporaryDirectory() as folder:
            crawl(json.loads(server.stdout.readline()), Path(folder), MIXED_SECONDS, LEAST_DELAY)
        output, _ = server.communicate(timeout=60)
    finally:
        server.kill()
        server.wait()
    return judge(PoliteWeb(pages=PAGES), [Request(*line) for line in json.loads(output)])


def utilisation() -> float:
    """Pages had over the most that could politely be had, between warming up and the end."""
    root = prepared("even", WEB)
    with tempfile.TemporaryDirectory() as folder:
        with nginx(root, Path(folder), log=True):
            homes = [served_url(WEB, WEB.hosts.first(host)) for host in range(WEB.hosts.count)]
            crawl(homes, Path(folder), WARM_UP_SECONDS + STEADY_SECONDS, DELAY_SECONDS)
        lines = [line.split() for line in (Path(folder) / "access.log").read_text().splitlines()]
    start = float(lines[0][0]) + WARM_UP_SECONDS
    steady = [line for line in lines if start <= float(line[0]) < start + STEADY_SECONDS and line[3] == "200"]
    answering = sum(float(line[1]) for line in steady) / max(len(steady), 1)
    most = WEB.hosts.count * STEADY_SECONDS / (DELAY_SECONDS + answering)
    print(
        f"# {len(steady):,} of at most {most:,.0f} pages in {STEADY_SECONDS} s, {WEB.hosts.count} hosts, "
        f"answers took {1000 * answering:.1f} ms",
        flush=True,
    )
    return len(steady) / most


def main() -> None:
    seen = mixed_manners()
    print(
        f"# {seen.requests:,} requests to {seen.hosts} hosts: {seen.forbidden} forbidden, {seen.before_robots} before "
        f"robots.txt, {seen.too_soon} too soon, {seen.parallel} at the same time; shortest gap "
        f"{seen.shortest_gap:.3f} of the delay"
    )
    figure("polite_violations", seen.violations, f"violations in {seen.requests:,} requests")
    try:
        figure("polite_utilisation", 100 * utilisation(), "% of the polite maximum")
    except RuntimeError as error:
        print(f"# {error}")


if __name__ == "__main__":
    main()
