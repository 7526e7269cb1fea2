"""A crawl that revises its topic by itself, from the pages it is surest of: one of a phrase, or any that is told to."""

from __future__ import annotations

import random
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

from honeyguide.engine.inbox import LOOK_EVERY_SECONDS
from honeyguide.errors import HoneyguideError
from honeyguide.model import Visit
from honeyguide.revisions import kept_revision
from honeyguide.settings import CrawlOrder
from honeyguide.store.archived_page import archived_text
from honeyguide.store.folder import kept_revisions
from honeyguide.store.reader import Reader
from honeyguide.teaching import Teaching, wilson
from honeyguide.telemetry.reporter import Progress

if TYPE_CHECKING:
    from honeyguide.engine.engine import Engine
    from honeyguide.fetch.base import Fetcher

OnProgress = Callable[[Progress], None]

SHARES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.65)
"""Of the pages that the crawl may have after its seeds: then it looks whether the last revision was any good, and
learns another. Of many seeds there is little to be learned but that they are home pages."""
AT_LATEST = (200, 400, 800, 1_600, 3_200, 6_400)
"""After so many, if it may have more: a revision has all pages judged again, and large crawls must not pay for that."""
MOST_SEEDS = 1_000
"""It waits for no more of them."""
MOST_REVISIONS = 5
MOST_WORDS = 6
"""A topic that asks for more says enough by itself: in the lab such crawls lose by it a little more than they gain."""
FEWEST_PAGES = 100
"""Of fewer there is little to be sure of."""
COMPARED = 100
LOOKED_BACK = 500
FEWEST_COMPARED = 20
MOST_FALL = 0.5


def lessons(max_pages: int, seeds: int) -> list[int]:
    """After how many pages the crawl looks at what it has found."""
    waited_for = min(seeds, MOST_SEEDS)
    latest = [waited_for + pages for pages in AT_LATEST]
    if not max_pages:
        return latest
    due = [after_seeds(share, max_pages, waited_for) for share in SHARES]
    return [pages for pages in map(min, due, latest) if pages >= FEWEST_PAGES]


def after_seeds(share: float, pages: int, seeds: int) -> int:
    """How many pages are so large a share of those after the seeds."""
    first = min(seeds, pages // 2)
    return max(1, round(first + share * (pages - first)))


@contextmanager
def self_taught(
    crawl: Teaching, engine: Engine, given: Fetcher | None, told: OnProgress
) -> Iterator[OnProgress]:
    """What a running crawl tells its progress to: whoever wants to know, and its lessons if it is to have any."""
    if not _is_to_learn(crawl, engine.order):
        yield told
        return
    web = engine.order.web
    is_live = given.is_live if given else not (web.recording or web.sample_pages)
    with closing(SelfTaught(crawl, engine.order.topic.relevant_above, in_background=is_live)) as taught:
        seeds = cache(lambda: engine.seeds)

        def look(progress: Progress) -> None:
            told(progress)
            taught.look(progress.pages, lessons(engine.order.limits.max_pages, seeds()))

        yield look


def _is_to_learn(crawl: Teaching, order: CrawlOrder) -> bool:
    if order.crawl.learn != "auto":
        return order.crawl.learn == "self"
    # A line that somebody has drawn is meant for the first topic, and says nothing of what is learned.
    return order.topic.relevant_above is None and 0 < crawl.first_topic.words_asked <= MOST_WORDS


class SelfTaught:
    """Gives a crawl its lessons while it runs; after a crash it goes on with the next one.

    In a recorded web the crawl waits meanwhile, and is the same every time; on the live Web hosts would wait with it.
    """

    def __init__(self, crawl: Teaching, relevant_above: float | None, in_background: bool) -> None:
        self._crawl = crawl
        self._relevant_above = relevant_above  # by the first topic; None: its own threshold
        self._in_background = in_background
        self._done = self._had()
        self._thread: threading.Thread | None = None

    def look(self, pages: int, due: Sequence[int]) -> None:
        """Have a lesson if the crawl has grown enough."""
        if self._done >= len(due) or pages < due[self._done] or (self._thread and self._thread.is_alive()):
            return
        self._done += 1
        if self._in_background:
            self._thread = threading.Thread(target=self._lesson, name="lesson", daemon=True)
            self._thread.start()
        else:
            began = time.monotonic()
            self._lesson()
            # The crawl looks for commands so often, and must not find this one sooner or later by chance.
            time.sleep(max(0.0, 2 * LOOK_EVERY_SECONDS - (time.monotonic() - began)))

    def _had(self) -> int:
        """How many lessons there were: what was only struck out of a revision makes another, but no lesson."""
        kept = (kept_revision(self._crawl, number) for number in kept_revisions(self._crawl.folder))
        return len({one.origin.learned_at for one in kept if one and one.origin})

    def close(self) -> None:
        """Wait for a lesson that is under way."""
        if self._thread:
            self._thread.join()

    def _lesson(self) -> None:
        with suppress(HoneyguideError):  # such as pages without a word; the crawl goes on as it is guided now
            self.lesson()

    def lesson(self) -> None:
        """Turn back to the first topic if the crawl brings less since it was revised; else learn once more.

        Where people give labels, these teach; and a crawl that was turned back, by whomever, is left alone.
        """
        crawl = self._crawl
        with crawl.reader() as reader:
            used = reader.revisions()
        if crawl.labels() or (used and not used[-1][0]):
            return
        if used and self._has_fallen():
            crawl.use_revision(0)
        elif self._had() < MOST_REVISIONS:
            crawl.learn_itself()

    def _has_fallen(self) -> bool:
        with self._crawl.reader() as reader:
            return has_fallen(reader, lambda visits: self._good(reader, visits))

    def _good(self, reader: Reader, visits: Sequence[Visit]) -> list[bool]:
        """Which pages the first topic calls relevant, of those that are kept."""
        texts = [archived_text(reader, visit.location) for visit in visits if visit.location]
        first = self._crawl.first_topic
        threshold = first.relevant_above if self._relevant_above is None else self._relevant_above
        return [relevance >= threshold for relevance in first.judge(texts).tolist()]


def has_fallen(reader: Reader, good: Callable[[Sequence[Visit]], Sequence[bool]]) -> bool:
    """Whether the share of good pages, by the first topic, is less than half of that before the last revision.

    By more than chance; a little it always falls, as the best pages are found first.
    """
    last, (_, turned_at) = reader.last_number(), reader.revisions()[-1]
    turn = bisect_right(range(1, last + 1), turned_at, key=lambda number: reader.numbered([number])[0].time)
    before, after = (
        good(reader.numbered(random.Random(0).sample(numbers, min(len(numbers), COMPARED))))
        for numbers in (range(max(1, turn - LOOKED_BACK), turn + 1), range(turn + 1, last + 1))
    )
    if min(len(before), len(after)) < FEWEST_COMPARED:
        return False
    return wilson(sum(after), len(after))[1] < wilson(sum(before), len(before))[0] * MOST_FALL
