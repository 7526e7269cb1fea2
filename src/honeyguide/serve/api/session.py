"""Logging in and out, and who one is. A browser has a cookie; a program sends its token with every request."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from honeyguide.serve.problems import Refused
from honeyguide.serve.security import COOKIE, SESSION_SECONDS, Role
from honeyguide.serve.serving import Here
from honeyguide.version import __version__

router = APIRouter(tags=["session"])


class Login(BaseModel):
    """What one logs in with."""

    token: Annotated[str, Field(min_length=1, max_length=200, examples=["hg-operator-..."])]


class Who(BaseModel):
    """Who asks, and whom."""

    role: Literal["nobody", "reader", "operator"] = Field(examples=["operator"])
    version: str = Field(examples=["1.0.0"])
    copies_port: int = Field(description="The port of archived copies.", examples=[8766])


def _who(role: Role, here: Here) -> Who:
    return Who.model_validate(
        {"role": role.word, "version": __version__, "copies_port": here.options.copies_port}
    )


@router.get("/session")
def who_am_i(request: Request, here: Here) -> Who:
    """Tell who asks; also whether the server is there."""
    return _who(request.scope.get("role", Role.NOBODY), here)


@router.post("/session")
def log_in(login: Login, request: Request, response: Response, here: Here) -> Who:
    """Get a cookie for a token; ten wrong ones a minute."""
    address = request.client.host if request.client else ""
    here.security.attempts.count(address)
    role = here.security.keys.role(login.token)
    if role is Role.NOBODY:
        raise Refused(401, "this token is not known here", {"WWW-Authenticate": "Bearer"})
    here.security.attempts.forget(address)
    response.set_cookie(
        COOKIE,
        here.security.sessions.begin(role),
        max_age=int(SESSION_SECONDS),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return _who(role, here)


@router.delete("/session", status_code=204)
def log_out(request: Request, response: Response, here: Here) -> None:
    """Forget the session of the cookie."""
    here.security.sessions.end(request.cookies.get(COOKIE, ""))
    response.delete_cookie(COOKIE)
