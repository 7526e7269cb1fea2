"""The newest good pages of a collection: relevant, no copies, latest first. For the page of that name and the feeds."""

from __future__ import annotations

from dataclasses import dataclass

from honeyguide.crawled import distinct
from honeyguide.crawls import Crawl
from honeyguide.errors import StoreError
from honeyguide.model import Visit
from honeyguide.parse.main_text import main_text
from honeyguide.serve.portal.shown import MOST_TEXT, address, day, iso, language, parameters, plain, web_link
from honeyguide.store.reader import Reader

MOST_ENTRIES = 30
LOOKED_AT = (300, 3_000, 30_000)
"""So many of the last pages are looked at, more only if too few of them are good."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A page as a feed tells of it."""

    url: str
    title: str
    address: str
    summary: str
    language: str
    time: str
    seconds: float
    day: str
    relevance: str
    about: str  # the portal's own page on it, below the root of the portal


def newest_entries(crawl: Crawl, here: str) -> list[Entry]:
    """The newest good pages; `here` is the path of the collection."""
    with crawl.reader() as reader:
        return [_entry(visit, reader, here) for visit in _newest(reader, crawl.threshold)]


def _newest(reader: Reader, threshold: float) -> list[Visit]:
    found: list[Visit] = []
    for most in LOOKED_AT:
        latest = reader.latest(most)
        good = (visit for visit in reversed(latest) if _is_good(visit, threshold))
        found = [*distinct(good, MOST_ENTRIES)][:MOST_ENTRIES]
        if len(found) == MOST_ENTRIES or len(latest) < most:
            break
    return found


def _is_good(visit: Visit, threshold: float) -> bool:
    """Relevant, and nobody asked that it be listed nowhere."""
    return visit.is_relevant(threshold) and not visit.noindex and bool(web_link(visit.url))


def _entry(visit: Visit, reader: Reader, here: str) -> Entry:
    return Entry(
        url=web_link(visit.url),
        title=plain(visit.title) or address(visit.url),
        address=address(visit.url),
        summary=beginning(reader, visit),
        language=language(visit.language),
        time=iso(visit.time),
        seconds=visit.time,
        day=day(visit.time),
        relevance=f"{visit.relevance:.2f}",
        about=f"{here}/page{parameters(url=visit.url)}",
    )


def beginning(reader: Reader, visit: Visit, most: int = MOST_TEXT) -> str:
    """How the main text of a page begins; empty if it is not kept, or no longer."""
    if visit.location is None:
        return ""
    try:
        page = reader.response(visit.location)
    except StoreError:
        return ""
    return plain(main_text(page.body, page.url, page.content_type), most)
