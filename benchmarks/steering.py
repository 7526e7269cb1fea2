"""Looking at a large queue, and steering it: a million urls known, of which 800,000 wait.

Figures: seconds to see the queue for the first time and again, to search it by a text and by a pattern, and to have a
rule begin and end in the engine; microseconds a new url to find which of 100 rules decides it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks._figures import cpu_seconds, figure
from benchmarks.status import Filled
from honeyguide.admission.rules import Rules
from honeyguide.crawls import Crawl
from honeyguide.engine.steering import Steering
from honeyguide.frontier.frontier import Frontier
from honeyguide.patterns import Rule
from honeyguide.state.state import State
from honeyguide.store import open_store
from honeyguide.urls import host_of

DECISIONS = 100_000


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crawl"
        settings = {"web.sample_pages": 100}
        crawl = Crawl.start(path, "beekeeping and honey", ["http://h0.example/"], settings=settings)
        Filled(path).close()
        figure("queue_first", _seconds(crawl.queue), "s")
        figure("queue_again", _seconds(crawl.queue), "s")
        figure("queue_text", _seconds(lambda: crawl.queue("page-77")), "s")
        figure("queue_pattern", _seconds(lambda: crawl.queue("*/folder/*7")), "s")
        figure("queue_preview_host", _seconds(lambda: crawl.preview_steer("h77.example")), "s")
        _steer(path)
    _decide()


def _steer(path: Path) -> None:
    store, state, rules = open_store(path), State(), Rules()
    store.load(state)
    steering = Steering(state, store, Frontier(state, rules=rules), rules)
    for number, (name, pattern) in enumerate((("host", "h77.example"), ("pattern", "*/folder/*7")), 1):
        rule = Rule(number, "exclude", pattern, 0.0)
        figure(f"steer_{name}", _seconds(lambda rule=rule: steering.begin(rule)), "s")  # type: ignore[misc]
    figure("unsteer_pattern", _seconds(lambda: steering.end(2)), "s")
    store.close()


def _decide() -> None:
    patterns = [
        pattern
        for number in range(25)
        for pattern in (
            f"h{number}.example",
            f"https://i{number}.example/shop/*",
            f"*/folder{number}/*",
            f"https://j{number}.example/a/b",
        )
    ]
    rules = Rules(Rule(number, "lower", pattern, 0.0) for number, pattern in enumerate(patterns, 1))
    urls = [f"https://www.h{number % 500}.example/some/folder/page-{number}" for number in range(DECISIONS)]
    seconds = _seconds(lambda: [rules.decide(url, host_of(url)) for url in urls])
    figure("decide_100_rules", seconds / DECISIONS * 1e6, "us")


def _seconds(do: Callable[[], object]) -> float:
    """Of the processor: a queue that is looked at waits for nobody."""
    began = cpu_seconds()
    do()
    return cpu_seconds() - began


if __name__ == "__main__":
    main()
