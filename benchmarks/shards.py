"""What it costs that shards find one order, and what it brings: ladders, quotas, learning; and 100 machines on paper.

`python -m benchmarks shards simulate` crawls the sample web in 16 shards as well, and tells what each part of the
exchange is worth: some minutes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks._figures import cpu_seconds, figure
from honeyguide.lab.sharded import EVERYTHING, Exchange
from honeyguide.lab.tasks.closed_web import Guide
from honeyguide.lab.tasks.tasks import Task, corpus_folder, find_tasks
from honeyguide.lab.trial import (
    KEYWORDS,
    GuideChoice,
    crawl_in_shards,
    crawl_order,
    crawl_with,
    find_truth,
    make_guide,
)
from honeyguide.model import Floats
from honeyguide.shards.ladder import Ladder, ladder
from honeyguide.shards.quotas import quotas
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.store import open_reader
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.topics.keywords import KeywordTopic

URLS = 1_000_000
TASKS, PAGES, SHARDS = ("sample-2000/birds", "sample-2000/photography"), 250, 16
PERIOD_SECONDS = 5.0
SHARDS_A_MACHINE = 16
PAGES_A_MACHINE = 60.0
"""A second: what a machine with four cores reads, judges and ranks, requests under way beside it."""

LETTERS_A_BATCH = 8.0
"""Rows that a batch of pages writes for other shards: those its links lead to."""

PAGES_A_BATCH = 32.0


def milliseconds(do: Callable[[], object], times: int = 10) -> float:
    start = cpu_seconds()
    for _ in range(times):
        do()
    return 1000 * (cpu_seconds() - start) / times


def exchange_costs() -> tuple[float, dict[int, float]]:
    """Bytes that a shard tells, and milliseconds that all quotas take by the number of shards."""
    dice = np.random.default_rng(3)
    queue = dice.normal(size=URLS)
    figure("shards_ladder_ms", milliseconds(lambda: ladder(queue)), "ms (of a queue of a million urls)")
    strategy, state = Honeyguide(), State()
    state.declare(strategy.values, strategy.tables)
    view = CrawlView(state, KeywordTopic("bees"))
    learned = strategy.own_learning(view)
    told = ladder(queue).nbytes + sum(array.nbytes for array in learned.values())
    figure("shards_told_bytes", told, "bytes (ladder and learning of a shard)")
    figure("shards_learning_ms", milliseconds(lambda: strategy.own_learning(view)), "ms (to be told)")
    merge = milliseconds(lambda: strategy.take_learning(view, [learned] * 63))
    figure("shards_merge_ms", merge, "ms (what 63 other shards have learned, without the queue)")
    taken = {}
    for number in (16, 64, 256, 1_024):
        ladders: list[Ladder] = [ladder(dice.normal(mean, size=20_000)) for mean in dice.normal(size=number)]
        taken[number] = milliseconds(lambda ladders=ladders: quotas(ladders, 5_000))
        figure(f"shards_quotas_ms_{number}", taken[number], "ms")
    return told, taken


def on_paper(machines: int, told: float, quota_ms: dict[int, float]) -> None:
    """What the database and each machine have to do, by what was measured here and the rates at the top."""
    shards = min(SHARDS_A_MACHINE * machines, 1_024)
    pages = PAGES_A_MACHINE * machines
    commits = pages / PAGES_A_BATCH
    name = f"shards_paper_{machines}"
    figure(f"{name}_pages_per_s", pages, "pages/s")
    figure(f"{name}_commits_per_s", commits, "commits/s of all machines")
    figure(f"{name}_letters_per_s", commits * min(LETTERS_A_BATCH, shards - 1), "rows/s")
    read = machines * shards * told / PERIOD_SECONDS
    figure(f"{name}_told_mb_per_s", read / 1e6, "MB/s that all machines read of all shards' rows")
    nearest = min(quota_ms, key=lambda number: abs(number - shards))
    figure(f"{name}_quota_share", quota_ms[nearest] / 1000 / PERIOD_SECONDS, "of a core, on each machine")


def found_on_the_way(task: Task, guide: Guide, urls: list[str]) -> Floats:
    is_target = np.zeros(PAGES)
    targets = find_truth(task, guide.web).targets
    is_target[: len(urls)] = [url in targets for url in urls]
    found: Floats = np.cumsum(is_target)
    return found


def simulate() -> None:
    """The area under the recall curve in shards, over that of one crawl."""
    schemes = {
        "all": EVERYTHING,
        "equal_rates": Exchange(quotas=False),
        "no_letters": Exchange(letters=False),
        "no_learning": Exchange(learning=False),
    }
    areas: dict[str, list[float]] = {}
    for name in TASKS:
        task = find_tasks([name])[0]
        guide = make_guide(task, corpus_folder(task), GuideChoice(KEYWORDS))
        order = crawl_order(task, PAGES, 8)
        with tempfile.TemporaryDirectory() as folder:
            crawl_with(order, Path(folder), guide, Honeyguide())
            with open_reader(Path(folder)) as reader:
                alone = [visit.url for visit in reader.visits()]
        one = found_on_the_way(task, guide, alone).sum()
        for scheme, exchange in schemes.items():
            with tempfile.TemporaryDirectory() as folder:
                visits, _ = crawl_in_shards(order, Path(folder), guide, Honeyguide(), SHARDS, exchange)
            found = found_on_the_way(task, guide, [visit.url for visit in visits])
            areas.setdefault(scheme, []).append(float(found.sum() / one))
    for scheme, ratios in areas.items():
        figure(f"shards_area_{scheme}", float(np.mean(ratios)), f"of one crawl ({SHARDS} shards, {TASKS})")


def main() -> None:
    told, quota_ms = exchange_costs()
    for machines in (4, 16, 100):
        on_paper(machines, told, quota_ms)
    if "simulate" in sys.argv:
        simulate()


if __name__ == "__main__":
    main()
