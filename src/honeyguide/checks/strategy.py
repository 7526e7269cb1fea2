"""What every strategy must do: finite priorities, the same order every time and after a restart, explanations."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from honeyguide.assembly import assemble
from honeyguide.checks.tiny_web import TOPIC, TinyWeb
from honeyguide.commands import UseRevision
from honeyguide.engine.engine import Engine
from honeyguide.engine.running import StopReason
from honeyguide.model import Priorities, Status
from honeyguide.parse import parse_page, readable, tidied
from honeyguide.settings import CrawlOrder
from honeyguide.state.state import State
from honeyguide.state.tables import HOSTS, URLS, Table
from honeyguide.state.view import CrawlView
from honeyguide.store import open_reader
from honeyguide.store.folder import revision_file
from honeyguide.store.inbox import post
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.wrapper import Wrapper
from honeyguide.telemetry.reporter import Progress
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.topic_file import write_topic

Graph = Mapping[int, Sequence[int]]

DRAWN: Graph = {
    0: [1, 2, 3, 0],  # a link to itself
    1: [4, 5, 1],
    2: [],  # no links
    3: [6, 7, 99],  # a link to nowhere
    4: [8, 9, 0],
    5: [9, 10, 2],
    6: [11],
    7: [11, 12],
    8: [13],
    9: [14, 15, 4],
    10: [16],
    11: [17, 3],
    12: [18],
    13: [19, 9],
    14: [1],
    15: [20, 13],
    16: [5],
    17: [],
    18: [19],
    19: [0],
    20: [2, 18],
}
OTHER_WORDS = "railway timetable"
RELEVANT = frozenset({0, 1, 4, 9, 13, 15, 19})


def check_strategy(
    make: Callable[[], Strategy], links: Graph = DRAWN, relevant: frozenset[int] = RELEVANT, batch: int = 3
) -> None:
    """Crawl a small web in one go, again, and with a restart after every batch: always the same crawl."""
    _check_declarations(make)
    with tempfile.TemporaryDirectory() as folder:
        once = _crawl(make, TinyWeb(links, relevant), Path(folder) / "once", batch)
        again = _crawl(make, TinyWeb(links, relevant), Path(folder) / "again", batch)
        restarted = _crawl(make, TinyWeb(links, relevant), Path(folder) / "restarted", batch, restart=True)
        assert once == again, "two runs on the same web must visit the same pages in the same order"
        assert once == restarted, (
            "closing and reopening must not change the order; keep state in values and tables"
        )
        _check_explanations(make(), Path(folder) / "once")
        _check_judging_again(make, TinyWeb(links, relevant), Path(folder) / "revised", batch)
        again, restarted = (
            _crawl(
                lambda: _Returning(make()),
                TinyWeb(links, relevant, changes=True),
                Path(folder) / f"again-{restart}",
                batch,
                restart,
            )
            for restart in (False, True)
        )
        assert again == restarted, "nor must it where pages change and are fetched again"
        assert len(again) > len({url for url, _ in again}), "pages are fetched again"


class _Returning(Wrapper):
    """Any strategy; when it has nothing more to ask for, every page is asked for once more."""

    name = "returning"

    def __init__(self, inner: Strategy) -> None:
        super().__init__(inner)
        self.values = {**inner.values, "asked again": 0.0}
        self.fetches_again = True

    def refresh(self, crawl: CrawlView) -> Priorities:
        """What the inner strategy has, or else all pages."""
        wanted = self.inner.refresh(crawl)
        everything = np.arange(1, len(crawl), dtype=np.int32)
        pages = everything[crawl.is_fetched(everything) & (crawl.value("asked again")[1:] == 0)]
        if crawl.is_open(wanted.ids).any() or (crawl.status == Status.QUEUED).any() or not len(pages):
            return wanted
        crawl.set_value("asked again", pages, 1.0)
        return Priorities(pages, np.ones(len(pages)), revisit=True)


def _check_declarations(make: Callable[[], Strategy]) -> None:
    strategy = make()
    assert strategy.name, "a strategy has a name"
    assert strategy.needs <= {"context", "context relevance", "text"}, f"unknown needs: {strategy.needs}"
    built_in = set(State().urls.names())
    assert not built_in & set(strategy.values), f"values may not be called {built_in & set(strategy.values)}"
    assert URLS not in strategy.tables, "what is kept of urls is declared in `values`"
    for name, columns in strategy.tables.items():
        built_in = set((State().hosts if name == HOSTS else Table().columns).names())
        assert not built_in & set(columns), f"columns of {name} may not be called {built_in & set(columns)}"


def _crawl(
    make: Callable[[], Strategy], web: TinyWeb, folder: Path, batch: int, restart: bool = False
) -> list[tuple[str, float]]:
    """Every page visited, with its priority; `restart` closes and reopens the crawl after every batch."""
    reason = None
    while reason != StopReason.FRONTIER_EMPTY:
        with _open(make(), web, folder, batch) as engine:
            reason = engine.run(_stopping(engine)) if restart else engine.run()
    with open_reader(folder) as reader:
        return [(visit.url, visit.priority) for visit in reader.visits()]


def _check_judging_again(make: Callable[[], Strategy], web: TinyWeb, folder: Path, batch: int) -> None:
    """Change the topic after the first pages: the crawl goes on, and in the end the new topic has judged them all."""
    with _open(make(), web, folder, batch) as engine:
        engine.run(_stopping(engine))
    revised = KeywordTopic(OTHER_WORDS)
    write_topic(revision_file(folder, 1), revised)
    post(folder, UseRevision(revision=1))
    _crawl(make, web, folder, batch)
    with _open(make(), web, folder, batch) as engine:
        engine.judge_again()
    with open_reader(folder) as reader:
        visits = list(reader.visits())
    assert {visit.revision for visit in visits} == {1}, "all pages are judged by the revision in use"
    said = revised.judge(
        [readable(tidied(parse_page(web.body(visit.url), visit.url, "text/html"))) for visit in visits]
    )
    assert [visit.relevance for visit in visits] == said.tolist(), "and are as relevant as that says"


def _stopping(engine: Engine) -> Callable[[Progress], None]:
    return lambda progress: engine.stop()


def _open(strategy: Strategy, web: TinyWeb, folder: Path, batch: int) -> Engine:
    order = CrawlOrder().with_overrides(
        {
            "topic.text": TOPIC,
            "seeds.urls": [web.url(0)],
            "limits.max_pages": 0,
            "crawl.batch": batch,
            "output.archive": False,
        }
    )
    return assemble(order, folder, web, KeywordTopic(TOPIC), strategy)


def _check_explanations(strategy: Strategy, folder: Path) -> None:
    with open_reader(folder) as reader:
        state = reader.state(strategy.values, strategy.tables)
    view = CrawlView(state, KeywordTopic(TOPIC))
    for url_id in range(1, len(state)):
        explanation = strategy.explain(url_id, view)
        assert explanation.summary, f"url {url_id} has no explanation"
        for part in (*explanation.parts, *explanation.refers_to):
            assert part.label, "every part of an explanation has a label"
            assert math.isfinite(part.number), f"{part.label} of url {url_id} is {part.number}"
            assert part.url_id is None or 0 <= part.url_id < len(state), f"there is no url {part.url_id}"
