"""A crawl as a file: written to the disk first, so that a slow client holds neither memory nor the crawl's log."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from honeyguide.errors import SettingsError
from honeyguide.serve.serving import Here, Name, OpenCrawl
from honeyguide.store.export import table_of, write_table

router = APIRouter(prefix="/crawls/{crawl}", tags=["results"])
CHUNK = 64_000
LOST_SECONDS = 6 * 3600.0
_TYPES = {"jsonl": "application/jsonl", "csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
_FILES: dict[int | str, dict[str, Any]] = {
    200: {"content": {kind: {"schema": {"type": "string"}} for kind in _TYPES.values()}}
}


@router.get("/export", response_class=StreamingResponse, responses=_FILES)
def export(
    crawl: Name,
    opened: OpenCrawl,
    here: Here,
    what: Annotated[
        Literal["pages", "links", "hosts", "sites", "failures", "labels"], Query(description="Which table.")
    ] = "pages",
    kind: Annotated[Literal["jsonl", "csv", "parquet"], Query(description="The format.")] = "jsonl",
    relevant: Annotated[bool, Query(description="Only relevant pages.")] = False,
) -> StreamingResponse:
    """The crawl's pages, links, hosts, sites, failures or labels as a file."""
    if relevant and what != "pages":
        raise SettingsError(f"relevant chooses pages; there is no choice of {what}")
    path = here.workspace.private / f"export-{secrets.token_hex(8)}.{kind}"
    with here.heavy():
        _forget_lost(here.workspace.private)
        try:
            with opened.reader() as reader:
                definition = opened.order.crawl.site_relevance
                table = table_of(
                    reader, what, opened.threshold, only_relevant=relevant, site_relevance=definition
                )
                write_table(table, path, kind)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    file_name = f"{crawl}-{what}.{kind}"
    return StreamingResponse(
        _sent(path),
        media_type=_TYPES[kind],
        headers={"Content-Disposition": f'attachment; filename="{file_name}"'},
    )


def _forget_lost(folder: Path) -> None:
    """Remove what a server that was killed left behind."""
    for path in folder.glob("*export-*"):
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < time.time() - LOST_SECONDS:
                path.unlink()


def _sent(path: Path) -> Iterator[bytes]:
    """The file, which has no name any more from the first byte on: it is gone when nobody reads it."""
    with path.open("rb") as file:
        path.unlink()
        while chunk := file.read(CHUNK):
            yield chunk
