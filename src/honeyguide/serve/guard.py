"""The door: what is turned away before anybody looks at it, and what every answer carries. Plain ASGI."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from honeyguide.serve.options import ServeOptions, is_address
from honeyguide.serve.problems import Refused, problem
from honeyguide.serve.security import COOKIE, Role, Security

API = "/api/"
MAX_BODY_BYTES = 4_000_000
MAX_QUERY_BYTES = 16_000
BODY_SECONDS = 30.0
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "frame-src {frames}",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""No script but our own files, nothing inline, no eval, nothing from elsewhere; only archived copies may be framed."""

_ALWAYS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Around the whole app."""

    def __init__(self, app: ASGIApp, security: Security, options: ServeOptions) -> None:
        self._app = app
        self._security = security
        self._options = options
        self._names = {
            name.lower() for name in (options.host, "localhost", "127.0.0.1", "::1", *options.names)
        }
        self._is_anywhere = options.host in ("0.0.0.0", "::")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or tell why not."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        carry = _carrying(send, scope, self._csp(scope["scheme"], headers))
        try:
            self._check(scope, headers)
            scope["role"] = self._role(scope, headers)
            body = await _body(headers, receive) if scope["method"] not in _SAFE else None
        except Refused as refused:
            answer = problem(refused.status, refused.detail, headers=refused.headers)
            await answer(scope, receive, carry)
            return
        await self._app(scope, receive if body is None else _given(body, receive), carry)

    def _check(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        if not self._is_ours(host):
            raise Refused(421, f"this server is not {host[:100]!r}; `serve --name` lets it answer to a name")
        if len(scope["query_string"]) > MAX_QUERY_BYTES:
            raise Refused(413, f"the query is longer than {MAX_QUERY_BYTES:,} bytes")
        is_api = scope["path"].startswith(API)
        if is_api and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Refused(403, "pages of other sites may not use this server")
        origin = headers.get("origin")
        if origin is not None and scope["method"] not in _SAFE and not _is_same(origin, host):
            raise Refused(403, "pages of other sites may not use this server")

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header means this server: a name that somebody else's DNS points here does not."""
        name = _name_of(host)
        return name in self._names or (self._is_anywhere and is_address(name))

    def _role(self, scope: Scope, headers: Headers) -> Role:
        """By token or by cookie; a cookie changes nothing unless the browser says that our own page sends it."""
        open_to = Role.READER if self._options.is_open else Role.NOBODY
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return max(open_to, self._security.keys.role(token.strip()))
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        if not cookie:
            return open_to
        is_told = "origin" in headers or headers.get("sec-fetch-site") == "same-origin"
        if scope["method"] not in _SAFE and not is_told:
            raise Refused(403, "a session changes things only for pages of this server; programs use a token")
        return max(open_to, self._security.sessions.role(cookie))

    def _csp(self, scheme: str, headers: Headers) -> str:
        name = _name_of(headers.get("host", ""))
        shown = f"[{name}]" if ":" in name else name
        is_plain = bool(shown) and all(c.isalnum() or c in ".-:[]" for c in shown) and shown.isascii()
        copies = f"{scheme}://{shown}:{self._options.copies_port}"
        return CSP.format(frames=copies if is_plain else "'none'")


def _name_of(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_same(origin: str, host: str) -> bool:
    """Whether an Origin is that of the Host; a proxy may have changed the scheme, never the name and port."""
    try:
        return urlsplit(origin).netloc.lower() == host.lower() and bool(host)
    except ValueError:
        return False


async def _body(headers: Mapping[str, str], receive: Receive) -> bytes:
    """A whole body, of bounded size and within bounded time; JSON or nothing."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await _read(receive)
    except TimeoutError:
        raise Refused(408, f"the body did not arrive within {BODY_SECONDS:g} seconds") from None
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != "application/json":
        raise Refused(415, "only JSON is read; send it with Content-Type: application/json")
    return body


async def _read(receive: Receive) -> bytes:
    found = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refused(400, "the request was given up")
        found += message.get("body", b"")
        if len(found) > MAX_BODY_BYTES:
            raise Refused(413, f"the body is larger than {MAX_BODY_BYTES:,} bytes")
        if not message.get("more_body"):
            return bytes(found)


def _given(body: bytes, receive: Receive) -> Receive:
    """The body, once; then whatever comes, such as that the client went away."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def once() -> Message:
        return waiting.pop() if waiting else await receive()

    return once


def _carrying(send: Send, scope: Scope, csp: str) -> Send:
    async def carry(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in {**_ALWAYS, "content-security-policy": csp}.items():
                headers.setdefault(name, value)
            if scope["path"].startswith(API):
                headers.setdefault("cache-control", "no-store")
        await send(message)

    return carry
