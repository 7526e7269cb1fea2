"""What goes in and out in several places: parts of lists, pages, and what a crawl is doing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path as FilePath
from typing import Annotated, Any, Generic, Literal, TypeVar

from fastapi import Query
from pydantic import BaseModel, Field

from honeyguide.crawled import CrawledPage
from honeyguide.model import Visit
from honeyguide.serve.processes import work_at
from honeyguide.store import at_work, has_begun

MOST = 1_000
LARGEST_NUMBER = 2**53
Item = TypeVar("Item")

Most = Annotated[int, Query(ge=1, le=MOST, description="So many at most.")]
Cursor = Annotated[
    int,
    Query(
        ge=0, le=LARGEST_NUMBER, description="Where to go on: the `next` of the part before.", examples=[0]
    ),
]
Url = Annotated[
    str,
    Query(
        min_length=1,
        max_length=4_000,
        description="A url, in any spelling.",
        examples=["https://example.org/"],
    ),
]
Words = Annotated[str, Field(max_length=20_000)]


class Part(BaseModel, Generic[Item]):
    """A part of a list."""

    items: list[Item]
    next: int | str | None = Field(default=None, description="The cursor of the next part; null at the end.")


class Paragraph(BaseModel):
    """Lines below a heading; that of the first is empty."""

    heading: str
    lines: list[str]


def paragraphs(sections: Iterable[tuple[str, list[str]]]) -> list[Paragraph]:
    """What the command line prints, as it is sent."""
    return [Paragraph(heading=heading, lines=lines) for heading, lines in sections]


@dataclass(frozen=True, slots=True)
class PageRow(Visit):
    """A page that was fetched and judged."""

    priority: float | None  # type: ignore[assignment]  # JSON knows no infinity
    relevant: bool = False


_OF_VISIT = [field.name for field in fields(Visit)]


def page_row(page: CrawledPage) -> PageRow:
    """A page of a crawl as it is sent."""
    given = {name: getattr(page.visit, name) for name in _OF_VISIT}
    given["priority"] = page.visit.priority if math.isfinite(page.visit.priority) else None
    return PageRow(**given, relevant=page.is_relevant)


def offset_part(items: list[Item], cursor: int, most: int) -> Part[Item]:
    """A part of a list that is in memory."""
    shown = items[cursor : cursor + most]
    return Part(items=shown, next=cursor + most if cursor + most < len(items) else None)


RunState = Literal["new", "starting", "running", "paused", "stopped", "failed", "killed"]
ENDINGS = {
    1: "Its last run ended by an error of the program: what it said is in its log.",
    2: "Its last run could not begin.",
    3: "The disk was full: make room, then run it again.",
    4: "Its last run ended because too many pages failed.",
    5: "No host lets a crawler in, by robots.txt: choose other seeds.",
    6: "Its last run fetched no page: look at the failures, and add other seeds.",
}
"""Of runs that failed, by the exit codes of `honeyguide resume`."""


def state_of(folder: FilePath, is_paused: bool) -> RunState:
    """What a crawl is doing: by its locks, so whoever runs it, and however its process died."""
    process = at_work(folder)
    if process:
        return "paused" if is_paused else "running"
    work = work_at(folder)
    if process == 0 or work.is_running:
        return "starting"
    if not work.has_run:
        return "stopped" if has_begun(folder) else "new"
    if work.code is None:
        return "killed"
    return "failed" if work.code in ENDINGS else "stopped"


def leads_to(
    status: int, field: str, parameter: str, *operations: str, of: str = ""
) -> dict[int | str, dict[str, Any]]:
    """The links of an answer, as OpenAPI writes them: what can be asked next of what was made or found.

    A field of the answer becomes a parameter; the parameter `of` of its path stays what it was.
    """
    given = {parameter: f"$response.body#/{field}"}
    if of:
        given[of] = f"$request.path.{of}"
    links = {name: {"operationId": name, "parameters": given} for name in operations}
    return {status: {"links": links}}
