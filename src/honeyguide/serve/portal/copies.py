"""Archived copies, on an origin of their own: whatever a page holds, it runs nothing and loads nothing."""

from __future__ import annotations

import re
from html import escape

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response
from selectolax.lexbor import LexborHTMLParser
from starlette.exceptions import HTTPException

from honeyguide.errors import HoneyguideError, StoreError
from honeyguide.model import Response as Archived
from honeyguide.parse.charset import decode
from honeyguide.serve.portal.shown import parameters, web_link
from honeyguide.serve.security import Links
from honeyguide.serve.serving import Serving, serving
from honeyguide.serve.workspace import Workspace

CSP = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "form-action 'none'; frame-ancestors {console}; base-uri {origin}"
)
"""Styles and pictures that stand in the page itself are shown; nothing else is. Our own console alone may frame it."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-DNS-Prefetch-Control": "off",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "private, no-store",
}
_PLAIN_ORIGIN = re.compile(r"https?://[A-Za-z0-9.:[\]-]+")
_HTML = frozenset({"text/html", "application/xhtml+xml"})
# A hint to connect somewhere is followed whatever the policy says, and what a policy forbids need not be sent.
_REMOVED = "script, link, base, meta[http-equiv], iframe, frame, object, embed, applet"


def copy_link(origin: str, links: Links, crawl: str, number: int) -> str:
    """A link to a copy, good for some minutes; `origin` is that of the copies."""
    return f"{origin}/copy/{crawl}/{number}{parameters(by=links.sign(_thing(crawl, number)))}"


def copies_origin(request: Request) -> str:
    """Where the copies are, as whoever asks for a page of ours sees it."""
    options = serving(request).options
    return _at_port(request, options.copies_port or options.port + 1)


def _at_port(request: Request, port: int) -> str:
    host = request.url.hostname or "localhost"
    return f"{request.url.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _console(request: Request) -> str:
    """Who may show a copy in a frame: the server of the console, by the name that the copies were asked by."""
    origin = _at_port(request, serving(request).options.port)
    if not _PLAIN_ORIGIN.fullmatch(origin):
        return "'none'"
    # A proxy with TLS shows the console at the port that goes without saying.
    return f"{origin} {origin.rpartition(':')[0]}" if request.url.scheme == "https" else origin


def make_copies_app(here: Serving) -> FastAPI:
    """The app of the second port. It knows no session and no token, only signed links."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.serving = here

    @app.api_route("/copy/{crawl}/{number}", methods=["GET", "HEAD"])
    def copy(request: Request, crawl: str, number: str, by: str = "") -> Response:
        if not here.security.links.is_signed(_thing(crawl, number), by):
            return _told(
                403, "This link has expired. Go back to the page about the page, and follow it anew."
            )
        try:
            return _shown(_archived(here.workspace, crawl, int(number)), _console(request))
        except HoneyguideError:
            return _told(404, "There is no copy of this page: it was not kept, or is lost.")

    @app.exception_handler(HTTPException)
    async def nothing(request: Request, error: HTTPException) -> Response:
        return _told(error.status_code, "There is nothing here but archived copies.")

    return app


def _thing(crawl: str, number: int | str) -> str:
    return f"copy {crawl} {number}"


def _archived(workspace: Workspace, crawl: str, number: int) -> Archived:
    with workspace.crawl(crawl).reader() as reader:
        visits = reader.numbered([number])
        location = visits[0].location if visits else None
        if location is None:
            raise StoreError("the page is not in the archive")
        return reader.response(location)


def _shown(page: Archived, console: str) -> Response:
    kind = page.content_type.partition(";")[0].strip().lower()
    if kind in _HTML:
        text, media_type = without_reach(decode(page.body, page.content_type)[0], page.url), "text/html"
    elif kind.startswith("text/"):
        text, media_type = decode(page.body, page.content_type)[0], "text/plain"
    else:
        return _told(415, "This copy is not text, and is not shown here.")
    return Response(
        text.encode("utf-8", "replace"),
        headers={**HEADERS, "Content-Security-Policy": CSP.format(origin=_origin(page.url), console=console)},
        media_type=f"{media_type}; charset=utf-8",
    )


def without_reach(html: str, url: str) -> str:
    """A page without what reaches out of it by itself; its links lead where they led."""
    tree = LexborHTMLParser(html)
    for node in tree.css(_REMOVED):
        node.decompose()
    mode = "<!DOCTYPE html>" if html.lstrip("\ufeff \t\r\n")[:9].lower() == "<!doctype" else ""
    return f'{mode}<base href="{escape(web_link(url))}">{tree.root.html if tree.root else ""}'


def _origin(url: str) -> str:
    link = web_link(url)
    return "/".join(link.split("/", 3)[:3]) if link else "'none'"


def _told(status: int, text: str) -> Response:
    return PlainTextResponse(
        text, status, {**HEADERS, "Content-Security-Policy": CSP.format(origin="'none'", console="'none'")}
    )
