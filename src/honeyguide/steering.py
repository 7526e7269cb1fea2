"""The queue of a crawl, looked at and steered while it runs. A part of `Crawl`.

What patterns mean stands in `patterns`, what rules do in docs/steering.md.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honeyguide.admission.rules import LOWERED, RAISED, Rules
from honeyguide.asking import Asking
from honeyguide.commands import Steer, Unsteer
from honeyguide.model import Bools, Floats, Ids, Status
from honeyguide.patterns import Action, Pattern, Rule
from honeyguide.store.queued import Queued
from honeyguide.store.reader import Reader
from honeyguide.urls import host_of

SEARCH_SECONDS = 5.0
"""So long a queue is searched at most; at a million urls it takes less than one."""
MOST_HOSTS = 20
MOST_EXAMPLES = 10
STEPS = 10
FEW = 0.02
"""So small a share of the priorities, at either end, may lie far from all others."""
_LARGEST = 1e300


@dataclass(frozen=True, slots=True)
class QueuedUrl:
    """A url that waits."""

    url: str
    host: str
    priority: float  # that of the strategy
    depth: int
    via: str  # the page it was first found on; empty for a seed
    rule: int  # the number of the rule that decides its place; 0 if none does
    action: Action | None  # what that rule does


@dataclass(frozen=True, slots=True)
class HostShare:
    """How many urls of a host wait."""

    host: str
    urls: int


@dataclass(frozen=True, slots=True)
class PriorityShare:
    """How many urls wait with a priority from here, and up to there."""

    low: float
    high: float
    urls: int


@dataclass(frozen=True, slots=True)
class Queue:
    """The queue of a crawl, or what matches of it. All but `waiting` is of what matches."""

    waiting: int
    """All urls that wait."""
    hits: int
    raised: int
    lowered: int
    excluded: int
    """Urls that would wait if no rule excluded them."""
    hosts: int
    urls: list[QueuedUrl]
    """Those that come first, in order."""
    by_host: list[HostShare]
    """The hosts with most of them."""
    by_priority: list[PriorityShare]
    is_complete: bool
    """Whether there was time to look at every url."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a rule would hit of the urls that wait now."""

    pattern: str
    urls: int
    hosts: int
    examples: list[str]
    is_complete: bool


class Steering(Asking):
    """Looking at the queue, and changing its order."""

    _queued: Queued | None = None  # as it was last seen

    @abstractmethod
    def find(self, reader: Reader, url: str) -> tuple[str, int | None]:
        """A url as the crawl knows it."""

    def queue(self, match: str = "", most: int = 50, host: str = "") -> Queue:
        """The urls that wait, the next first: all, or those that match.

        `match` is a text within the url, in any case; with `*`, a pattern for the whole url. `host` stands for the
        hosts below it as well. Urls that are being fetched still count as waiting.
        """
        pattern = Pattern.read(match) if "*" in match else None
        return self._looked_up(pattern, match, most, Pattern.read(host) if host else None)

    def preview_steer(self, pattern: str) -> Preview:
        """What a rule with this pattern would hit of the urls that wait now; nothing is changed."""
        read = Pattern.read(pattern)
        found = self._looked_up(read, "", MOST_EXAMPLES, None)
        examples = [row.url for row in found.urls]
        return Preview(read.text, found.hits, found.hosts, examples, found.is_complete)

    def steer(self, action: Action, pattern: str) -> int:
        """Raise, lower or exclude what a pattern hits, from now on; gives the number of the rule."""
        Pattern.read(pattern)  # what is wrong with it is told here
        return self.send(Steer(action=action, pattern=pattern))

    def unsteer(self, rule: int) -> int:
        """Take a rule back; gives the number of the command."""
        return self.send(Unsteer(rule=rule))

    def rules(self) -> list[Rule]:
        """The rules that steer the crawl, the oldest first."""
        with self.reader() as reader:
            return reader.rules()

    def _looked_up(self, pattern: Pattern | None, text: str, most: int, host: Pattern | None) -> Queue:
        with self.reader() as reader:
            rules = Rules(rule for rule in reader.rules() if not rule.is_waiting)
            queued = self._queued = reader.queued(self._queued)
            chosen, is_complete = self._chosen(reader, len(queued.host), pattern, text)
            for one in (pattern, host):
                if one and one.kind == "host":
                    is_there = np.isin(queued.host, reader.host_ids(one))
                    chosen = is_there if chosen is None else chosen & is_there
            return _queue_of(reader, queued, rules, chosen, most, is_complete)

    def _chosen(
        self, reader: Reader, size: int, pattern: Pattern | None, text: str
    ) -> tuple[Bools | None, bool]:
        """Which urls match, but for their host; None for all of them."""
        if pattern is None and not text:
            return None, True
        if pattern and pattern.kind == "host":
            return None, True
        chosen = np.zeros(size, dtype=np.bool_)
        if pattern and pattern.kind == "url":
            _, url_id = self.find(reader, pattern.text)
            ids, is_complete = [] if url_id is None else [url_id], True
        elif pattern:
            rows, is_complete = reader.urls_with(pattern.literal, seconds=SEARCH_SECONDS)
            ids = [url_id for url_id, url in rows if pattern.hits(url, host_of(url))]
        else:
            rows, is_complete = reader.urls_with(text, any_case=True, seconds=SEARCH_SECONDS)
            ids = [url_id for url_id, _ in rows]
        chosen[[url_id for url_id in ids if url_id < size]] = True  # more may have been found meanwhile
        return chosen, is_complete


