"""What has changed in a crawl that is kept fresh."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from honeyguide.changing import Change, changes_as_atom
from honeyguide.serve.api.shapes import Most, Part
from honeyguide.serve.serving import Here, Name, OpenCrawl

router = APIRouter(prefix="/crawls/{crawl}", tags=["results"])
Since = Annotated[
    str,
    Query(max_length=40, description="As 30m, 12h, 7d or 4w ago, or a date.", examples=["7d"]),
]


@router.get("/changes")
def changes(opened: OpenCrawl, here: Here, since: Since = "7d", most: Most = 100) -> Part[Change]:
    """Pages that are new, say something else than before, or are gone; the latest first, so many of each kind."""
    with here.heavy():
        return Part(items=opened.changes(since, most))


@router.get("/changes.atom", response_class=Response)
def changes_feed(
    crawl: Name, opened: OpenCrawl, here: Here, since: Since = "7d", most: Most = 100
) -> Response:
    """The same as an Atom feed."""
    with here.heavy():
        feed = changes_as_atom(opened.changes(since, most), crawl, opened.order.topic.text or crawl)
    return Response(feed, media_type="application/atom+xml")
