"""Labels, questions, revisions of the topic, and what was learned."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.commands import LONGEST_NAME, LONGEST_NOTE
from honeyguide.model import Learned
from honeyguide.serve.api.jobs import OF_JOB
from honeyguide.serve.api.shapes import LARGEST_NUMBER, Cursor, Most, PageRow, Part, offset_part, page_row
from honeyguide.serve.jobs import Job
from honeyguide.serve.serving import Here, Name, OpenCrawl
from honeyguide.store.base import LabelRow
from honeyguide.teaching import Estimate, Queue

router = APIRouter(prefix="/crawls/{crawl}", tags=["teaching"])
MOST_LABELS = 1_000


class Said(BaseModel):
    """What somebody says of a page."""

    model_config = ConfigDict(extra="forbid")

    url: Annotated[str, Field(min_length=1, max_length=4_000, examples=["https://example.org/hives"])]
    relevant: bool | None = Field(description="Null takes back what was said.", examples=[True])
    unsure: bool = False
    note: Annotated[str, Field(max_length=LONGEST_NOTE)] = ""
    by: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    asked: Annotated[str, Field(max_length=LONGEST_NAME, description="The queue that asked.")] = ""


class Saying(BaseModel):
    """Labels to be noted down."""

    model_config = ConfigDict(extra="forbid")

    labels: Annotated[list[Said], Field(min_length=1, max_length=MOST_LABELS)]


class Noted(BaseModel):
    """The numbers of the commands; `GET commands` tells what the crawl answered."""

    numbers: list[int] = Field(examples=[[4]])


class Revisions(BaseModel):
    """The revisions of the topic that are kept; the first is 0."""

    kept: list[int] = Field(examples=[[0, 1]])
    used: int = Field(examples=[1])


@router.get("/labels")
def labels(opened: OpenCrawl, cursor: Cursor = 0, most: Most = 100) -> Part[LabelRow]:
    """What people said of pages."""
    return offset_part([*opened.labels().values()], cursor, most)


@router.post("/labels", status_code=202)
def label(saying: Saying, opened: OpenCrawl) -> Noted:
    """Say whether pages are on the topic; a crawl that does not run notes it down when it runs next."""
    return Noted(
        numbers=[
            opened.label(
                said.url,
                said.relevant,
                unsure=said.unsure,
                note=said.note,
                by=said.by,
                asked=said.asked,
            )
            for said in saying.labels
        ]
    )


@router.get("/questions")
def questions(
    opened: OpenCrawl,
    most: Annotated[int, Query(ge=1, le=200, description="So many at most.")] = 10,
    queue: Annotated[Queue, Query(description="The best, those that would teach most, or any.")] = "best",
) -> Part[PageRow]:
    """Pages to ask a person about."""
    return Part(items=[page_row(page) for page in opened.questions(most, queue)])


@router.post("/learn", status_code=202, responses=OF_JOB)
def learn(crawl: Name, opened: OpenCrawl, here: Here) -> Job:
    """Learn a revision of the topic from all labels, as a job; it is used if it is no worse."""
    return here.jobs.start("revise", crawl, ["revise", "--quiet", "--json", str(opened.folder)])


@router.get("/revisions")
def revisions(opened: OpenCrawl) -> Revisions:
    """The revisions of the topic, and which one guides the crawl."""
    return Revisions(kept=opened.revisions(), used=opened.revision)


@router.post("/revisions/{number}/use", status_code=202, responses=OF_JOB)
def use_revision(
    crawl: Name,
    number: Annotated[int, Path(ge=0, le=LARGEST_NUMBER, description="0 is the first topic.", examples=[0])],
    opened: OpenCrawl,
    here: Here,
) -> Job:
    """Have the crawl guided by a revision, and judge what was fetched again, as a job."""
    opened.check_revision(number)
    return here.jobs.start("revise", crawl, ["revise", "--quiet", f"--use={number}", str(opened.folder)])


@router.get("/estimate")
def estimate(opened: OpenCrawl) -> Estimate | None:
    """The share of good pages among all that were fetched, by the labels of random pages; null without any."""
    return opened.estimate()


@router.get("/learned")
def learned(opened: OpenCrawl, here: Here) -> Learned:
    """What the strategy has learned so far, over time; reads the whole crawl."""
    with here.heavy():
        return opened.learned()
