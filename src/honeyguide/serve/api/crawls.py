"""Crawls: which there are, new ones, how they stand, and the trash."""

from __future__ import annotations

import shutil
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from honeyguide.crawled import CrawlStatus
from honeyguide.errors import HoneyguideError
from honeyguide.serve.advice import advice
from honeyguide.serve.api.shapes import Most, Part, RunState, leads_to, state_of
from honeyguide.serve.orders import NewCrawl, begin, problems_of
from honeyguide.serve.problems import message_of
from honeyguide.serve.serving import Here, Name, OpenCrawl, Serving
from honeyguide.store import at_work, is_divided

router = APIRouter(tags=["crawls"])


class Listed(BaseModel):
    """A crawl in a list."""

    name: str = Field(examples=["beekeeping"])
    state: RunState = Field(examples=["running"])
    status: CrawlStatus | None = Field(default=None, description="Its numbers, if they were asked for.")
    advice: list[str] = Field(
        default=[], description="What is wrong and what to do, if numbers were asked for."
    )
    is_archived: bool = Field(default=False, description="Put aside; it is shown only to who looks for such.")
    problem: str = Field(default="", description="Why it cannot be read, if it cannot.")


class Started(BaseModel):
    """A crawl that was made."""

    name: str = Field(examples=["beekeeping"])
    state: RunState = Field(examples=["new"])
    problems: list[str] = Field(default=[], description="What is wrong with some of the seeds.")


class Checked(BaseModel):
    """What is wrong with an order."""

    problems: list[str] = Field(examples=[["no seeds: give --seed URL, or set urls or file below [seeds]"]])


class Trashed(BaseModel):
    """Something in the trash."""

    name: str = Field(description="Its name there.", examples=["beekeeping~1700000000000"])


class Status(BaseModel):
    """A crawl in numbers."""

    name: str = Field(examples=["beekeeping"])
    state: RunState = Field(examples=["running"])
    status: CrawlStatus
    advice: list[str] = Field(description="What is wrong and what to do.", examples=[[]])


_OF_CRAWL = ("status", "order", "run", "visits", "labels", "search", "queue", "begin", "learn", "throw_away")


@router.get("/crawls", responses=leads_to(200, "items/0/name", "crawl", *_OF_CRAWL))
def list_crawls(
    here: Here,
    most: Most = 100,
    cursor: Annotated[str, Query(max_length=100, description="The `next` of the part before.")] = "",
    numbers: Annotated[bool, Query(description="With the numbers of each.")] = False,
) -> Part[Listed]:
    """The crawls of the workspace, by name."""
    names = [name for name in here.workspace.crawl_names() if name > cursor]
    shown = names[: min(most, 100) if numbers else most]
    items = [_listed(here, name, numbers) for name in shown]
    return Part(items=items, next=shown[-1] if len(names) > len(shown) else None)


def _listed(here: Serving, name: str, numbers: bool) -> Listed:
    """One crawl that cannot be read is one line that says so."""
    try:
        folder = here.workspace.crawl_folder(name)
        # To read the order of each would take longer than all the rest.
        is_asked = numbers or bool(at_work(folder))
        status = here.workspace.crawl(name).status() if is_asked else None
        state = state_of(folder, bool(status and status.paused))
        told = advice(folder, state, status) if status and numbers else []
        shown = status if numbers else None
        is_archived = here.workspace.is_archived(name)
        return Listed(name=name, state=state, status=shown, advice=told, is_archived=is_archived)
    except HoneyguideError as error:
        return Listed(name=name, state="stopped", problem=message_of(error, here.workspace))


@router.post("/crawls", status_code=201, responses=leads_to(201, "name", "crawl", *_OF_CRAWL))
def new_crawl(wanted: NewCrawl, here: Here) -> Started:
    """Make a crawl, and start it if wanted. What would be wrong is told before anything is written."""
    crawl, problems = begin(here, wanted)
    if wanted.run and not is_divided(crawl.folder):  # for which workers are started
        here.processes.start(crawl.folder, ["resume", "--quiet", str(crawl.folder)])
    return Started(name=wanted.name, state=state_of(crawl.folder, False), problems=problems)


@router.post("/check/crawl")
def check_crawl(wanted: NewCrawl, here: Here) -> Checked:
    """Tell what is wrong with a crawl that is not made yet; nothing is written."""
    return Checked(problems=problems_of(here, wanted))


@router.get("/crawls/{crawl}")
def status(crawl: Name, opened: OpenCrawl) -> Status:
    """A crawl in numbers."""
    numbers = opened.status()
    state = state_of(opened.folder, numbers.paused)
    told = advice(opened.folder, state, numbers)
    return Status(name=crawl, state=state, status=numbers, advice=told)


@router.get("/crawls/{crawl}/order")
def order(opened: OpenCrawl) -> dict[str, dict[str, Any]]:
    """Everything that describes the crawl: all settings, by section."""
    return opened.order.model_dump(mode="json")


@router.put("/crawls/{crawl}/archived", status_code=204)
def archive(crawl: Name, here: Here) -> None:
    """Put a crawl that is not running aside: it stays as it is, and lists mark it."""
    here.workspace.archive(crawl)


@router.delete("/crawls/{crawl}/archived", status_code=204)
def unarchive(crawl: Name, here: Here) -> None:
    """Take a crawl up again that was put aside."""
    here.workspace.unarchive(crawl)


@router.delete("/crawls/{crawl}", responses=leads_to(200, "name", "trashed", "put_back", "remove"))
def throw_away(crawl: Name, here: Here) -> Trashed:
    """Put a crawl that is not running into the trash, from where it can be put back."""
    return Trashed(name=here.workspace.throw_away(crawl))


Trash = Annotated[
    str, Path(max_length=130, description="A name in the trash.", examples=["beekeeping~1700000000000"])
]


@router.get("/trash")
def list_trash(here: Here, most: Most = 100) -> Part[Trashed]:
    """What was thrown away, the latest first."""
    return Part(items=[Trashed(name=name) for name in here.workspace.thrown_away()[:most]])


@router.post("/trash/{trashed}/restore")
def put_back(trashed: Trash, here: Here) -> Started:
    """Take a crawl out of the trash."""
    name = here.workspace.put_back(trashed)
    return Started(name=name, state=state_of(here.workspace.crawl(name).folder, False))


@router.delete("/trash/{trashed}", status_code=204)
def remove(trashed: Trash, here: Here) -> None:
    """Remove a crawl for good."""
    shutil.rmtree(here.workspace.trashed(trashed)[0])
