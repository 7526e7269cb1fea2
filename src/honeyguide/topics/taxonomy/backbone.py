"""The backbone: what the Web is about in general, so that a topic has something to differ from at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.topics.examples import Example
from honeyguide.topics.taxonomy.taxonomy import Taxonomy, Training
from honeyguide.topics.taxonomy.topic import TaxonomyTopic
from honeyguide.topics.taxonomy.tree import ROOT, TopicTree, clean_name
from honeyguide.topics.text import common_language

EVERYTHING_ELSE = "Everything Else"
LANGUAGE = "en"
FEW_TOPS = 5
"""With more top topics of one's own, their pages are on so many things that portraits find far fewer of them."""


def backbone() -> Taxonomy:
    """Two levels of topics, learned from the words of `backbone.txt`; nothing is marked good."""
    tree = TopicTree()
    examples, places = [], []
    for top, name, words in _lines():
        places.append(tree.place([top, name]))
        examples.append(Example(words, title=name))
    return Taxonomy.train(tree, examples, places, Training(portraits=True), LANGUAGE)


def _lines() -> Iterator[tuple[str, str, str]]:
    top = ""
    text = files("honeyguide.topics.taxonomy").joinpath("backbone.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        name, colon, words = line.strip().partition(":")
        if colon and not line.startswith("#"):
            yield top, name, words
        elif line and not line.startswith("#"):
            top = name


def graft(taxonomy: Taxonomy, name: str, examples: Sequence[Example], under: str = "") -> str:
    """Add a topic with its examples below `under`, or where it fits best, and mark it good; returns its path.

    A topic of that name which is there already takes the examples in.
    """
    if not any(example.readable.strip() for example in examples):
        raise TopicError(f"the topic {name!r} needs some words or an example page")
    tree = taxonomy.tree
    parent = tree.find(under) if under else _best_top(taxonomy, examples)
    name = clean_name(name)
    existing = {tree.names[child].lower(): child for child in tree.children(parent)}
    node = existing.get(name.lower())
    if node is None:
        node = tree.add(name, parent)
    tree.mark_good(node)
    taxonomy.add_examples(tree.path(node), examples)
    return tree.path(node)


def _best_top(taxonomy: Taxonomy, examples: Sequence[Example]) -> int:
    # Pages full of menus look most like "everything else", and no topic of anybody's belongs there.
    tops = [top for top in taxonomy.tree.children(ROOT) if taxonomy.tree.names[top] != EVERYTHING_ELSE]
    if not tops:
        return ROOT
    fit = taxonomy.probabilities(taxonomy.counted([example.readable for example in examples])).mean(axis=0)
    return tops[int(np.argmax(fit[tops]))]


def train_against_backbone(tree: TopicTree, examples: Sequence[Example], places: Sequence[int]) -> Taxonomy:
    """A taxonomy of one's own, with the backbone as everything else that there is; English alone has one.

    Without it, every page would have to belong to one of the topics that somebody happened to name.
    Topics of the backbone that the tree has by name are left out. A tree of few top topics is learned as portraits,
    lest its pages win every other page by their ordinary words; where many topics have pages, those even out.
    """
    language = common_language(example.readable for example in examples) or LANGUAGE
    training = Training(portraits=language == LANGUAGE and len(tree.children(ROOT)) <= FEW_TOPS)
    if language == LANGUAGE:
        known = {name.casefold() for name in tree.names}
        others = [line for line in _lines() if known.isdisjoint((line[0].casefold(), line[1].casefold()))]
        places = [*places, *(tree.place([top, name]) for top, name, _ in others)]
        examples = [*examples, *(Example(words, title=name) for _, name, words in others)]
    return Taxonomy.train(tree, examples, places, training, language)


def topic_from_examples(
    name: str, examples: Sequence[Example], words: str = "", under: str = ""
) -> TaxonomyTopic:
    """A topic of one's own against the backbone: a name, some words or a few example pages, or both.

    >>> topic = topic_from_examples("Beekeeping", [], words="bee honey hive apiary beekeeper swarm nectar queen")
    >>> near, far = topic.judge(["The beekeeper opens the hive: honey, bees and a queen", "A train leaves the station"])
    >>> bool(near > 0.5 > far)
    True
    """
    taxonomy = backbone()
    given = [Example(words, title=name)] if words.strip() else []
    graft(taxonomy, name, [*given, *examples], under)
    return TaxonomyTopic(taxonomy)
