"""What goes in and out in several places: parts of lists, and crawls in a few words."""

from __future__ import annotations

from typing import Annotated, Generic, Literal, TypeVar

from fastapi import Query
from pydantic import BaseModel, Field

from honeyguide.crawls import Crawl
from honeyguide.serve.processes import work_at

MOST = 1_000
Item = TypeVar("Item")

Most = Annotated[int, Query(ge=1, le=MOST, description="So many at most.")]
Cursor = Annotated[
    int, Query(ge=0, le=2**53, description="Where to go on: the `next` of the part before.", examples=[0])
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


class Part(BaseModel, Generic[Item]):
    """A part of a list."""

    items: list[Item]
    next: int | str | None = Field(default=None, description="The cursor of the next part; null at the end.")


RunState = Literal["running", "paused", "starting", "stopped", "killed", "new"]


def state_of(crawl: Crawl, is_paused: bool) -> RunState:
    """What a crawl is doing: by its locks, so whoever runs it, and however its process died."""
    process = crawl.process
    if process:
        return "paused" if is_paused else "running"
    work = work_at(crawl.folder)
    if process == 0 or work.is_running:
        return "starting"
    if not work.has_run:
        return "stopped" if (crawl.folder / "harvest.log").exists() else "new"
    return "killed" if work.code is None else "stopped"
