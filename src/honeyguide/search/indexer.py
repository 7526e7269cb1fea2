"""The indexer: takes in a crawl's visits one after the other, from wherever it was.

How far it is stands in the index itself, in a document that is committed with the pages: killed at any moment, it goes
on after the last commit. It only reads of the crawl, and nothing it does or fails to do is noticed there.

What changes after a page was indexed is not looked for page by page. Judgments, labels and authority are looked up when
somebody searches. What candidates are chosen by, anchors and weights, is mended whenever the crawl has twice as
many pages, or pages were judged again: all links are read once, and pages are indexed again of which something changed,
from what the index keeps. So a page is indexed twice on average at most, however large the crawl grows.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from honeyguide.model import Visit
from honeyguide.parse.main_text import main_text
from honeyguide.search.documents import Indexed, copy_document, page_document
from honeyguide.search.inlinks import anchors_into, authority
from honeyguide.search.library import tantivy
from honeyguide.search.ranking import weight
from honeyguide.search.schema import STATE, open_index
from honeyguide.search.shelf import Shelf
from honeyguide.search.state import authority_of, read_authority, state_of, write_authority
from honeyguide.store import open_reader
from honeyguide.store.reader import Reader

OnProgress = Callable[[int, int], None]

BATCH = 200
COMMIT_PAGES = 5_000
"""Each commit is a part of its own, which must be merged with others later."""
COMMIT_SECONDS = 10.0
"""How long a page of a crawl that is followed may have to wait."""
LOOK_SECONDS = 1.0
"""How often a crawl that is followed is looked at."""
GROWN = 2.0
"""By how much a crawl has grown when what links say is looked at again."""
LEAST_REST, REST_SHARE = 60.0, 20
"""Seconds until pages that were judged again are looked for again, and how many times as long as that took."""
SLICE = 50_000
"""Pages whose anchors are in memory at a time."""
SCAN_SHARE = 10
"""New pages get their anchors at once if they are at least one in so many: all links must be read for it."""
CHANGED_WEIGHT = 0.1
"""A page is indexed again when its weight has changed by this share."""
WRITER_BYTES = 64_000_000
MOST_GONE = 1_000_000


class Indexer:
    """The only one who writes a crawl's index; making one locks it. To be closed, or used in a `with`."""

    def __init__(self, crawl: Path, *, rebuild: bool = False) -> None:
        open_reader(crawl).close()  # tells if there is no crawl
        self._crawl = crawl
        self._shelf = Shelf(crawl)
        self.unreadable = 0  # pages that are lost from the archive, or that nobody can read
        with ExitStack() as stack:
            stack.enter_context(closing(self._shelf.lock()))
            self._shelf.tidy()
            found = None if rebuild else self._shelf.in_use()
            self._folder = found or self._shelf.next_folder()
            with self._shelf.told():
                self._index = open_index(self._folder)
                self._writer = self._index.writer(WRITER_BYTES, 1)
                self._state = state_of(self._index, self._searcher())
            self._held = stack.pop_all()
        self._authority = read_authority(self._folder)
        self._committed = self._state
        self._uncommitted = 0
        self._committed_at = time.monotonic()
        self._look_after = 0.0
        self._gone_until = -math.inf  # when pages were seen to be gone that have been dropped
        self._is_following = False

    @property
    def done(self) -> int:
        """The number of the last visit that was taken in."""
        return self._state.done

    def catch_up(self, on_progress: OnProgress | None = None) -> int:
        """Take in all visits there are, and commit; gives how many were new."""
        new = self._take_in_all(on_progress)
        with self._shelf.told():
            if self._uncommitted or self._state != self._committed:
                self._commit()
            if self._shelf.in_use() != self._folder:
                self._shelf.use(self._folder)
        return new

    def follow(self, is_wanted: Callable[[], bool], on_progress: OnProgress | None = None) -> None:
        """Take in visits as the crawl makes them, until it is not wanted any more, or by Ctrl-C."""
        self.catch_up(on_progress)
        self._is_following = True
        try:
            while is_wanted():
                self._take_in_all(on_progress)
                with self._shelf.told():
                    self._commit_if_due()
                time.sleep(LOOK_SECONDS)
        except KeyboardInterrupt:  # the usual end of it
            with self._shelf.told():
                self._commit()

    def close(self) -> None:
        """Let others write. What was not committed is taken in again by whoever comes next."""
        with self._held:
            del self._writer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Taking in

    def _take_in_all(self, on_progress: OnProgress | None) -> int:
        before = self.done
        with self._shelf.told():
            last = self._last_number()
            self._look_again_if_due(last)
            while self.done < last:
                anchors = self._anchors_of_new(last)
                for visits in self._batches(min(last, self.done + SLICE)):
                    self._take_in(visits, anchors)
                    if on_progress:
                        on_progress(self.done, last)
            self._drop_gone()
        return self.done - before

    def _drop_gone(self) -> None:
        """Pages that are gone are found no more; those that were before this process began are dropped once more."""
        with open_reader(self._crawl) as reader:
            gone = reader.gone(math.nextafter(self._gone_until, math.inf), MOST_GONE)
        for page in gone:
            self._writer.delete_documents_by_term("page", str(page.url_id))
            self._gone_until = max(self._gone_until, page.time)
        self._uncommitted += len(gone)

    def _batches(self, until: int) -> Iterator[list[Visit]]:
        """Visits that are not in the index, a few at a time, and nothing open meanwhile: see `Crawl.visits`."""
        while self.done < until:
            with open_reader(self._crawl) as reader:
                visits = list(islice(reader.visits(self.done), min(BATCH, until - self.done)))
            if not visits:
                return
            yield visits

    def _take_in(self, visits: Sequence[Visit], anchors: dict[int, list[str]]) -> None:
        for visit, text in zip(visits, self._texts(visits), strict=True):
            self._writer.delete_documents_by_term("page", str(visit.url_id))
            if visit.copy_of is not None:
                self._writer.add_document(copy_document(visit))
            elif text is not None:
                known = anchors.get(visit.url_id, ())
                self._add(visit, Indexed(text, known, authority_of(visit.url_id, self._authority)))
        self._state = replace(self._state, done=visits[-1].number)
        self._commit_if_due()

    def _add(self, visit: Visit, own: Indexed) -> None:
        try:
            self._writer.add_document(page_document(visit, own))
            self._uncommitted += 1
        except UnicodeError:  # half a character, which no library takes
            self.unreadable += 1

    def _texts(self, visits: Sequence[Visit]) -> list[str | None]:
        """The main text of each page; None of one that is not to be shown, or cannot be read."""
        with open_reader(self._crawl) as reader:
            return [self._text(visit, reader) for visit in visits]

    def _text(self, visit: Visit, reader: Reader) -> str | None:
        if visit.location is None or visit.noindex or visit.copy_of is not None:
            return None
        try:
            page = reader.response(visit.location)
            return main_text(page.body, page.url, page.content_type)
        except Exception:  # a record that is lost, or a parser of another package
            self.unreadable += 1
            return None

    # Committing

    def _commit_if_due(self) -> None:
        is_old = self._is_following and time.monotonic() - self._committed_at > COMMIT_SECONDS
        if self._uncommitted >= COMMIT_PAGES or (is_old and self._uncommitted):
            self._commit()

    def _commit(self) -> None:
        self._writer.delete_documents_by_term("kind", STATE)
        self._writer.add_document(self._state.document())
        self._writer.commit()
        self._committed = self._state
        self._uncommitted = 0
        self._committed_at = time.monotonic()
        if self._shelf.in_use() is None:  # rather few pages than none
            self._shelf.use(self._folder)

    # What changes after a page was indexed

    def _look_again_if_due(self, last: int) -> None:
        began = time.monotonic()
        has_grown = last >= max(1, self._state.looked_at) * GROWN
        if not has_grown and began < self._look_after:
            return
        with open_reader(self._crawl) as reader:
            judged = reader.judged_again()
            if has_grown or judged != (self._state.revision, self._state.judged_again):
                self._authority = authority(reader.link_lists(), reader.numbers(0.5).urls + 1)
                self._look_again()
        revision, judged_again = judged
        self._state = replace(
            self._state,
            looked_at=last if has_grown else self._state.looked_at,
            revision=revision,
            judged_again=judged_again,
        )
        now = time.monotonic()
        self._look_after = now + max(LEAST_REST, REST_SHARE * (now - began))

    def _look_again(self) -> None:
        write_authority(self._folder, self._authority)
        for start in range(0, self.done, SLICE):
            self._mend(start, min(self.done, start + SLICE))

    def _anchors_of_new(self, last: int) -> dict[int, list[str]]:
        """Anchors of the pages that are taken in next, if these are many."""
        new = min(last - self.done, SLICE)
        return self._anchors(self.done, self.done + new) if new * SCAN_SHARE >= last else {}

    def _anchors(self, start: int, end: int) -> dict[int, list[str]]:
        """Anchors into the pages of the visits after `start` and up to `end`."""
        with open_reader(self._crawl) as reader:
            pages = [visit.url_id for visit in islice(reader.visits(start), end - start)]
            return anchors_into(reader.link_lists(), pages)

    def _mend(self, start: int, end: int) -> None:
        """Index pages again of which something has changed, among the visits after `start` and up to `end`."""
        anchors = self._anchors(start, end)
        for first in range(start, end, BATCH):
            with open_reader(self._crawl) as reader:
                numbers = range(first + 1, min(end, first + BATCH) + 1)
                visits = {visit.number: visit for visit in reader.numbered(numbers)}
            for visit, own in self._changed(visits, anchors):
                self._writer.delete_documents_by_term("page", str(visit.url_id))
                self._add(visit, own)
            self._commit_if_due()

    def _changed(
        self, visits: dict[int, Visit], anchors: dict[int, list[str]]
    ) -> Iterator[tuple[Visit, Indexed]]:
        searcher = self._searcher()
        found = self._numbered(searcher, [*visits])
        weights, judged = (
            searcher.fast_field_values(name, [*found.values()]) for name in ("weight", "relevance")
        )
        for (number, address), before, relevance in zip(found.items(), weights, judged, strict=True):
            visit, document = visits[number], searcher.doc(address)
            known = authority_of(visit.url_id, self._authority)
            own = Indexed(
                document["content"][0].decode("utf-8", "replace"),
                anchors.get(visit.url_id, ()),
                known,
            )
            change = math.log2(2 + (before or 0)) / weight(visit.relevance, known) - 1
            if (
                abs(change) > CHANGED_WEIGHT
                or relevance != visit.relevance
                or own.known() != document["known"][0]
            ):
                yield visit, own

    def _numbered(self, searcher: tantivy.Searcher, numbers: Sequence[int]) -> dict[int, tantivy.DocAddress]:
        """The documents of visits, by their numbers."""
        query = tantivy.Query.term_set_query(self._index.schema, "number", numbers)
        addresses = [address for _, address in searcher.search(query, len(numbers), count=False).hits]
        found = [int(number or 0) for number in searcher.fast_field_values("number", addresses)]
        return dict(zip(found, addresses, strict=True))

    def _searcher(self) -> tantivy.Searcher:
        self._index.reload()
        return self._index.searcher()

    def _last_number(self) -> int:
        with open_reader(self._crawl) as reader:
            return reader.last_number()
