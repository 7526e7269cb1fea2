"""What went wrong, as RFC 9457 tells it, in the words of the command line."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from pydantic_core import to_json
from starlette.exceptions import HTTPException

from honeyguide.errors import (
    CrawlLocked,
    DiskFull,
    HoneyguideError,
    StoreError,
)
from honeyguide.serve.workspace import CRAWLS, NotFound, Workspace

MEDIA_TYPE = "application/problem+json"
LONGEST_DETAIL = 2_000
MOST_PROBLEMS = 20

_STATUS: tuple[tuple[type[HoneyguideError], int], ...] = (
    (NotFound, 404),
    (CrawlLocked, 409),
    (DiskFull, 507),
    (StoreError, 409),
    (HoneyguideError, 422),
)
TITLES = {
    400: "The request cannot be understood",
    401: "A token is needed",
    403: "Not allowed",
    404: "There is no such thing",
    405: "This cannot be done here",
    408: "The request took too long",
    409: "Not in its present state",
    413: "The request is too large",
    415: "Only JSON is read",
    421: "Another server is meant",
    422: "Something in the request is wrong",
    429: "Too many requests",
    507: "The disk is full",
}


class Problem(BaseModel):
    """An error as RFC 9457 has it."""

    type: str = Field(default="about:blank", examples=["about:blank"])
    title: str = Field(examples=["There is no such thing"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["there is no crawl 'bees'; there are none yet"])
    kind: str = Field(default="", description="The class of the error in Python.", examples=["NotFound"])
    errors: list[str] = Field(default=[], examples=[["body.seeds: Field required"]])


class Refused(Exception):
    """A request that is turned away before anybody looks at what it asks for."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers


class PlainJson(JSONResponse):
    """JSON without NaN and infinity, which it does not know."""

    def render(self, content: Any) -> bytes:
        """The bytes that are sent."""
        return to_json(content, inf_nan_mode="null")


def problem(
    status: int,
    detail: str,
    errors: Sequence[str] = (),
    headers: Mapping[str, str] | None = None,
    kind: str = "",
) -> JSONResponse:
    """The answer that tells of a problem."""
    told = Problem(
        title=TITLES.get(status, "It went wrong"),
        status=status,
        detail=_clean(detail),
        kind=kind,
        errors=[_clean(error) for error in errors[:MOST_PROBLEMS]],
    )
    return PlainJson(told.model_dump(), status, headers=dict(headers or {}), media_type=MEDIA_TYPE)


def _clean(text: str) -> str:
    """What a request says may be no Unicode, and longer than anybody reads."""
    return text.encode("utf-8", "replace").decode()[:LONGEST_DETAIL]


def tell_problems(app: FastAPI) -> None:
    """Have the app answer every error so."""

    @app.exception_handler(HoneyguideError)
    async def ours(request: Request, error: HoneyguideError) -> JSONResponse:
        told = message_of(error, request.app.state.serving.workspace)
        return problem(status_of(error), told, kind=type(error).__name__)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> JSONResponse:
        return problem(error.status, error.detail, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        told = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:MOST_PROBLEMS]]
        return problem(422, told[0] if told else "the request is wrong", told)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        detail = f"there is nothing at {request.url.path}" if error.status_code == 404 else str(error.detail)
        return problem(error.status_code, detail, headers=error.headers)

    @app.exception_handler(UnicodeEncodeError)
    async def no_text(request: Request, error: UnicodeEncodeError) -> JSONResponse:
        return problem(422, "the request holds half a character, which no file can hold")

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> JSONResponse:
        logging.getLogger(__name__).error("%s %s failed", request.method, request.url.path, exc_info=error)
        return problem(500, "the server failed at this; its log says why")


def status_of(error: HoneyguideError) -> int:
    """The HTTP status that an error has."""
    return next(status for kind, status in _STATUS if isinstance(error, kind))


def message_of(error: HoneyguideError, workspace: Workspace) -> str:
    """The message, without where on the disk the workspace is; the system's own text would name the file again."""
    cause, told = error.__context__, str(error)
    if isinstance(cause, OSError) and cause.strerror:
        told = told.replace(str(cause), cause.strerror)
    folder = str(workspace.folder)
    for part in (f"{folder}/{CRAWLS}/", f"{folder}/"):
        told = told.replace(part, "")
    return told.replace(folder, "the workspace")
