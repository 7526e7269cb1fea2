"""Which shard of a crawl owns a url: that of its site, so that hosts, their rests and robots.txt have one owner."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from honeyguide.errors import SettingsError
from honeyguide.model import Bools, Ids
from honeyguide.urls import fingerprint, site_of

MOST_SHARDS = 1_024
_REMEMBERED = 1 << 16


class Owners:
    """One of several shards, and how it knows what is its own.

    >>> Owners(4, 1).of(["https://a.org/", "https://www.a.org/b", "https://b.org/"]).tolist()
    [1, 1, 1]
    """

    def __init__(self, number: int, shard: int) -> None:
        if not 1 <= number <= MOST_SHARDS:
            raise SettingsError(f"a crawl has from 1 to {MOST_SHARDS:,} shards, not {number:,}")
        self.number = number
        self.shard = shard
        self._known = _by_host(number)

    def of(self, urls: Sequence[str]) -> Ids:
        """The shard of each url."""
        known = self._known
        if len(known) > _REMEMBERED:
            known.clear()
        # As `host_of` does, without a call: every link of every page comes by here.
        return np.array([known[url.split("/", 3)[2]] for url in urls], dtype=np.int32)

    def own(self, urls: Sequence[str]) -> Bools:
        """Which urls are this shard's own."""
        is_own: Bools = self.of(urls) == self.shard
        return is_own

    @property
    def others(self) -> list[int]:
        """All shards but this one."""
        return [shard for shard in range(self.number) if shard != self.shard]


class _ByHost(dict[str, int]):
    """The shard of each host: every link of every page asks for one, nearly always one that was asked for before."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def __missing__(self, host: str) -> int:
        owner = self[host] = fingerprint(site_of(host)) % self._number
        return owner


_by_host = cache(_ByHost)
"""One for all shards of a worker."""
