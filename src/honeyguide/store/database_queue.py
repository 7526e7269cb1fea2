"""Reading what waits in a crawl's queue, and what steers it, from its database. A part of `DatabaseReader`."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence

from honeyguide.commands import Steer, Unsteer
from honeyguide.patterns import Pattern, Rule
from honeyguide.store.database_rows import DatabaseRows, waiting_command
from honeyguide.store.loading import rules_in_force
from honeyguide.store.queued import Queued, read_queued
from honeyguide.store.reader import UrlRow

URLS_AT_ONCE = 50_000


class QueueReader(DatabaseRows):
    """The queue and the rules."""

    def rules(self) -> list[Rule]:
        """The rules in force, and those that will be."""
        # First what waits: a rule that begins meanwhile is then read twice, and never missed.
        waiting = self._all(
            "SELECT n, time, CAST(command AS BLOB) FROM inbox"
            " WHERE receipt IS NULL AND instr(command, 'steer') > 0 ORDER BY n"
        )
        with self._told():
            rules = {rule.number: rule for rule in rules_in_force(self._db)}
        for number, said_at, text in waiting:
            command = waiting_command(text)
            if isinstance(command, Steer):
                new = Rule(number, command.action, command.pattern, said_at, is_waiting=True)
                rules.setdefault(number, new)
            elif isinstance(command, Unsteer):
                rules.pop(command.rule, None)
        return [*rules.values()]

    def queued(self, known: Queued | None = None) -> Queued:
        """As of one moment."""
        with self._told(), self._one_moment():
            return read_queued(self._db, known)

    def urls_with(
        self, text: str, any_case: bool = False, seconds: float = 60.0
    ) -> tuple[list[tuple[int, str]], bool]:
        """One pass over all urls, some at a time, in which all but the wanted ones are left to SQLite."""
        column, text = ("lower(url)", text.lower()) if any_case else ("url", text)
        query = f"SELECT id, url FROM urls WHERE id BETWEEN ? AND ? AND instr({column}, ?) > 0"
        until, last = time.monotonic() + seconds, self._last("id", "urls")
        found: list[tuple[int, str]] = []
        for first in range(1, last + 1, URLS_AT_ONCE):
            if first > 1 and time.monotonic() > until:
                return found, False
            found += [
                (url_id, url) for url_id, url in self._rows(query, first, first + URLS_AT_ONCE - 1, text)
            ]
        return found, True

    def url_rows(self, ids: Sequence[int]) -> list[UrlRow]:
        """Urls by primary key."""
        rows = self._rows(
            "SELECT urls.id, urls.url, hosts.name, urls.depth, vias.url FROM urls JOIN hosts ON hosts.id = urls.host"
            " JOIN urls AS vias ON vias.id = urls.via WHERE urls.id IN (SELECT value FROM json_each(?))",
            json.dumps([*ids]),
        )
        found = {row[0]: UrlRow(*row) for row in rows}
        return [found[url_id] for url_id in ids]

    def host_names(self, ids: Sequence[int]) -> list[str]:
        """Hosts by primary key."""
        query = "SELECT id, name FROM hosts WHERE id IN (SELECT value FROM json_each(?))"
        found = dict(self._rows(query, json.dumps([*ids])))
        return [found[host] for host in ids]

    def host_ids(self, pattern: Pattern) -> list[int]:
        """One pass over the hosts."""
        query = "SELECT id, name FROM hosts WHERE instr(name, ?) > 0"
        return [host for host, name in self._rows(query, pattern.text) if pattern.hits("", name)]
