"""All that a crawl has in memory, and how it is made anew from the store when a batch could not be taken in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from honeyguide.admission.yields import HostYield
from honeyguide.engine.ingest import Ingest
from honeyguide.engine.keeping import Keeping
from honeyguide.frontier.frontier import Frontier
from honeyguide.model import Status
from honeyguide.state.state import State
from honeyguide.store.archive import PageArchive


@dataclass(frozen=True, slots=True)
class Memory:
    """All that a crawl has in memory of what its store holds. It can be made anew from it at any time."""

    state: State
    frontier: Frontier
    ingest: Ingest
    archive: PageArchive | None
    yields: HostYield
    keeping: Keeping


def made_anew(before: Memory, remember: Callable[[], Memory], taken: Sequence[int]) -> Memory:
    """As the last commit left it; but what is under way, and urls whose arrivals were `taken`, stay in flight."""
    is_under_way = np.flatnonzero(before.state.urls["status"] == Status.IN_FLIGHT)
    if before.archive:
        before.archive.finish()
    memory = remember()
    known = is_under_way[is_under_way < len(memory.state)]
    memory.state.urls["status"][known] = Status.IN_FLIGHT
    memory.state.urls["status"][[*taken]] = Status.IN_FLIGHT
    hosts = len(memory.state.hosts)
    for name in ("ready_at", "trust"):
        memory.state.hosts[name][:] = before.state.hosts[name][:hosts]
    return memory
