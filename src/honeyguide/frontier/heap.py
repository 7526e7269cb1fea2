"""Binary heaps of small integers whose keys live in columns; the frontier keeps its queues in them.

An `Order` knows the columns, a heap is a bare `array("i")`. Because every item remembers its place, a key may rise or
fall at any time without leaving stale entries behind: 8 bytes an item, whatever happens to it.
"""

from __future__ import annotations

from array import array
from typing import Protocol


class Numbers(Protocol):
    """A column read by item."""

    def __getitem__(self, item: int, /) -> float: ...


class Order:
    """Greatest key first; equal keys in ascending order of `tie`. Items of all heaps of one order are disjoint."""

    def __init__(self, key: Numbers, tie: Numbers, place: array[int]) -> None:
        self.key = key
        self.tie = tie
        self.place = place  # where in its heap each item stands; meaningless for items in no heap

    def add(self, heap: array[int], item: int) -> None:
        """Put in an item that is in no heap of this order."""
        heap.append(item)
        self._rise(heap, len(heap) - 1, item)

    def update(self, heap: array[int], item: int) -> None:
        """Put an item right whose key has changed."""
        place = self.place[item]
        self._rise(heap, place, item)
        if self.place[item] == place:
            self._sink(heap, place, item)

    def move(self, heap: array[int], item: int, before: float) -> None:
        """The same, told what its key was before: of an item that has risen, nothing behind it need be looked at."""
        (self._rise if self.key[item] > before else self._sink)(heap, self.place[item], item)

    def remove(self, heap: array[int], item: int) -> None:
        """Take out any item."""
        last = heap.pop()
        if last == item:
            return
        place = self.place[item]
        heap[place] = last
        self.place[last] = place
        self.update(heap, last)

    def pop(self, heap: array[int]) -> int:
        """Take out the first item."""
        first = heap[0]
        last = heap.pop()
        if heap:
            self._sink(heap, 0, last)
        return first

    def is_before(self, item: int, other: int) -> bool:
        """Whether an item comes before another, of this heap or not."""
        keys = self.key[item], self.key[other]
        return keys[0] > keys[1] or (keys[0] == keys[1] and self.tie[item] < self.tie[other])

    def _rise(self, heap: array[int], at: int, item: int) -> None:
        key, tie, place = self.key, self.tie, self.place
        item_key = key[item]
        while at:
            above = (at - 1) >> 1
            other = heap[above]
            other_key = key[other]
            if other_key > item_key or (other_key == item_key and tie[other] < tie[item]):
                break
            heap[at] = other
            place[other] = at
            at = above
        heap[at] = item
        place[item] = at

    def _sink(self, heap: array[int], at: int, item: int) -> None:
        key, tie, place = self.key, self.tie, self.place
        item_key = key[item]
        size = len(heap)
        while (below := 2 * at + 1) < size:
            other = heap[below]
            other_key = key[other]
            if below + 1 < size:
                right = heap[below + 1]
                right_key = key[right]
                if right_key > other_key or (right_key == other_key and tie[right] < tie[other]):
                    below, other, other_key = below + 1, right, right_key
            if item_key > other_key or (item_key == other_key and tie[item] < tie[other]):
                break
            heap[at] = other
            place[other] = at
            at = below
        heap[at] = item
        place[item] = at
