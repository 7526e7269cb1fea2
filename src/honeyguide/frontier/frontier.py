"""The frontier: which urls next. Best-N-first over per-host queues, with politeness inside.

A host that was handed out rests until it is released, so callers need no politeness check of their own. Every
operation costs the logarithm of one host's queue; only a change of a tenth of all urls at once, as a re-ranking of
the whole graph brings it, sorts them all. The order is total (what rules raise before all else and what they lower
behind it, then priority, then order of discovery), so it is the same whether the queues grew url by url or were rebuilt
from the columns.
"""

from __future__ import annotations

import heapq
from array import array
from enum import IntEnum

import numpy as np

from honeyguide.admission.rules import RULE, Rules
from honeyguide.frontier.heap import Numbers, Order
from honeyguide.frontier.ready import Ready
from honeyguide.model import Bools, Floats, Ids, Priorities, Status
from honeyguide.state.ordering import distinct, stable_order
from honeyguide.state.state import UNRANKED, State

RANK = "rank"
"""A column that the frontier keeps for itself while there are rules; it follows from priority and rule."""
VISITED = (Status.FETCHED, Status.MOVED, Status.LISTING)
ANY_ID = range(2**31)  # the identity, as a tie breaker: the id is the order of discovery
LATEST_FIRST = range(0, -(2**31), -1)
REBUILD_SHARE = 0.1  # about where one sort of everything costs as much as sifting the changes
REBUILD_AT_LEAST = 20_000
LOOK_AGAIN_SECONDS = 0.05
"""When strangers are held back: the answer to a robots.txt makes way for the next, but ends no request."""


class Turn(IntEnum):
    """Where a queue (a host, or the only one) stands."""

    IDLE = 0  # nothing queued
    READY = 1
    BUSY = 2  # handed out, not yet released
    RESTING = 3


