"""From a query taken apart to one that the index understands, in every language that the index has.

A page was indexed by the stems of its language and without that language's stop words. So a query is read in each
language as a whole, and a page matches it in one of them: "die Biene" asks German pages for *bien* alone. Words of urls
are of no language, so there the words are looked for as they were written as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from honeyguide.search.library import tantivy
from honeyguide.search.query import EXACT, Clause
from honeyguide.search.ranking import FIELDS
from honeyguide.search.results import Wanted
from honeyguide.search.schema import PAGE
from honeyguide.search.words import is_paired, stems_of

LAST_YEAR = 9999

Stems = tuple[str, ...]
Part = tuple[tantivy.Occur, tantivy.Query]


class Matcher:
    """Makes queries for one index."""

    def __init__(self, schema: tantivy.Schema, languages: Sequence[str]) -> None:
        self._schema = schema
        self.languages = languages

    def is_common(self, clause: Clause) -> bool:
        """Whether every language that is known leaves all words of it out."""
        named = [language for language in self.languages if language]
        is_left_out = not any(self._stems(clause, language) for language in named)
        return bool(named) and clause.field not in EXACT and is_left_out

    def leaving_out(self, clauses: Sequence[Clause]) -> list[str]:
        """The languages that leave all words of a query out, so that it finds no page in them."""
        return [
            language
            for language in self.languages
            if clauses and not any(self._stems(clause, language) for clause in clauses)
        ]

    def matching(self, clauses: Sequence[Clause], wanted: Wanted, *, any_word: bool = False) -> tantivy.Query:
        """What matches a query: all its words, or, if that is asked for, any of them."""
        must, must_not = tantivy.Occur.Must, tantivy.Occur.MustNot
        parts = [(must, self._silent(query)) for query in self._filters(wanted)]
        for clause in clauses:
            if clause.is_negative:
                parts += [(must_not, query) for query in self._in_any_language(clause)]
            elif clause.field in EXACT:
                parts.append((must, self._silent(self._exactly(clause.field, clause.words[0]))))
        ranked = [clause for clause in clauses if clause.is_ranked]
        parts.append((must, self._ranked(ranked, any_word) if ranked else self._every_page()))
        return tantivy.Query.boolean_query(parts)

    def relevant(self, threshold: float) -> tantivy.Query:
        """Pages from a relevance on."""
        return self._silent(self._above("relevance", threshold))

    def _every_page(self) -> tantivy.Query:
        """All pages, as if each had one word of the query."""
        return tantivy.Query.const_score_query(self._term("kind", PAGE), 1.0)

    def _filters(self, wanted: Wanted) -> list[tantivy.Query]:
        """What the question asks for beside the query."""
        named = {"site": wanted.site, "language": wanted.language, "topic_class": wanted.topic_class}
        found = [self._exactly(name, value) for name, value in named.items() if value]
        if wanted.year is not None:
            is_year = 0 <= wanted.year <= LAST_YEAR
            found.append(self._term("year", wanted.year) if is_year else tantivy.Query.empty_query())
        if wanted.since is not None:
            found.append(self._above("time", wanted.since))
        return found

    def _ranked(self, clauses: Sequence[Clause], any_word: bool) -> tantivy.Query:
        """The words that pages are ranked by, as the language that fits best reads them."""
        occur = tantivy.Occur.Should if any_word else tantivy.Occur.Must
        readings = {
            tuple((clause, stems) for clause in clauses if (stems := self._stems(clause, language)))
            for language in self.languages
        }
        queries = [
            tantivy.Query.boolean_query(
                [(occur, self._standing_in(clause, stems)) for clause, stems in reading]
            )
            for reading in sorted(readings, key=lambda reading: [stems for _, stems in reading])
            if reading
        ]
        return tantivy.Query.disjunction_max_query(queries) if queries else tantivy.Query.empty_query()

    def _in_any_language(self, clause: Clause) -> list[tantivy.Query]:
        if clause.field in EXACT:
            return [self._exactly(clause.field, clause.words[0])]
        readings = {stems for language in self.languages if (stems := self._stems(clause, language))}
        return [self._standing_in(clause, stems) for stems in readings]

    def _stems(self, clause: Clause, language: str) -> Stems:
        """The words of a clause as they stand in pages of a language; those of urls are left as they are."""
        return clause.words if clause.field == "url" else tuple(stems_of(language).of(clause.words))

    def _standing_in(self, clause: Clause, stems: Stems) -> tantivy.Query:
        """Words that stand together in a field, or in any one."""
        fields = {clause.field: 1.0} if clause.field else FIELDS
        return tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Should, tantivy.Query.boost_query(self._standing(name, spelled), boost))
                for name, boost in fields.items()
                for spelled in ({stems, clause.words} if name == "url" else (stems,))
            ]
        )

    def _standing(self, name: str, stems: Stems) -> tantivy.Query:
        """Words that stand one after the other in a field."""
        if len(stems) > 1:
            return tantivy.Query.phrase_query(self._schema, name, [*stems])
        if len(stems[0]) == 1 and is_paired(stems[0]):  # which is indexed in pairs
            return tantivy.Query.regex_query(self._schema, name, f"{stems[0]}.?")
        return self._term(name, stems[0])

    def _exactly(self, name: str, value: str) -> tantivy.Query:
        """A field that is compared whole; a site may also be named by one of its hosts, which then is meant."""
        if name != "site":
            return self._term(name, value)
        either = [(tantivy.Occur.Should, self._term(field, value)) for field in ("site", "host")]
        return tantivy.Query.boolean_query(either)

    def _above(self, name: str, value: float) -> tantivy.Query:
        kind = tantivy.FieldType.Float
        return tantivy.Query.range_query(self._schema, name, kind, lower_bound=float(value))

    def _term(self, name: str, value: Any) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, name, value)

    def _silent(self, query: tantivy.Query) -> tantivy.Query:
        """A query that changes no score."""
        return tantivy.Query.const_score_query(query, 0.0)
