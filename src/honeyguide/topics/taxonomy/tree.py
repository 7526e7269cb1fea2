"""The tree of topics: names, parents and which topics are good; its rules hold after every change."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Ids

ROOT = 0
MAX_TOPICS = 200_000
MAX_DEPTH = 64
MAX_NAME = 200
_NOT_A_NAME = "{!r} is no name of a topic: one line without a slash, not empty"
_NO_NAME = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def clean_name(text: str) -> str:
    """A name fit for a path: one line, no slash, spaces for the underscores of folders and directories.

    It may turn out empty.

    >>> clean_name(" TCP/IP  basics "), clean_name("Bee_keeping")
    ('TCP-IP basics', 'Bee keeping')
    """
    return _one_line(text.replace("_", " "))


def _one_line(text: str) -> str:
    return _NO_NAME.sub(" ", text[: 4 * MAX_NAME]).strip().replace("/", "-")[:MAX_NAME].strip()


class TopicTree:
    """Topics are numbered in the order they were added; the root is 0 and stands for everything.

    >>> tree = TopicTree()
    >>> cycling = tree.place(["Recreation", "Cycling"])
    >>> tree.mark_good(cycling)
    >>> tree.path(cycling), sorted(tree.good)
    ('Recreation/Cycling', [2])
    """

    def __init__(
        self, names: Sequence[str] = ("Top",), parents: Sequence[int] = (-1,), good: Iterable[int] = ()
    ) -> None:
        self.names = list(names)
        self.parents = list(parents)
        self.good: set[int] = set()
        _check_parents(self.parents, len(self.names))
        if bad := [name for name in self.names if not name or name != _one_line(name)]:
            raise TopicError(_NOT_A_NAME.format(bad[0][:MAX_NAME]))
        self._ids = {(parent, name): node for node, (parent, name) in enumerate(self.items())}
        if len(self._ids) < len(self.names):
            raise TopicError(f"{self._repeated()}: the topic is there twice; give one of them another name")
        for node in good:
            self.mark_good(node)

    def __len__(self) -> int:
        return len(self.names)

    def items(self) -> Iterator[tuple[int, str]]:
        """Parent and name of each topic."""
        return zip(self.parents, self.names, strict=True)

    def _repeated(self) -> str:
        seen: set[tuple[int, str]] = set()
        for node, key in enumerate(self.items()):
            if key in seen:
                return self.path(node)
            seen.add(key)
        return ""

    def path(self, node: int) -> str:
        """Names from below the root down to the topic; the root's is empty."""
        return "/".join(self.names[at] for at in reversed([node, *self.ancestors(node)][:-1]))

    def ancestors(self, node: int) -> list[int]:
        """From its parent up to the root."""
        found = []
        while (node := self.parents[node]) >= 0:
            found.append(node)
        return found

    def is_below_good(self, node: int) -> bool:
        """Whether it, or one above it, is marked good."""
        return bool(self.good.intersection([node, *self.ancestors(node)]))

    def children(self, node: int) -> list[int]:
        """The topics right below it."""
        return np.flatnonzero(np.array(self.parents) == node).tolist()

    def subtree(self, node: int) -> set[int]:
        """The topic and all below it."""
        depths = self.depths()
        parents = np.array(self.parents)
        inside = np.zeros(len(parents), dtype=np.bool_)
        inside[node] = True
        for depth in range(int(depths[node]) + 1, int(depths.max()) + 1):
            level = np.flatnonzero(depths == depth)
            inside[level] = inside[parents[level]]
        return set(np.flatnonzero(inside).tolist())

    def depths(self) -> Ids:
        """How far each topic is from the root."""
        return _depths(np.array(self.parents, dtype=np.int32))

    def find(self, path: str) -> int:
        """The topic of a path such as "Arts/Music"; an unknown one is refused, with its nearest neighbor.

        Where no name is exactly the same, upper case and underscores do not matter.
        """
        node = ROOT
        for name in filter(None, path.split("/")):
            below = self._ids.get((node, name))
            node = self._alike(node, name, path) if below is None else below
        return node

    def _alike(self, node: int, name: str, path: str) -> int:
        alike = [child for child in self.children(node) if _folded(self.names[child]) == _folded(name)]
        if not alike:
            raise TopicError(f"there is no topic {path!r}{self._hint(node, name)}")
        if len(alike) > 1:
            raise TopicError(f"{path!r} may be {' or '.join(map(self.path, alike))}; write one as it is here")
        return alike[0]

    def _hint(self, node: int, name: str) -> str:
        names = [self.names[child] for child in self.children(node)]
        near = difflib.get_close_matches(name, names[:1000], n=1, cutoff=0.5) or names[:5]
        return f"; below {self.path(node) or 'the root'!r} there are {', '.join(near)} ..." if near else ""

    def child(self, name: str, parent: int = ROOT) -> int | None:
        """The topic of that name right below another one, if there is one."""
        return self._ids.get((parent, name))

    def place(self, names: Iterable[str]) -> int:
        """The topic at the end of a path from the root; what is missing on the way is added."""
        node = ROOT
        for name in names:
            below = self._ids.get((node, name))
            node = self.add(name, node) if below is None else below
        return node

    def add(self, name: str, parent: int = ROOT) -> int:
        """Add a topic below another one."""
        self._check_name(name, parent)
        if len(self) >= MAX_TOPICS:
            raise TopicError(f"a taxonomy has at most {MAX_TOPICS:,} topics; leave out the deepest ones")
        if len(self.ancestors(parent)) + 1 > MAX_DEPTH:
            raise TopicError(f"{self.path(parent)}: topics lie at most {MAX_DEPTH} levels deep")
        self.names.append(name)
        self.parents.append(parent)
        self._ids[parent, name] = len(self) - 1
        return len(self) - 1

    def _check_name(self, name: str, parent: int) -> None:
        if not name or name != _one_line(name):
            raise TopicError(_NOT_A_NAME.format(name[:MAX_NAME]))
        if (parent, name) in self._ids:
            raise TopicError(f"there is a topic {name!r} below {self.path(parent) or 'the root'!r} already")

    def rename(self, node: int, name: str) -> None:
        """Give a topic another name."""
        self._check_is_below_root(node, "renamed")
        self._check_name(name, self.parents[node])
        self._put(node, name, self.parents[node])

    def move(self, node: int, parent: int) -> None:
        """Put a topic with all below it below another one."""
        self._check_is_below_root(node, "moved")
        if parent == node or node in self.ancestors(parent):
            raise TopicError(f"{self.path(node)!r} cannot be moved below itself")
        self._check_name(self.names[node], parent)
        above = self.good.intersection([parent, *self.ancestors(parent)])
        below = self.good & self.subtree(node)
        if above and below:
            raise TopicError(self._nested(above.pop(), below.pop()))
        depths = self.depths()
        height = max(int(depths[inner] - depths[node]) for inner in self.subtree(node))
        if depths[parent] + 1 + height > MAX_DEPTH:
            raise TopicError(f"{self.path(parent)}: topics lie at most {MAX_DEPTH} levels deep")
        self._put(node, self.names[node], parent)

    def remove(self, node: int) -> Ids:
        """Take a topic out with all below it; returns the new number of each topic, -1 for those taken out."""
        self._check_is_below_root(node, "removed")
        gone = self.subtree(node)
        kept = [one for one in range(len(self)) if one not in gone]
        numbers = np.full(len(self), -1, dtype=np.int32)
        numbers[kept] = np.arange(len(kept))
        self.names = [self.names[one] for one in kept]
        self.parents = [-1, *numbers[[self.parents[one] for one in kept[1:]]].tolist()]
        self.good = set(numbers[sorted(self.good - gone)].tolist())
        self._ids = {key: number for number, key in enumerate(self.items())}
        return numbers

    def _put(self, node: int, name: str, parent: int) -> None:
        del self._ids[self.parents[node], self.names[node]]
        self.names[node], self.parents[node] = name, parent
        self._ids[parent, name] = node

    def _check_is_below_root(self, node: int, what: str) -> None:
        if node == ROOT:
            raise TopicError(f"the root stands for everything and cannot be {what}")

    def mark_good(self, node: int) -> None:
        """Say that pages on this topic are wanted. No good topic may lie above another."""
        if not 0 <= node < len(self):
            raise TopicError(f"there is no topic number {node}")
        self._check_is_below_root(node, "marked good")
        if above := self.good.intersection(self.ancestors(node)):
            raise TopicError(self._nested(above.pop(), node))
        if below := {inner for inner in self.good if node in self.ancestors(inner)}:
            raise TopicError(self._nested(node, below.pop()))
        self.good.add(node)

    def widen(self, node: int) -> None:
        """Mark a topic good in place of those below it; nothing is to be done where one above it is good."""
        self._check_is_below_root(node, "marked good")
        if self.good.isdisjoint(self.ancestors(node)):
            self.good = (self.good - self.subtree(node)) | {node}

    def unmark(self, node: int) -> None:
        """Take a good mark back."""
        self.good.discard(node)

    def _nested(self, above: int, below: int) -> str:
        return f"{self.path(above)!r} lies above {self.path(below)!r}, so they cannot both be good; unmark one of them"


def _folded(name: str) -> str:
    return clean_name(name).casefold()


def _check_parents(parents: Sequence[int], names: int) -> None:
    if not parents or len(parents) != names or parents[0] != -1:
        raise TopicError("a taxonomy needs a root, and a parent for every other topic")
    if names > MAX_TOPICS:
        raise TopicError(f"a taxonomy has at most {MAX_TOPICS:,} topics, not {names:,}")
    array = np.array(parents, dtype=np.int64)
    if (array[1:] < 0).any() or (array >= names).any():
        raise TopicError("a topic has a parent that does not exist")
    _depths(array.astype(np.int32))


def _depths(parents: Ids) -> Ids:
    depths = np.zeros(len(parents), dtype=np.int32)
    above = parents
    for _ in range(MAX_DEPTH + 1):
        inside = above >= 0
        if not inside.any():
            return depths
        depths += inside
        above = np.where(inside, parents[above], -1)
    raise TopicError(f"the tree of topics has a cycle, or is more than {MAX_DEPTH} levels deep")
