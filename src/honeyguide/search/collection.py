"""What a crawl found, to be searched: opens its index, finds candidates in it, and ranks them by what is known now.

The index finds the best candidates by text and weight, as of when it saw the pages. The first of them are ranked again
by what the crawl's store says this moment, so that a page that was judged again or labelled stands where it belongs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from honeyguide.errors import NoIndex
from honeyguide.model import Floats, Visit
from honeyguide.parse.repeats import shows_nothing_new
from honeyguide.search.library import tantivy
from honeyguide.search.matching import Matcher
from honeyguide.search.query import Clause, read_query
from honeyguide.search.ranking import factors, judged
from honeyguide.search.readers import Readers
from honeyguide.search.results import DEEPEST, FACETS, MOST_COUNTED, MOST_HITS, Hit, Results, Wanted
from honeyguide.search.schema import PAGE, open_index
from honeyguide.search.shelf import Shelf
from honeyguide.search.snippets import Highlighter
from honeyguide.search.spelling import suggestion
from honeyguide.search.state import State, authority_of, read_authority, state_of
from honeyguide.search.words import stems_of, words
from honeyguide.store.reader import Reader
from honeyguide.urls import host_of, site_of

WINDOW = 30
"""Candidates that are ranked again by what is known now."""
MOST_LANGUAGES = 8
"""In which a query is read: those of most pages."""
FEW_HITS = 3
"""With no more of them a better spelling is looked for."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An index as of one commit."""

    folder: Path
    stamp: int  # of the file that says what the index is made of
    index: tantivy.Index
    searcher: tantivy.Searcher
    state: State
    authority: Floats
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A page that matches, with what is known of it now."""

    visit: Visit
    address: tantivy.DocAddress
    authority: float
    label: bool | None
    parts: Mapping[str, float]  # what its score is the product of
    score: float


class Collection:
    """A crawl's index, opened when it is first asked and again when it has changed. For any number of threads."""

    def __init__(self, crawl: Path) -> None:
        self._crawl = crawl
        self._shelf = Shelf(crawl)
        self._readers = Readers(crawl)
        self._opened: Opened | None = None
        self._opening = Lock()

    def search(self, wanted: Wanted, threshold: float) -> Results:
        """Answer a question; `threshold` is the relevance from which a page counts as relevant."""
        began = time.perf_counter()
        opened, wanted = self._current(), _tidied(wanted)
        with self._shelf.told(), self._readers.one() as reader:
            answer = _Question(opened, reader, wanted, threshold).answer()
            waiting = max(0, reader.last_number() - opened.state.done)
        return Results(
            **answer, indexed=opened.state.done, waiting=waiting, seconds=time.perf_counter() - began
        )

    def done(self) -> int | None:
        """The number of the last visit in the index; None if there is no index."""
        return None if self._shelf.in_use() is None else self._current().state.done

    def waiting(self) -> int:
        """How many visits are not in the index."""
        with self._readers.one() as reader:
            return max(0, reader.last_number() - (self.done() or 0))

    def _current(self) -> Opened:
        folder = self._shelf.in_use()
        if folder is None:
            raise NoIndex(f"{self._crawl} has no index to search; `honeyguide index {self._crawl}` makes one")
        with self._opening, self._shelf.told():
            stamp = (folder / "meta.json").stat().st_mtime_ns
            opened = self._opened
            if opened is None or opened.folder != folder or opened.stamp != stamp:
                opened = self._opened = _open(folder, stamp)
            return opened


def _tidied(wanted: Wanted) -> Wanted:
    """A question without what no index can have: half characters, sites in upper case, no time at all."""
    return replace(
        wanted,
        query=_whole_characters(wanted.query),
        site=_whole_characters(wanted.site).lower(),
        language=_whole_characters(wanted.language).lower().replace("_", "-").partition("-")[0],
        topic_class=_whole_characters(wanted.topic_class),
        since=None if wanted.since is None or math.isnan(wanted.since) else wanted.since,
    )


