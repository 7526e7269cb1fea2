"""Every strategy on the same recorded webs, with the same topic, seeds and number of pages."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.table import Table

from honeyguide.assembly import assemble
from honeyguide.fetch.replay import ReplayFetcher, open_recording
from honeyguide.lab.timed_strategy import TimedStrategy
from honeyguide.settings import CrawlOrder
from honeyguide.store.reader import CrawlReader
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.base import Strategy
from honeyguide.topics.keywords import KeywordTopic

WIKISPEEDIA = "http://www.cs.mcgill.ca/~rwest/wikispeedia/wpcd/wp"


@dataclass(frozen=True)
class Task:
    """A recorded web, what is looked for in it, and what people said is on the topic."""

    corpus: str  # its folder's name
    topic: str
    seeds: tuple[str, ...]
    label: str  # what targets are labelled with
    within: str = ""  # only urls that are labelled with something that starts so are targets
    scope: Mapping[str, object] = field(default_factory=dict)


TASKS = (
    Task(
        "webkb",
        "course university homework lesson assignment lecture tutorial book schedule notes grading handout teaching"
        " solutions exam",
        tuple(f"http://www.cs.{name}.edu/" for name in ("cornell", "utexas", "washington", "wisc")),
        "course",
        within="university:",
    ),
    Task(
        "wikispeedia",
        "birds: species, feathers, wings, nests, eggs, migration",
        (f"{WIKISPEEDIA}/b/Bird.htm",),
        "subject.Science.Biology.Birds",
        scope={"deny_patterns": ["/wp/index/"]},  # pages that list what belongs to a subject give it away
    ),
)
NOT_A_PLACE = "university:misc"
"""Pages of no university in particular, to which nothing in the recording links."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one strategy made of one task."""

    corpus: str
    strategy: str
    pages: int
    on_topic: int
    targets: int
    milliseconds_per_page: float  # of ranking

    @property
    def harvest_rate(self) -> float:
        """Targets among the pages fetched."""
        return self.on_topic / max(1, self.pages)

    @property
    def recall(self) -> float:
        """Targets fetched among all targets."""
        return self.on_topic / max(1, self.targets)


def compare(
    corpora: Path,
    pages: int = 500,
    tasks: Sequence[Task] = TASKS,
    strategies: Iterable[Callable[[], Strategy]] = STRATEGIES,
) -> Iterator[Outcome]:
    """Run every strategy on every task; outcomes come as they are had."""
    chosen = list(strategies)
    for task in tasks:
        truth = targets_of(task, corpora / task.corpus)
        for make in chosen:
            yield _run(task, corpora / task.corpus, truth, make(), pages)


def targets_of(task: Task, folder: Path) -> frozenset[str]:
    """Urls that people put where the task looks."""
    recording = open_recording(folder)
    try:
        labels = {url: recording.labels(url) for url in recording.urls()}
    finally:
        recording.close()
    return frozenset(
        url
        for url, given in labels.items()
        if task.label in given
        and NOT_A_PLACE not in given
        and any(label.startswith(task.within) for label in given)
    )


def _run(task: Task, corpus: Path, targets: frozenset[str], strategy: Strategy, pages: int) -> Outcome:
    order = CrawlOrder().with_overrides(
        {
            "topic.text": task.topic,
            "seeds.urls": list(task.seeds),
            "web.recording": str(corpus),
            "limits.max_pages": pages,
            "output.archive": False,
            **{f"scope.{key}": value for key, value in task.scope.items()},
        }
    )
    timed = TimedStrategy(strategy)
    with tempfile.TemporaryDirectory() as folder:
        fetcher = ReplayFetcher(open_recording(corpus))
        with assemble(order, Path(folder), fetcher, KeywordTopic(task.topic), timed) as crawler:
            crawler.run()
        reader = CrawlReader(Path(folder))
        visited = {visit.url for visit in reader.visits()}
        reader.close()
    found = len(visited & targets)
    return Outcome(task.corpus, strategy.name, len(visited), found, len(targets), timed.milliseconds_per_page)


def table_of(outcomes: Iterable[Outcome]) -> Table:
    """The outcomes, best recall of each corpus first."""
    table = Table("corpus", "strategy")
    for name in ("pages", "harvest rate", "recall", "ms per page"):
        table.add_column(name, justify="right")
    for one in sorted(outcomes, key=lambda one: (one.corpus, -one.recall, one.strategy)):
        cost = f"{one.milliseconds_per_page:.3f}"
        table.add_row(
            one.corpus, one.strategy, str(one.pages), f"{one.harvest_rate:.3f}", f"{one.recall:.3f}", cost
        )
    return table