def _queue_of(
    reader: Reader, queued: Queued, rules: Rules, chosen: Bools | None, most: int, is_complete: bool
) -> Queue:
    waits = queued.status == Status.QUEUED
    is_out = (queued.status == Status.KNOWN) & np.isfinite(queued.priority) & rules.excluded(queued.rule)
    waiting = int(np.count_nonzero(waits))
    if chosen is not None:
        waits, is_out = waits & chosen, is_out & chosen
    ids = np.flatnonzero(waits).astype(np.int32)
    shifts = rules.shifts(queued.rule[ids])
    of_host = np.bincount(queued.host[ids])
    return Queue(
        waiting=waiting,
        hits=len(ids),
        raised=int(np.count_nonzero(shifts == RAISED)),
        lowered=int(np.count_nonzero(shifts == LOWERED)),
        excluded=int(np.count_nonzero(is_out)),
        hosts=int(np.count_nonzero(of_host)),
        urls=_first(reader, queued, rules, ids, most),
        by_host=_by_host(reader, of_host),
        by_priority=_by_priority(queued.priority[ids]),
        is_complete=is_complete,
    )


def _first(reader: Reader, queued: Queued, rules: Rules, ids: Ids, most: int) -> list[QueuedUrl]:
    ranks = rules.ranks(queued.priority[ids], queued.rule[ids])
    if 0 < most < len(ids):
        is_near = ranks >= np.partition(ranks, len(ranks) - most)[len(ranks) - most]
        ids, ranks = ids[is_near], ranks[is_near]
    first = ids[np.lexsort((ids, -ranks))][:most].tolist()
    found = []
    for row in reader.url_rows(first):
        rule = rules.get(int(queued.rule[row.id]))
        number, action = (rule.number, rule.action) if rule else (0, None)
        priority = float(queued.priority[row.id])
        found.append(QueuedUrl(row.url, row.host, priority, row.depth, row.via, number, action))
    return found


def _by_host(reader: Reader, of_host: NDArray[np.intp]) -> list[HostShare]:
    first = np.argsort(-of_host, kind="stable")[:MOST_HOSTS]
    first = first[of_host[first] > 0]
    names = reader.host_names(first.tolist())
    return [HostShare(name, urls) for name, urls in zip(names, of_host[first].tolist(), strict=True)]


def _by_priority(priorities: Floats) -> list[PriorityShare]:
    """In equal steps, but that the first begins at the lowest and the last ends at the highest of all."""
    if not len(priorities):
        return []
    limited = np.clip(priorities, -_LARGEST, _LARGEST)
    low, high = np.quantile(limited, (FEW, 1 - FEW)).tolist()
    edges = np.linspace(low, high, STEPS + 1)
    edges[0], edges[-1] = limited.min(), limited.max()
    urls, _ = np.histogram(limited, bins=edges)
    shares = zip(edges[:-1].tolist(), edges[1:].tolist(), urls.tolist(), strict=True)
    return [PriorityShare(*share) for share in shares]
