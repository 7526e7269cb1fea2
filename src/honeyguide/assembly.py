"""From a crawl order to an engine: the only module that knows every concrete class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from honeyguide import clock
from honeyguide.admission.intake import Intake
from honeyguide.admission.rules import Rules
from honeyguide.admission.scope import Scope
from honeyguide.admission.yields import HostYield
from honeyguide.engine.copies import Copies
from honeyguide.engine.engine import Engine
from honeyguide.engine.guidance import Guidance
from honeyguide.engine.inbox import Controls
from honeyguide.engine.ingest import Ingest
from honeyguide.engine.keeping import Keeping
from honeyguide.engine.memory import Memory
from honeyguide.engine.prepare import Preparer
from honeyguide.engine.rereading import Rereading
from honeyguide.engine.steering import Steering
from honeyguide.engine.visits import VisitWriter
from honeyguide.errors import SettingsError, StoreError, UnknownPlugin
from honeyguide.fetch.base import Fetcher
from honeyguide.fetch.identity import user_agent
from honeyguide.frontier.frontier import Frontier
from honeyguide.making import (
    RecordingProgress,
    check_new_topic,
    make_fetcher,
    make_strategy,
    make_topic,
    read_order_seeds,
    read_revision,
)
from honeyguide.model import Location, Response
from honeyguide.parse.duplicates import MEMORY
from honeyguide.settings import CrawlOrder
from honeyguide.shards.owners import Owners
from honeyguide.state.state import State
from honeyguide.store import choose_place, divide, open_store
from honeyguide.store.anew import check_fruitless, make_way
from honeyguide.store.archive import PageArchive, read_page
from honeyguide.store.archive_place import place_at
from honeyguide.store.base import Store
from honeyguide.store.disk import write_atomically
from honeyguide.store.folder import ARCHIVE, ORDER, TOPIC, holds_crawl
from honeyguide.store.sending import Sender
from honeyguide.strategies import Strategy
from honeyguide.strategies.base import check_in_shards
from honeyguide.telemetry.harvest import Harvest
from honeyguide.telemetry.reporter import Reporter
from honeyguide.topics import TopicModel
from honeyguide.topics.topic_file import write_topic

FIXED_SECTIONS = frozenset({"topic", "seeds", "strategy", "web"})
FIXED_SETTINGS = frozenset(
    {
        *("scope.dropped_parameters", "output.folder", "output.store", "output.archive"),
        *("crawl.level", "crawl.site_relevance", "crawl.shards"),
    }
)
"""What the pages of a crawl were found and judged by; changing it halfway would make its numbers meaningless."""

NOTABLE_SECONDS = 60.0
ORDERS_IN_MEMORY = 64
_ARCHIVE_LOST = (
    "{:,} bytes that were committed are missing at the end of the archive; the pages that stood there can be read no"
    " more, all that was known of them is still there"
)
_CLOCK_SET_BACK = "the clock was set back by {:,.0f} minutes since the crawl last ran; rests count anew"


@contextmanager
def given_again() -> Iterator[None]:
    """Tell the way out where a name is unknown because a program had given the part itself."""
    try:
        yield
    except UnknownPlugin as error:
        again = (
            "if a program gave it as an object, give it again: Crawl.open(folder, topic=..., strategy=...)"
        )
        raise UnknownPlugin(f"{error}; {again}") from None


@dataclass(frozen=True, slots=True)
class Parts:
    """What a crawl is made of; whatever is not given is made as the order says."""

    topic: TopicModel | None = None
    strategy: Strategy | None = None
    fetcher: Fetcher | None = None

    def made(
        self, order: CrawlOrder, progress: RecordingProgress | None
    ) -> tuple[Fetcher, TopicModel, Strategy]:
        """All of them."""
        if self.fetcher is None and order.web.fetcher:
            raise SettingsError(
                f"web.fetcher: this crawl's web was given by a program, as an object of the class {order.web.fetcher};"
                " only a program that gives it again can go on: Crawl.open(folder, web=...)"
            )
        topic = self.topic or make_topic(order)
        strategy = make_strategy(order, self.strategy)
        return self.fetcher or make_fetcher(order, progress), topic, strategy


def start_crawl(order: CrawlOrder, progress: RecordingProgress | None = None) -> Engine:
    """A new crawl in the order's folder, ready to run."""
    return assemble(order, order.folder, *begin(order, Parts(), progress))


def begin(
    order: CrawlOrder, parts: Parts, progress: RecordingProgress | None = None
) -> tuple[Fetcher, TopicModel, Strategy]:
    """Make a new crawl's folder, with its order and topic, and the parts it is to be run with."""
    order.check_complete()
    if holds_crawl(order.folder):
        check_fruitless(order.folder)  # before a recording is indexed, which may take long
    # Everything that may be wrong with the order is told before anything is written.
    check_new_topic(order)
    fetcher, topic, strategy = parts.made(order, progress)
    lay_out(order, topic, strategy)
    return fetcher, topic, strategy


