"""Read-only queries over a crawl, also while it runs: for status, reports, explanations and exports."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from honeyguide.errors import StoreError
from honeyguide.model import ROOT, Failure, Visit
from honeyguide.state.state import State
from honeyguide.store.base import Location
from honeyguide.store.loading import (
    SELECT_VISIT,
    damage_told,
    last_location,
    last_visit,
    load_state,
    unpacked_links,
    visit_of,
)
from honeyguide.store.schema import VERSION, version_of
from honeyguide.store.sqlite import DATABASE_NAME
from honeyguide.urls import fingerprint


@dataclass(frozen=True, slots=True)
class Summary:
    """A crawl in numbers."""

    pages: int
    failures: int
    urls: int
    hosts: int
    first_time: float | None
    last_time: float | None
    mean_relevance: float
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class HostSummary:
    """A host by what it brought."""

    host: str
    pages: int
    relevant: int
    mean_relevance: float


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One link."""

    source: str
    target: str
    anchor: str


class CrawlReader:
    """One crawl's database, opened read-only."""

    def __init__(self, folder: Path) -> None:
        path = folder / DATABASE_NAME
        if not path.exists():
            raise StoreError(f"{folder} holds no crawl; name the folder that `honeyguide crawl` made")
        self.folder = folder
        try:
            self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
            version = version_of(self._db)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise StoreError(f"{path}: {error}; is it a crawl's database?") from error
        if version < VERSION:
            self._db.close()
            raise StoreError(
                f"{folder} holds a crawl that has not begun or is of an older version; `honeyguide resume` mends both"
            )

    def summary(self) -> Summary:
        """The crawl in numbers."""
        pages, first, last, mean = self._db.execute(
            "SELECT count(*), min(time), max(time), coalesce(avg(relevance), 0) FROM visits"
        ).fetchone()
        return Summary(
            pages=pages,
            failures=self._count("failures"),
            urls=max(0, self._count("urls") - 1),
            hosts=max(0, self._count("hosts") - 1),
            first_time=first,
            last_time=last,
            mean_relevance=mean,
            counts=dict(self._db.execute("SELECT name, count FROM counts ORDER BY name").fetchall()),
        )

    def _count(self, table: str) -> int:
        return int(self._db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def visits(self) -> Iterator[Visit]:
        """The crawl log, in order."""
        for row in self._db.execute(f"{SELECT_VISIT} ORDER BY n"):
            yield visit_of(row)

    def top_pages(self, most: int) -> list[Visit]:
        """The most relevant pages."""
        return [
            visit_of(row)
            for row in self._db.execute(
                f"{SELECT_VISIT} WHERE copy_of IS NULL ORDER BY relevance DESC, n LIMIT ?", (most,)
            )
        ]

    def top_hosts(self, most: int, relevant_above: float) -> list[HostSummary]:
        """The hosts with most relevant pages."""
        rows = self._db.execute(
            "SELECT name, count(*), sum(copy_of IS NULL AND relevance >= ?1) AS relevant, avg(relevance) AS mean"
            " FROM visits JOIN urls ON urls.id = url_id JOIN hosts ON hosts.id = host"
            " GROUP BY host ORDER BY relevant DESC, mean DESC, name LIMIT ?2",
            (relevant_above, most),
        )
        return [HostSummary(*row) for row in rows]

    def failures(self) -> Iterator[tuple[str, Failure]]:
        """Every failure with its url, in order."""
        rows = self._db.execute(
            "SELECT url, url_id, time, error, message, tries, final FROM failures"
            " JOIN urls ON urls.id = url_id ORDER BY n"
        )
        for url, *facts in rows:
            yield url, _failure(facts)

    def links(self) -> Iterator[LinkRow]:
        """Every link that entered the crawl, page by page in the order of the crawl."""
        for page, *packed in self._db.execute("SELECT page, targets, anchors FROM links ORDER BY n"):
            source = self.url_text(page)
            with damage_told(self.folder):
                links = unpacked_links(*packed)
            for target, anchor in links:
                yield LinkRow(source, self.url_text(target), anchor)

    def find_url(self, url: str) -> int | None:
        """The id of a canonical url."""
        number = fingerprint(url)
        signed = number - 2**64 if number >= 2**63 else number
        row = self._db.execute(
            "SELECT id FROM urls WHERE fingerprint = ? AND url = ?", (signed, url)
        ).fetchone()
        return None if row is None else int(row[0])

    def url_text(self, url_id: int) -> str:
        """The text of a url; of the root, an empty one."""
        with damage_told(self.folder):
            return str(self._db.execute("SELECT url FROM urls WHERE id = ?", (url_id,)).fetchone()[0])

    def path_from_seed(self, url_id: int) -> list[int]:
        """The urls by which a url was first found, from the seed to it."""
        path = [url_id]
        with damage_told(self.folder):
            while path[-1] != ROOT:
                via = self._db.execute("SELECT via FROM urls WHERE id = ?", (path[-1],)).fetchone()[0]
                if not ROOT <= via < path[-1]:
                    raise ValueError(f"url {path[-1]} was found by url {via}, which came later")
                path.append(via)
        return path[-2::-1]

    def anchor(self, page: int, target: int) -> str:
        """The anchor text of the latest link from a page to a url."""
        row = self._db.execute(
            "SELECT targets, anchors FROM links WHERE page = ? ORDER BY n DESC LIMIT 1", (page,)
        ).fetchone()
        if row is None:
            return ""
        with damage_told(self.folder):
            return str(dict(unpacked_links(*row)).get(target, ""))

    def last_visit(self, url_id: int) -> Visit | None:
        """The latest visit of a url."""
        return last_visit(self._db, url_id)

    def failures_of(self, url_id: int) -> list[Failure]:
        """All failures of a url."""
        rows = self._db.execute(
            "SELECT url_id, time, error, message, tries, final FROM failures WHERE url_id = ? ORDER BY n",
            (url_id,),
        )
        return [_failure(row) for row in rows]

    def location(self, url_id: int) -> Location | None:
        """Where the archive keeps the latest response of a url."""
        return last_location(self._db, url_id)

    def state(
        self,
        values: Mapping[str, float] | None = None,
        tables: Mapping[str, Mapping[str, float]] | None = None,
    ) -> State:
        """The crawl's columns as of its last commit; `values` and `tables` are those its strategy declares."""
        state = State()
        state.declare(values or {}, tables or {})
        self._db.execute("BEGIN")
        try:
            with damage_told(self.folder):
                load_state(self._db, state)
        finally:
            self._db.execute("ROLLBACK")
        return state

    def close(self) -> None:
        """Close the database."""
        self._db.close()


def _failure(row: Sequence[Any]) -> Failure:
    url_id, time, error, message, tries, final = row
    return Failure(url_id, time, error, message, tries, bool(final))
