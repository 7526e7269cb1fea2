"""The sites of a crawl, by how relevant they are."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from honeyguide.crawled import CrawledPage
from honeyguide.serve.api.shapes import Most, PageRow, Paragraph, Part, page_row, paragraphs
from honeyguide.serve.serving import Here, OpenCrawl
from honeyguide.serve.workspace import NotFound
from honeyguide.store.reader import LinkRow
from honeyguide.store.site_rows import SiteSummary
from honeyguide.surveying import SortedBy

router = APIRouter(prefix="/crawls/{crawl}", tags=["results"])


class ExplainedSite(BaseModel):
    """All there is to say of a site."""

    site: str = Field(examples=["example.org"])
    summary: SiteSummary | None = Field(description="Null: no page of it was fetched.")
    place: int = Field(description="Among all sites with a page, by relevance; 0 if it has none.")
    of: int
    definition: str = Field(description="The setting crawl.site_relevance.", examples=["odds"])
    standing: list[str] = Field(description="In a crawl by sites: what is known of it there.")
    best: list[PageRow]
    path: list[LinkRow] = Field(description="The links from the list of seeds to the first url known of it.")
    sections: list[Paragraph] = Field(description="The same as `honeyguide explain` prints it.")


@router.get("/explain/site")
def explain_site(
    opened: OpenCrawl,
    here: Here,
    site: Annotated[
        str, Query(min_length=1, max_length=300, description="The name of a site, or of a host.")
    ],
) -> ExplainedSite:
    """Why a site stands where it stands; reads the whole crawl."""
    with here.heavy():
        found = opened.explain_site(site)
    if found is None:
        raise NotFound(f"{site[:200]} is no site of which this crawl knows a url")
    return ExplainedSite(
        site=found.site,
        summary=found.summary,
        place=found.place,
        of=found.of,
        definition=found.definition,
        standing=[*found.standing],
        best=[page_row(CrawledPage(visit, opened)) for visit in found.best],
        path=[*found.path],
        sections=paragraphs(found.sections()),
    )


@router.get("/sites")
def sites(
    opened: OpenCrawl,
    here: Here,
    most: Most = 20,
    by: Annotated[SortedBy, Query(description="What to sort by.", examples=["density"])] = "relevance",
) -> Part[SiteSummary]:
    """The sites with a page, the most relevant, the largest or the densest first; reads the whole crawl."""
    with here.heavy():
        return Part(items=opened.sites(most, by))
