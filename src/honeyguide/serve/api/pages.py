"""One page of a crawl: what is known of it, its text, the page as it was sent, and why it stands where it stands."""

from __future__ import annotations

import math
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from honeyguide.crawled import CrawledPage
from honeyguide.crawls import Crawl
from honeyguide.explained import UrlExplanation
from honeyguide.model import Explanation, Failure
from honeyguide.serve.api.shapes import (
    Cursor,
    Most,
    PageRow,
    Paragraph,
    Part,
    Url,
    offset_part,
    page_row,
    paragraphs,
)
from honeyguide.serve.serving import Here, OpenCrawl
from honeyguide.serve.workspace import NotFound
from honeyguide.store.reader import LinkRow

router = APIRouter(prefix="/crawls/{crawl}", tags=["pages"])
MOST_PARTS = 1_000
_TEXT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}, "example": "All about bees"}}}
}


class NamedPart(BaseModel):
    """A number that goes into another."""

    label: str
    number: float | None
    url: str | None = Field(default=None, description="Empty: the list of seeds. Null: no url is named.")


class Reasons(BaseModel):
    """Why a number is what it is."""

    summary: str
    parts: list[NamedPart]
    refers_to: list[NamedPart] = []


class Explained(BaseModel):
    """All there is to say of a url."""

    url: str = Field(examples=["https://example.org/hives"])
    status: str | None = Field(description="Null: it is not in the crawl.", examples=["fetched"])
    standing: str
    visit: PageRow | None
    failures: list[Failure]
    relevant_above: float
    relevance: Reasons | None
    priority: float | None
    ranking: Reasons | None
    path: list[LinkRow] = Field(description="The links from the list of seeds to it.")
    sections: list[Paragraph] = Field(description="The same as `honeyguide explain` prints it.")


def _fetched(crawl: Crawl, url: str) -> CrawledPage:
    page = crawl.page(url)
    if page is None:
        raise NotFound(f"{url[:200]} was not fetched in this crawl; `explain` tells why")
    return page


@router.get("/page")
def page(opened: OpenCrawl, url: Url) -> PageRow:
    """What is known of a page."""
    return page_row(_fetched(opened, url))


@router.get("/page/text", response_class=PlainTextResponse, responses=_TEXT)
def text(opened: OpenCrawl, url: Url) -> Response:
    """The readable text of a page, from the archive; empty if it is not kept."""
    return _plain(_fetched(opened, url).text())


@router.get("/page/html", response_class=PlainTextResponse, responses=_TEXT)
def html(opened: OpenCrawl, url: Url) -> Response:
    """A page as it was sent, from the archive, as plain text: no browser will run what is in it."""
    return _plain(_fetched(opened, url).html())


def _plain(found: str) -> Response:
    return PlainTextResponse(found.encode("utf-8", "replace"))


@router.get("/page/links")
def links(opened: OpenCrawl, url: Url, cursor: Cursor = 0, most: Most = 100) -> Part[LinkRow]:
    """The links of a page that entered the crawl."""
    return offset_part(_fetched(opened, url).links(), cursor, most)


@router.get("/explain")
def explain(opened: OpenCrawl, here: Here, url: Url) -> Explained:
    """Why a url has its relevance and priority, or was not fetched; reads the whole crawl."""
    with here.heavy():
        found = opened.explain(url)
    return Explained(
        url=found.url,
        status=found.status.name.lower() if found.status is not None else None,
        standing=found.standing,
        visit=page_row(CrawledPage(found.visit, opened)) if found.visit else None,
        failures=[*found.failures],
        relevant_above=found.relevant_above,
        relevance=_reasons(found, found.relevance),
        priority=found.priority,
        ranking=_reasons(found, found.ranking),
        path=[*found.path],
        sections=paragraphs(found.sections()),
    )


def _reasons(found: UrlExplanation, why: Explanation | None) -> Reasons | None:
    if why is None:
        return None
    names = found.names or {}
    parts, refers_to = (
        [
            NamedPart(
                label=part.label,
                number=part.number if math.isfinite(part.number) else None,
                url=None if part.url_id is None else names.get(part.url_id, ""),
            )
            for part in some[:MOST_PARTS]
        ]
        for some in (why.parts, why.refers_to)
    )
    return Reasons(summary=why.summary, parts=parts, refers_to=refers_to)
