"""The lab: experiments on recorded webs as jobs, and the reports that came of them."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from honeyguide.serve.api.jobs import OF_JOB
from honeyguide.serve.api.shapes import Cursor, Most, Part, offset_part
from honeyguide.serve.jobs import Job
from honeyguide.serve.serving import Here, Name, Serving
from honeyguide.serve.workspace import NAME, RESULTS, NotFound, check_name

router = APIRouter(prefix="/lab", tags=["lab"])
REPORT, ENDING = "report.html", "-report"
LARGEST_REPORT = 50_000_000
SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""No script, no origin, nothing from elsewhere: only what stands in the page, with its own styles."""
Pattern = Annotated[str, Field(pattern=r"^[A-Za-z0-9*][A-Za-z0-9_./*-]{0,200}$", examples=["sample-2000/*"])]
Plain = str | int | float | bool | list[str] | list[int]
Results = Annotated[
    str,
    Path(pattern=f"^{NAME}$", max_length=100, description="The name of an experiment.", examples=["quick"]),
]


class OfCorpora(BaseModel):
    """What is asked of recorded webs."""

    model_config = ConfigDict(extra="forbid")

    corpora: Annotated[
        str,
        Field(
            max_length=1_000,
            description="Where these are in the workspace; without, as the server's HONEYGUIDE_CORPORA says.",
            examples=["corpora"],
        ),
    ] = ""

    def words_of_corpora(self, here: Serving) -> list[str]:
        """Its option."""
        return [f"--corpora={here.workspace.inside(self.corpora)}"] if self.corpora else []


class Tasks(OfCorpora):
    """Which tasks."""

    patterns: Annotated[list[Pattern], Field(max_length=20)] = ["sample-2000/*"]


class Experiment(OfCorpora):
    """An experiment, by its settings as its file would have them."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"name": "quick", "settings": {"tasks": ["sample-500/*"], "pages": 50}}]
        },
    )

    name: Annotated[str, Field(pattern=f"^{NAME}$", max_length=100)]
    settings: Annotated[
        dict[Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")], Plain], Field(min_length=1, max_length=50)
    ]


class Comparing(BaseModel):
    """What is compared."""

    model_config = ConfigDict(extra="forbid")

    measures: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=20)] = []
    against: Annotated[str, Field(max_length=100)] = ""
    split: Annotated[Literal["all", "reporting", "tuning"], Field(description="Which tasks.")] = "all"


class Estimating(BaseModel):
    """What an estimate goes by: an audit of the crawl itself, another crawl, or pages that somebody else found."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"looks": 50}]})

    looks: Annotated[int, Field(ge=8, le=10_000, description="Pages that an audit fetches.")] = 200
    other: Annotated[str, Field(max_length=100, description="A crawl on the same topic.")] = ""
    urls: Annotated[
        list[Annotated[str, Field(pattern=r"^https?://[^\s]+$", max_length=4_000)]],
        Field(max_length=10_000, description="Relevant pages that somebody else found."),
    ] = []

    @model_validator(mode="after")
    def is_one(self) -> Estimating:
        """They are two different estimates."""
        if self.other and self.urls:
            raise ValueError("give one of other and urls")
        return self

    def words(self, here: Serving, inputs: FilePath) -> list[str]:
        """As options."""
        if self.other:
            return [f"--other={here.workspace.crawl(self.other).folder}"]
        if self.urls:
            listed = inputs / "urls.txt"
            listed.write_text("".join(f"{url}\n" for url in self.urls), encoding="utf-8")
            return [f"--list={listed}"]
        return [f"--looks={self.looks}"]


@router.post("/tasks", status_code=202, responses=OF_JOB)
def tasks(wanted: Tasks, here: Here) -> Job:
    """List tasks: their web, topic, seeds and targets; the output is JSON."""
    return here.jobs.start(
        "lab list",
        " ".join(wanted.patterns),
        ["lab", "list", "--json", *wanted.words_of_corpora(here), "--", *wanted.patterns],
    )


@router.post("/experiments", status_code=202, responses=OF_JOB)
def run_experiment(wanted: Experiment, here: Here) -> Job:
    """Run an experiment; one that was stopped goes on where it was."""
    text = _as_toml({"name": wanted.name, **wanted.settings})
    results = here.workspace.folder / RESULTS / check_name(wanted.name)

    def words(inputs: FilePath) -> list[str]:
        order = inputs / "experiment.toml"
        order.write_text(text, encoding="utf-8")
        options = ["--json", "--quiet", "--processes=1", f"--results={results}"]
        return ["lab", "run", *options, *wanted.words_of_corpora(here), str(order)]

    return here.jobs.start("lab run", wanted.name, words)


