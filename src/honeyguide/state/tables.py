"""Tables of a strategy: numbers of what is no url, such as hosts, or folders of a site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Floats, Ids
from honeyguide.state.columns import Columns
from honeyguide.state.ordering import distinct
from honeyguide.state.seen import SeenSet

URLS, HOSTS = "urls", "hosts"
"""Tables of every crawl; the rows of hosts have no key but the number of the host."""

KEY = "key"


class Single(float):
    """A first number whose column is kept in single precision, in half the memory."""


class Whole(float):
    """A first number whose column has whole numbers of 32 bits."""


def kind_of(first: float) -> np.dtype[Any]:
    """In what a column is kept that starts with this number."""
    return np.dtype(
        np.float32 if isinstance(first, Single) else np.int32 if isinstance(first, Whole) else np.float64
    )


def distinct_rows(written: Mapping[str, Sequence[Ids]]) -> dict[str, Ids]:
    """Of each column the rows that were written, once; columns that were always written together share them."""
    found: dict[tuple[int, ...], Ids] = {}
    rows: dict[str, Ids] = {}
    for name, parts in written.items():
        same = tuple(map(id, parts))
        if same not in found:
            found[same] = distinct(np.concatenate(parts))
        rows[name] = found[same]
    return rows


class Table:
    """Columns over rows with keys of 64 bits, numbered as they come; what is written is noted for the store."""

    def __init__(self, columns: Columns | None = None) -> None:
        self.columns = Columns(key=(np.uint64, 0)) if columns is None else columns
        self._built_in = frozenset(self.columns.names())
        self._seen = SeenSet()
        self._changed: dict[str, list[Ids]] = {}

    def __len__(self) -> int:
        return len(self.columns)

    def declare(self, name: str, initial: float) -> None:
        """Give every row a number of this name."""
        if name in self._built_in:
            raise ValueError(f"{name!r} is the name of a column that is no strategy's")
        if name not in self.columns:
            self.columns.declare(name, kind_of(initial), initial)

    def value(self, name: str) -> Floats:
        """A number of every row. Read only: write with `set_value`."""
        column = self.columns[name]
        column.flags.writeable = False  # of this view alone: a change made here would never reach the store
        return column

    def set_value(self, name: str, rows: Ids, values: Floats | float) -> None:
        """Write numbers; they survive a restart."""
        self.columns[name][rows] = values
        self._touch(name, rows)

    def find(self, keys: NDArray[np.uint64]) -> Ids:
        """Rows of keys, -1 for unknown ones."""
        return self._seen.find(keys, self.columns[KEY])

    def rows(self, keys: NDArray[np.uint64]) -> Ids:
        """Rows of keys; a key not seen before gets the next."""
        distinct, group = np.unique(keys, return_inverse=True)
        found = self.find(distinct)
        is_new = found < 0
        found[is_new] = self.restore(distinct[is_new])
        self._touch(KEY, found[is_new])
        return found[group]

    def restore(self, keys: NDArray[np.uint64]) -> Ids:
        """Enter new keys as the store has them."""
        first = len(self.columns[KEY])
        self.columns.append(len(keys), key=keys)
        rows = np.arange(first, first + len(keys), dtype=np.int32)
        self._seen.add(rows, self.columns[KEY])
        return rows

    def _touch(self, name: str, rows: Ids) -> None:
        if len(rows):
            self._changed.setdefault(name, []).append(rows)

    def take_changes(self) -> dict[str, tuple[Ids, NDArray[Any]]]:
        """What was written since the last call: of each column the rows, and their numbers now."""
        changed = distinct_rows(self._changed)
        self._changed = {}
        return {name: (rows, self.columns[name][rows]) for name, rows in changed.items()}
