"""`Crawl`: one crawl as an object. Start it or open it, run it, read it while it runs, ask something of it.

The command line is a client of this, as any program is. Nothing is held but while the crawl is taken or runs: every
other call reads what was last committed, so another process may be crawling meanwhile.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from honeyguide.arguments import Topic, Web, order_of, parts_of, with_language
from honeyguide.assembly import Parts, begin, given_again, read_order, resume_crawl
from honeyguide.changing import Changing
from honeyguide.commands import Stop
from honeyguide.crawled import CrawledPage, CrawlStatus, count_crawl, crawl_as_html, distinct, is_list
from honeyguide.engine.engine import Engine
from honeyguide.engine.guidance import Guidance
from honeyguide.engine.running import StopReason
from honeyguide.errors import CrawlLocked
from honeyguide.explained import UrlExplanation, explain_url
from honeyguide.making import RecordingProgress, make_strategy, make_topic, read_revision
from honeyguide.model import ROOT, Learned
from honeyguide.searching import Searching
from honeyguide.seeds import spellings_of
from honeyguide.selftaught import self_taught
from honeyguide.settings import CrawlOrder
from honeyguide.state.view import CrawlView
from honeyguide.steering import Steering
from honeyguide.store import at_work, open_reader
from honeyguide.store.reader import HostSummary, LinkRow, Numbers, Reader
from honeyguide.store.sql_question import MEMORY_MB, MOST_ROWS, SECONDS, SqlAnswer, SqlLimits, ask
from honeyguide.strategies.base import Strategy
from honeyguide.surveying import Surveying
from honeyguide.teaching import Teaching
from honeyguide.telemetry.reporter import Progress
from honeyguide.topics.base import TopicModel
from honeyguide.urls import UrlPolicy

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]

    from honeyguide.fetch.base import Fetcher

OnProgress = Callable[[Progress], None]
LIMITS = frozenset(f"limits.max_{what}" for what in ("pages", "requests", "seconds", "failures"))
VISITS_AT_ONCE = 500


class Crawl(Teaching, Searching, Steering, Surveying, Changing):
    """A crawl in its folder. Made by `Crawl.start` or `Crawl.open`."""

    def __init__(self, folder: Path, parts: Parts, fetcher: Fetcher | None = None) -> None:
        self.folder = folder
        self._parts = parts
        self._fetcher = fetcher  # made by `start`, for the first run
        self._engine: Engine | None = None
        self._runs = threading.Lock()  # held while it runs
        self._is_stopping = False
        self._progress: Progress | None = None
        self._guided: Guidance | None = None
        self._look_at = 0.0
        self._numbers: Numbers | None = None  # as they were counted last

    @classmethod
    def start(
        cls,
        folder: str | Path | None = None,
        topic: Topic | None = None,
        seeds: Sequence[str] | Path = (),
        *,
        contact: str = "",
        strategy: str | Strategy | None = None,
        web: Web | None = None,
        order: CrawlOrder | str | Path | None = None,
        settings: Mapping[str, object] | None = None,
        on_index: RecordingProgress | None = None,
    ) -> Self:
        """Begin a crawl: make its folder, and tell everything that may be wrong. `run` crawls.

        `topic` is words, the Path of a topic file, or a topic model; `seeds` are urls, or the Path of a list. `web` is
        a recording or a fetcher; without one the live Web is crawled, which needs a `contact`. Any other setting goes
        by its name into `settings`, as in `{"scope.max_depth": 3}`. All of it changes what the `order` says. Unless
        `topic.language` is set, the language of words is guessed from them and from the seeds.
        """
        named = {**({"politeness.contact": contact} if contact else {}), **(settings or {})}
        whole = with_language(order_of(order, folder, topic, seeds, strategy, web, named))
        parts = parts_of(topic, strategy, web)
        fetcher, *_ = begin(whole, parts, on_index)
        return cls(whole.folder, parts, None if parts.fetcher else fetcher)

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        topic: TopicModel | None = None,
        strategy: Strategy | None = None,
        web: Fetcher | None = None,
    ) -> Self:
        """Open a crawl, running or not. Parts that a program gave must be given again to go on with it."""
        read_order(Path(folder))
        return cls(Path(folder), Parts(topic, strategy, web))

    # What it is

    @property
    def order(self) -> CrawlOrder:
        """Everything that describes the crawl."""
        engine = self._engine
        return engine.order if engine else read_order(self.folder)

    @cached_property
    def first_topic(self) -> TopicModel:
        """What judged its first pages."""
        with given_again():
            return self._parts.topic or make_topic(self.order)

    @property
    def topic(self) -> TopicModel:
        """What judges its pages now: the topic it began with, or what was learned since."""
        return self._guidance.topic

    @property
    def threshold(self) -> float:
        """The relevance from which a page counts as relevant."""
        return self._guidance.relevant_above

    @property
    def _guidance(self) -> Guidance:
        """As of the last second: to ask the store for every page would take longer than to read the page."""
        if self._guided is None:
            read = partial(read_revision, self.folder)
            self._guided = Guidance(self.first_topic, read, self.order.topic.relevant_above)
        if time.monotonic() >= self._look_at:
            self._guided.turn_to(self.revision)
            self._look_at = time.monotonic() + 1.0
        return self._guided

    @property
    def url_policy(self) -> UrlPolicy:
        """How urls are written in this crawl."""
        return self.order.url_policy

    @property
    def process(self) -> int | None:
        """The process that is crawling; None if there is none, 0 if it is not ready yet."""
        return at_work(self.folder)

    # Running

    def take(
        self, settings: Mapping[str, object] | None = None, on_index: RecordingProgress | None = None
    ) -> Self:
        """Lock and load the crawl, changed by some settings, for `run`; CrawlLocked if it is taken already."""
        if self._engine:
            raise CrawlLocked(f"{self.folder} is taken by this object already; `release` gives it up")
        fetcher, self._fetcher = self._fetcher, None
        if fetcher and set(settings or ()) - LIMITS:  # it was made by what is changed now
            _close_unused(fetcher)
            fetcher = None
        parts = replace(self._parts, fetcher=self._parts.fetcher or fetcher)
        self._engine = resume_crawl(self.folder, settings, on_index, parts)
        return self

    def run(
        self, pages: int | None = None, seconds: float | None = None, on_progress: OnProgress | None = None
    ) -> StopReason:
        """Crawl until the crawl has so many pages, or so long, or there is another reason to stop.

        Both are limits of the crawl, kept for later runs; 0 is no limit. Works where an event loop is running, as in
        a notebook; beside other tasks of the loop, use `arun`.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return self._run(pages, seconds, on_progress)
        with ThreadPoolExecutor(1) as thread:
            run = thread.submit(self._run, pages, seconds, on_progress)
            try:
                return run.result()
            except BaseException:
                if not run.done():  # by Ctrl-C; leaving the block waits until what is under way is stored
                    self._stop_here()
                raise

    async def arun(
        self, pages: int | None = None, seconds: float | None = None, on_progress: OnProgress | None = None
    ) -> StopReason:
        """The same beside other tasks of an event loop; cancelled, it stops once what is under way is stored."""
        run = asyncio.ensure_future(asyncio.to_thread(self._run, pages, seconds, on_progress))
        try:
            return await asyncio.shield(run)
        except asyncio.CancelledError:
            self._stop_here()
            await run
            raise

    def _run(self, pages: int | None, seconds: float | None, on_progress: OnProgress | None) -> StopReason:
        if not self._runs.acquire(blocking=False):
            raise CrawlLocked(f"{self.folder} is being crawled by this very object; wait for it, or stop it")
        try:
            wanted = {"limits.max_pages": pages, "limits.max_seconds": seconds}
            limits = {key: value for key, value in wanted.items() if value is not None}
            if self._engine is None:
                self.take()
            engine = self._engine
            assert engine is not None
            if self._is_stopping:
                engine.stop()
            told = on_progress or (lambda progress: None)
            with self_taught(self, engine, self._parts.fetcher, told) as taught:
                return engine.run(taught, limits)
        finally:
            self._is_stopping = False
            self._close()
            self._runs.release()

    def judge_again(
        self, on_progress: Callable[[int, int], None] | None = None, on_index: RecordingProgress | None = None
    ) -> int:
        """Judge pages anew that a former revision of the topic has judged, and fetch nothing; gives their number."""
        if self._engine is None:
            self.take(on_index=on_index)
        engine = self._engine
        assert engine is not None
        try:
            return engine.judge_again(on_progress or (lambda done, number: None))
        finally:
            self._look_at = 0.0
            self._close()

    def stop(self) -> None:
        """Have the crawl end once the pages under way are stored, in whichever process it runs."""
        if self._engine or self._runs.locked():
            self._stop_here()
        else:
            self.send(Stop())

    def _stop_here(self) -> None:
        self._is_stopping = self._runs.locked()
        if engine := self._engine:
            engine.stop()

    def release(self) -> None:
        """Give up what `take` took; a run that is under way ends."""
        if self._runs.locked():
            self._stop_here()
        else:
            self._close()
            fetcher, self._fetcher = self._fetcher, None
            if fetcher:
                _close_unused(fetcher)

    def _close(self) -> None:
        engine, self._engine = self._engine, None
        if engine:
            self._progress = engine.progress()
            engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def progress(self) -> Progress:
        """Where the crawl stands, as its process sees it; after a run, where that ended."""
        engine = self._engine
        return engine.progress() if engine else self._progress or self.status().as_progress()

    # Reading

    def reader(self) -> Reader:
        """Everything that is stored, as of the last commit; to be closed, or used in a `with`."""
        return open_reader(self.folder)

    def status(self) -> CrawlStatus:
        """The crawl in numbers."""
        with self.reader() as reader:
            self._numbers = numbers = reader.numbers(self.threshold, self._numbers)
            return count_crawl(reader, numbers, self.order, self.topic, self.process)

    def visits(self, since: int = 0, relevant: bool = False) -> Iterator[CrawledPage]:
        """Pages in the order they were fetched, after the one with the number `since`; all, or the relevant ones."""
        threshold = self.threshold if relevant else None
        while True:
            # Many at once, and nothing open meanwhile: an open look at the store keeps its log from being cut.
            with self.reader() as reader:
                visits = list(islice(reader.visits(since, threshold), VISITS_AT_ONCE))
            for visit in visits:
                yield CrawledPage(visit, self)
            if len(visits) < VISITS_AT_ONCE:
                return
            since = visits[-1].number

    def top(self, most: int = 20, lists: bool = False) -> list[CrawledPage]:
        """The most relevant pages; of copies and near copies, one. Pages that list others are ranked apart.

        Those that people labelled as not on the topic are left out.
        """
        with self.reader() as reader:
            refused = {url for url, row in reader.labels().items() if row.relevant is False}
            best = (
                visit for visit in distinct(reader.best(), most + len(refused)) if visit.url not in refused
            )
            wanted = (visit for visit in best if is_list(visit, reader) == lists)
            return [CrawledPage(visit, self) for visit in islice(wanted, most)]

    def hosts(self, most: int = 20) -> list[HostSummary]:
        """The hosts with most relevant pages."""
        with self.reader() as reader:
            return reader.hosts(most, self.threshold)

    def page(self, url: str) -> CrawledPage | None:
        """A page by its url, in any spelling; None if it was not fetched."""
        with self.reader() as reader:
            _, url_id = self.find(reader, url)
            visit = None if url_id is None else reader.last_visit(url_id)
        return CrawledPage(visit, self) if visit else None

    def text(self, url: str) -> str:
        """The readable text of a page, from the archive; empty if it is not kept."""
        page = self.page(url)
        return page.text() if page else ""

    def html(self, url: str) -> str:
        """A page as it was sent, from the archive; empty if it is not kept."""
        page = self.page(url)
        return page.html() if page else ""

    def links(self, url: str) -> list[LinkRow]:
        """The links of a page that entered the crawl."""
        page = self.page(url)
        return page.links() if page else []

    def find(self, reader: Reader, url: str) -> tuple[str, int | None]:
        """A url as the crawl knows it, with its id; None if it does not. SettingsError if it is no url."""
        spellings = spellings_of(url, self.url_policy)
        for spelling in spellings:
            if (url_id := reader.find_url(spelling)) is not None:
                return spelling, url_id
        return spellings[0], None

    def explain(self, url: str) -> UrlExplanation:
        """Why a url has its relevance and priority, or was not fetched; printed, it reads as a text."""
        with self.reader() as reader:
            strategy = make_strategy(self.order, self._parts.strategy)
            return explain_url(reader, self.order, self._guidance, strategy, *self.find(reader, url))

    def learned(self) -> Learned:
        """What the strategy has learned so far, over time: weights, and how much it trusts in them."""
        with self.reader() as reader:
            strategy = make_strategy(self.order, self._parts.strategy)
            shard = reader.ranked_in(ROOT, strategy.values, strategy.tables)
            state = shard[0] if shard else reader.state(strategy.values, strategy.tables)
            return strategy.learned(CrawlView(state, self.topic, self._guidance.revision))

    def sql(
        self, question: str, most_rows: int = MOST_ROWS, seconds: float = SECONDS, memory_mb: int = MEMORY_MB
    ) -> SqlAnswer:
        """Ask something in SQL, of the views in docs/sql.md, within these limits."""
        limits = SqlLimits(most_rows, seconds, memory_mb)
        with self.reader() as reader:  # a crawl of an earlier version is brought up to date
            names_values = "url_values" in question.lower()
            values = make_strategy(self.order, self._parts.strategy).values if names_values else {}
            return ask(reader.folder, question, self.threshold, values, limits)

    def frame(self, what: str = "pages") -> pyarrow.Table:
        """What `honeyguide export --what` has, as a table; needs `pip install 'honeyguide[parquet]'`."""
        from honeyguide.store.export import as_arrow, table_of

        with self.reader() as reader:
            definition = self.order.crawl.site_relevance
            return as_arrow(table_of(reader, what, self.threshold, site_relevance=definition))

    def _repr_html_(self) -> str:
        """The crawl in a notebook: its numbers and its harvest curve."""
        return crawl_as_html(self.status(), self.folder)

    def __repr__(self) -> str:
        return f"Crawl({str(self.folder)!r})"


def _close_unused(fetcher: Fetcher) -> None:
    """Close a fetcher that nobody has used, also where an event loop is running."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(fetcher.close())).result()