def lay_out(order: CrawlOrder, topic: TopicModel, strategy: Strategy) -> None:
    """Make a new crawl's folder, with its order and topic; its web is opened by whoever runs it.

    A crawl that stands there and never fetched a page makes way: nothing is lost with it, and its order was wrong.
    """
    strategy.check(topic)
    if order.output.archive_at:
        place_at(order.output.archive_at)
    folder = order.folder
    if holds_crawl(folder):
        check_fruitless(folder)
        make_way(folder)
    _write_order(order, folder)
    if order.output.store:
        choose_place(order.output.store, folder)
    if order.topic.file:
        write_topic(folder / TOPIC, topic)
    open_store(folder).close()  # from here on there is a crawl that can be opened
    if order.crawl.shards:
        divide(folder, order.crawl.shards)


def _write_order(order: CrawlOrder, folder: Path) -> None:
    path, text = folder / ORDER, order.to_toml()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_same = path.exists() and path.read_text(encoding="utf-8", errors="replace") == text
        mine = ORDER if is_same else ""
        others = sorted(
            entry.name
            for entry in folder.iterdir()
            if entry.name != mine and not entry.name.endswith(".part")
        )
        if others:
            raise StoreError(
                f"{folder} holds other files ({others[0]} ...); choose a new folder with --folder"
            )
        write_atomically(path, text)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; choose another folder with --folder") from error


def resume_crawl(
    folder: Path,
    overrides: Mapping[str, object] | None = None,
    progress: RecordingProgress | None = None,
    parts: Parts | None = None,
) -> Engine:
    """A crawl that was stopped or died, exactly where its last commit left it; some settings may be changed."""
    order, changed = read_order(folder), tuple(overrides or ())
    check_changeable(changed)
    # From here on, also while a recording is indexed, it is ours and can be stopped.
    store = open_store(folder)
    try:
        if overrides:
            order = order.with_overrides(overrides)
            write_atomically(folder / ORDER, order.to_toml())
        with given_again():
            fetcher, topic, strategy = (parts or Parts()).made(order, progress)
    except BaseException:
        store.close()
        raise
    return assemble(order, folder, fetcher, topic, strategy, changed=changed, store=store)


def check_changeable(keys: Iterable[str]) -> None:
    """Raise SettingsError if one of these settings cannot be changed in a crawl that has begun."""
    if fixed := [key for key in keys if key.partition(".")[0] in FIXED_SECTIONS or key in FIXED_SETTINGS]:
        raise SettingsError(
            f"{', '.join(fixed)}: cannot be changed in a crawl that has begun, its pages were judged and ranked by "
            "what was set; start a new one with `honeyguide crawl`"
        )


def read_order(folder: Path) -> CrawlOrder:
    """The order a crawl was made with."""
    try:
        found = (folder / ORDER).stat()
    except OSError:
        raise StoreError(
            f"{folder} holds no crawl (there is no {ORDER}); start one with `honeyguide crawl`"
        ) from None
    return _read_order(folder, (folder / TOPIC).exists(), found.st_ino, found.st_mtime_ns)


@lru_cache(ORDERS_IN_MEMORY)
def _read_order(folder: Path, has_topic: bool, file: int, changed: int) -> CrawlOrder:
    """An order is asked for at every look at a crawl; `file` and `changed` tell when it is another one."""
    order = CrawlOrder.read(folder / ORDER)
    return order.with_overrides({"topic.file": str(folder / TOPIC)}) if has_topic else order


def assemble(
    order: CrawlOrder,
    folder: Path,
    fetcher: Fetcher,
    topic: TopicModel,
    strategy: Strategy,
    preparer: Preparer | None = None,
    changed: Sequence[str] = (),
    store: Store | None = None,
    owners: Owners | None = None,
    revisions: Callable[[int], TopicModel] | None = None,
    make: Callable[..., Engine] = Engine,
) -> Engine:
    """Put an engine together from its exchangeable parts; whatever the folder holds already is gone on with.

    Pages are read and judged by `preparer`, or by what the order says; `revisions` reads later topics. Urls that were
    given up for a setting that has `changed` since are queued again. A `store` that is open becomes the engine's.
    """
    store = store or open_store(folder)
    try:
        set_back = fetcher.restore_host_records(store.host_records())
        relevant_above = order.topic.relevant_above
        guidance = Guidance(topic, revisions or partial(read_revision, folder), relevant_above)
        sender = _make_sender(order, folder, store)
        remember = partial(
            remembered, order, folder, store, fetcher, guidance, strategy, owners, sender=sender
        )
        memory = remember(changed)
        preparer = preparer or _make_preparer(order, topic, strategy, fetcher)
        return make(
            controls=Controls(order, lambda order: write_atomically(folder / ORDER, order.to_toml())),
            seeds=() if len(memory.state) else read_order_seeds(order).urls,
            memory=memory,
            remember=remember,
            fetcher=fetcher,
            preparer=preparer.revised(guidance.topic, guidance.revision) if guidance.revision else preparer,
            guidance=guidance,
            rereading=Rereading(store, fetcher, folder, partial(_archived, folder, store), guidance.revision),
            store=store,
            reporter=Reporter(
                folder,
                store,
                Harvest(guidance.relevant_above),
                order.output.harvest_every,
                pages=memory.state.held_pages(),
                notices=[*_notices(set_back, _lost_bytes(memory.archive, store))],
                more_notices=sender.take_notices if sender else list,
            ),
            batch=strategy.batch or order.crawl.batch,
        )
    except BaseException:
        store.close()
        raise


