"""The page of the portal about a page: what the crawler knows of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from honeyguide.crawled import CrawledPage
from honeyguide.errors import HoneyguideError
from honeyguide.explained import path_to
from honeyguide.model import Explanation, Visit
from honeyguide.serve.portal.newest import beginning
from honeyguide.serve.portal.shown import address, day, language, parameters, plain, web_link
from honeyguide.store.reader import LinkRow, Reader
from honeyguide.urls import host_of, site_of
from honeyguide.wording import count

MOST_INLINKS = 50
MOST_STEPS = 100
MOST_WORDS = 12
BEGINNING = 600


@dataclass(frozen=True, slots=True)
class Step:
    """A page on the way to another."""

    link: str
    address: str
    anchor: str


@dataclass(frozen=True, slots=True)
class PageView:
    """Everything on the page."""

    title: str
    link: str
    address: str
    language: str
    text: str
    like: str
    of_site: str
    facts: Sequence[tuple[str, str]]
    reasons: str
    words: Sequence[tuple[str, str]]
    steps: Sequence[Step]
    inlinks: Sequence[Step]
    inlinks_note: str


def page_view(page: CrawledPage, here: str) -> PageView:
    """The view of a page; `here` is the path of its collection."""
    visit = page.visit
    with page.crawl.reader() as reader:
        inlinks = reader.inlinks(visit.url_id, MOST_INLINKS)
        steps = path_to(reader, visit.url_id)[-MOST_STEPS:]
        facts = [*_facts(page, reader)]
        text = beginning(reader, visit, BEGINNING)
    reasons = _reasons(page)
    site = site_of(host_of(visit.url))
    return PageView(
        title=plain(visit.title) or address(visit.url),
        link=web_link(visit.url),
        address=address(visit.url),
        language=language(visit.language),
        text=text,
        like=f"{here}/search{parameters(like=visit.url)}",
        of_site=f"{here}/search{parameters(site=site)}",
        facts=facts,
        reasons=plain(reasons.summary, 500),
        words=[(plain(part.label, 80), f"{part.number:.3f}") for part in reasons.parts[:MOST_WORDS]],
        steps=[_step(link, link.target, here) for link in steps],
        inlinks=[_step(link, link.source, here) for link in inlinks],
        inlinks_note=f"These are the first {MOST_INLINKS}." if len(inlinks) == MOST_INLINKS else "",
    )


def _step(link: LinkRow, url: str, here: str) -> Step:
    about = f"{here}/page{parameters(url=url)}" if web_link(url) else ""
    return Step(about, address(url), plain(link.anchor))


def _reasons(page: CrawledPage) -> Explanation:
    """Which words made it relevant; nothing if the page or the topic cannot be read."""
    try:
        return page.crawl.topic.explain(text) if (text := page.text()) else Explanation("")
    except HoneyguideError:
        return Explanation("")


def _facts(page: CrawledPage, reader: Reader) -> Iterator[tuple[str, str]]:
    visit = page.visit
    yield "Relevance", _judged(visit, page.crawl.threshold)
    said = reader.labels_of([visit.url]).get(visit.url)
    if said is not None:
        yield "A person says", "on the topic" if said else "not on the topic"
    yield "Fetched", day(visit.time)
    yield "Distance", "a seed" if visit.depth == 0 else f"{count(visit.depth, 'link')} from a seed"
    yield "Site", plain(site_of(host_of(visit.url)))
    if visit.language:
        yield "Language", plain(visit.language, 12)
    yield "Size", f"{count(visit.bytes, 'byte')}, {count(visit.links, 'link')}"
    if visit.copy_of is not None:
        yield "Copy of", address(reader.url_text(visit.copy_of))
    if visit.noindex:
        yield "Not kept", "it asks not to be kept (noindex)"


def _judged(visit: Visit, threshold: float) -> str:
    word = "relevant" if visit.relevance >= threshold else "not relevant"
    return f"{visit.relevance:.3f}, {word} (the threshold is {threshold:g})"