def _whole_characters(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _open(folder: Path, stamp: int) -> Opened:
    index = open_index(folder)
    searcher = index.searcher()
    pages = tantivy.Query.term_query(index.schema, "kind", PAGE)
    counted = _counted(searcher, pages, ("language",), MOST_LANGUAGES)["language"]
    told = sum(number for _, number in counted)
    of_others = ("",) if told < _number(searcher, pages) else ()  # or nobody can tell it
    languages = (*(name for name, _ in counted), *of_others)
    return Opened(
        folder, stamp, index, searcher, state_of(index, searcher), read_authority(folder), languages
    )


def _number(searcher: tantivy.Searcher, query: tantivy.Query) -> int:
    """How many pages match."""
    return int(searcher.search(query, 1).count or 0)  # type: ignore[attr-defined]


def _counted(
    searcher: tantivy.Searcher, query: tantivy.Query, names: Sequence[str], most: int
) -> dict[str, tuple[tuple[str, int], ...]]:
    """How many pages have each value of some fields, the most usual first."""
    asked = {name: {"terms": {"field": name, "size": most}} for name in names}
    told: dict[str, Any] = searcher.aggregate(query, asked)
    return {
        name: tuple(
            (f"{bucket['key']:.0f}" if name == "year" else bucket["key"], int(bucket["doc_count"]))
            for bucket in told[name]["buckets"]
            if bucket["key"] != ""
        )
        for name in names
    }


class _Question:
    """One question to an opened index."""

    def __init__(self, opened: Opened, reader: Reader, wanted: Wanted, threshold: float) -> None:
        self._opened, self._reader, self._wanted, self._threshold = opened, reader, wanted, threshold
        self._searcher = opened.searcher
        self._matcher = Matcher(
            opened.index.schema, (wanted.language,) if wanted.language else opened.languages
        )
        read = read_query(wanted.query)
        self._clauses, self._ignored = read.clauses, [*read.ignored, *self._unknown_languages(read.clauses)]
        self._leave_out([clause for clause in read.clauses if self._matcher.is_common(clause)])
        self._highlighters: dict[str, Highlighter] = {}
        self._offset = min(max(0, wanted.offset), DEEPEST)
        self._most = min(max(0, wanted.most), MOST_HITS)
        self._counted = min(max(1, wanted.counted), MOST_COUNTED)
        self._is_within = self._offset + self._most <= WINDOW

    def answer(self) -> dict[str, Any]:
        """All of the results but what the index says of itself."""
        query = self._whole(any_word=False)
        candidates, total = self._candidates(query)
        better = self._suggestion() if total <= FEW_HITS else ""
        if not total and (looser := self._loosened()):
            query, candidates, total = looser
        shown, copies = self._folded(candidates)
        return {
            "query": self._wanted.query,
            "hits": tuple(self._hit(one, copies.get(one.visit.number, 0)) for one in shown),
            "total": total,
            "ignored": tuple(dict.fromkeys(self._ignored)),
            "suggestion": better,
            "facets": _counted(self._searcher, query, FACETS, self._counted),
        }

    def _suggestion(self) -> str:
        return suggestion(self._searcher, self._wanted.query, self._clauses, self._matcher.languages)

    def _leave_out(self, common: Sequence[Clause]) -> None:
        self._clauses = tuple(clause for clause in self._clauses if clause not in common)
        self._ignored += [f"{' '.join(clause.words)}: too common" for clause in common]

    def _unknown_languages(self, clauses: Sequence[Clause]) -> list[str]:
        """What is to be said of languages that were asked for and that no page is in."""
        named = [
            clause.words[0] for clause in clauses if clause.field == "language" and not clause.is_negative
        ]
        known = ", ".join(filter(None, self._opened.languages)) or "none that is known"
        return [
            f"{language}: no page is in this language; most are in {known}"
            for language in (self._wanted.language, *named)
            if language and not self._searcher.doc_freq("language", language)
        ]

    def _loosened(self) -> tuple[tantivy.Query, list[Candidate], int] | None:
        """What is found by less than was asked for, where all of it finds nothing."""
        ranked = [clause for clause in self._clauses if clause.is_ranked]
        if languages := self._matcher.leaving_out(ranked):
            asked = " ".join(word for clause in ranked for word in clause.words)
            self._ignored.append(
                f"{asked}: too common in {', '.join(languages)}, so not looked for in such pages"
            )
        if len(ranked) < 2:
            return None
        query = self._whole(any_word=True)
        candidates, total = self._candidates(query)
        if total:
            self._ignored.append("no page has all the words, so these have some of them")
        return query, candidates, total

    def _whole(self, *, any_word: bool) -> tantivy.Query:
        """The query, with what it takes more than words to tell: likeness and relevance."""
        parts = [(tantivy.Occur.Must, self._matcher.matching(self._clauses, self._wanted, any_word=any_word))]
        if self._wanted.relevant:
            parts.append((tantivy.Occur.Must, self._matcher.relevant(self._threshold)))
        if self._wanted.like:
            parts += self._like()
        return tantivy.Query.boolean_query(parts)

    def _like(self) -> list[tuple[Any, tantivy.Query]]:
        """Pages that have the words that a page is made of, and are not that page."""
        schema = self._opened.index.schema
        page = self._reader.find_url(self._wanted.like)
        itself = tantivy.Query.term_query(schema, "page", str(page))
        found = self._searcher.search(tantivy.Query.boolean_query([(tantivy.Occur.Must, itself)]), 1).hits
        content = self._searcher.doc(found[0][1]).get_first("content") if found else None
        if content is None:
            self._ignored.append(f"{self._wanted.like}: that page is not in the index")
            return [(tantivy.Occur.Must, tantivy.Query.empty_query())]
        visit = self._reader.last_visit(page or 0)
        stems = stems_of(visit.language if visit else "")
        own = " ".join(stems.of(words(content.decode("utf-8", "replace"))))
        like = tantivy.Query.more_like_this_document_fields_query(
            schema, {"text": [own]}, min_doc_frequency=2, min_term_frequency=1, max_query_terms=25
        )
        return [(tantivy.Occur.Must, like), (tantivy.Occur.MustNot, itself)]

    def _candidates(self, query: tantivy.Query) -> tuple[list[Candidate], int]:
        """The first matches, ranked by what is known now; further down, those asked for as the index ranks them."""
        limit, offset = (WINDOW, 0) if self._is_within else (max(1, self._most), self._offset)
        found = self._searcher.search(query, limit, offset=offset, weight_by_field="weight")
        addresses = [address for _, address in found.hits]
        numbers = [int(number or 0) for number in self._searcher.fast_field_values("number", addresses)]
        weights = [float(before or 0) for before in self._searcher.fast_field_values("weight", addresses)]
        visits = {visit.number: visit for visit in self._reader.numbered(numbers)}
        labels = self._reader.labels_of([visit.url for visit in visits.values()])
        candidates = [
            self._candidate(visit, address, score / math.log2(2.0 + before), labels.get(visit.url))
            for (score, address), number, before in zip(found.hits, numbers, weights, strict=True)
            if (visit := visits.get(number)) is not None and self._is_wanted(visit)
        ]
        return sorted(candidates, key=lambda one: -one.score), int(found.count or 0)  # type: ignore[attr-defined]

    def _candidate(
        self, visit: Visit, address: tantivy.DocAddress, text: float, label: bool | None
    ) -> Candidate:
        known = authority_of(visit.url_id, self._opened.authority)
        relevance, authority = factors(judged(visit.relevance, label), known)
        parts = {"text": text, "relevance": relevance, "authority": authority}
        return Candidate(visit, address, known, label, parts, text * relevance * authority)

    def _is_wanted(self, visit: Visit) -> bool:
        """Whether it is still relevant, if that is asked for."""
        return not self._wanted.relevant or visit.is_relevant(self._threshold)

    def _folded(self, candidates: Sequence[Candidate]) -> tuple[list[Candidate], dict[int, int]]:
        """Those to be shown, and how many of the others before the last of them show nothing new beneath each."""
        shown: list[Candidate] = []
        beneath: dict[int, int] = {}
        first = self._offset if self._is_within else 0
        for one in candidates:
            near = next((other for other in shown if shows_nothing_new(one.visit, other.visit)), None)
            if near is not None:
                beneath[near.visit.number] = beneath.get(near.visit.number, 0) + 1
            elif len(shown) < first + self._most:
                shown.append(one)
            else:
                break
        return shown[first:], beneath

    def _hit(self, one: Candidate, beneath: int) -> Hit:
        visit, document = one.visit, self._searcher.doc(one.address)
        text = (document.get_first("content") or b"").decode("utf-8", "replace")
        host = host_of(visit.url)
        return Hit(
            number=visit.number,
            url=visit.url,
            title=visit.title,
            host=host,
            site=site_of(host),
            language=visit.language,
            time=visit.time,
            relevance=visit.relevance,
            authority=one.authority,
            topic_class=document.get_first("topic_class") or "",
            label=one.label,
            snippet=self._highlighter(visit.language).snippet(text),
            score=one.score,
            parts=one.parts,
            copies=beneath + self._searcher.doc_freq("copy_of", str(visit.url_id)),
        )

    def _highlighter(self, language: str) -> Highlighter:
        if language not in self._highlighters:
            spelled = [word for clause in self._clauses if clause.is_ranked for word in clause.words]
            stems = stems_of(language)
            self._highlighters[language] = Highlighter(stems.of(spelled), spelled, stems)
        return self._highlighters[language]
