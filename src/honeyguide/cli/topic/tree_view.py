"""How a taxonomy shows what is inside it: its tree and examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from honeyguide import wording
from honeyguide.cli import terminal

if TYPE_CHECKING:
    from honeyguide.model import Ids
    from honeyguide.topics.taxonomy import Taxonomy, TopicTree

MOST_ROWS = 2_000


def print_tree(tree: TopicTree, places: Ids, depth: int) -> None:
    """Print the upper levels of a tree, and whatever is good with all that lies above it."""
    import numpy as np

    from honeyguide.topics.taxonomy.model import subtree_sizes

    parents = np.array(tree.parents, dtype=np.int32)
    examples = subtree_sizes(places, parents)
    topics = subtree_sizes(np.arange(len(parents), dtype=np.int32), parents) - 1
    numbers = ("examples", "topics below")
    table = terminal.table("topic", "good", *numbers, right=numbers)
    shown = list(_shown(tree, depth))
    for node, level in shown[:MOST_ROWS]:
        table.add_row(
            "  " * (level - 1) + terminal.clean(tree.names[node]),
            "good" if node in tree.good else "",
            f"{examples[node]:,.0f}",
            f"{topics[node]:,.0f}" if topics[node] else "",
        )
    terminal.print_table(table)
    hidden = len(shown) - MOST_ROWS
    if hidden > 0:
        terminal.say(f"and {hidden:,} more; show fewer levels with --depth")
    terminal.say(f"{len(tree) - 1:,} topics, {wording.count(int(examples[0]), 'example')}")


def _shown(tree: TopicTree, depth: int) -> Iterator[tuple[int, int]]:
    """Topics with their levels, each before those below it."""
    below: list[list[int]] = [[] for _ in tree.names]
    for node, parent in enumerate(tree.parents[1:], 1):
        below[parent].append(node)
    above_good = {above for node in tree.good for above in [node, *tree.ancestors(node)]}
    waiting = [(node, 1) for node in reversed(below[0])]
    while waiting:
        node, level = waiting.pop()
        if level <= depth or node in above_good:
            yield node, level
            waiting += [(child, level + 1) for child in reversed(below[node])]


def print_examples(taxonomy: Taxonomy, path: str) -> None:
    """List the examples at or below a topic with their numbers."""
    documents, tree = taxonomy.documents, taxonomy.tree
    numbers = taxonomy.examples_of(path)
    table = terminal.table("number", "topic", "title", "url", right=("number",), fold=("url",))
    for number in numbers[:MOST_ROWS]:
        texts = (tree.path(documents.places[number]), documents.titles[number], documents.urls[number])
        table.add_row(str(number), *map(terminal.clean, texts))
    terminal.print_table(table)
    if len(numbers) > MOST_ROWS:
        terminal.say(f"and {len(numbers) - MOST_ROWS:,} more; name a topic further down")
