"""What a crawl's last pages and failures tell of how it does. A part of `DatabaseReader`."""

from __future__ import annotations

import json
from contextlib import suppress

from honeyguide.store.database_queue import QueueReader
from honeyguide.store.reader import HostLately, Lately, ReasonShare, TypeShare

MOST_ROWS = 100
_FROM_VISITS = "FROM visits WHERE n > (SELECT coalesce(max(n), 0) FROM visits) - ?"
_FROM_FAILURES = "FROM failures WHERE n > (SELECT coalesce(max(n), 0) FROM failures) - ?"
_TYPE = "lower(trim(substr(content_type, 1, instr(content_type || ';', ';') - 1)))"
_HOSTS = f"""
    SELECT name, sum(pages), sum(failures), sum(seconds) / coalesce(nullif(sum(pages), 0), 1), max(time), max(error),
           (SELECT record FROM host_records r WHERE r.name = h.name)
    FROM (
        SELECT url_id, 1 AS pages, 0 AS failures, seconds, time, '' AS error {_FROM_VISITS}
        UNION ALL SELECT url_id, 0, 1, 0, time, error {_FROM_FAILURES}
    ) AS asked JOIN urls ON urls.id = url_id JOIN hosts h ON h.id = host
    GROUP BY h.id, h.name ORDER BY 3 DESC, 4 DESC, name LIMIT ?
"""


class LatelyReader(QueueReader):
    """The last of a crawl, in a time that does not grow with it."""

    def lately(self, most: int) -> Lately:
        """The last visits and failures, summed up."""
        with self._told(), self._one_moment():
            pages, size, first, last = self._db.execute(
                f"SELECT count(*), coalesce(sum(bytes), 0), min(time), max(time) {_FROM_VISITS}", (most,)
            ).fetchone()
            types = self._db.execute(
                f"SELECT {_TYPE}, count(*), sum(bytes) {_FROM_VISITS} GROUP BY 1 ORDER BY 2 DESC LIMIT ?",
                (most, MOST_ROWS),
            ).fetchall()
            reasons = self._db.execute(
                f"SELECT error, status, count(*), max(message) {_FROM_FAILURES}"
                " GROUP BY 1, 2 ORDER BY 3 DESC LIMIT ?",
                (most, MOST_ROWS),
            ).fetchall()
            hosts = self._db.execute(_HOSTS, (most, most, MOST_ROWS)).fetchall()
        seconds = last - first if pages else 0.0
        return Lately(
            pages=pages,
            bytes=size,
            per_second=(pages - 1) / seconds if seconds > 0 else 0.0,
            types=[TypeShare(*row) for row in types],
            failures=[ReasonShare(*row) for row in reasons],
            hosts=[_host(*row) for row in hosts],
        )


def _host(
    name: str, pages: int, failures: int, seconds: float, time: float, error: str, record: str | None
) -> HostLately:
    return HostLately(name, pages, failures, seconds, time, error, _blocked_until(record))


def _blocked_until(record: str | None) -> float | None:
    """What politeness keeps of a host that has asked for a rest, or has fallen silent."""
    with suppress(ValueError, TypeError, AttributeError, RecursionError):
        return float(json.loads(record or "{}").get("blocked_until", 0.0)) or None
    return None
