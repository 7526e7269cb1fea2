"""Which shard of a crawl owns a url: that of its site, so that hosts, their rests and robots.txt have one owner."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from honeyguide.errors import SettingsError
from honeyguide.model import Bools, Ids
from honeyguide.urls import fingerprint, host_of, site_of

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

    def of(self, urls: Sequence[str]) -> Ids:
        """The shard of each url."""
        return np.array([_owner(host_of(url), self.number) for url in urls], dtype=np.int32)

    def own(self, urls: Sequence[str]) -> Bools:
        """Which urls are this shard's own."""
        is_own: Bools = self.of(urls) == self.shard
        return is_own

    @property
    def others(self) -> list[int]:
        """All shards but this one."""
        return [shard for shard in range(self.number) if shard != self.shard]


@lru_cache(_REMEMBERED)
def _owner(host: str, number: int) -> int:
    return fingerprint(site_of(host)) % number
