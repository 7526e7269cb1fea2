"""Reading the log of a crawl's visits from its database. A part of `DatabaseReader`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence

import numpy as np

from honeyguide.model import Gone, Visit
from honeyguide.store.database_lately import LatelyReader
from honeyguide.store.loading import SELECT_VISIT, last_visit, visit_of


class VisitsReader(LatelyReader):
    """Visits in their order, by their relevance, by their numbers, and on a grid."""

    row_of_grid = "CAST(max(0, min(?4 - 1, relevance * ?4)) AS INTEGER)"

    def visits(
        self, since: int = 0, relevant_above: float | None = None, *, last_only: bool = False
    ) -> Iterator[Visit]:
        """The crawl log in order."""
        chosen = "" if relevant_above is None else " AND copy_of IS NULL AND relevance >= ?2"
        chosen += " AND NOT former" if last_only else ""
        given = (since,) if relevant_above is None else (since, relevant_above)
        for row in self._rows(f"{SELECT_VISIT} WHERE n > ?1{chosen} ORDER BY n", *given):
            yield visit_of(row)

    def latest(self, most: int) -> list[Visit]:
        """The last visits, in order."""
        rows = self._all(f"{SELECT_VISIT} ORDER BY n DESC LIMIT ?", most)
        return [visit_of(row) for row in reversed(rows)]

    def harvest(self, most: int) -> list[float]:
        """Without the texts of visits, which take ten times as long."""
        rows = self._rows(
            "SELECT iif(copy_of IS NULL, relevance, 0.0) FROM (SELECT * FROM visits ORDER BY n DESC LIMIT ?) AS last"
            " WHERE NOT is_revisit ORDER BY n DESC",
            most,
        )
        return [harvest for (harvest,) in rows][::-1]

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
        rows = self._all(
            f"{SELECT_VISIT} WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n", json.dumps([*numbers])
        )
        return [visit_of(row) for row in rows]

    def last_number(self) -> int:
        """The highest number."""
        return self._last("n", "visits")

    def judged(self, numbers: Sequence[int]) -> list[tuple[int, float, float]]:
        """By the key of the table, so that it costs the same in a crawl of any size."""
        query = "SELECT n, time, relevance FROM visits WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n"
        return [(n, time, relevance) for n, time, relevance in self._all(query, json.dumps([*numbers]))]

    def cells(self, since: int, last: int, width: int, rows: int) -> list[tuple[int, int, int, int]]:
        """New visits are counted by SQLite; all of a crawl row by row, which nobody need sort."""
        if not since:
            return [cell for row in range(rows) for cell in self._cells_of_row(row, last, width, rows)]
        return self._new_cells(since, last, width, rows)

    def _new_cells(self, since: int, last: int, width: int, rows: int) -> list[tuple[int, int, int, int]]:
        query = (
            f"SELECT (n - 1) / ?3, {self.row_of_grid}, count(*), max(n)"
            " FROM visits NOT INDEXED WHERE n > ?1 AND n <= ?2 AND copy_of IS NULL GROUP BY 1, 2"
        )
        return [*self._rows(query, since, last, width, rows)]

    def _cells_of_row(self, row: int, last: int, width: int, rows: int) -> list[tuple[int, int, int, int]]:
        """Along the index of relevance; a million numbers are read as texts in a fraction of the time of rows."""
        (text,) = self._row(
            "SELECT group_concat(n) FROM visits INDEXED BY visits_by_relevance WHERE copy_of IS NULL"
            " AND relevance >= ? AND relevance < ? AND n <= ?",
            *(_begin_of_row(row, rows), _begin_of_row(row + 1, rows), last),
        )
        numbers = np.fromstring(text or "", dtype=np.int64, sep=",")
        columns = (numbers - 1) // width
        newest = np.zeros(int(columns.max(initial=-1)) + 1, dtype=np.int64)
        np.maximum.at(newest, columns, numbers)
        pages = np.bincount(columns, minlength=len(newest))
        taken = np.flatnonzero(pages)
        cells = zip(taken.tolist(), pages[taken].tolist(), newest[taken].tolist(), strict=True)
        return [(column, row, number, last) for column, number, last in cells]

    def last_visit(self, url_id: int) -> Visit | None:
        """The latest visit of a url."""
        with self._told():
            return last_visit(self._db, url_id)


def _begin_of_row(row: int, rows: int) -> float:
    """The least relevance that, times the number of rows, is this row; the first and the last have no end."""
    if not 0 < row < rows:
        return -math.inf if row == 0 else math.inf
    begin = row / rows
    while begin * rows < row:
        begin = math.nextafter(begin, math.inf)
    while math.nextafter(begin, 0.0) * rows >= row:
        begin = math.nextafter(begin, 0.0)
    return begin
