"""A crawl as a file: written to the disk first, so that a slow client holds neither memory nor the crawl's log.

A WACZ is as large as the archive, and is sent as it is made; what it needs of the log is read beforehand.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from honeyguide.crawls import Crawl
from honeyguide.errors import SettingsError
from honeyguide.serve.serving import Here, Name, OpenCrawl, Serving
from honeyguide.store.export import table_of, write_table
from honeyguide.store.wacz import Wacz

router = APIRouter(prefix="/crawls/{crawl}", tags=["results"])
CHUNK = 64_000
LOST_SECONDS = 6 * 3600.0
_TYPES = {"jsonl": "application/jsonl", "csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
_WACZ = "application/wacz"
_FILES: dict[int | str, dict[str, Any]] = {
    200: {"content": {kind: {"schema": {"type": "string"}} for kind in (*_TYPES.values(), _WACZ)}}
}


@router.get("/export", response_class=StreamingResponse, responses=_FILES)
def export(
    crawl: Name,
    opened: OpenCrawl,
    here: Here,
    what: Annotated[
        Literal["pages", "visits", "links", "hosts", "sites", "failures", "labels"],
        Query(description="Which table."),
    ] = "pages",
    kind: Annotated[Literal["jsonl", "csv", "parquet", "wacz"], Query(description="The format.")] = "jsonl",
    relevant: Annotated[bool, Query(description="Only relevant pages.")] = False,
) -> StreamingResponse:
    """A table of the crawl as a file; as WACZ, all pages that are kept, for replay tools."""
    if kind == "wacz":
        if relevant or what != "pages":
            raise SettingsError("a WACZ has all pages that are kept; there is no choice")
        return _sent_as(_wacz(opened, here), _WACZ, f"{crawl}.wacz")
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
    return _sent_as(_sent(path), _TYPES[kind], f"{crawl}-{what}.{kind}")


def _wacz(opened: Crawl, here: Serving) -> Iterator[bytes]:
    with here.heavy(), opened.reader() as reader:
        return Wacz(reader, opened.folder.name, opened.threshold).chunks()


def _sent_as(content: Iterator[bytes], media_type: str, name: str) -> StreamingResponse:
    kept = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(content, media_type=media_type, headers=kept)


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
