"""One page from the live Web, whole or not at all, within limits of size, time and address.

Fetchers of pages, robots.txt and sitemaps call it. It knows nothing of politeness, and follows no redirect.
"""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections import OrderedDict

import aiohttp
from yarl import URL

from honeyguide.errors import FetchError, HttpStatusError, NotText, TooLarge
from honeyguide.fetch.base import NEVER_SEEN
from honeyguide.fetch.body import BodyReader
from honeyguide.fetch.budget import BytesInFlight
from honeyguide.fetch.cookies import SiteCookies
from honeyguide.fetch.guard import AddressGuard, GuardedResolver
from honeyguide.fetch.http_errors import fetch_error
from honeyguide.fetch.unpacking import ACCEPTED, is_text
from honeyguide.fetch.wire import CountingConnector, Reply
from honeyguide.model import REDIRECTS, Response, Validators
from honeyguide.parse.registry import mime_type, parsers
from honeyguide.parse.sitemap import may_be_packed_sitemap, may_come_as
from honeyguide.settings.sections import FetchSettings

_ASKABLE = re.compile(r"https?://[!-~]+")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")

SHORTEST_WAIT_SECONDS = 2.0

_ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5"
_MAX_HEADERS = 100
_MAX_HEADER_LINE_BYTES = 8190
_MAX_HEADER_BYTES = 65_536
_KEEP_SECONDS = 15.0
_KEPT_CONNECTIONS = 400
_MOST_WAITING = 256
# aiohttp stops reading at twice that, which is what those who wait for room may hold.
_READ_BUFFER_BYTES = 1 << 16
_PARTIAL_CONTENT = 206


