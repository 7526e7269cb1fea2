"""Measurements of the lab, as jobs: what could be had at best, the papers again, blind tests, topics alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.serve.api.jobs import OF_JOB
from honeyguide.serve.api.lab import ENDING, OfCorpora, Pattern
from honeyguide.serve.jobs import Job, file_for
from honeyguide.serve.serving import Here
from honeyguide.serve.workspace import NAME, RESULTS

router = APIRouter(prefix="/lab", tags=["lab"])
EVERYTHING = "all"
Pages = Annotated[int, Field(ge=0, le=10**7, description="Of each crawl; 0: as planned.", examples=[200])]
MostTasks = Annotated[int, Field(ge=0, le=10_000, description="At most; 0: as planned.", examples=[4])]
Corpora = Annotated[
    list[Annotated[str, Field(pattern=f"^{NAME}$")]],
    Field(max_length=20, description="Only these; without any, all.", examples=[["webkb"]]),
]


class Asking(OfCorpora):
    """A task, or a pattern of tasks."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pattern": "sample-500/*", "pages": 50}]})

    pattern: Pattern
    pages: Pages = 0


class Reproducing(OfCorpora):
    """A paper, our own default, the errors of estimates, or all of it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"paper": "otie", "tasks": 4, "pages": 200}]})

    paper: Literal["otie", "hcla", "cc-bfs", "focused-1999", "ontology", "default", "recall", "all"]
    tasks: MostTasks = 0
    pages: Pages = 0


class Blind(BaseModel):
    """A labelled web that nobody tuned on."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"name": "mine", "corpus": "corpora/mine", "rules": "corpora/mine.toml"}]
        },
    )

    name: Annotated[str, Field(pattern=f"^{NAME}$", max_length=100, description="Of its report.")]
    corpus: Annotated[str, Field(min_length=1, max_length=1_000, description="A folder of the workspace.")]
    rules: Annotated[
        str, Field(min_length=1, max_length=1_000, description="How tasks are made: a file of the workspace.")
    ]
    tasks: MostTasks = 0
    pages: Pages = 0


class Classifying(OfCorpora):
    """On which webs."""

    corpus: Annotated[
        list[Literal["webkb", "wikispeedia"]],
        Field(max_length=2, description="Without any, both.", examples=[["webkb"]]),
    ] = Field(default=[])


class Phrases(OfCorpora):
    """Which topics, on which webs."""

    corpus: Corpora = Field(default=[])
    model: Literal["keywords", "meaning", "cosine"] = "keywords"


@router.post("/oracle", status_code=202, responses=OF_JOB)
def oracle(wanted: Asking, here: Here) -> Job:
    """Tell what could be had at best in a task, and what the guide's own judgment is worth; the output is JSON."""
    pages = [f"--pages={wanted.pages}"] * bool(wanted.pages)
    words = ["lab", "oracle", "--json", "--quiet", *pages, *wanted.words_of_corpora(here), "--"]
    return here.jobs.start("lab oracle", wanted.pattern, [*words, wanted.pattern])


@router.post("/reproductions", status_code=202, responses=OF_JOB)
def reproduce(wanted: Reproducing, here: Here) -> Job:
    """Run a paper's experiment again, and tell which of its claims are confirmed; it goes on where it was stopped.

    The report is that of `reproduce-PAPER`. Of all papers together the job has one page, as a file.
    """
    results = here.workspace.folder / RESULTS / f"reproduce-{wanted.paper}{ENDING}"
    options = ["--json", "--quiet", "--processes=1", f"--results={results}"]
    options += [f"--tasks={wanted.tasks}", f"--pages={wanted.pages}", *wanted.words_of_corpora(here)]

    def words(inputs: Path) -> list[str]:
        is_all = wanted.paper == EVERYTHING
        page = [f"--page={file_for(inputs, 'evaluation.md')}"] if is_all else []
        return ["lab", "reproduce", *options, *page, wanted.paper]

    return here.jobs.start("lab reproduce", wanted.paper, words)


@router.post("/blind", status_code=202, responses=OF_JOB)
def blind(wanted: Blind, here: Here) -> Job:
    """Test the default strategy against all others on a labelled web; the report is that of its name."""
    results = here.workspace.folder / RESULTS / f"{wanted.name}{ENDING}"
    corpus, rules = (here.workspace.inside(path) for path in (wanted.corpus, wanted.rules))
    options = [f"--corpus={corpus}", f"--rules={rules}", f"--results={results}"]
    options += [f"--tasks={wanted.tasks}", f"--pages={wanted.pages}", "--processes=1", "--json", "--quiet"]
    return here.jobs.start("lab blind", wanted.name, ["lab", "blind", *options])


@router.post("/classifiers", status_code=202, responses=OF_JOB)
def classifiers(wanted: Classifying, here: Here) -> Job:
    """Measure the classifiers on pages they were not trained on; the output is a Markdown table."""
    options = [f"--corpus={name}" for name in wanted.corpus] + wanted.words_of_corpora(here)
    return here.jobs.start("lab classifiers", " ".join(wanted.corpus), ["lab", "classifiers", *options])


@router.post("/phrases", status_code=202, responses=OF_JOB)
def phrases(wanted: Phrases, here: Here) -> Job:
    """Measure topics made of a phrase on the labelled pages of webs; the output is JSON."""
    options = ["--json", "--quiet", f"--model={wanted.model}", *wanted.words_of_corpora(here)]
    options += [f"--corpus={name}" for name in wanted.corpus]
    return here.jobs.start("lab phrases", wanted.model, ["lab", "phrases", *options])
