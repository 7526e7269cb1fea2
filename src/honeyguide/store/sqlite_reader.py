"""Reading a crawl from its SQLite file. Nothing is written, so a running crawl is not disturbed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from honeyguide.commands import Label, MarkHub
from honeyguide.model import ROOT, Failure, Gone, Status, Visit
from honeyguide.state.state import State
from honeyguide.store.base import LabelRow, PageLinks, Post
from honeyguide.store.loading import (
    SELECT_VISIT,
    current_revision,
    last_visit,
    load_state,
    packed_target,
    unpacked_links,
    visit_of,
)
from honeyguide.store.reader import HostSummary, LinkRow, Numbers
from honeyguide.store.sqlite_lately import LatelyReader
from honeyguide.store.sqlite_rows import waiting_command
from honeyguide.store.totals import Totals
from honeyguide.urls import fingerprint

_SELECT_FAILURE = (
    "SELECT url_id, urls.url, time, error, message, tries, final, status, urls.depth, vias.url FROM failures"
    " JOIN urls ON urls.id = url_id JOIN urls AS vias ON vias.id = urls.via"
)
_SELECT_LINKS = "SELECT page, targets, anchors FROM links WHERE NOT former ORDER BY n"
PAGES_LOOKED_THROUGH = 50_000
"""For links to a url: there is no index of them, and whoever looks at a page shall not wait for a million others."""


class SqliteReader(LatelyReader):
    """All that a crawl's database tells."""

    def numbers(self, relevant_above: float) -> Numbers:
        """Count the crawl."""
        with self._told():
            totals = Totals(self._db)
        (relevant,) = self._row(
            "SELECT count(*) FROM visits WHERE copy_of IS NULL AND relevance >= ? AND NOT former",
            relevant_above,
        )
        first_and_last = "SELECT time FROM visits WHERE n IN (1, ?) ORDER BY n"
        times = [time for (time,) in self._rows(first_and_last, self.last_number())]
        return Numbers(
            pages=totals.pages,
            relevant=relevant,
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
        )

    def visits(self, since: int = 0, relevant_above: float | None = None) -> Iterator[Visit]:
        """The crawl log in order."""
        chosen = "" if relevant_above is None else " AND copy_of IS NULL AND relevance >= ?2"
        given = (since,) if relevant_above is None else (since, relevant_above)
        for row in self._rows(f"{SELECT_VISIT} WHERE n > ?1{chosen} ORDER BY n", *given):
            yield visit_of(row)

    def latest(self, most: int) -> list[Visit]:
        """The last visits, in order."""
        rows = [*self._rows(f"{SELECT_VISIT} ORDER BY n DESC LIMIT ?", most)]
        return [visit_of(row) for row in reversed(rows)]

    def changed(self, since: float, most: int) -> list[Visit]:
        """Along the index of just these visits."""
        wanted = "WHERE time >= ? AND (changed OR NOT is_revisit) ORDER BY time DESC LIMIT ?"
        return [visit_of(row) for row in self._rows(f"{SELECT_VISIT} {wanted}", since, most)]

    def visit_before(self, visit: Visit) -> Visit | None:
        """By the url."""
        before = f"{SELECT_VISIT} WHERE url_id = ? AND n < ? ORDER BY n DESC LIMIT 1"
        return next((visit_of(row) for row in self._rows(before, visit.url_id, visit.number)), None)

    def gone(self, since: float, most: int) -> list[Gone]:
        """They are few."""
        rows = self._rows(
            "SELECT url_id, time, status FROM gone WHERE time >= ? ORDER BY n DESC LIMIT ?", since, most
        )
        return [Gone(*row) for row in rows]

    def best(self) -> Iterator[Visit]:
        """Pages by their relevance, the best first: in the order of an index, so that nothing is sorted."""
        best = (
            f"{SELECT_VISIT} WHERE copy_of IS NULL AND NOT former ORDER BY relevance DESC, copy_of, former, n"
        )
        for row in self._rows(best):
            yield visit_of(row)

    def nearest(self, relevance: float, most: int) -> list[Visit]:
        """From both sides along the index."""
        sides = [
            f"{SELECT_VISIT} WHERE copy_of IS NULL AND NOT former AND relevance {side}"
            f" ORDER BY relevance {order} LIMIT ?2"
            for side, order in ((">= ?1", "ASC"), ("< ?1", "DESC"))
        ]
        found = [visit_of(row) for side in sides for row in self._rows(side, relevance, most)]
        return sorted(found, key=lambda visit: abs(visit.relevance - relevance))[:most]

    def numbered(self, numbers: Sequence[int]) -> list[Visit]:
        """Visits by their numbers."""
        rows = self._rows(
            f"{SELECT_VISIT} WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n", json.dumps([*numbers])
        )
        return [visit_of(row) for row in rows]

    def last_number(self) -> int:
        """The highest number."""
        return self._last("n", "visits")

    def hosts(self, most: int, relevant_above: float) -> list[HostSummary]:
        """The hosts with most relevant pages."""
        rows = self._rows(
            "SELECT name, count(*), sum(copy_of IS NULL AND relevance >= ?1) AS relevant, avg(relevance) AS mean"
            " FROM visits JOIN urls ON urls.id = url_id JOIN hosts ON hosts.id = host WHERE NOT former"
            " GROUP BY host ORDER BY relevant DESC, mean DESC, name LIMIT ?2",
            relevant_above,
            most,
        )
        return [HostSummary(*row) for row in rows]

    def starved_hosts(self, after: int, most_times: int) -> int:
        """How many hosts are starved by themselves."""
        count = "SELECT count(*) FROM hosts WHERE ?1 AND barren >= ?1 * min(1 + given, ?2)"
        return int(self._row(count, after, most_times)[0])

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

    def judged(self, numbers: Sequence[int]) -> list[tuple[int, float, float]]:
        """By the key of the table, so that it costs the same in a crawl of any size."""
        query = "SELECT n, time, relevance FROM visits WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n"
        return [(n, time, relevance) for n, time, relevance in self._rows(query, json.dumps([*numbers]))]

    def cells(self, since: int, last: int, width: int, rows: int) -> list[tuple[int, int, int, int]]:
        """Counted by SQLite; all of a crawl by the index of relevance, which is a fraction of the table."""
        source = "visits" if since else "visits INDEXED BY visits_by_relevance"
        query = (
            "SELECT (n - 1) / ?3, CAST(max(0, min(?4 - 1, relevance * ?4)) AS INTEGER), count(*), max(n)"
            f" FROM {source} WHERE n > ?1 AND n <= ?2 AND copy_of IS NULL GROUP BY 1, 2"
        )
        return [*self._rows(query, since, last, width, rows)]

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
            " AND instr(targets, ?) ORDER BY n",
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

    def judged_again(self) -> tuple[int, int]:
        """Visits whose first judgment is kept beside that of the revision."""
        if not self._row("SELECT count(*) FROM revisions")[0]:
            return 0, 0
        with self._told():
            revision = current_revision(self._db)
        count = "SELECT count(*) FROM visits WHERE revision = ? AND first_relevance IS NOT NULL"
        return revision, int(self._row(count, revision)[0])

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

    def last_visit(self, url_id: int) -> Visit | None:
        """The latest visit of a url."""
        with self._told():
            return last_visit(self._db, url_id)

    def labels(self) -> dict[str, LabelRow]:
        """The last word on every url."""
        return self._said(of_hub=False)

    def hub_marks(self) -> dict[str, LabelRow]:
        """The last word on every hub."""
        return self._said(of_hub=True)

    def _said(self, of_hub: bool) -> dict[str, LabelRow]:
        rows = self._rows(
            "SELECT url, time, relevant, note, unsure, said_by, asked, of_hub FROM labels WHERE of_hub = ? ORDER BY n",
            of_hub,
        )
        said = {row[0]: _label(*row) for row in rows} | self._waiting_labels(of_hub)
        return {url: label for url, label in said.items() if label.relevant is not None or label.is_unsure}

    def _waiting_labels(self, of_hub: bool) -> dict[str, LabelRow]:
        waiting = self._rows(
            "SELECT time, CAST(command AS BLOB) FROM inbox WHERE receipt IS NULL"
            " AND (instr(command, 'label') OR instr(command, 'hub')) ORDER BY n"
        )
        labels = (label for row in waiting for label in _waiting_labels(*row))
        return {label.url: label for label in labels if label.of_hub == of_hub}

    def labels_of(self, urls: Sequence[str]) -> dict[str, bool]:
        """The last word on some urls."""
        rows = self._rows(
            "SELECT url, relevant FROM labels WHERE url IN (SELECT value FROM json_each(?)) AND NOT of_hub ORDER BY n",
            json.dumps([*urls]),
        )
        said = dict(rows)
        said |= {url: label.relevant for url, label in self._waiting_labels(False).items() if url in urls}
        return {url: bool(relevant) for url, relevant in said.items() if relevant is not None}

    def revisions(self) -> list[tuple[int, float]]:
        """The history of the topic."""
        return [*self._rows("SELECT revision, time FROM revisions ORDER BY n")]

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
            load_state(self._db, state)
        return state


def _failure(row: Sequence[Any]) -> Failure:
    url_id, url, time, error, message, tries, final, *rest = row
    return Failure(url_id, url, time, error, message, tries, bool(final), *rest)


def _label(
    url: str, time: float, relevant: int | None, note: str, unsure: int, by: str, asked: str, of_hub: int
) -> LabelRow:
    verdict = None if relevant is None else bool(relevant)
    return LabelRow(url, time, verdict, note, bool(unsure), by, asked, bool(of_hub))


def _waiting_labels(said_at: float, command: bytes) -> Iterator[LabelRow]:
    match waiting_command(command):
        case Label() as said:
            verdict = None if said.unsure else said.relevant
            yield LabelRow(said.url, said_at, verdict, said.note, said.unsure, said.by, said.asked)
        case MarkHub() as said:
            yield LabelRow(said.url, said_at, said.good, said.note, by=said.by, of_hub=True)
