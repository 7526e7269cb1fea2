"""Did you mean: words that are nearly those of the query, and that more pages have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from honeyguide.search.library import tantivy
from honeyguide.search.query import EXACT, Clause

MOST_TERMS = 5_000
"""That a word is compared with: those of most pages that begin with the same letter."""
MOST_WORDS = 4
"""Of a query that are looked up."""
FEWEST_LETTERS = 4
RARE = 1
"""A word that more pages have is no mistake."""


def suggestion(searcher: tantivy.Searcher, query: str, clauses: Sequence[Clause]) -> str:
    """The query with words in place of which the index knows better ones; empty if there are none."""
    asked = [clause for clause in clauses if clause.field not in EXACT and not clause.is_negative]
    better = query
    for word in islice((word for clause in asked for word in clause.words), MOST_WORDS):
        if instead := _better(searcher, word):
            better = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", instead, better, flags=re.IGNORECASE)
    return better if better != query else ""


def _better(searcher: tantivy.Searcher, word: str) -> str:
    """A word that is nearly the same, and much more usual."""
    if len(word) < FEWEST_LETTERS or not word.isalpha():
        return ""
    known = searcher.doc_freq("spelling", word)
    if known > RARE:
        return ""
    most = 1 if len(word) < 2 * FEWEST_LETTERS else 2
    near = [
        (away, -pages, term)
        for term, pages in searcher.terms_with_prefix("spelling", word[0], limit=MOST_TERMS)
        if abs(len(term) - len(word)) <= most
        and pages > known
        and 0 < (away := distance(word, term, most)) <= most
    ]
    return min(near)[2] if near else ""


def distance(one: str, other: str, most: int) -> int:
    """How many letters must be put in, left out, changed or swapped; anything above `most` if it is more than that.

    >>> distance("qeuen", "queen", 2), distance("bees", "beehives", 2) > 2
    (1, True)
    """
    before: list[int] = []
    row: list[int] = [*range(len(other) + 1)]
    for i, letter in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, target in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != target))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == target:
                best = min(best, earlier[j - 2] + 1)
            row.append(best)
        if min(row) > most:
            return most + 1
    return row[-1]
