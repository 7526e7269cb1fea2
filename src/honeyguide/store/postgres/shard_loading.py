"""How a shard of a divided crawl reopens: its own urls and the foreign pages that link to them, in its own numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from honeyguide.model import ROOT, Status
from honeyguide.state.state import State
from honeyguide.state.tables import HOSTS, KEY, URLS
from honeyguide.store.loading import (
    checked_array,
    load_links,
    load_verdicts,
    numbers_of_kind,
)
from honeyguide.store.postgres.shard_numbers import Numbering

FOREIGN = "foreign"
"""The rows of changes that a shard keeps of pages of others: no part of what the whole crawl is read from."""


def load_shard(db: Any, shard: int, state: State) -> tuple[Numbering, Numbering]:
    """Fill an empty state; gives the numbering of its urls and hosts. For use within `damage_told`."""
    urls, hosts = _load_urls(db, shard, state)
    links = "SELECT page, targets, contributed FROM links WHERE shard = ? AND NOT former ORDER BY n"
    load_links(db.execute(links, (shard,)), state, urls.here)
    _load_changes(db, shard, state, urls, hosts)
    state.count_statuses()
    load_verdicts(db, state)
    prefix = f"{shard}/"
    arrays = "SELECT name, dtype, shape, numbers FROM arrays WHERE name LIKE ?"
    for name, dtype, shape, numbers in db.execute(arrays, (f"{prefix}%",)).fetchall():
        state.arrays[name.removeprefix(prefix)] = checked_array(dtype, shape, numbers)
    return urls, hosts


def _load_urls(db: Any, shard: int, state: State) -> tuple[Numbering, Numbering]:
    chosen = (
        "SELECT id, fingerprint, host, depth, via, shard FROM urls WHERE shard = ?1 OR id = 0"
        " OR id IN (SELECT page FROM links WHERE shard = ?1 AND NOT former) ORDER BY id"
    )
    table = np.array(db.execute(chosen, (shard,)).fetchall(), dtype=np.int64).reshape(-1, 6)
    number, fingerprint, host, depth, via, owner = table.T
    urls, hosts = Numbering(), Numbering(np.unique(host).astype(np.int32))
    urls.add(number.astype(np.int32), owner != shard)
    place = np.searchsorted(number, via)
    led_from = np.where(np.isin(via, number), place, ROOT)
    _, known = hosts.own()
    named = "SELECT id, name, barren, given, trust FROM hosts WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
    rows = db.execute(named, (f"[{','.join(map(str, known.tolist()))}]",)).fetchall()
    state.restore_urls(
        [name for _, name, *_ in rows],
        fingerprint=fingerprint.copy().view(np.uint64),
        host=hosts.here(host.astype(np.int32)),
        depth=depth.astype(np.uint16),
        via=led_from.astype(np.int32),
    )
    for column, name in enumerate(("barren", "given", "trust"), start=2):
        state.hosts[name][:] = [row[column] for row in rows]
    foreign = np.flatnonzero(urls.is_foreign(np.arange(len(urls), dtype=np.int32)))
    for name in ("status", "outcome"):
        state.urls[name][foreign] = Status.FOREIGN
        state.urls[name][ROOT] = Status.FETCHED
    state.urls["relevance"][ROOT] = 1.0
    return urls, hosts


def _load_changes(db: Any, shard: int, state: State, urls: Numbering, hosts: Numbering) -> None:
    prefix = f"{shard}/"
    keys = "SELECT rows_of, numbers FROM changes WHERE shard = ? AND name = ? ORDER BY n"
    for rows_of, packed in db.execute(keys, (shard, KEY)).fetchall():  # they say which rows there are
        table = rows_of.removeprefix(prefix)
        state.declare_table(table, {})
        state.tables[table].restore(np.frombuffer(packed, dtype=np.uint64))
    rows = db.execute(
        "SELECT rows_of, name, ids, numbers, kind FROM changes WHERE shard = ? AND name <> ? ORDER BY n",
        (shard, KEY),
    )
    for rows_of, name, ids, packed, kind in rows:
        table, values = rows_of.removeprefix(prefix), np.frombuffer(packed, dtype=numbers_of_kind(kind))
        places = np.empty(0, dtype=np.int32) if ids is None else np.frombuffer(ids, dtype=np.int32)
        if table in (URLS, FOREIGN):
            state.declare_value(name)
            state.urls[name][urls.here(places)] = values
        elif table == HOSTS:
            state.declare_table(table, {name: 0.0})
            state.tables[table].columns[name][hosts.here(places)] = values
        else:
            state.declare_table(table, {name: 0.0})
            column = state.tables[table].columns[name]
            column[slice(len(values)) if ids is None else places] = values
