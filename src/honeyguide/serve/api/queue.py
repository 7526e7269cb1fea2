"""The queue of a crawl: looked at, and steered by rules."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.commands import Steer, Unsteer
from honeyguide.patterns import Action, Pattern, Rule
from honeyguide.serve.api.control import ANSWER_SECONDS, Receipt, sent
from honeyguide.serve.api.shapes import LARGEST_NUMBER, MOST, Part, leads_to
from honeyguide.serve.serving import Here, OpenCrawl
from honeyguide.steering import Preview, Queue
from honeyguide.urls import MAX_LENGTH

router = APIRouter(prefix="/crawls/{crawl}", tags=["queue"])

Wait = Annotated[float, Query(ge=0, le=10, description="So many seconds for the answer.")]


class NewRule(BaseModel):
    """What to do with all urls that a pattern hits."""

    model_config = ConfigDict(extra="forbid")

    action: Action = Field(examples=["exclude"])
    pattern: str = Field(
        min_length=1,
        max_length=MAX_LENGTH,
        description="A host, a url, or a url with `*`, which stands for any characters.",
        examples=["shop.example.org", "https://example.org/calendar/*"],
    )


@router.get("/queue")
def queue(
    opened: OpenCrawl,
    here: Here,
    match: Annotated[
        str,
        Query(max_length=MAX_LENGTH, description="A text in the url; with `*`, a pattern for the whole url."),
    ] = "",
    host: Annotated[str, Query(max_length=300, description="A host; those below it count as well.")] = "",
    most: Annotated[int, Query(ge=0, le=MOST, description="So many at most; the counts are of all.")] = 50,
) -> Queue:
    """The urls that wait, the next first, with counts by host and by priority."""
    with here.heavy():
        return opened.queue(match, most, host)


@router.get("/rules")
def rules(opened: OpenCrawl) -> Part[Rule]:
    """The rules that steer the crawl, the oldest first."""
    return Part(items=opened.rules())


@router.get("/rules/preview")
def preview(
    opened: OpenCrawl,
    here: Here,
    pattern: Annotated[
        str,
        Query(
            min_length=1,
            max_length=MAX_LENGTH,
            description="A host, a url, or a url with `*`.",
            examples=["shop.example.org"],
        ),
    ],
) -> Preview:
    """What a rule with this pattern would hit of the urls that wait now; changes nothing."""
    with here.heavy():
        return opened.preview_steer(pattern)


@router.post("/rules", status_code=202, responses=leads_to(202, "number", "number", "end", of="crawl"))
def begin(opened: OpenCrawl, rule: NewRule, wait: Wait = ANSWER_SECONDS) -> Receipt:
    """Steer the crawl by a rule, whose number is that of the receipt."""
    Pattern.read(rule.pattern)  # what is wrong with it is told as a problem with the request
    command = Steer(action=rule.action, pattern=rule.pattern)
    return sent(opened, command, _patience(opened.process, wait))


@router.delete("/rules/{number}", status_code=202)
def end(
    opened: OpenCrawl,
    number: Annotated[int, Path(ge=1, le=LARGEST_NUMBER, description="The number of a rule.", examples=[3])],
    wait: Wait = ANSWER_SECONDS,
) -> Receipt:
    """Take a rule back."""
    return sent(opened, Unsteer(rule=number), _patience(opened.process, wait))


def _patience(process: int | None, wait: float) -> float:
    """A crawl that does not run obeys when it is next run, so there is nothing to wait for."""
    return 0.0 if process is None else wait
