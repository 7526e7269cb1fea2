"""What a crawl brought, as lists: pages in order and by relevance, hosts, hubs, failures."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, TypeAdapter

from honeyguide.hubs import distilled
from honeyguide.model import Failure
from honeyguide.serve.api.shapes import Cursor, Most, PageRow, Part, leads_to, page_row
from honeyguide.serve.serving import Here, Name, OpenCrawl
from honeyguide.store.reader import HostSummary

router = APIRouter(prefix="/crawls/{crawl}", tags=["results"])
_written = TypeAdapter(Part[PageRow]).dump_json


class Hub(BaseModel):
    """A page that links to relevant ones."""

    hub: float
    relevance: float | None
    title: str
    url: str = Field(examples=["https://example.org/links"])
    mark: Literal["", "good", "bad"] = Field(
        description="What somebody said of its links.", examples=["good"]
    )


class Authority(BaseModel):
    """A relevant page that such pages link to."""

    authority: float
    relevance: float | None
    title: str
    url: str = Field(examples=["https://example.org/hives"])
    mark: Literal["", "good", "bad"] = Field(
        description="What somebody said of the page, by a label.", examples=["good"]
    )


class Site(BaseModel):
    """A site by its share of relevant pages."""

    site: str = Field(examples=["example.org"])
    density: float
    relevant: int
    pages: int


class Hubs(BaseModel):
    """What the distiller makes of a crawl."""

    hubs: list[Hub]
    authorities: list[Authority]
    sites: list[Site]


_OF_PAGE = ("page", "text", "html", "links", "explain", "copy")


@router.get(
    "/visits",
    response_model=Part[PageRow],
    responses=leads_to(200, "items/0/url", "url", *_OF_PAGE, of="crawl"),
)
def visits(
    crawl: Name,
    opened: OpenCrawl,
    here: Here,
    cursor: Cursor = 0,
    most: Most = 100,
    relevant: Annotated[bool, Query(description="Only relevant pages.")] = False,
) -> Response:
    """Pages in the order they were fetched; the cursor is the number of a visit."""

    def read() -> bytes:
        shown = [page_row(page) for page in islice(opened.visits(cursor, relevant), most)]
        return _written(Part(items=shown, next=shown[-1].number if len(shown) == most else None))

    # As bytes: to write them takes as long as to read them.
    found = here.live.shared(crawl, ("visits", cursor, most, relevant), read)
    return Response(found, media_type="application/json")


@router.get("/top")
def top(
    opened: OpenCrawl,
    here: Here,
    most: Annotated[int, Query(ge=1, le=200, description="So many at most.")] = 20,
    lists: Annotated[bool, Query(description="Pages that mostly list others.")] = False,
) -> Part[PageRow]:
    """The most relevant pages but those labelled as not on the topic; of copies and near copies, one."""
    with here.heavy():
        return Part(items=[page_row(page) for page in opened.top(most, lists)])


@router.get("/hosts")
def hosts(opened: OpenCrawl, here: Here, most: Most = 20) -> Part[HostSummary]:
    """The hosts with most relevant pages."""
    with here.heavy():
        return Part(items=opened.hosts(most))


@router.get("/hubs")
def hubs(
    opened: OpenCrawl,
    here: Here,
    most: Annotated[int, Query(ge=1, le=200, description="So many of each.")] = 10,
    all_links: Annotated[bool, Query(description="Count links within a site, too.")] = False,
) -> Hubs:
    """The best hubs and authorities, and the densest sites; reads the whole crawl."""
    with here.heavy():
        return Hubs.model_validate(distilled(opened, most, all_links))


@router.get("/failures")
def failures(opened: OpenCrawl, cursor: Cursor = 0, most: Most = 100) -> Part[Failure]:
    """Pages that could not be had, in order; the cursor is the number of a failure."""
    with opened.reader() as reader:
        found = list(islice(reader.failures(since=cursor), most))
    return Part(items=found, next=cursor + most if len(found) == most else None)
