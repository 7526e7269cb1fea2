"""Did you mean: words that are nearly those of the query, and that more pages have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from honeyguide.search.library import tantivy
from honeyguide.search.query import Clause
from honeyguide.search.words import stems_of

MOST_TERMS = 5_000
"""That a word is compared with: those of most pages that begin with the same letter."""
MOST_WORDS = 4
"""Of a query that are looked up."""
FEWEST_LETTERS = 4
RARE = 1
"""A word that more pages have is no mistake."""


def suggestion(
    searcher: tantivy.Searcher, query: str, clauses: Sequence[Clause], languages: Sequence[str]
) -> str:
    """The query with words in place of which the index knows better ones; empty if there are none."""
    asked = (word for clause in clauses if clause.is_ranked for word in clause.words)
    better = query
    for word in islice(asked, MOST_WORDS):
        if instead := _better(searcher, word, languages):
            better = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", instead, better, flags=re.IGNORECASE)
    return better if better != query else ""


def _better(searcher: tantivy.Searcher, word: str, languages: Sequence[str]) -> str:
    """A word that is nearly the same, and much more usual; none that finds the same pages."""
    if len(word) < FEWEST_LETTERS or not word.isalpha():
        return ""
    stems = _stems(word, languages)
    known = max([searcher.doc_freq("spelling", word), *(searcher.doc_freq("text", stem) for stem in stems)])
    if known > RARE:
        return ""
    most = 1 if len(word) < 2 * FEWEST_LETTERS else 2
    near = [
        (away, -pages, term)
        for term, pages in searcher.terms_with_prefix("spelling", word[0], limit=MOST_TERMS)
        if abs(len(term) - len(word)) <= most
        and pages > known
        and 0 < (away := distance(word, term, most)) <= most
        and stems.isdisjoint(_stems(term, languages))
    ]
    return min(near)[2] if near else ""


def _stems(word: str, languages: Sequence[str]) -> set[str]:
    """What a word is looked for by, in any language of the index."""
    return {stem for language in languages for stem in stems_of(language).of([word])}


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
