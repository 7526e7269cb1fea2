"""Questions in SQL. They only read, each in a process of its own within limits: see docs/sql.md."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.serve.serving import Here, OpenCrawl
from honeyguide.store.sql_question import LONGEST_QUESTION, MEMORY_MB, MOST_ROWS, SECONDS, SqlAnswer

router = APIRouter(prefix="/crawls/{crawl}", tags=["results"])


class Question(BaseModel):
    """A SELECT, and what it may cost."""

    model_config = ConfigDict(extra="forbid")

    question: Annotated[
        str, Field(max_length=LONGEST_QUESTION, examples=["select host, relevant from hosts order by 2 desc"])
    ]
    most_rows: Annotated[int, Field(ge=0, le=10_000)] = MOST_ROWS
    seconds: Annotated[float, Field(ge=0.001, le=SECONDS)] = SECONDS
    memory_mb: Annotated[int, Field(ge=16, le=MEMORY_MB)] = MEMORY_MB


@router.post("/sql")
def ask(asked: Question, opened: OpenCrawl, here: Here) -> SqlAnswer:
    """Ask something of the views of a crawl; nothing is changed."""
    with here.heavy():
        return opened.sql(asked.question, asked.most_rows, asked.seconds, asked.memory_mb)
