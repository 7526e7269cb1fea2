"""The columns of a crawl's queue, read without the rest of its state, and read on from where one stood before."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.admission.rules import RULE
from honeyguide.model import Floats, Ids
from honeyguide.state.state import UNRANKED
from honeyguide.state.tables import URLS

_FILLS: dict[str, tuple[type[np.generic], float]] = {
    "status": (np.uint8, 0),
    "priority": (np.float64, UNRANKED),
    RULE: (np.float64, 0),
}


@dataclass(frozen=True, slots=True)
class Queued:
    """Status, priority, rule and host of every url, by its id. Urls under way are still queued here."""

    status: NDArray[np.uint8]
    priority: Floats
    rule: Floats  # the number of the rule that decides it, or 0
    host: Ids
    change: int  # the last that was taken in


def read_queued(db: sqlite3.Connection, known: Queued | None) -> Queued:
    """The columns as of now; what is `known` already is not read again. For use within `damage_told`."""
    before = 0 if known is None else len(known.host)
    rows = db.execute("SELECT host FROM urls WHERE id >= ? ORDER BY id", (before,))
    host = np.fromiter((number for (number,) in rows), dtype=np.int32)
    host = host if known is None else np.concatenate((known.host, host))
    old: dict[str, NDArray[Any]] = {}
    if known is not None:
        old = {"status": known.status, "priority": known.priority, RULE: known.rule}
    columns = {name: _grown(old.get(name), len(host), *fill) for name, fill in _FILLS.items()}
    change = 0 if known is None else known.change
    changes = (
        f"SELECT n, name, ids, numbers FROM changes WHERE n > ? AND rows_of = '{URLS}'"
        f" AND name IN ({', '.join('?' * len(columns))}) ORDER BY n"
    )
    for number, name, ids, numbers in db.execute(changes, (change, *columns)):
        column, change = columns[name], number
        values = np.frombuffer(numbers, dtype=column.dtype)
        column[slice(len(values)) if ids is None else np.frombuffer(ids, dtype=np.int32)] = values
    return Queued(columns["status"], columns["priority"], columns[RULE], host, change)


def _grown(old: NDArray[Any] | None, size: int, kind: type[np.generic], fill: float) -> NDArray[Any]:
    column = np.full(size, fill, dtype=kind)
    if old is not None:
        column[: len(old)] = old
    return column