def _lost_bytes(archive: PageArchive | None, store: Store) -> int:
    """What is missing of an archive that is kept in the folder."""
    end = store.archive_end()
    if archive is None or (end and store.archived_files().address_of(end.file)):
        return 0
    return archive.lost_bytes


def _notices(set_back: float, lost_bytes: int) -> Iterator[str]:
    if set_back > NOTABLE_SECONDS:
        yield _CLOCK_SET_BACK.format(set_back / 60)
    if lost_bytes:
        yield _ARCHIVE_LOST.format(lost_bytes)


def remembered(
    order: CrawlOrder,
    folder: Path,
    store: Store,
    fetcher: Fetcher,
    guidance: Guidance,
    strategy: Strategy,
    owners: Owners | None,
    changed: Sequence[str] = (),
    sender: Sender | None = None,
) -> Memory:
    """Everything in memory, as the store has it."""
    state = State(is_part=owners is not None and owners.number > 1)
    if state.is_part:
        check_in_shards(strategy)
    guidance.follow(store)
    state.declare(strategy.values, strategy.tables)
    store.load(state)
    keeping = Keeping(state, order.crawl.keep_fresh, fetcher.is_live, lambda: guidance.relevant_above)
    rules = Rules(store.rules())
    state.queue_again(store.given_up(changed))
    archive = _open_archive(order, folder, store, sender) if order.output.archive else None
    if sender:
        state.fetch_again(sender.pages_to_fetch_again())
    if fetcher.is_live:
        _let_rest(state, fetcher, order.politeness.delay_seconds)
    frontier = Frontier(
        state,
        one_per_host=fetcher.is_live,
        max_queue=strategy.max_queue or order.limits.max_queue,
        most_strangers=(order.fetch.in_flight + 1) // 2 if fetcher.tells_contacts else 0,
        rules=rules,
    )
    if strategy.fetches_again:
        state.links.remember()
    # In a recorded web no host is starved: it spares nobody and hides pages.
    yields = HostYield(state, order.scope.starve_host_after if fetcher.is_live else 0)
    ingest = Ingest(
        order=order,
        state=state,
        frontier=frontier,
        intake=Intake(
            state,
            Scope(order.scope),
            max_urls_per_host=order.limits.max_urls_per_host,
            max_urls_per_site=order.limits.max_urls_per_site,
            yields=yields,
            rules=rules,
        ),
        guidance=guidance,
        strategy=strategy,
        visits=VisitWriter(
            state=state,
            store=store,
            archive=archive,
            copies=Copies(store.originals(2 * MEMORY)) if fetcher.is_live else None,
        ),
        yields=yields,
        steering=Steering(state, store, frontier, rules),
        keeping=keeping,
        owners=owners,
    )
    return Memory(state, frontier, ingest, archive, yields, keeping)


def _let_rest(state: State, fetcher: Fetcher, delay_seconds: float) -> None:
    """What was asked after the last commit is forgotten: every host may have been asked a moment ago."""
    now = clock.now()
    rested = [
        max(fetcher.rest_until(f"{scheme}://{name}/", now) for scheme in ("http", "https")) if name else now
        for name in state.host_names  # that of the root is empty
    ]
    state.hosts["ready_at"][:] = np.maximum(rested, now + delay_seconds)


def _make_preparer(order: CrawlOrder, topic: TopicModel, strategy: Strategy, fetcher: Fetcher) -> Preparer:
    return Preparer(
        topic=topic,
        policy=order.url_policy,
        needs=strategy.needs,
        max_links=order.scope.max_links_per_page,
        is_live=fetcher.is_live,
        tells_changes=bool(order.crawl.keep_fresh),
    )


def _make_sender(order: CrawlOrder, folder: Path, store: Store) -> Sender | None:
    place = order.output.archive_at if order.output.archive else ""
    return Sender(folder / ARCHIVE, place, store.archived_files()) if place else None


def _archived(folder: Path, store: Store, location: Location) -> Response:
    return read_page(folder / ARCHIVE, location, store.archived_files().address_of)


def _open_archive(order: CrawlOrder, folder: Path, store: Store, sender: Sender | None) -> PageArchive:
    info = {"http-header-user-agent": user_agent(order.politeness.contact), "robots": "obey"}
    if order.politeness.contact:
        info["operator"] = order.politeness.contact
    return PageArchive(
        folder / ARCHIVE,
        store.archive_end(),
        compression=order.output.compression,
        info=info,
        sender=sender,
    )
