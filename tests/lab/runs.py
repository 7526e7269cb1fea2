"""Made-up runs, so that reports and verdicts can be tested without crawling."""

from pathlib import Path
from zlib import crc32

import numpy as np

from honeyguide.lab.results import Configuration, Results, Run, RunFacts

TARGETS = 40


def make_run(
    strategy: str,
    speed: float,
    *,
    task: str = "web/bees",
    seed: int = 1,
    budget: int = 120,
    split: str = "reporting",
    keywords: dict[str, object] | None = None,
    spiteful: str = "",
) -> Run:
    """A crawl that finds a new target with this chance at each page; the same names give the same run."""
    dice = np.random.default_rng(crc32(f"{task} {seed}".encode()))
    is_target = (dice.random(budget) < speed) & (np.arange(budget) >= 2)
    is_target &= np.cumsum(is_target) <= TARGETS
    number = np.cumsum(is_target) - 1
    pages = [
        f"http://good.example/{number[at]}{spiteful}"
        if is_target[at]
        else f"http://other{at % 7}.example/{seed}/{at}"
        for at in range(budget)
    ]
    pages[:2] = [f"http://seed.example/{seed}/{at}" for at in range(2)]
    facts = RunFacts(
        task=task, corpus=task.partition("/")[0], topic=task.rpartition("/")[2], split=split, strategy=strategy,
        keywords=keywords or {}, seed=seed, budget=budget, targets=TARGETS, unreachable=1, relevant=TARGETS + 2,
        relevant_above=0.5, stop_reason="page_limit",
    )  # fmt: skip
    return Run(
        facts,
        step=np.arange(1, budget + 1),
        url=np.array(pages, dtype=object),
        host=np.array([page.split("/")[2] for page in pages], dtype=object),
        relevance=np.where(is_target, 0.95, 0.2) + dice.random(budget) / 20,
        is_target=is_target,
        judged=is_target,
        similarity=np.where(is_target, 0.6, 0.1),
        depth=np.minimum(np.arange(budget) // 2, 5).astype(np.int32),
        rank_seconds=np.arange(1, budget + 1) * speed / 1000,
    )


def make_results(folder: Path, speeds: dict[str, float], tasks: list[str], **made: object) -> Results:
    """Every strategy on every task."""
    runs = [make_run(name, speed, task=task, **made) for task in tasks for name, speed in speeds.items()]
    tried = [Configuration(name, {}, 2, len(tasks)) for name in speeds]
    return Results(folder, "made up", {}, {"honeyguide": "0"}, tried, runs)