def _as_toml(settings: dict[str, Any]) -> str:
    from honeyguide.lab.experiment_order import ExperimentOrder
    from honeyguide.settings.toml_text import value_text

    ExperimentOrder.from_mapping(settings, "experiment")  # what is wrong is told here, and not in a log
    return "".join(f"{key} = {value_text(value)}\n" for key, value in settings.items())


@router.get("/experiments")
def list_experiments(here: Here, cursor: Cursor = 0, most: Most = 100) -> Part[str]:
    """The names of the experiments that have results."""
    names = sorted(
        entry.name
        for entry in (here.workspace.folder / RESULTS).iterdir()
        if entry.is_dir() and not entry.is_symlink() and not entry.name.endswith(ENDING)
    )
    return offset_part(names, cursor, most)


@router.post("/experiments/{experiment}/compare", status_code=202, responses=OF_JOB)
def compare(experiment: Results, wanted: Comparing, here: Here) -> Job:
    """Compare the strategies of an experiment; the output is JSON."""
    options = [f"--measure={name}" for name in wanted.measures] + [f"--split={wanted.split}"]
    options += [f"--against={wanted.against}"] * bool(wanted.against)
    return here.jobs.start(
        "lab compare", experiment, ["lab", "compare", "--json", *options, str(_results(here, experiment))]
    )


@router.post("/experiments/{experiment}/report", status_code=202, responses=OF_JOB)
def report_experiment(experiment: Results, here: Here) -> Job:
    """Write a report on an experiment."""
    return _report(here, experiment, _results(here, experiment))


@router.post("/crawls/{crawl}/report", status_code=202, responses=OF_JOB)
def report_crawl(crawl: Name, here: Here) -> Job:
    """Write a report on a crawl."""
    return _report(here, crawl, here.workspace.crawl(crawl).folder)


@router.post("/crawls/{crawl}/recall", status_code=202, responses=OF_JOB)
def recall(crawl: Name, here: Here, how: Annotated[Estimating | None, Body()] = None) -> Job:
    """Estimate how many relevant pages a crawl has missed; the output is JSON."""
    folder, wanted = here.workspace.crawl(crawl).folder, how or Estimating()

    def words(inputs: FilePath) -> list[str]:
        return ["lab", "recall", "--json", "--quiet", *wanted.words(here, inputs), str(folder)]

    return here.jobs.start("lab recall", crawl, words)


class Report(BaseModel):
    """A report that was written."""

    name: str = Field(description="Of the experiment or crawl.", examples=["quick"])
    written: float
    bytes: int


@router.get("/reports")
def list_reports(here: Here, cursor: Cursor = 0, most: Most = 100) -> Part[Report]:
    """The reports there are, the latest first."""
    files = (here.workspace.folder / RESULTS).glob(f"*{ENDING}/{REPORT}")
    found = [
        Report(
            name=path.parent.name.removesuffix(ENDING),
            written=path.stat().st_mtime,
            bytes=path.stat().st_size,
        )
        for path in files
        if path.is_file() and not path.is_symlink() and not path.parent.is_symlink()
    ]
    return offset_part(sorted(found, key=lambda one: -one.written), cursor, most)


@router.get("/reports/{report}", response_class=Response)
def read_report(
    report: Results,
    here: Here,
    show: Annotated[
        bool, Query(description="To look at it in a browser, rather than to keep it.", examples=[True])
    ] = False,
) -> Response:
    """A report as one HTML page that needs nothing else; a browser runs nothing in it, whatever was crawled."""
    path = here.workspace.folder / RESULTS / f"{report}{ENDING}" / REPORT
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_REPORT:
        raise NotFound(f"there is no report on {report!r}; `report` of an experiment or a crawl writes one")
    kept = {
        "Content-Disposition": f'{"inline" if show else "attachment"}; filename="{report}.html"',
        "Content-Security-Policy": SANDBOX,
    }
    return Response(path.read_bytes(), media_type="text/html", headers=kept)


def _results(here: Serving, name: str) -> FilePath:
    folder = here.workspace.folder / RESULTS / check_name(name)
    if folder.is_symlink() or not folder.is_dir():
        raise NotFound(f"there is no experiment {name!r}; run it first")
    return folder


def _report(here: Serving, name: str, folder: FilePath) -> Job:
    out = here.workspace.folder / RESULTS / f"{name}{ENDING}"
    return here.jobs.start(
        "lab report", name, ["lab", "report", "--quiet", "--json", f"--out={out}", str(folder)]
    )
