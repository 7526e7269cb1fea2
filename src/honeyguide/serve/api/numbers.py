"""A crawl as pictures, and as it goes on: binary columns and server-sent events."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from honeyguide.serve.api.shapes import Cursor
from honeyguide.serve.columns import curve, dots
from honeyguide.serve.serving import Here, Name, OpenCrawl
from honeyguide.store.reader import Lately

router = APIRouter(prefix="/crawls/{crawl}", tags=["numbers"])
OCTETS = "application/octet-stream"
_BYTES: dict[int | str, dict[str, Any]] = {
    200: {"content": {OCTETS: {"schema": {"type": "string", "format": "binary"}}}}
}
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "text/event-stream": {
                "schema": {"type": "string"},
                "example": 'event: visits\ndata: {"now": 1200}\n\n',
            }
        }
    }
}
MostDots = Annotated[int, Query(ge=10, le=20_000, description="So many points at most.")]


@router.get("/dots", response_class=Response, responses=_BYTES)
def dots_of(opened: OpenCrawl, cursor: Cursor = 0, most: MostDots = 4_000) -> Response:
    """Relevance of visits over time, as binary columns: see docs/serve.md. The cursor is the number of a visit."""
    with opened.reader() as reader:
        return Response(dots(reader, most, cursor), media_type=OCTETS)


@router.get("/cells", response_class=Response, responses=_BYTES)
def cells_of(crawl: Name, opened: OpenCrawl, here: Here, cursor: Cursor = 0) -> Response:
    """Every page as dots on a grid, as binary columns: see docs/serve.md. The cursor is the number of a visit."""

    def cells() -> bytes:
        grid = here.grids.of(opened)
        with opened.reader() as reader:
            # Once for all, so that those who watch have seen the same, and will ask for the same.
            here.live.shared(crawl, "grid", lambda: grid.grow(reader))
            return grid.cells(reader, cursor)

    return Response(here.live.shared(crawl, ("cells", cursor), cells), media_type=OCTETS)


@router.get("/curve", response_class=Response, responses=_BYTES)
def curve_of(opened: OpenCrawl, most: MostDots = 1_000) -> Response:
    """Harvest rates over pages, as binary columns: see docs/serve.md."""
    with opened.reader() as reader:
        return Response(curve(reader, most), media_type=OCTETS)


@router.get("/lately")
def lately(
    crawl: Name,
    opened: OpenCrawl,
    here: Here,
    most: Annotated[int, Query(ge=1, le=20_000, description="So many visits, and so many failures.")] = 2_000,
) -> Lately:
    """How it does lately: pages a second, bytes, types, failures by reason, hosts that fail, are slow or rest."""

    def read() -> Lately:
        with opened.reader() as reader:
            return reader.lately(most)

    return here.live.shared(crawl, ("lately", most), read)


@router.get("/events", response_class=StreamingResponse, responses=_EVENTS)
async def events(crawl: Name, opened: OpenCrawl, here: Here) -> StreamingResponse:
    """The crawl as it goes on: `visits` (how many there are now) and `status`, at most once a second."""
    watching = here.live.watch(crawl)
    return StreamingResponse(watching, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
