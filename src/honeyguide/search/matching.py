"""From a query taken apart to one that the index understands: every word in the languages that the index has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from honeyguide.search.library import tantivy
from honeyguide.search.query import EXACT, Clause
from honeyguide.search.ranking import FIELDS
from honeyguide.search.results import Wanted
from honeyguide.search.schema import PAGE
from honeyguide.search.words import is_paired, stems_of

Variant = tuple[str, ...]


class Matcher:
    """Makes queries for one index."""

    def __init__(self, schema: tantivy.Schema, languages: Sequence[str]) -> None:
        self._schema = schema
        self._languages = languages or ("",)

    def variants(self, words: Sequence[str]) -> set[Variant]:
        """Words as they stand in pages of each language; none of words that all of them leave out."""
        return {tuple(found) for language in self._languages if (found := stems_of(language).of(words))}

    def matching(self, clauses: Iterable[Clause], wanted: Wanted, *, any_word: bool = False) -> tantivy.Query:
        """What matches a query: all its words, or, if that is asked for, any of them."""
        occur = tantivy.Occur
        wish = occur.Should if any_word else occur.Must
        parts = [(occur.Must, filter_) for filter_ in self.filters(wanted)]
        ranked = []
        for clause in clauses:
            if (query := self._of(clause)) is None:
                continue
            if clause.is_negative:
                parts.append((occur.MustNot, query))
            elif clause.field in EXACT:
                parts.append((occur.Must, self._silent(query)))
            else:
                ranked.append((wish, query))
        if any_word and ranked:
            parts.append((occur.Must, tantivy.Query.boolean_query(ranked)))
        else:
            parts += ranked
        if not ranked:
            parts.append((occur.Must, self.every_page()))
        return tantivy.Query.boolean_query(parts)

    def every_page(self) -> tantivy.Query:
        """All pages, as if each had one word of the query."""
        return tantivy.Query.const_score_query(self._term("kind", PAGE), 1.0)

    def filters(self, wanted: Wanted) -> list[tantivy.Query]:
        """What the question asks for beside the query; it changes no score."""
        named = {
            "site": wanted.site.lower(),
            "language": wanted.language.lower(),
            "topic_class": wanted.topic_class,
        }
        found: list[tantivy.Query] = [self._term(name, value) for name, value in named.items() if value]
        if wanted.year is not None:
            found.append(self._term("year", max(0, wanted.year)))
        if wanted.since is not None:
            found.append(self._above("time", wanted.since))
        return [self._silent(query) for query in found]

    def relevant(self, threshold: float) -> tantivy.Query:
        """Pages from a relevance on."""
        return self._silent(self._above("relevance", threshold))

    def _above(self, name: str, value: float) -> tantivy.Query:
        kind = tantivy.FieldType.Float
        return tantivy.Query.range_query(self._schema, name, kind, lower_bound=float(value))

    def _of(self, clause: Clause) -> tantivy.Query | None:
        if clause.field in EXACT:
            return self._term(clause.field, clause.words[0])
        fields = {clause.field: 1.0} if clause.field else FIELDS
        found = []
        for name, boost in fields.items():
            for variant in {clause.words} if name == "url" else self.variants(clause.words):
                query = self._standing(name, variant)
                found.append((tantivy.Occur.Should, tantivy.Query.boost_query(query, boost)))
        if not any(name == "url" for name in fields) or self.variants(clause.words):
            return tantivy.Query.boolean_query(found) if found else None
        return None

    def _standing(self, name: str, words: Variant) -> tantivy.Query:
        """Words that stand one after the other in a field."""
        if len(words) > 1:
            return tantivy.Query.phrase_query(self._schema, name, [*words])
        if len(words[0]) == 1 and is_paired(words[0]):  # which is indexed in pairs
            return tantivy.Query.regex_query(self._schema, name, f"{words[0]}.?")
        return self._term(name, words[0])

    def _term(self, name: str, value: Any) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, name, value)

    def _silent(self, query: tantivy.Query) -> tantivy.Query:
        return tantivy.Query.const_score_query(query, 0.0)
