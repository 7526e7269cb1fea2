"""Searching what was found. The one part of the API that readers may use, and that portals ask each other by."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from honeyguide.search.results import DEEPEST, MOST_HITS, Results
from honeyguide.serve.api.shapes import Cursor, Most, Part, offset_part
from honeyguide.serve.serving import Here, Name

router = APIRouter(tags=["search"])
Text = Annotated[str, Field(max_length=200)]


class CollectionRow(BaseModel):
    """A crawl that can be searched."""

    name: str = Field(examples=["beekeeping"])


@router.get("/collections")
def collections(here: Here, cursor: Cursor = 0, most: Most = 100) -> Part[CollectionRow]:
    """The crawls that can be searched, by name."""
    names = [CollectionRow(name=name) for name in here.workspace.crawl_names()]
    return offset_part(names, cursor, most)


class Asked(BaseModel):
    """What is looked for. One shape for all of it: checked one by one, they would take as long as to search."""

    query: str = Field(
        "",
        alias="q",
        max_length=1_000,
        description='Words, "phrases", title:word, site:name, -word; nothing finds the best pages.',
        examples=["queen rearing"],
    )
    site: Text = ""
    language: str = Field(
        "", max_length=35, description="Two letters, or a tag that begins with them, as de-AT."
    )
    topic_class: str = Field("", max_length=1_000)
    year: int | None = Field(None, ge=1970, le=9999, description="Of the visit.")
    since: float | None = Field(None, ge=0, le=1e11, allow_inf_nan=False)
    relevant: bool = Field(False, description="Only relevant pages.")
    like: str = Field("", max_length=4_000, description="A url: pages like this one.")
    offset: int = Field(0, ge=0, le=DEEPEST)
    most: int = Field(10, ge=1, le=MOST_HITS)


@router.get("/crawls/{crawl}/search", response_model=Results)
def search(crawl: Name, here: Here, asked: Annotated[Asked, Query()]) -> Response:
    """Find pages by their words. Snippets are pieces of plain text: escape them where they are shown."""
    found = here.indexing.results(crawl, **dict(asked))
    # Sent as it is: to have it checked first takes as long as to search.
    return Response(found, media_type="application/json")
