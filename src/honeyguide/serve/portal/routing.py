"""What all routes of the portal share: errors are pages, visitors may read, and nothing is ever run in the browser."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from fastapi.routing import APIRoute

from honeyguide.errors import HoneyguideError
from honeyguide.serve.portal.rendering import page
from honeyguide.serve.portal.shown import plain
from honeyguide.serve.problems import Refused, message_of, status_of
from honeyguide.serve.security import Role
from honeyguide.serve.serving import Serving, serving

METHODS = ["GET", "HEAD"]
CSP = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
"""Stricter than for other pages of the server: the portal has no script at all."""
HEADINGS = {401: "This portal is not public", 403: "Not allowed", 404: "There is no such page"}


class PortalRoute(APIRoute):
    """Tells errors as pages: visitors of the portal are people."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with errors and headers taken care of."""
        inner = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                response = await inner(request)
            except Refused as refused:
                response = _error(request, refused.status, refused.detail)
            except HoneyguideError as error:
                response = _error(request, status_of(error), public_message(error, serving(request)))
            response.headers.setdefault("Content-Security-Policy", CSP)
            response.headers.setdefault("Cache-Control", "no-cache")
            return response

        return handle


def portal_router() -> APIRouter:
    """A router of such routes, none of which is part of the API."""
    return APIRouter(route_class=PortalRoute, include_in_schema=False)


def reading(request: Request) -> None:
    """Only for those who may read: everybody, if the operator says so."""
    if request.scope.get("role", Role.NOBODY) < Role.READER:
        raise Refused(
            401, "Only people with a token may read it. The operator can open it: honeyguide serve --public"
        )


def public_message(error: HoneyguideError, here: Serving) -> str:
    """What went wrong, as plain text."""
    return plain(message_of(error, here.workspace), 500)


def _error(request: Request, status: int, detail: str) -> Response:
    heading = HEADINGS.get(status, "It did not work")
    return page(
        request,
        "error.html",
        status,
        is_listed=False,
        heading=heading,
        detail=detail[:1].upper() + detail[1:],
    )