class HttpClient:
    """Asks hosts for pages over HTTP/1.1, over connections that are kept open for the next request.

    Make it anywhere; use and close it within one event loop.
    """

    def __init__(
        self, *, user_agent: str, settings: FetchSettings, guard: AddressGuard, max_body_bytes: int
    ) -> None:
        self._settings = settings
        self._guard = guard
        self._max_body_bytes = max_body_bytes
        self._headers = {"User-Agent": user_agent, "Accept": _ACCEPT, "Accept-Encoding": ACCEPTED}
        taken = parsers() if settings.content_types is None else settings.content_types
        self._content_types = frozenset(map(str.lower, taken))
        self._cookies = SiteCookies() if settings.cookies else None
        self._connections = _KeptConnections()
        self._in_flight = BytesInFlight(max_body_bytes)
        self._resolver: GuardedResolver | None = None
        self._session: aiohttp.ClientSession | None = None
        self._usual_waits = self._waits(1.0)

    async def get(
        self,
        url: str,
        *,
        validators: Validators = NEVER_SEEN,
        any_type: bool = False,
        max_body_bytes: int | None = None,
        cut_body: bool = False,
        patience: float = 1.0,
    ) -> Response:
        """Bring what stands at a canonical url; redirects and "not modified" come back with an empty body.

        Raises FetchError and nothing else: HttpStatusError from status 400 on, NotText for other content types
        than the settings name and sitemaps have (unless `any_type`), TooLarge beyond `max_body_bytes`, packed or
        unpacked. With `cut_body` the first bytes of what is too large are brought, as robots.txt needs it. Any
        other body counts as being in memory until `body_done`. All waits are `patience` times as long as the
        settings say, but not cut below `SHORTEST_WAIT_SECONDS`.
        """
        limit = self._max_body_bytes if max_body_bytes is None else max_body_bytes
        total_seconds, waits = self._usual_waits if patience == 1.0 else self._waits(patience)
        try:
            with self._in_flight.page() as room:
                async with asyncio.timeout(total_seconds) as deadline:
                    reader = BodyReader(room, deadline, limit, cut_body)
                    response = await self._exchange(url, validators, any_type, cut_body, reader, waits)
                if not cut_body:
                    room.keep(len(response.body))
                return response
        except FetchError:
            raise
        # Hostile answers have made aiohttp raise much that it does not promise: none of it may end the crawl.
        except Exception as error:
            raise fetch_error(error, total_seconds) from error

    def body_done(self, size: int) -> None:
        """Take note that a body of this size, which was brought, has been read and is gone."""
        self._in_flight.done(size)

    @property
    def waiting(self) -> int:
        """How many requests are not on the wire, as they wait for others to be done with large pages.

        Not all when very many do: each has some of its page in memory already.
        """
        return min(self._in_flight.waiting, _MOST_WAITING)

    async def address_of(self, host: str) -> str:
        """The least address of a host, whatever order its answers come in; empty if it has none, or none allowed."""
        self._opened()
        assert self._resolver is not None
        try:
            name = URL(f"http://{host}/", encoded=True).raw_host or host
            found = await self._resolver.resolve(name, family=socket.AF_UNSPEC)
        except Exception:  # of whatever kind: the request itself will say what is wrong with the host
            return ""
        return min(one["host"] for one in found)

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None and self._resolver is not None:
            await self._session.close()
            await self._resolver.close()
            self._session = self._resolver = None

    async def _exchange(
        self,
        url: str,
        validators: Validators,
        any_type: bool,
        cut: bool,
        reader: BodyReader,
        waits: aiohttp.ClientTimeout,
    ) -> Response:
        started = time.perf_counter()
        target = self._target(url)
        headers = self._request_headers(target, validators)
        if cut:  # the beginning of a packed text cannot be relied upon
            headers["Accept-Encoding"] = "identity"
        async with self._opened().get(target, headers=headers, allow_redirects=False, timeout=waits) as reply:
            assert isinstance(reply, Reply)
            headers = _clean_headers(reply)
            if self._cookies is not None:
                self._cookies.take(target, reply.cookies)
            body = await self._body(reply, headers, any_type, reader)
            return Response(
                url=url,
                status=reply.status,
                body=body,
                headers=headers,
                address=reply.address,
                request=_request_bytes(reply),
                seconds=time.perf_counter() - started,
                packed=reader.packed,
            )

    def _waits(self, patience: float) -> tuple[float, aiohttp.ClientTimeout]:
        """The longest time for a page, which stands still while there is no room for it, and other waits."""
        settings = self._settings

        def wait(usual: float) -> float:
            return max(usual * patience, min(usual, SHORTEST_WAIT_SECONDS))

        return wait(settings.total_seconds), aiohttp.ClientTimeout(
            total=None,
            sock_connect=wait(settings.connect_seconds),
            sock_read=wait(settings.read_seconds),
        )

    def _target(self, url: str) -> URL:
        if _ASKABLE.fullmatch(url) is None:
            raise FetchError(f"{url[:200]!a} is not a canonical http(s) url")
        target = URL(url, encoded=True)
        if target.raw_user is not None or target.raw_password is not None:
            raise FetchError("a url with a user name or password is never asked")
        host = target.raw_host or ""
        # These are connected to without DNS, so the resolver does not see them.
        if ":" in host or host.replace(".", "").isdigit():
            self._guard.check(host)
        return target

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            settings = self._settings
            self._resolver = GuardedResolver(self._guard, seconds=settings.connect_seconds)
            self._session = aiohttp.ClientSession(
                connector=CountingConnector(
                    max_body_bytes=self._max_body_bytes,
                    resolver=self._resolver,
                    use_dns_cache=False,
                    limit=0,  # whoever asks sees to it, and those who wait for room do not count
                    limit_per_host=1,
                    keepalive_timeout=_KEEP_SECONDS,
                ),
                headers=self._headers,
                cookie_jar=aiohttp.DummyCookieJar(),
                response_class=Reply,
                auto_decompress=False,
                read_bufsize=_READ_BUFFER_BYTES,
                max_line_size=_MAX_HEADER_LINE_BYTES,
                max_field_size=_MAX_HEADER_LINE_BYTES,
                max_headers=_MAX_HEADERS,
            )
        return self._session

    def _request_headers(self, target: URL, validators: Validators) -> dict[str, str]:
        headers = {}
        if validators.etag:
            headers["If-None-Match"] = _clean(validators.etag)
        if validators.last_modified:
            headers["If-Modified-Since"] = _clean(validators.last_modified)
        if self._cookies is not None and (cookies := self._cookies.header(target)):
            headers["Cookie"] = _clean(cookies)
        if not self._connections.may_keep(target.raw_authority):
            headers["Connection"] = "close"
        return headers

    async def _body(self, reply: Reply, headers: dict[str, str], any_type: bool, reader: BodyReader) -> bytes:
        if reply.status >= 400:
            await reader.drain(reply)
            raise HttpStatusError(reply.status, headers)
        if reply.status in REDIRECTS and "location" in headers:
            await reader.drain(reply)
            return b""
        if reply.status < 200 or reply.status == _PARTIAL_CONTENT:
            raise FetchError(f"the host answered with status {reply.status}, which was not asked for")
        content_type = mime_type(headers.get("content-type", ""))
        if content_type and not any_type and not self._takes_type(content_type, reply):
            raise NotText(f"the content type {content_type} is not among fetch.content_types")
        body = await reader.read(reply, headers.get("content-encoding", ""))
        if (
            not content_type
            and not any_type
            and not (is_text(body) or may_be_packed_sitemap(str(reply.url), body))
        ):
            raise NotText("the page has no content type, and does not look like text")
        return body

    def _takes_type(self, content_type: str, reply: Reply) -> bool:
        return content_type in self._content_types or may_come_as(str(reply.url), content_type)


class _KeptConnections:
    """Counts hosts asked lately, as idle connections to very many would use up all file handles."""

    def __init__(self) -> None:
        self._asked: OrderedDict[str, float] = OrderedDict()

    def may_keep(self, host: str) -> bool:
        now = time.monotonic()
        while self._asked and next(iter(self._asked.values())) < now - _KEEP_SECONDS:
            self._asked.popitem(last=False)
        if host not in self._asked and len(self._asked) >= _KEPT_CONNECTIONS:
            return False
        self._asked[host] = now
        self._asked.move_to_end(host)
        return True


def _clean_headers(reply: Reply) -> dict[str, str]:
    if sum([len(name) + len(value) for name, value in reply.raw_headers]) > _MAX_HEADER_BYTES:
        raise TooLarge(f"the headers have more than {_MAX_HEADER_BYTES} bytes")
    headers: dict[str, str] = {}
    pairs = reply.headers.items()
    together = "".join([text for pair in pairs for text in pair])
    is_clean = together.isascii() and together.isprintable()  # as nearly all are
    for name, value in pairs:
        name = name.lower()
        if not is_clean:
            name, value = _clean(name), _clean(value)
        if headers.setdefault(name, value) != value:
            headers[name] += f", {value}"
    return headers


def _clean(text: str) -> str:
    """The text of a header without control characters and, where its bytes are not UTF-8, with U+FFFD."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub("", text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")).strip()


def _request_bytes(reply: Reply) -> bytes:
    asked = reply.request_info
    lines = [f"{asked.method} {asked.url.raw_path_qs} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in asked.headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")
