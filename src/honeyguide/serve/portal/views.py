"""What the templates show: results, facets and pages of results, with every link made and every text bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from honeyguide.search.results import Hit, Results
from honeyguide.serve.portal.question import MOST_PAGES, PER_PAGE, Question
from honeyguide.serve.portal.shown import (
    MOST_TEXT,
    address,
    day,
    iso,
    language,
    parameters,
    plain,
    web_link,
    without_unshown,
)
from honeyguide.wording import count

FACETS: Mapping[str, str] = {
    "site": "Site",
    "topic_class": "Topic",
    "language": "Language",
    "year": "Year",
}
MOST_CHOICES = 10
MOST_PIECES = 60
NEIGHBOR_PAGES = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """A link with what it leads to."""

    text: str
    link: str
    count: str = ""
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class Facet:
    """A way to narrow a search down."""

    heading: str
    choices: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class Result:
    """A hit as it is shown."""

    title: str
    link: str  # empty if no browser should be led there
    address: str
    snippet: Sequence[tuple[str, bool]]
    language: str
    time: str
    day: str
    relevance: str
    topic_class: str
    label: bool | None
    copies: str
    reasons: Sequence[tuple[str, str]] = ()
    about: str = ""  # the page of the portal that says more
    like: str = ""
    sources: Sequence[Choice] = ()  # which collections have it, where several were asked


@dataclass(frozen=True, slots=True)
class SearchView:
    """Everything on a page of results."""

    summary: str
    first: int
    results: Sequence[Result]
    chosen: Sequence[Choice]  # what narrows the search, each with the link that takes it back
    facets: Sequence[Facet]
    pages: Sequence[Choice]
    previous: str
    next: str
    suggestion: Choice | None
    ignored: Sequence[str]
    note: str


def collection_path(root: str, name: str) -> str:
    """Where a collection is in the portal."""
    return f"{root}/c/{quote(name, safe='')}"


def search_view(results: Results, question: Question, here: str) -> SearchView:
    """The view of an answer; `here` is the path of the collection."""
    search = f"{here}/search"
    last = min(MOST_PAGES, -(-results.total // PER_PAGE))
    return SearchView(
        summary=_summary(results, question),
        first=(question.page - 1) * PER_PAGE + 1,
        results=[result_of(hit, here) for hit in results.hits],
        chosen=[*_chosen(question, search)],
        facets=[*_facets(results, question, search)],
        pages=[*_pages(question, last, search)],
        previous=question.link(search, page=question.page - 1) if 1 < question.page <= last + 1 else "",
        next=question.link(search, page=question.page + 1) if question.page < last else "",
        suggestion=_suggestion(results, question, search),
        ignored=[plain(part) for part in results.ignored[:MOST_CHOICES]],
        note=_note(results),
    )


def result_of(hit: Hit, here: str) -> Result:
    """A hit as it is shown; `here` is the path of its collection, empty if that is another portal's."""
    link = web_link(hit.url)
    is_ours = bool(here and link)
    return Result(
        title=plain(hit.title) or address(hit.url) or "(without a title)",
        link=link,
        address=address(hit.url),
        snippet=shown_snippet(hit.snippet),
        language=language(hit.language),
        time=iso(hit.time),
        day=day(hit.time),
        relevance=f"{hit.relevance:.2f}",
        topic_class=plain(hit.topic_class).replace("/", " \u203a "),
        label=hit.label,
        copies=count(hit.copies, "copy").replace("copys", "copies") if hit.copies else "",
        reasons=[(plain(name, 40), f"{number:.3f}") for name, number in hit.parts.items()],
        about=f"{here}/page{parameters(url=hit.url)}" if is_ours else "",
        like=f"{here}/search{parameters(like=hit.url)}" if is_ours else "",
    )


def shown_snippet(pieces: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Pieces of a snippet, bounded in number and length."""
    shown, left = [], MOST_TEXT
    for text, is_found in pieces[:MOST_PIECES]:
        piece = without_unshown(text[:left])
        left -= len(piece)
        if piece:
            shown.append((piece, is_found))
    return shown


def _summary(results: Results, question: Question) -> str:
    if results.waiting and not results.indexed:
        return f"{count(results.waiting, 'page')} cannot be searched yet; look again in a moment"
    pages = count(results.total, "page")
    if question.like:
        return f"{pages} like {address(question.like)}"
    if question.q:
        return f"{pages} found for “{question.q}”" if results.total else f"Nothing found for “{question.q}”"
    return f"{pages}, the most relevant first"


def _note(results: Results) -> str:
    is_behind = results.waiting and results.indexed
    return f"{count(results.waiting, 'page')} fetched lately cannot be found yet." if is_behind else ""


def _suggestion(results: Results, question: Question, search: str) -> Choice | None:
    better = plain(results.suggestion)
    return Choice(better, question.link(search, q=better)) if better and better != question.q else None


def _chosen(question: Question, search: str) -> Iterator[Choice]:
    for name, heading in FACETS.items():
        if value := getattr(question, name):
            yield Choice(
                f"{heading}: {plain(str(value), 80)}", question.link(search, **{name: type(value)()})
            )
    if question.relevant:
        yield Choice("Only relevant pages", question.link(search, relevant=False))
    if question.like:
        yield Choice(f"Like {address(question.like)}", question.link(search, like=""))


def _facets(results: Results, question: Question, search: str) -> Iterator[Facet]:
    for name, heading in FACETS.items():
        if getattr(question, name):
            continue
        choices = [
            Choice(
                _named(name, value),
                question.link(search, **{name: int(value) if name == "year" else value}),
                f"{number:,}",
            )
            for value, number in results.facets.get(name, ())[:MOST_CHOICES]
            if value and (name != "year" or (value.isascii() and value.isdecimal()))
        ]
        if len(choices) > 1:
            yield Facet(heading, choices)


def _named(facet: str, value: str) -> str:
    return plain(value.rpartition("/")[2] if facet == "topic_class" else value, 60)


def _pages(question: Question, last: int, search: str) -> Iterator[Choice]:
    near = range(max(1, question.page - NEIGHBOR_PAGES), min(last, question.page + NEIGHBOR_PAGES) + 1)
    for page in near if last > 1 else ():
        yield Choice(str(page), question.link(search, page=page), is_here=page == question.page)
