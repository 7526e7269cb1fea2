"""What a person sees of pages before judging them: words that decide, a passage, a copy that can do nothing."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.compared import TopicDifference
from honeyguide.crawls import Crawl
from honeyguide.errors import StoreError
from honeyguide.serve.api.shapes import LARGEST_NUMBER, Url
from honeyguide.serve.excerpts import glance_at
from honeyguide.serve.portal.copies import copies_origin, copy_link
from honeyguide.serve.serving import Here, Name, OpenCrawl
from honeyguide.serve.workspace import NotFound

router = APIRouter(prefix="/crawls/{crawl}", tags=["teaching"])
MOST_URLS = 50


class Pages(BaseModel):
    """Pages of a crawl."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"urls": ["https://example.org/hives"]}]}
    )

    urls: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=4_000)]], Field(min_length=1, max_length=MOST_URLS)
    ]


class Glanced(BaseModel):
    """A page at a glance."""

    url: str = Field(examples=["https://example.org/hives"])
    relevance: float = Field(description="By the topic as it is now.")
    words: list[tuple[str, float]] = Field(
        description="Words that decide, with what each adds or takes away."
    )
    pieces: list[tuple[str, bool]] = Field(description="Plain text; true where it is a word that decides.")


class CopyLink(BaseModel):
    """Where an archived copy is shown."""

    link: str = Field(description="On another origin, good for some minutes; empty if none is kept.")


@router.post("/glances")
def glances(given: Pages, opened: OpenCrawl, here: Here) -> list[Glanced]:
    """The words that decide on pages, and where these stand; pages that are not kept, or not here, are left out."""
    with here.heavy():
        model = opened.topic
        texts = [(url, text) for url in given.urls if (text := _text(opened, url))]
        relevance = model.judge([text for _, text in texts]).tolist() if texts else []
        found = [glance_at(model, text) for _, text in texts]
    return [
        Glanced(url=url, relevance=number, words=[*glance.words], pieces=[*glance.pieces])
        for (url, _), number, glance in zip(texts, relevance, found, strict=True)
    ]


def _text(opened: Crawl, url: str) -> str:
    page = opened.page(url)
    try:
        return page.text() if page else ""
    except StoreError:  # on the disk of a worker, or lost: it can still be judged by its title
        return ""


@router.get("/copy")
def copy(crawl: Name, opened: OpenCrawl, here: Here, request: Request, url: Url) -> CopyLink:
    """A link to the archived copy of a page, which runs nothing and loads nothing."""
    page = opened.page(url)
    if page is None:
        raise NotFound(f"{url[:200]} was not fetched in this crawl; `explain` tells why")
    if not page.is_kept:
        return CopyLink(link="")
    return CopyLink(link=copy_link(copies_origin(request), here.security.links, crawl, page.number))


Revision = Annotated[int, Query(ge=0, le=LARGEST_NUMBER, description="0 is the first topic.", examples=[0])]


@router.get("/revisions/compare")
def compare_revisions(
    opened: OpenCrawl,
    here: Here,
    before: Revision,
    after: Revision,
    most: Annotated[int, Query(ge=1, le=100, description="So many words and pages at most.")] = 20,
) -> TopicDifference:
    """What changes from one revision to another: words that gained, pages that moved, labels that are met."""
    with here.heavy():
        return opened.compare(before, after, most)
