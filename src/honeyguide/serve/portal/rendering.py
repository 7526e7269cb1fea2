"""From a template to an answer. Everything is escaped unless a template of ours says otherwise, and none does."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

FOLDER = Path(__file__).parent


@cache
def templates() -> Environment:
    """Jinja2, escaping always, with unknown names refused."""
    return Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def root_of(request: Request) -> str:
    """The path that a proxy serves us below, without a slash at its end; mostly empty."""
    return str(request.scope.get("root_path", "")).rstrip("/")


def page(
    request: Request, template: str, status: int = 200, *, is_listed: bool = True, **values: Any
) -> HTMLResponse:
    """A page; `is_listed` says whether search engines should list it."""
    text = templates().get_template(template).render(root=root_of(request), is_listed=is_listed, **values)
    # A half of a pair of characters, wherever it came from, must not cost the whole page.
    return HTMLResponse(text.encode("utf-8", "replace"), status)


def origin_of(request: Request) -> str:
    """Where the portal is in the world, without a slash at the end; the door has checked the host."""
    return f"{request.url.scheme}://{request.url.netloc}{root_of(request)}"
