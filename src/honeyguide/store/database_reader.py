"""Reading a crawl from its tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from honeyguide.commands import Label, MarkHub
from honeyguide.model import ROOT, Failure, Location, Status
from honeyguide.state.state import State
from honeyguide.store.archived_files import ArchivedFile, read_end
from honeyguide.store.base import LabelRow, PageLinks, Post
from honeyguide.store.database_rows import waiting_command
from honeyguide.store.database_visits import VisitsReader
from honeyguide.store.loading import (
    current_revision,
    load_state,
    packed_target,
    unpacked_links,
)
from honeyguide.store.reader import HostSummary, LinkRow, Numbers
from honeyguide.store.totals import Totals
from honeyguide.urls import fingerprint

_SELECT_FAILURE = (
    "SELECT url_id, urls.url, time, error, message, tries, final, status, urls.depth, vias.url FROM failures"
    " JOIN urls ON urls.id = url_id JOIN urls AS vias ON vias.id = urls.via"
)
_SELECT_LINKS = "SELECT page, targets, anchors FROM links WHERE NOT former ORDER BY n"
PAGES_LOOKED_THROUGH = 50_000
"""For links to a url: there is no index of them, and whoever looks at a page shall not wait for a million others."""


class DatabaseReader(VisitsReader):
    """All that a crawl's database tells."""

    def numbers(self, relevant_above: float, before: Numbers | None = None) -> Numbers:
        """Count the crawl as of one moment."""
        with self._told(), self._one_moment():
            totals = Totals(self._db)
            visits = self.last_number()
            first_and_last = "SELECT time FROM visits WHERE n IN (1, ?) ORDER BY n"
            times = [time for (time,) in self._rows(first_and_last, visits)]
            counted = Numbers(
                pages=totals.pages,
                visits=visits,
                relevant=0,
                mean_relevance=totals.relevance / totals.pages if totals.pages else 0.0,
                requests=totals.requests,
                failures=self._last("n", "failures"),
                urls=self._last("id", "urls"),  # the root has the number 0
                urls_by_status={status: totals.urls(status) for status in Status},
                hosts=self._last("id", "hosts"),
                first_time=times[0] if times else None,
                last_time=times[-1] if times else None,
                counts=dict(self._rows("SELECT name, count FROM counts ORDER BY name")),
                is_paused=totals.is_paused,
                relevant_above=relevant_above,
                judged_again=totals.judged_again,
            )
            return replace(counted, relevant=self._relevant(counted, before))

    def _relevant(self, now: Numbers, before: Numbers | None) -> int:
        """How many pages are relevant: of a million, to count all takes as long as a hundred other questions."""
        count = "SELECT count(*) FROM visits {} WHERE copy_of IS NULL AND relevance >= ? AND NOT former"
        if before is None or not _goes_on(before, now):
            return int(self._row(count.format(""), now.relevant_above)[0])
        new = f"{count.format('NOT INDEXED')} AND n > ?"
        return before.relevant + int(self._row(new, now.relevant_above, before.visits)[0])

    def hosts(self, most: int, relevant_above: float) -> list[HostSummary]:
        """The hosts with most relevant pages."""
        rows = self._rows(
            "SELECT name, count(*), count(*) FILTER (WHERE copy_of IS NULL AND relevance >= ?1) AS relevant,"
            " avg(relevance) AS mean"
            " FROM visits JOIN urls ON urls.id = url_id JOIN hosts ON hosts.id = host WHERE NOT former"
            " GROUP BY hosts.id, name ORDER BY relevant DESC, mean DESC, name LIMIT ?2",
            relevant_above,
            most,
        )
        return [HostSummary(*row) for row in rows]

    def starved_hosts(self, after: int, most_times: int) -> int:
        """How many hosts are starved by themselves."""
        count = (
            "SELECT count(*) FROM hosts"
            " WHERE barren >= ?1 * (CASE WHEN 1 + given < ?2 THEN 1 + given ELSE ?2 END)"
        )
        return int(self._row(count, after, most_times)[0]) if after else 0

    def counted_hosts(self) -> State:
        """The hosts of which something was counted."""
        rows = [
            *self._rows("SELECT name, barren, given FROM hosts WHERE barren > 0 OR given > 0 ORDER BY id")
        ]
        state = State()
        for name, *_ in rows:
            state.host_id(name)
        for place, name in enumerate(("barren", "given"), start=1):
            state.hosts[name][:] = [row[place] for row in rows]
        return state

    def failures(self, url_id: int | None = None, since: int = 0) -> Iterator[Failure]:
        """Failures in order."""
        chosen, given = ("", (since,)) if url_id is None else (" AND url_id = ?2", (since, url_id))
        for row in self._rows(f"{_SELECT_FAILURE} WHERE n > ?1{chosen} ORDER BY n", *given):
            yield _failure(row)

    def links(self, page: int | None = None) -> Iterator[LinkRow]:
        """Links, page by page."""
        select = "SELECT page, targets, anchors FROM links"
        rows = (
            self._rows(f"{select} WHERE NOT former ORDER BY n")
            if page is None
            else self._rows(f"{select} WHERE page = ? AND NOT former ORDER BY n DESC LIMIT 1", page)
        )
        for linking, *packed in rows:
            source = self.url_text(linking)
            with self._told():
                links = unpacked_links(*packed)
            for target, anchor in links:
                yield LinkRow(source, self.url_text(target), anchor)

    def inlinks(self, url_id: int, most: int) -> list[LinkRow]:
        """Links to a url, from the page that was the first to link to it on."""
        first = "SELECT coalesce(min(n), 0) FROM links WHERE page = (SELECT via FROM urls WHERE id = ?)"
        with self._told():
            start = self._db.execute(first, (url_id,)).fetchone()[0]
        rows = self._rows(
            "SELECT page, targets, anchors FROM links WHERE n >= ? AND n < ? AND NOT former"
            " AND instr(targets, ?) > 0 ORDER BY n",
            *(start, start + PAGES_LOOKED_THROUGH, packed_target(url_id)),
        )
        found: list[LinkRow] = []
        for page, *packed in rows:
            with self._told():
                anchor = dict(unpacked_links(*packed)).get(url_id)
            if anchor is not None and page != ROOT:  # the same bytes may stand across two targets
                found.append(LinkRow(self.url_text(page), self.url_text(url_id), anchor))
            if len(found) >= most:
                break
        return found

    def link_lists(self) -> Iterator[PageLinks]:
        """Links, a list for each page."""
        for page, targets, anchors in self._rows(_SELECT_LINKS):
            with self._told():
                yield PageLinks(page, np.frombuffer(targets, dtype=np.int32), json.loads(anchors))

    def archive_end(self) -> Location | None:
        """Up to where the page archive is committed."""
        with self._told():
            return read_end(self._db)

    def judged_again(self) -> tuple[int, int]:
        """As it was counted with every commit."""
        with self._told():
            return current_revision(self._db), Totals(self._db).judged_again

    def is_paused(self) -> bool:
        """As of the last commit."""
        with self._told():
            return Totals(self._db).is_paused

    def find_url(self, url: str) -> int | None:
        """The id of a canonical url."""
        number = fingerprint(url)
        signed = number - 2**64 if number >= 2**63 else number
        found = [*self._rows("SELECT id FROM urls WHERE fingerprint = ? AND url = ?", signed, url)]
        return int(found[0][0]) if found else None

    def url_text(self, url_id: int) -> str:
        """The text of a url."""
        with self._told():
            return str(self._db.execute("SELECT url FROM urls WHERE id = ?", (url_id,)).fetchone()[0])

    def path_from_seed(self, url_id: int) -> list[int]:
        """The urls by which a url was first found."""
        path = [url_id]
        with self._told():
            while path[-1] != ROOT:
                via = self._db.execute("SELECT via FROM urls WHERE id = ?", (path[-1],)).fetchone()[0]
                if not ROOT <= via < path[-1]:
                    raise ValueError(f"url {path[-1]} was found by url {via}, which came later")
                path.append(via)
        return path[-2::-1]

    def anchor(self, page: int, target: int) -> str:
        """The anchor text of the latest link from a page to a url."""
        found = "SELECT targets, anchors FROM links WHERE page = ? ORDER BY n DESC LIMIT 1"
        with self._told():
            row = self._db.execute(found, (page,)).fetchone()
            return str(dict(unpacked_links(*row)).get(target, "")) if row else ""

    def labels(self) -> dict[str, LabelRow]:
        """The last word on every url."""
        return self._said(of_hub=False)

    def hub_marks(self) -> dict[str, LabelRow]:
        """The last word on every hub."""
        return self._said(of_hub=True)

    def _said(self, of_hub: bool) -> dict[str, LabelRow]:
        # What waits is read first: what the crawl takes from there meanwhile is then read twice, and never missed.
        waiting = self._waiting_labels(of_hub)
        rows = self._rows(
            "SELECT url, time, relevant, note, unsure, said_by, asked, of_hub FROM labels WHERE of_hub = ? ORDER BY n",
            of_hub,
        )
        said = {row[0]: _label(*row) for row in rows}
        said |= {
            url: one for url, (posted, one) in waiting.items() if url not in said or said[url].time < posted
        }
        return {url: label for url, label in said.items() if label.relevant is not None or label.is_unsure}

    def _waiting_labels(self, of_hub: bool) -> dict[str, tuple[float, LabelRow]]:
        """What waits in the inbox, each with the time when it was left there."""
        waiting = self._rows(
            "SELECT time, CAST(command AS BLOB) FROM inbox WHERE receipt IS NULL"
            " AND (instr(command, 'label') > 0 OR instr(command, 'hub') > 0) ORDER BY n"
        )
        labels = (
            (posted, label) for posted, command in waiting for label in _waiting_labels(posted, command)
        )
        return {label.url: (posted, label) for posted, label in labels if label.of_hub == of_hub}

    def labels_of(self, urls: Sequence[str]) -> dict[str, bool]:
        """The last word on some urls."""
        waiting = self._waiting_labels(False)  # first, as above
        rows = self._rows(
            "SELECT url, time, relevant FROM labels WHERE url IN (SELECT value FROM json_each(?)) AND NOT of_hub"
            " ORDER BY n",
            json.dumps([*urls]),
        )
        said = {url: (time, relevant) for url, time, relevant in rows}
        for url in waiting.keys() & {*urls}:
            posted, label = waiting[url]
            if url not in said or said[url][0] < posted:
                said[url] = posted, label.relevant
        return {url: bool(relevant) for url, (_, relevant) in said.items() if relevant is not None}

    def revisions(self) -> list[tuple[int, float]]:
        """The history of the topic."""
        return [*self._rows("SELECT revision, time FROM revisions ORDER BY n")]

    def archive_files(self) -> Mapping[str, ArchivedFile]:
        """Files of an archive that is kept elsewhere."""
        rows = self._rows("SELECT file, bytes, address FROM archive_files")
        return {name: ArchivedFile(name, size, address) for name, size, address in rows}

    def address_of(self, file: str) -> str:
        """Where a file of the archive was sent."""
        rows = [*self._rows("SELECT address FROM archive_files WHERE file = ?", file)]
        return rows[0][0] if rows else ""

    def posts(self, since: int = 0) -> list[Post]:
        """Commands and their receipts."""
        rows = self._rows(
            "SELECT n, time, CAST(command AS BLOB), receipt FROM inbox WHERE n > ? ORDER BY n", since
        )
        return [
            Post(number, time, text.decode("utf-8", "replace"), receipt)
            for number, time, text, receipt in rows
        ]

    def state(
        self,
        values: Mapping[str, float] | None = None,
        tables: Mapping[str, Mapping[str, float]] | None = None,
    ) -> State:
        """Everything, as of one moment."""
        state = State()
        state.declare(values or {}, tables or {})
        with self._told(), self._one_moment():
            load_state(self._db, state, self._is_divided())
        return state

    def _is_divided(self) -> bool:
        """Whether shards write the tables."""
        return False


