"""A query as people type it, taken apart: words, "phrases", field:words, -words. Whatever is typed, it never fails.

What cannot be understood is left out or read as words, and said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from honeyguide.search.words import words

LONGEST = 500
MOST_CLAUSES = 24

FIELDS = {
    "title": "title", "text": "text", "anchor": "anchors", "anchors": "anchors", "url": "url", "inurl": "url",
    "intitle": "title", "site": "site", "host": "host", "language": "language", "lang": "language",
}  # fmt: skip
"""Fields as they may be named in a query."""
EXACT = frozenset(("site", "host", "language"))
"""Fields that are compared whole."""
_OPERATORS = {
    "AND": "all words are looked for anyway",
    "OR": "a query has no OR",
    "NOT": "write -word to leave pages out",
}
_ITEM = re.compile(r'([-+]?)(?:([A-Za-z]{1,20}):(?!//))?(?:"([^"]*)"|([^\s"]+))')
_UNCLOSED = re.compile(r'(\w?)"([^"]*)$')


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a query: words that stand together in a page, in one field or in any."""

    words: tuple[str, ...]  # as they are written, in lower case; of an exact field one, the whole of it
    field: str = ""
    is_negative: bool = False
    is_phrase: bool = False

    @property
    def is_ranked(self) -> bool:
        """Whether pages are ranked by it: words that they should have."""
        return not self.is_negative and self.field not in EXACT


@dataclass(frozen=True, slots=True)
class Query:
    """A query taken apart."""

    clauses: tuple[Clause, ...]
    ignored: tuple[str, ...]


def read_query(text: str) -> Query:
    """Take a query apart.

    >>> read_query('queen -wasps "Royal jelly" site:a.example').clauses[2].words
    ('royal', 'jelly')
    >>> read_query('bees AND "honey').ignored
    ('AND: all words are looked for anyway', 'the quotation mark that is not closed')
    """
    ignored = [] if len(text) <= LONGEST else [f"all after the first {LONGEST} characters"]
    clauses: list[Clause] = []
    text, is_unclosed = _closed(text[:LONGEST])
    for item in _ITEM.finditer(text):
        if len(clauses) == MOST_CLAUSES:
            ignored.append(f"all after the first {MOST_CLAUSES} words")
            break
        if item[0] in _OPERATORS:
            ignored.append(f"{item[0]}: {_OPERATORS[item[0]]}")
        elif clause := _clause(item, ignored):
            clauses.append(clause)
    if is_unclosed:
        ignored.append("the quotation mark that is not closed")
    return Query(tuple(clauses), tuple(dict.fromkeys(ignored)))


def _closed(text: str) -> tuple[str, bool]:
    """A query without the quotation mark that is not closed, and whether there was one.

    >>> _closed('"royal jelly" of 5"frames'), _closed('title:"hive')
    (('"royal jelly" of 5 frames', True), ('title:hive', True))
    """
    if text.count('"') % 2 == 0:
        return text, False
    return _UNCLOSED.sub(lambda mark: f"{mark[1]} {mark[2]}" if mark[1] else mark[2], text), True


def _clause(item: re.Match[str], ignored: list[str]) -> Clause | None:
    sign, name, phrase, bare = item.groups()
    value = bare if phrase is None else phrase
    field = FIELDS.get((name or "").lower(), "")
    if name and not field:
        ignored.append(f"{name}: there is no such field, so it was read as a word")
        value = f"{name} {value}"
    found = (value.strip().lower(),) if field in EXACT else tuple(words(value))
    if not any(found):
        if named := item[0].strip():
            ignored.append(f"{named}: there is no word in it")
        return None
    return Clause(found, field, sign == "-", phrase is not None)
