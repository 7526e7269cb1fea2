"""Jobs: long work, which outlives the server."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import FileResponse

from honeyguide.serve.api.shapes import Cursor, Most, Part, leads_to, offset_part
from honeyguide.serve.jobs import Job
from honeyguide.serve.serving import Here

router = APIRouter(prefix="/jobs", tags=["jobs"])
OCTETS = "application/octet-stream"
_FILE: dict[int | str, dict[str, Any]] = {200: {"content": {OCTETS: {"schema": {"type": "string"}}}}}

Id = Annotated[str, Path(max_length=50, description="The id of a job.", examples=["18c2a1b4f00-0a1b2c3d"])]

OF_JOB = leads_to(202, "id", "job", "job", "job_file", "stop_job", "remove_job")
"""What can be asked of a job that was begun."""


@router.get("", responses=leads_to(200, "items/0/id", "job", "job", "job_file", "stop_job", "remove_job"))
def list_jobs(here: Here, cursor: Cursor = 0, most: Most = 100) -> Part[Job]:
    """Jobs, the latest first, without what they said."""
    return offset_part(here.jobs.all(), cursor, most)


@router.get("/{job}")
def job(job: Id, here: Here) -> Job:
    """A job with what it said and gave."""
    return here.jobs.find(job)


@router.get("/{job}/file", response_class=FileResponse, responses=_FILE)
def job_file(job: Id, here: Here) -> FileResponse:
    """The file that a job wrote, such as an exported topic."""
    path = here.jobs.file(job)
    return FileResponse(path, media_type=OCTETS, filename=path.name)


@router.post("/{job}/stop", status_code=202)
def stop_job(job: Id, here: Here) -> Job:
    """Have a job end, as Ctrl-C would."""
    return here.jobs.stop(job)


@router.delete("/{job}", status_code=204)
def remove_job(job: Id, here: Here) -> None:
    """Forget a job that has ended."""
    here.jobs.remove(job)
