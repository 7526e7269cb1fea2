"""The topics of a collection as a tree to walk: a taxonomy by the classes of its pages, a topic map by its names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from honeyguide.serve.portal.shown import parameters, plain
from honeyguide.serve.portal.views import Choice
from honeyguide.topics.base import TopicModel
from honeyguide.topics.combined import CombinedTopic
from honeyguide.topics.ontology import OntologyTopic
from honeyguide.topics.revised import RevisedTopic
from honeyguide.topics.taxonomy import TaxonomyTopic
from honeyguide.topics.taxonomy.tree import ROOT, TopicTree

MOST_BRANCHES = 300
MOST_BELOW = 12
MOST_ABOVE = 64


@dataclass(frozen=True, slots=True)
class Branch:
    """A topic with a few of those below it."""

    name: str
    link: str
    count: str = ""
    is_good: bool = False  # pages on it were looked for
    below: Sequence[Branch] = ()


@dataclass(frozen=True, slots=True)
class TreeView:
    """A place in the tree."""

    heading: str
    branches: Sequence[Branch] = ()
    here: str = ""
    above: Sequence[Choice] = ()
    more: str = ""
    wanted: Mapping[str, Any] | None = None  # what finds the pages on this topic; None: go further down
    search: str = ""  # the address of that search


def tree_view(topic: TopicModel, at: str, counts: Mapping[str, int], here: str) -> TreeView | None:
    """Where a visitor stands; None if the topic has no tree, or no such place. `here` is the collection's path."""
    for one in _kinds(topic):
        if isinstance(one, TaxonomyTopic):
            return _Taxonomy(one.taxonomy.tree, counts, here).view(at)
        if isinstance(one, OntologyTopic):
            return _Map(one, here).view(at)
    return None


def _kinds(topic: TopicModel) -> Iterator[TopicModel]:
    """A topic may be around others."""
    yield topic
    if isinstance(topic, RevisedTopic):
        yield from _kinds(topic.first)
    elif isinstance(topic, CombinedTopic):
        for member in topic.members:
            yield from _kinds(member)


class _Taxonomy:
    """Places are paths; a page is in the class of its best leaf."""

    def __init__(self, tree: TopicTree, counts: Mapping[str, int], here: str) -> None:
        self._tree, self._here = tree, here
        self._below: dict[int, list[int]] = {}
        for node, parent in enumerate(tree.parents):
            self._below.setdefault(parent, []).append(node)
        self._counts = self._summed(counts)
        self._is_near = {above for good in tree.good for above in (good, *tree.ancestors(good))}

    def _summed(self, counts: Mapping[str, int]) -> dict[int, int]:
        """Pages at or below each topic."""
        sums: dict[int, int] = {}
        for path, number in counts.items():
            node: int | None = ROOT
            for name in path.split("/"):
                node = None if node is None else self._tree.child(name, node)
                if node is not None:
                    sums[node] = sums.get(node, 0) + number
        return sums

    def view(self, at: str) -> TreeView | None:
        node: int | None = ROOT
        for name in filter(None, at.split("/")):
            node = None if node is None else self._tree.child(name, node)
        if node is None:
            return None
        branches, more = _cut(self._branches(node), MOST_BRANCHES)
        view = TreeView("Topics below" if at else "Topics", branches, more=more)
        if node == ROOT:
            return view
        path = self._tree.path(node)
        above = [self._choice(one) for one in reversed(self._tree.ancestors(node))]
        view = replace(view, here=plain(self._tree.names[node]), above=above)
        if branches:
            return view
        search = f"{self._here}/search{parameters(topic_class=path)}"
        return replace(view, wanted={"query": "", "topic_class": path}, search=search)

    def _branches(self, node: int) -> list[Branch]:
        """Those that were looked for and those with most pages first."""
        return [
            replace(self._branch(one), below=[self._branch(low) for low in self._sorted(one)[:MOST_BELOW]])
            for one in self._sorted(node)
        ]

    def _sorted(self, node: int) -> list[int]:
        names = self._tree.names
        return sorted(
            self._below.get(node, ()),
            key=lambda one: (one not in self._is_near, -self._counts.get(one, 0), names[one].casefold()),
        )

    def _branch(self, node: int) -> Branch:
        counted = self._counts.get(node, 0)
        return Branch(
            plain(self._tree.names[node]),
            self._choice(node).link,
            f"{counted:,}" if counted else "",
            node in self._tree.good,
        )

    def _choice(self, node: int) -> Choice:
        link = f"{self._here}/browse{parameters(at=self._tree.path(node))}"
        return Choice(plain(self._tree.names[node]) if node != ROOT else "All topics", link)


class _Map:
    """Places are numbers of topics; their pages are those that mention the name."""

    def __init__(self, topic: OntologyTopic, here: str) -> None:
        self._topic, self._here = topic, here
        self._uppers = topic.hierarchy.uppers
        self._lowers: dict[int, list[int]] = {}
        for lower, uppers in self._uppers.items():
            for upper in uppers:
                self._lowers.setdefault(upper, []).append(lower)

    def view(self, at: str) -> TreeView | None:
        if not at:
            tops = [node for node in self._lowers if not self._uppers.get(node)]
            nodes = dict.fromkeys([*self._topic.focus, *sorted(tops, key=self._order)])
            branches, more = _cut([self._branch(node, MOST_BELOW) for node in nodes], MOST_BRANCHES)
            return TreeView("Topics", branches, more=more)
        if not (at.isascii() and at.isdecimal() and len(at) < 10 and int(at) < len(self._topic.map.topics)):
            return None
        node = int(at)
        name = self._name(node)
        lowers = sorted(self._lowers.get(node, ()), key=self._order)
        branches, more = _cut([self._branch(one, MOST_BELOW) for one in lowers], MOST_BRANCHES)
        query = '"{}"'.format(name.replace('"', " "))
        search = f"{self._here}/search{parameters(q=query)}"
        return TreeView("Topics below", branches, name, [*self._above(node)], more, {"query": query}, search)

    def _above(self, node: int) -> list[Choice]:
        """One way up; a map may have several, and circles."""
        way: list[int] = []
        while (uppers := self._uppers.get(node)) and len(way) < MOST_ABOVE:
            node = min(uppers)
            if node in way:
                break
            way.append(node)
        return [
            Choice("All topics", f"{self._here}/browse"),
            *(Choice(self._name(one), self._link(one)) for one in reversed(way)),
        ]

    def _branch(self, node: int, most_below: int) -> Branch:
        lowers = sorted(self._lowers.get(node, ()), key=self._order)[:most_below]
        below = [Branch(self._name(one), self._link(one), is_good=one in self._topic.focus) for one in lowers]
        return Branch(self._name(node), self._link(node), is_good=node in self._topic.focus, below=below)

    def _name(self, node: int) -> str:
        return plain(self._topic.map.topics[node].label, 100)

    def _order(self, node: int) -> str:
        return self._name(node).casefold()

    def _link(self, node: int) -> str:
        return f"{self._here}/browse{parameters(at=str(node))}"


def _cut(branches: Iterable[Branch], most: int) -> tuple[list[Branch], str]:
    found = list(branches)
    more = f"and {len(found) - most:,} more, which the search finds" if len(found) > most else ""
    return found[:most], more
