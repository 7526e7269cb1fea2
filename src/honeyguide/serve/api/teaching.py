"""Labels, questions, revisions of the topic, and what was learned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator

from honeyguide.commands import LATEST, LONGEST_NAME, LONGEST_NOTE, Label, made
from honeyguide.model import Learned
from honeyguide.questions import Queue
from honeyguide.serve.api.jobs import OF_JOB
from honeyguide.serve.api.shapes import LARGEST_NUMBER, Cursor, Most, PageRow, Part, offset_part, page_row
from honeyguide.serve.jobs import Job
from honeyguide.serve.serving import Here, Name, OpenCrawl, Serving
from honeyguide.store.base import LabelRow
from honeyguide.teaching import Estimate

router = APIRouter(prefix="/crawls/{crawl}", tags=["teaching"])
MOST_LABELS = 1_000
LONGEST_TABLE = 3_000_000


class Said(BaseModel):
    """What somebody says of a page."""

    model_config = ConfigDict(extra="forbid")

    url: Annotated[str, Field(min_length=1, max_length=4_000, examples=["https://example.org/hives"])]
    relevant: bool | None = Field(description="Null takes back what was said.", examples=[True])
    unsure: bool = False
    note: Annotated[str, Field(max_length=LONGEST_NOTE)] = ""
    by: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    asked: Annotated[str, Field(max_length=LONGEST_NAME, description="The queue that asked.")] = ""
    said_at: Annotated[
        float | None,
        Field(ge=0, le=LATEST, allow_inf_nan=False, description="When, in seconds since 1970; null is now."),
    ] = None


class Saying(BaseModel):
    """Labels to be noted down."""

    model_config = ConfigDict(extra="forbid")

    labels: Annotated[list[Said], Field(min_length=1, max_length=MOST_LABELS)]


class Marking(BaseModel):
    """What somebody says of the links of a page."""

    model_config = ConfigDict(extra="forbid")

    url: Annotated[str, Field(min_length=1, max_length=4_000, examples=["https://example.org/links"])]
    good: bool | None = Field(description="Null takes back what was said.", examples=[True])
    note: Annotated[str, Field(max_length=LONGEST_NOTE)] = ""
    by: Annotated[str, Field(max_length=LONGEST_NAME)] = ""


class Taking(BaseModel):
    """Labels from elsewhere: one of a table in the request, a file of the workspace, and another crawl."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"table": "https://example.org/hives,yes,of wood"}]}
    )

    table: Annotated[
        str, Field(max_length=LONGEST_TABLE, description="Lines of url, label, note; or what `export` wrote.")
    ] = ""
    kind: Annotated[Literal["csv", "jsonl"], Field(description="How the table is written.")] = "csv"
    path: Annotated[
        str, Field(max_length=1_000, description="A file of the workspace: CSV, JSON lines or Parquet.")
    ] = ""
    crawl: Annotated[str, Field(max_length=100, description="A crawl of the workspace.")] = ""
    by: Annotated[str, Field(max_length=LONGEST_NAME, description="Who says so; not for a crawl.")] = ""
    learn: Annotated[bool, Field(description="Revise the topic at the end.")] = False

    @model_validator(mode="after")
    def is_one(self) -> Taking:
        """Two would be said one after the other, and nobody could tell which was wrong."""
        if sum(map(bool, (self.table, self.path, self.crawl))) != 1:
            raise ValueError("give one of table, path and crawl")
        return self

    def words(self, here: Serving, inputs: FilePath) -> Iterator[str]:
        """As options of `label`."""
        if self.table:
            file = inputs / f"labels.{self.kind}"
            file.write_text(self.table, encoding="utf-8")
            yield f"--file={file}"
        if self.path:
            yield f"--file={here.workspace.inside(self.path)}"
        if self.crawl:
            yield f"--from={here.workspace.crawl(self.crawl).folder}"
        if self.by:
            yield f"--by={self.by}"
        yield "--learn" if self.learn else "--no-learn"


class Noted(BaseModel):
    """The numbers of the commands; `GET commands` tells what the crawl answered."""

    numbers: list[int] = Field(examples=[[4]])


class Counted(BaseModel):
    """How many there are."""

    number: int = Field(examples=[12])


class Striking(BaseModel):
    """Words that the topic has learned and shall do without."""

    model_config = ConfigDict(extra="forbid")

    words: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=200)]], Field(min_length=1, max_length=100)
    ] = Field(examples=[["candle"]])


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
    return Noted(numbers=opened.label_all(made(Label, **said.model_dump()) for said in saying.labels))


@router.post("/labels/take", status_code=202, responses=OF_JOB)
def take_labels(crawl: Name, taking: Taking, opened: OpenCrawl, here: Here) -> Job:
    """Take labels from a table, a file or another crawl, as a job; of a crawl, those of pages without one here."""

    def words(inputs: FilePath) -> list[str]:
        return ["label", "--quiet", *taking.words(here, inputs), str(opened.folder)]

    return here.jobs.start("label", crawl, words)


@router.get("/labels/fetched")
def fetched_labels(opened: OpenCrawl) -> Counted:
    """How many labels are of pages that were fetched: only these teach."""
    return Counted(number=opened.fetched_labels())


@router.get("/hub-marks")
def hub_marks(opened: OpenCrawl, cursor: Cursor = 0, most: Most = 100) -> Part[LabelRow]:
    """What people said of the links of pages."""
    return offset_part([*opened.hub_marks().values()], cursor, most)


@router.post("/hub-marks", status_code=202)
def mark_hub(marking: Marking, opened: OpenCrawl) -> Noted:
    """Say whether what a page links to is worth following; the strategy `distilled` follows it."""
    return Noted(numbers=[opened.mark_hub(marking.url, marking.good, note=marking.note, by=marking.by)])


@router.get("/questions")
def questions(
    opened: OpenCrawl,
    most: Annotated[int, Query(ge=1, le=200, description="So many at most.")] = 10,
    queue: Annotated[Queue, Query(description="The best, those that would teach most, or any.")] = "best",
) -> Part[PageRow]:
    """Pages to ask a person about."""
    return Part(items=[page_row(page) for page in opened.questions(most, queue)])


@router.post("/strike", status_code=202, responses=OF_JOB)
def strike(crawl: Name, striking: Striking, opened: OpenCrawl, here: Here) -> Job:
    """Leave words out of what the topic has learned, now and later, as a job."""
    words = [f"--strike={word}" for word in striking.words]
    return here.jobs.start("revise", crawl, ["revise", "--quiet", "--json", *words, str(opened.folder)])


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
