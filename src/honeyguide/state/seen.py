"""The seen-set: from a url's fingerprint to its id, in batches, 6 to 14 bytes a url.

Open addressing over an array of ids; the fingerprints themselves are a column of the state.
"""

from __future__ import annotations

import secrets

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Ids

MAX_LOAD = 0.65
FIRST_BITS = 12


class SeenSet:
    """Finds and adds many fingerprints at once."""

    def __init__(self) -> None:
        self._bits = FIRST_BITS
        self._table = np.full(1 << self._bits, -1, dtype=np.int32)
        self._count = 0
        # A secret odd factor decides the slots, so that nobody can craft urls that all fall on one.
        self._factor = np.uint64(secrets.randbits(64) | 1)

    def __len__(self) -> int:
        return self._count

    def find(self, fingerprints: NDArray[np.uint64], column: NDArray[np.uint64]) -> Ids:
        """Ids of the fingerprints, -1 for the unknown ones. `column` holds the fingerprint of every id."""
        found = np.full(len(fingerprints), -1, dtype=np.int32)
        open_ = np.arange(len(fingerprints))
        slots = self._slots(fingerprints)
        while len(open_):
            candidates = self._table[slots]
            taken = candidates >= 0
            match = taken & (column[candidates] == fingerprints[open_]) if len(column) else taken
            found[open_[match]] = candidates[match]
            on = taken & ~match
            open_ = open_[on]
            slots = (slots[on] + 1) & (len(self._table) - 1)
        return found

    def add(self, ids: Ids, column: NDArray[np.uint64]) -> None:
        """Enter new ids whose fingerprints are already in the column and distinct."""
        self._count += len(ids)
        if self._count > MAX_LOAD * len(self._table):
            while self._count > MAX_LOAD * (1 << self._bits):
                self._bits += 1
            self._table = np.full(1 << self._bits, -1, dtype=np.int32)
            ids = np.arange(self._count, dtype=np.int32)
        # In chunks, so that the scratch arrays stay small beside the table.
        for start in range(0, len(ids), 1 << 20):
            self._insert(ids[start : start + (1 << 20)], column)

    def _insert(self, ids: Ids, column: NDArray[np.uint64]) -> None:
        slots = self._slots(column[ids])
        while len(ids):
            free = self._table[slots] < 0
            self._table[slots[free]] = ids[free]
            # Several ids may have wanted the same free slot: the last writer has it, the others go on.
            lost = self._table[slots] != ids
            ids = ids[lost]
            slots = (slots[lost] + 1) & (len(self._table) - 1)

    def _slots(self, fingerprints: NDArray[np.uint64]) -> NDArray[np.int64]:
        return ((fingerprints * self._factor) >> np.uint64(64 - self._bits)).astype(np.int64)