class Frontier:
    """Queues over the state's columns.

    With `one_per_host` every host has a queue and at most one url in flight; otherwise all urls share one queue. Of
    hosts that have not answered yet, at most `most_strangers` are handed out at a time; 0 if that does not matter.
    """

    def __init__(
        self,
        state: State,
        *,
        one_per_host: bool = True,
        max_queue: int = 0,
        most_strangers: int = 0,
        rules: Rules | None = None,
    ) -> None:
        self._state = state
        self._rules = Rules() if rules is None else rules  # one without rules yet is empty
        self._one_per_host = one_per_host
        self._max_queue = max_queue
        self._size = 0
        self._queues: list[array[int]] = []
        self._turn = bytearray()  # a `Turn` for each queue
        self._ready = Ready(state, most_strangers)
        self._resting: list[tuple[float, int]] = []
        self._now = 0.0  # when urls were last asked for
        self._worst: array[int] = array("i")
        self._place = array("i")
        self._worst_place = array("i")
        self.rebuild()

    def __len__(self) -> int:
        return self._size

    def push(self, wanted: Priorities) -> None:
        """Queue urls or change the priority of queued ones. Visited urls are ignored unless this is a revisit."""
        status, priority = self._state.urls["status"], self._state.urls["priority"]
        ids, priorities = _last_of_each(wanted)
        if self._rules:
            ids, priorities = self._without_excluded(ids, priorities)
        current = status[ids]
        change = (current == Status.QUEUED) & (priority[ids] != priorities)
        enter = current == Status.KNOWN
        if wanted.revisit:
            enter |= current > Status.IN_FLIGHT
        else:  # when a page is due again is not for those to say who rank what is new
            change &= ~np.isin(self._state.urls["outcome"][ids], VISITED)
        ids, priorities, enter = ids[change | enter], priorities[change | enter], enter[change | enter]
        self._state.set("status", ids[enter], Status.QUEUED)
        if len(ids) > max(REBUILD_AT_LEAST, REBUILD_SHARE * (len(self._state) + len(self._queues))):
            self._state.set("priority", ids, priorities)
            self.rebuild()
        else:
            self._sift(ids, priorities, enter)
        self._drop_worst()

    def contenders(self, turns: int = 1) -> Floats:
        """What the urls are worth that may be handed out soon, in any order: of each host as many as it has turns.

        Where hosts need not be spared, that is all that waits. What waits behind others of its host is no reason to
        come to this shard first.
        """
        urls = self._state.urls
        if self._one_per_host:
            ids = np.fromiter((url_id for queue in self._queues for url_id in queue[:turns]), dtype=np.int32)
        else:
            ids = np.frombuffer(self._queues[0], dtype=np.int32)
        worth: Floats = urls[self._key][ids]
        return worth

    def acquire(self, count: int, now: float = 0.0) -> Ids:
        """Hand out up to `count` best urls whose hosts may be visited now, best first."""
        self._bind()
        self._wake(now)
        taken: list[int] = []
        while len(taken) < count and (queue := self._ready.pop()) is not None:
            taken.append(self._take(queue))
        ids = np.array(taken, dtype=np.int32)
        self._state.urls["status"][ids] = Status.IN_FLIGHT
        return ids

    def release(self, url_id: int, ready_at: float = 0.0) -> None:
        """The url is done with; its host may be asked again from `ready_at` on."""
        if not self._one_per_host:
            return
        queue = self._queue_of(url_id)
        self._state.hosts["ready_at"][queue] = ready_at
        self._ready.release(queue)
        self._rest(queue)

    def hold(self, ids: Ids) -> None:
        """Urls that are under way already: neither they nor their hosts are handed out until they are released."""
        self._state.urls["status"][ids] = Status.IN_FLIGHT
        if self._one_per_host:
            for url_id in ids.tolist():
                self._turn[self._queue_of(url_id)] = Turn.BUSY
                self._ready.hold(self._queue_of(url_id))
        self.rebuild()

    def hear(self, host: int, has_answered: bool) -> bool:
        """A host has answered, or was asked in vain; true if that changes the trust in it."""
        self._make_room()
        return self._ready.hear(host, has_answered)

    def drop_host_of(self, url_id: int) -> None:
        """Forget all that the host of a url handed out has queued, at once however much it is."""
        self._bind()
        queue = self._queue_of(url_id)
        dropped = self._queues[queue]
        self._queues[queue] = array("i")
        self._size -= len(dropped)
        if self._max_queue:
            for other in dropped:
                self._by_worst.remove(self._worst, other)
        self._state.rest(np.array([url_id, *dropped], dtype=np.int32))

    def seconds_until_ready(self, now: float) -> float | None:
        """How long until a host may be asked; None when nothing is queued but what is in flight."""
        if self._ready.has_any():
            return 0.0
        waits = [self._resting[0][0] - now] if self._resting else []
        waits += [LOOK_AGAIN_SECONDS] if self._ready.holds_back() else []
        return max(0.0, min(waits)) if waits else None

    def rebuild(self) -> None:
        """Make all queues anew from the columns: on opening it, for new rules, and when too much changes to sift."""
        urls = self._state.urls
        queued = np.flatnonzero(urls["status"] == Status.QUEUED).astype(np.int32)
        if self._rules:
            queued = self._steered(queued)
        self._make_room()
        group = urls["host"][queued] if self._one_per_host else np.zeros(len(queued), dtype=np.int32)
        # All of them are in the order of discovery, which is kept among equals.
        order = np.argsort(-urls[self._key][queued], kind="stable")
        order = order[stable_order(group[order])] if self._one_per_host else order
        ordered, group = queued[order], group[order]
        starts = np.flatnonzero(np.concatenate(([True], group[1:] != group[:-1]))) if len(group) else group
        ends = np.concatenate((starts[1:], [len(group)])) if len(group) else group
        place = np.arange(len(ordered)) - np.repeat(starts, ends - starts)
        np.frombuffer(self._place, dtype=np.int32)[ordered] = place
        self._queues = [array("i") for _ in self._queues]
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            # A sorted array is a heap.
            self._queues[group[start]] = array("i", ordered[start:end].tobytes())
        self._size = len(ordered)
        self._rebuild_worst(queued)
        self._rebuild_turns()

    @property
    def _key(self) -> str:
        """The column that orders the queues: where there are rules, not the priority itself."""
        return RANK if self._rules else "priority"

    def _steered(self, queued: Ids) -> Ids:
        """Give queued urls their ranks; those that are excluded by now are queued no more."""
        self._state.declare_value(RULE)
        if RANK not in self._state.urls:
            self._state.urls.declare(RANK, np.float64, UNRANKED)
        is_excluded = self._rules.excluded(self._state.urls[RULE][queued])
        self._state.rest(queued[is_excluded])
        queued = queued[~is_excluded]
        urls = self._state.urls
        urls[RANK][queued] = self._rules.ranks(urls["priority"][queued], urls[RULE][queued])
        return queued

    def _without_excluded(self, ids: Ids, priorities: Floats) -> tuple[Ids, Floats]:
        """What is excluded is not queued, but keeps its latest priority: the rule may be taken back."""
        urls = self._state.urls
        is_out = self._rules.excluded(urls[RULE][ids])
        changed = is_out & (urls["status"][ids] == Status.KNOWN) & (urls["priority"][ids] != priorities)
        self._state.set("priority", ids[changed], priorities[changed])
        return ids[~is_out], priorities[~is_out]

    def _rebuild_worst(self, queued: Ids) -> None:
        if not self._max_queue:
            return
        worst = queued[np.lexsort((-queued, self._state.urls[self._key][queued]))]
        self._worst = array("i", worst.tobytes())
        np.frombuffer(self._worst_place, dtype=np.int32)[worst] = np.arange(len(worst))

    def _rebuild_turns(self) -> None:
        self._ready.clear()
        self._resting = []
        self._bind()
        for queue, heap in enumerate(self._queues):
            if self._turn[queue] == Turn.BUSY:
                continue
            self._turn[queue] = Turn.IDLE
            if heap:
                self._rest(queue)

    def _sift(self, ids: Ids, priorities: Floats, enter: Bools) -> None:
        """Url by url: while one is sifted, no other key in its heap may have changed without having moved."""
        self._make_room()
        self._bind()
        self._state.touch("priority", ids)
        if self._rules:
            self._state.urls["priority"][ids] = priorities
            priorities = self._rules.ranks(priorities, self._state.urls[RULE][ids])
        key = memoryview(self._state.urls[self._key])  # type: ignore[arg-type]  # an ndarray is a buffer
        by_priority, queues = self._by_priority, self._queues
        hosts = self._state.urls["host"][ids] if self._one_per_host else np.zeros(len(ids), dtype=np.int32)
        work = zip(ids.tolist(), priorities.tolist(), hosts.tolist(), enter.tolist(), strict=True)
        for url_id, priority, queue, is_new in work:
            before, key[url_id] = key[url_id], priority
            if is_new:
                by_priority.add(queues[queue], url_id)
            else:
                by_priority.move(queues[queue], url_id, before)
            if self._max_queue:
                (self._by_worst.add if is_new else self._by_worst.update)(self._worst, url_id)
        self._size += int(enter.sum())
        for queue in distinct(hosts).tolist():
            self._first_changed(queue)

    def _take(self, queue: int) -> int:
        heap = self._queues[queue]
        url_id = self._by_priority.pop(heap)
        self._size -= 1
        if self._max_queue:
            self._by_worst.remove(self._worst, url_id)
        if self._one_per_host:
            self._turn[queue] = Turn.BUSY
        elif heap:
            self._ready.add(queue, self._by_priority.key[heap[0]], heap[0])
        else:
            self._turn[queue] = Turn.IDLE
        return url_id

    def _drop_worst(self) -> None:
        if not self._max_queue or self._size <= self._max_queue:
            return
        dropped = []
        while self._size > self._max_queue:
            url_id = self._by_worst.pop(self._worst)
            queue = self._queue_of(url_id)
            self._by_priority.remove(self._queues[queue], url_id)
            self._size -= 1
            self._first_changed(queue)
            dropped.append(url_id)
        self._state.rest(np.array(dropped, dtype=np.int32))

    def _first_changed(self, queue: int) -> None:
        """A queue's first url may be another one, or have another priority, or be gone."""
        turn = self._turn[queue]
        heap = self._queues[queue]
        if turn == Turn.IDLE and heap:
            self._rest(queue)
        elif turn == Turn.READY:
            if not heap:
                self._ready.remove(queue)
                self._turn[queue] = Turn.IDLE
            else:
                self._ready.update(queue, self._by_priority.key[heap[0]], heap[0])

    def _rest(self, queue: int) -> None:
        """Let a queue wait for its polite moment, unless that is past, as it is of hosts nobody has asked yet."""
        ready_at = float(self._state.hosts["ready_at"][queue]) if self._one_per_host else 0.0
        if ready_at <= self._now or not self._queues[queue]:
            self._awake(queue)
            return
        self._turn[queue] = Turn.RESTING
        heapq.heappush(self._resting, (ready_at, queue))

    def _wake(self, now: float) -> None:
        self._now = now
        while self._resting and self._resting[0][0] <= now:
            self._awake(heapq.heappop(self._resting)[1])

    def _awake(self, queue: int) -> None:
        heap = self._queues[queue]
        self._turn[queue] = Turn.READY if heap else Turn.IDLE  # its urls may have been dropped meanwhile
        if heap:
            self._ready.add(queue, float(self._state.urls[self._key][heap[0]]), heap[0])

    def _queue_of(self, url_id: int) -> int:
        return int(self._state.urls["host"][url_id]) if self._one_per_host else 0

    def _make_room(self) -> None:
        missing = len(self._state.urls) - len(self._place)
        if missing > 0:
            self._place.frombytes(bytes(4 * missing))
            if self._max_queue:
                self._worst_place.frombytes(bytes(4 * missing))
        queues = len(self._state.hosts) if self._one_per_host else 1
        for _ in range(queues - len(self._queues)):
            self._queues.append(array("i"))
            self._turn.append(Turn.IDLE)
        self._ready.grow(queues)

    def _bind(self) -> None:
        """Columns move when they grow, so the orders take hold of them anew before each round of work."""
        key = memoryview(self._state.urls[self._key])  # type: ignore[arg-type]  # an ndarray is a buffer
        self._by_priority = Order(key, ANY_ID, self._place)
        if self._max_queue:
            self._by_worst = Order(_Negated(key), LATEST_FIRST, self._worst_place)


class _Negated:
    """A column read with the opposite sign."""

    def __init__(self, column: Numbers) -> None:
        self._column = column

    def __getitem__(self, item: int, /) -> float:
        return -self._column[item]


def _last_of_each(wanted: Priorities) -> tuple[Ids, Floats]:
    """Of ids that come several times the last counts; order of first appearance does not matter to the queues."""
    ids = wanted.ids[::-1]
    unique, index = np.unique(ids, return_index=True)
    return unique, wanted.priorities[::-1][index]