def _goes_on(before: Numbers, now: Numbers) -> bool:
    """Whether what was counted before is still true: of the same crawl, no page judged or visited again since."""
    return _lasting(before) == _lasting(now) and before.visits <= now.visits


def _lasting(numbers: Numbers) -> tuple[object, ...]:
    revisits = numbers.visits - numbers.pages
    return numbers.relevant_above, numbers.judged_again, numbers.first_time, revisits


def _failure(row: Sequence[Any]) -> Failure:
    url_id, url, time, error, message, tries, final, *rest = row
    return Failure(url_id, url, time, error, message, tries, bool(final), *rest)


def _label(
    url: str, time: float, relevant: int | None, note: str, unsure: int, by: str, asked: str, of_hub: int
) -> LabelRow:
    verdict = None if relevant is None else bool(relevant)
    return LabelRow(url, time, verdict, note, bool(unsure), by, asked, bool(of_hub))


def _waiting_labels(posted: float, command: bytes) -> Iterator[LabelRow]:
    match waiting_command(command):
        case Label() as said:
            verdict = None if said.unsure else said.relevant
            what = verdict, said.note, said.unsure, said.by, said.asked
            yield LabelRow(said.url, said.given_at(posted), *what)
        case MarkHub() as said:
            yield LabelRow(said.url, posted, said.good, said.note, by=said.by, of_hub=True)
