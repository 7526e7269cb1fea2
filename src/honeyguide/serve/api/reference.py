"""The reference page, made from the OpenAPI description; plain HTML without any script."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from honeyguide.serve.reference import STYLE, reference_page

router = APIRouter(tags=["reference"])


@router.get("/reference", response_class=HTMLResponse)
def reference(request: Request) -> HTMLResponse:
    """Tell of everything there is, for people."""
    return HTMLResponse(reference_page(request.app.openapi()))


@router.get("/reference.css", response_class=Response, include_in_schema=False)
def style() -> Response:
    """How it looks."""
    return Response(STYLE, media_type="text/css")
