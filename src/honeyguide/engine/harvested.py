"""A batch being put together for the store, by `Ingest`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from honeyguide.model import Failure, Gone, Visit
from honeyguide.shards.letters import Letter
from honeyguide.store.base import PageLinks


@dataclass(slots=True)
class Harvested:
    """A batch being put together for the store."""

    visits: list[Visit] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    gone: list[Gone] = field(default_factory=list)
    links: list[PageLinks] = field(default_factory=list)
    requests: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    fruitless: list[int] = field(default_factory=list)  # urls asked for in vain, but for those of visits
    letters: dict[int, Letter] = field(default_factory=dict)  # to other shards
    foreign: dict[int, int] = field(
        default_factory=dict
    )  # urls of other shards, and what the whole crawl calls them

    def write(self, letters: Mapping[int, Letter]) -> None:
        """Add to the letters."""
        for shard, letter in letters.items():
            before = self.letters.get(shard)
            self.letters[shard] = Letter.joined([before, letter]) if before else letter
