"""Advice around a taxonomy: where examples belong, which pages to add to them, whether to widen what is wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.model import Floats, Ids
from honeyguide.topics.examples import Example
from honeyguide.topics.taxonomy.model import subtree_counts
from honeyguide.topics.taxonomy.taxonomy import Taxonomy
from honeyguide.topics.text import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_SHOWN = 10
_NOTICED_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Proposal:
    """A class that some examples fit."""

    path: str
    examples: int  # whose best leaf is this topic or lies below it
    probability: float  # mean over all examples


def propose_classes(taxonomy: Taxonomy, examples: Sequence[Example], limit: int = _SHOWN) -> list[Proposal]:
    """The classes the examples fit best: their best leaves, and topics that unite several of these."""
    tree = taxonomy.tree
    found = taxonomy.probabilities(taxonomy.counted([example.readable for example in examples]))
    if not found.size:
        return []
    leaves = np.setdiff1d(np.arange(len(tree)), tree.parents)
    best = Counter(leaves[found[:, leaves].argmax(axis=1)].tolist())
    inside: Counter[int] = Counter()
    branches: Counter[int] = Counter()
    for leaf, number in best.items():
        for node in [leaf, *tree.ancestors(leaf)[:-1]]:
            inside[node] += number
            branches[node] += 1
    mean = found.mean(axis=0)
    chosen = [node for node in inside if node in best or branches[node] > 1]
    chosen.sort(key=lambda node: (-inside[node], -mean[node], node))
    return [Proposal(tree.path(node), inside[node], float(mean[node])) for node in chosen[:limit]]


def distinctive_words(taxonomy: Taxonomy, path: str, limit: int = 30) -> list[tuple[str, float]]:
    """Stems that tell a topic from its siblings, with how much each tells (in nats over all its examples)."""
    tree = taxonomy.tree
    node = tree.find(path)
    parents = np.array(tree.parents, dtype=np.int32)
    around = np.array(
        [node, *[sibling for sibling in tree.children(parents[node]) if sibling != node]], dtype=np.int32
    )
    counts = subtree_counts(taxonomy.documents.counts, taxonomy.documents.places, parents, around)
    mine, all_of_them = counts[[0]], counts.sum(axis=0)
    ratio = (mine.data / mine.sum()) / (all_of_them[mine.indices] / all_of_them.sum())
    gain = mine.data * np.log(ratio)
    order = np.lexsort((mine.indices, -gain))[:limit]
    return [(taxonomy.documents.stems[mine.indices[at]], float(gain[at])) for at in order if gain[at] > 0]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A page that may be one more example."""

    example: Example
    score: float  # 0 to 1: share of the title's words that are distinctive, weighted by how much they tell
    shared: tuple[str, ...]  # the distinctive stems its title has


def suggest_examples(
    taxonomy: Taxonomy, path: str, nearby: Sequence[Example], limit: int = _SHOWN
) -> list[Suggestion]:
    """Of pages near the examples (they link to them, or are linked), those whose titles have the topic's words.

    Pages that are examples already are left out.
    """
    words = distinctive_words(taxonomy, path)
    known = set(taxonomy.documents.urls)
    vocabulary = Vocabulary([stem for stem, _ in words], taxonomy.documents.language)
    weights = np.array([gain for _, gain in words]) / (words[0][1] if words else 1.0)
    found = []
    for example in nearby:
        places = vocabulary.sequence(example.title)
        shared = np.unique(places[places >= 0])
        if len(shared) and not (example.url and example.url in known):
            score = float(weights[shared].sum() / max(len(places), 1))
            found.append(
                Suggestion(example, min(1.0, score), tuple(vocabulary.stems[stem] for stem in shared))
            )
    found.sort(key=lambda suggestion: (-suggestion.score, suggestion.example.url))
    return found[:limit]


def citations(topics: Ids, sources: Ids, targets: Ids, number_of_topics: int) -> csr_array:
    """How often pages of one topic link to pages of another: row cites column.

    `topics` has the topic of each page, -1 where it is unknown; `sources` and `targets` are the pages of each link.
    """
    from scipy.sparse import coo_array

    cited, citing = topics[targets], topics[sources]
    known = (cited >= 0) & (citing >= 0) & (sources != targets)
    ones = np.ones(int(known.sum()))
    matrix: csr_array = coo_array(
        (ones, (citing[known], cited[known])), shape=(number_of_topics, number_of_topics)
    ).tocsr()
    return matrix


@dataclass(frozen=True, slots=True)
class Broadening:
    """A topic that pages on the good topics are tied to."""

    path: str
    relation: str  # "sibling", "parent" or "elsewhere" in the tree
    cited: float  # share of the links of good pages that lead there
    citing: float  # share of the links to good pages that come from there


def broaden(taxonomy: Taxonomy, matrix: csr_array, limit: int = _SHOWN) -> list[Broadening]:
    """Topics to mark good as well, as their pages commingle with those of the good topics; strongest ties first.

    A parent is named when at least two of its children that are not good are tied to a good one.
    """
    tree = taxonomy.tree
    good = np.array(sorted(set().union(*(tree.subtree(node) for node in tree.good))), dtype=np.int64)
    cited, citing = _shares(matrix[good].sum(axis=0)), _shares(matrix[:, good].sum(axis=1))
    parents = {tree.parents[node] for node in tree.good} - {0}
    is_tied = np.maximum(cited, citing) >= _NOTICED_SHARE
    is_tied[good] = False
    advice = [
        Broadening(
            tree.path(node),
            "sibling" if tree.parents[node] in parents else "elsewhere",
            float(cited[node]),
            float(citing[node]),
        )
        for node in np.flatnonzero(is_tied).tolist()
        if node
    ]
    for parent in parents:
        tied = [child for child in tree.children(parent) if is_tied[child]]
        if len(tied) > 1:
            shares = float(cited[tied].sum()), float(citing[tied].sum())
            advice.append(Broadening(tree.path(parent), "parent", *shares))
    advice.sort(key=lambda one: (-(one.cited + one.citing), one.path))
    return advice[:limit]


def _shares(links: Floats) -> Floats:
    shares: Floats = links / max(links.sum(), 1.0)
    return shares
