"""Steering a crawl: run, pause, resume, stop, and every command with its receipt."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.assembly import check_changeable
from honeyguide.commands import Command, Pause, Resume, Stop
from honeyguide.crawls import Crawl
from honeyguide.errors import CrawlLocked, SettingsError
from honeyguide.serve.api.jobs import OF_JOB
from honeyguide.serve.api.shapes import Cursor, Most, Part, RunState, state_of
from honeyguide.serve.jobs import Job
from honeyguide.serve.orders import check_settings
from honeyguide.serve.processes import log_of, work_at
from honeyguide.serve.serving import Here, Name, OpenCrawl
from honeyguide.store import check_one_process
from honeyguide.store.base import Post

router = APIRouter(prefix="/crawls/{crawl}", tags=["control"])
ANSWER_SECONDS = 5.0


class Run(BaseModel):
    """How to go on with a crawl."""

    model_config = ConfigDict(extra="forbid")

    pages: Annotated[
        int | None, Field(ge=0, le=2**53, description="Stop at so many pages, earlier ones included.")
    ] = None
    settings: Annotated[
        dict[Annotated[str, Field(max_length=100)], Any],
        Field(
            max_length=100, description="Settings to change by their keys.", examples=[{"crawl.batch": 16}]
        ),
    ] = {}


class Running(BaseModel):
    """What a crawl is doing."""

    name: str = Field(examples=["beekeeping"])
    state: RunState = Field(examples=["starting"])


class Index(BaseModel):
    """How pages are indexed."""

    model_config = ConfigDict(extra="forbid")

    rebuild: Annotated[bool, Field(description="Make the index anew.", examples=[True])] = False


class Receipt(BaseModel):
    """A command and what the crawl answered; null as long as it has not."""

    number: int = Field(examples=[3])
    time: float
    command: dict[str, Any] = Field(examples=[{"kind": "pause"}])
    receipt: str | None = Field(examples=["paused"])


class Ended(BaseModel):
    """What the process of a crawl said, and how it ended."""

    is_running: bool
    code: int | None = Field(description="Its exit code; null if it runs, or was killed.", examples=[0])
    ended: float | None
    log: str = Field(description="The end of what it said.")


@router.post("/run", status_code=202)
def run(crawl: Name, opened: OpenCrawl, here: Here, how: Annotated[Run | None, Body()] = None) -> Running:
    """Start a process that goes on with the crawl. It outlives the server; `GET` of the crawl tells of it."""
    if opened.process is not None:
        raise CrawlLocked(f"{crawl} is in use by process {opened.process}; pause or stop it")
    check_one_process(opened.folder)
    wanted = how or Run()
    changes = check_settings(here, wanted.settings)
    if wanted.pages is not None:
        changes = {**changes, "limits.max_pages": wanted.pages}
    check_changeable(changes)
    opened.order.with_overrides(changes)  # what is wrong is told here, and not in a log
    words = [f"--set={key}={_as_toml(key, value)}" for key, value in changes.items()]
    here.workspace.unarchive(crawl)  # whoever runs it wants to see it
    here.processes.start(opened.folder, ["resume", "--quiet", *words, str(opened.folder)])
    return Running(name=crawl, state=state_of(opened.folder, False))


def _as_toml(key: str, value: Any) -> str:
    """A value as the command line reads it; JSON but for null, which TOML does not know."""
    if value is None:
        raise SettingsError(f"{key}: there is no way to unset a setting; give a value")
    return json.dumps(value)


@router.post("/pause", status_code=202)
def pause(opened: OpenCrawl) -> Receipt:
    """Let a running crawl wait, once the pages under way are stored."""
    return sent(opened, Pause())


@router.post("/resume", status_code=202)
def resume(opened: OpenCrawl) -> Receipt:
    """Let a paused crawl go on; for one that does not run, `run` starts a process."""
    return sent(opened, Resume())


@router.post("/stop", status_code=202)
def stop(opened: OpenCrawl) -> Receipt:
    """End a running crawl, once the pages under way are stored."""
    return sent(opened, Stop())


@router.post("/index", status_code=202, responses=OF_JOB)
def index(crawl: Name, opened: OpenCrawl, here: Here, how: Annotated[Index | None, Body()] = None) -> Job:
    """Have all pages indexed, as a job, without waiting until the server does so; the output is JSON."""
    rebuild = ["--rebuild"] if how and how.rebuild else []
    return here.jobs.start("index", crawl, ["index", "--quiet", "--json", *rebuild, str(opened.folder)])


@router.post("/commands", status_code=202)
def send(
    opened: OpenCrawl,
    command: Annotated[
        Command,
        Body(
            discriminator="kind",
            openapi_examples={
                "seeds": {"value": {"kind": "add_seeds", "urls": ["https://example.org/"]}},
                "limits": {"value": {"kind": "set_limits", "max_pages": 5000}},
                "priorities": {
                    "value": {"kind": "set_priorities", "priorities": {"https://example.org/": 0.9}}
                },
                "exclude": {"value": {"kind": "steer", "action": "exclude", "pattern": "shop.example.org"}},
                "label": {"value": {"kind": "label", "url": "https://example.org/", "relevant": True}},
            },
        ),
    ],
    wait: Annotated[float, Query(ge=0, le=5, description="So many seconds for the answer.")] = 0.0,
) -> Receipt:
    """Leave a command for the crawl. One that does not run obeys it when it is next run."""
    return sent(opened, command, wait)


@router.get("/commands")
def receipts(opened: OpenCrawl, cursor: Cursor = 0, most: Most = 100) -> Part[Receipt]:
    """Commands with what the crawl answered, in order."""
    posts = opened.inbox(since=cursor)
    shown = [_receipt(post) for post in posts[:most]]
    return Part(items=shown, next=shown[-1].number if len(posts) > most else None)


@router.get("/log")
def log(opened: OpenCrawl, here: Here) -> Ended:
    """What the crawl's process said, and how it ended."""
    work = work_at(opened.folder)
    said = log_of(opened.folder).replace(f"{here.workspace.folder}/", "")  # paths as they are within it
    return Ended(is_running=work.is_running, code=work.code, ended=work.ended, log=said)


def sent(crawl: Crawl, command: Command, wait: float = ANSWER_SECONDS) -> Receipt:
    """Leave a command, and wait a little for the answer."""
    number = crawl.send(command)
    crawl.answer(number, wait)
    return _receipt(crawl.inbox(since=number - 1)[0])


def _receipt(post: Post) -> Receipt:
    return Receipt(number=post.number, time=post.time, command=json.loads(post.command), receipt=post.receipt)
