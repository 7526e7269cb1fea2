"""The sites of a crawl, by how relevant they are."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from honeyguide.serve.api.shapes import Most, Part
from honeyguide.serve.serving import Here, OpenCrawl
from honeyguide.store.site_rows import SiteSummary
from honeyguide.surveying import SortedBy

router = APIRouter(prefix="/crawls/{crawl}", tags=["results"])


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
