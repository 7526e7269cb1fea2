"""Queues whose hosts may be asked now, best first, and strangers only so many at a time. Kept by the frontier.

A stranger is a host that has not answered yet, or has fallen silent since. Each holds its place on the wire for as long
as we wait for it, so strangers share a bounded part of the places, and those of one site a small one, since wildcard
DNS makes hosts without end. Hosts that answer have the other places for themselves.
"""

from __future__ import annotations

from array import array
from collections import Counter
from enum import IntEnum

from honeyguide.frontier.heap import Order
from honeyguide.state.state import State
from honeyguide.urls import site_of

MOST_TRUST = 3
"""A host earns one with each answer and loses one with each silence; a stranger has none."""
MOST_OF_A_SITE = 4


class Place(IntEnum):
    """Which heap a queue is in."""

    NONE = 0
    KNOWN = 1
    STRANGER = 2
    WAITING = 3  # a stranger whose site has enough under way, in a heap of its site's own


class Ready:
    """Heaps of queues. `most_strangers` may be under way at the same time; 0 if all hosts are the same."""

    def __init__(self, state: State, most_strangers: int) -> None:
        self._state = state
        self._most_strangers = most_strangers
        self._known: array[int] = array("i")
        self._strangers: array[int] = array("i")
        self._waiting: dict[str, array[int]] = {}  # by site
        self._under_way: dict[int, str] = {}  # strangers that were handed out, with their site
        self._of_site: Counter[str] = Counter()  # how many of them
        self._place = bytearray()
        self._best_key = array("d")  # of each queue: priority and id of its first url
        self._best_id = array("i")
        self._order = Order(self._best_key, self._best_id, array("i"))

    def grow(self, queues: int) -> None:
        """Make room for so many queues in all."""
        missing = queues - len(self._place)
        if missing > 0:
            self._place.extend(bytes(missing))
            self._best_key.frombytes(bytes(8 * missing))
            self._best_id.frombytes(bytes(4 * missing))
            self._order.place.frombytes(bytes(4 * missing))

    def clear(self) -> None:
        """Forget all queues but which strangers are under way."""
        self._known, self._strangers, self._waiting = array("i"), array("i"), {}
        self._place = bytearray(len(self._place))

    def add(self, queue: int, key: float, url_id: int) -> None:
        """Put in a queue, whose first url has this priority."""
        self._best_key[queue], self._best_id[queue] = key, url_id
        self._put(queue, Place.STRANGER if self._is_stranger(queue) else Place.KNOWN)

    def update(self, queue: int, key: float, url_id: int) -> None:
        """Take note of a queue's first url, which may be another one or have another priority."""
        if url_id != self._best_id[queue] or key != self._best_key[queue]:
            self._best_key[queue], self._best_id[queue] = key, url_id
            self._order.update(self._heap_of(queue), queue)

    def remove(self, queue: int) -> None:
        """Take out a queue."""
        was_stranger = self._place[queue] == Place.STRANGER
        self._take_out(queue)
        if was_stranger:
            self._let_in(self._site(queue))

    def pop(self) -> int | None:
        """Take out the best queue that may be asked; None if there is none."""
        heap = self._known
        if self._strangers and self._may_ask_stranger():
            first = self._strangers[0]
            if not heap or self._order.is_before(first, heap[0]):
                heap = self._strangers
                self.hold(first)
        if not heap:
            return None
        queue = self._order.pop(heap)
        self._place[queue] = Place.NONE
        return queue

    def hold(self, queue: int) -> None:
        """A queue is under way."""
        if self._is_stranger(queue):
            site = self._under_way[queue] = self._site(queue)
            self._of_site[site] += 1

    def release(self, queue: int) -> None:
        """A queue is no longer under way."""
        if self._under_way:
            self._make_way(queue)

    def hear(self, queue: int, has_answered: bool) -> bool:
        """Whether a host was heard, or asked in vain; true if that changes what it is held for."""
        place = self._place[queue]
        if place:
            self.remove(queue)
        trust = self._state.hosts["trust"]
        before = int(trust[queue])
        trust[queue] = min(before + 1, MOST_TRUST) if has_answered else max(before - 1, 0)
        if has_answered:
            self._make_way(queue)
        if place:
            self.add(queue, self._best_key[queue], self._best_id[queue])
        return bool(trust[queue] != before)

    def has_any(self) -> bool:
        """Whether some queue may be asked."""
        return bool(self._known) or (bool(self._strangers) and self._may_ask_stranger())

    def holds_back(self) -> bool:
        """Whether there are strangers that may be asked when others have answered."""
        return bool(self._strangers or self._waiting)

    def _is_stranger(self, queue: int) -> bool:
        return self._most_strangers > 0 and not self._state.hosts["trust"][queue]

    def _may_ask_stranger(self) -> bool:
        """Whether the first stranger may be asked; those before it whose site has enough under way are put aside."""
        if len(self._under_way) >= self._most_strangers:
            return False
        while self._strangers:
            queue = self._strangers[0]
            if self._of_site[self._site(queue)] < MOST_OF_A_SITE:
                return True
            self._take_out(queue)
            self._put(queue, Place.WAITING)
        return False

    def _make_way(self, queue: int) -> None:
        """If a stranger was under way it no longer is, or no longer one: another of its site may be asked."""
        site = self._under_way.pop(queue, None)
        if site is None:
            return
        self._of_site[site] -= 1
        if not self._of_site[site]:
            del self._of_site[site]
        self._let_in(site)

    def _let_in(self, site: str) -> None:
        """Put the best that waits of a site among the strangers."""
        if waiting := self._waiting.get(site):
            queue = waiting[0]
            self._take_out(queue)
            self._put(queue, Place.STRANGER)

    def _take_out(self, queue: int) -> None:
        heap = self._heap_of(queue)
        self._order.remove(heap, queue)
        if not heap and self._place[queue] == Place.WAITING:
            del self._waiting[self._site(queue)]
        self._place[queue] = Place.NONE

    def _put(self, queue: int, place: Place) -> None:
        self._place[queue] = place
        self._order.add(self._heap_of(queue), queue)

    def _heap_of(self, queue: int) -> array[int]:
        place = self._place[queue]
        if place == Place.WAITING:
            return self._waiting.setdefault(self._site(queue), array("i"))
        return self._strangers if place == Place.STRANGER else self._known

    def _site(self, queue: int) -> str:
        return site_of(self._state.host_names[queue])
