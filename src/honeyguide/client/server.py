"""A server of crawls: requests over HTTP, within limits of time and size."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import cast
from urllib.parse import urlencode, urlsplit

from honeyguide.client.crawl import RemoteCrawl
from honeyguide.client.problems import error_of
from honeyguide.client.shapes import Json, Told
from honeyguide.errors import ServerError, SettingsError

PREFIX = "/api/v1"
TIMEOUT_SECONDS = 60.0
MOST_BYTES = 256 << 20
"""Of one answer: more would be no part of a list, but a mistake."""
AT_ONCE = 500
"""Rows of a list that are asked for at a time."""


class Client:
    """A server of crawls. Nothing is held: every call is a request of its own."""

    def __init__(self, url: str, token: str = "", timeout: float = TIMEOUT_SECONDS) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError(f"{url[:200]!r} is no url of a server; give one as http://127.0.0.1:8765")
        self.url = url.rstrip("/")
        self._parts = parts
        self._token = token
        self._timeout = timeout

    def crawls(self) -> list[str]:
        """The names of the crawls there are."""
        return [listed["name"] for listed in self.listed("/crawls")]

    def crawl(self, name: str) -> RemoteCrawl:
        """One of them; StoreError if there is none of this name."""
        found = RemoteCrawl(self, name)
        found.revisions()  # a request that costs little
        return found

    def start(
        self,
        name: str,
        topic: str = "",
        seeds: Sequence[str] = (),
        *,
        settings: Mapping[str, object] | None = None,
        run: bool = False,
    ) -> RemoteCrawl:
        """Begin a crawl over there, and have it crawled if wanted; all else goes by its name into `settings`."""
        wanted = {"name": name, "topic": topic, "seeds": [*seeds], "settings": settings or {}, "run": run}
        self.json("POST", "/crawls", wanted)
        return RemoteCrawl(self, name)

    # Requests

    def json(self, method: str, path: str, body: Json = None, **query: object) -> Json:
        """What the server answers to a request."""
        told = self.bytes(method, path, body, **query)
        try:
            return json.loads(told, object_hook=Told)
        except (ValueError, RecursionError):
            raise ServerError(f"{self.url} answers with no JSON; is it a server of honeyguide?") from None

    def listed(self, path: str, **query: object) -> Iterator[Json]:
        """The items of a list, part by part."""
        cursor: object = query.pop("cursor", None)
        while True:
            part = self.json("GET", path, cursor=cursor, most=AT_ONCE, **query)
            yield from part["items"]
            if (cursor := part["next"]) is None:
                return

    def bytes(self, method: str, path: str, body: Json = None, **query: object) -> bytes:
        """The same as it was sent. Whatever goes wrong is one of our errors."""
        given = {key: _word(value) for key, value in query.items() if value is not None}
        target = f"{self._parts.path.rstrip('/')}{PREFIX}{path}" + (f"?{urlencode(given)}" if given else "")
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        connection = kind(cast(str, self._parts.hostname), self._parts.port, timeout=self._timeout)
        try:
            connection.request(method, target, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            told = answer.read(MOST_BYTES + 1)
        except TimeoutError:
            raise ServerError(
                f"{self.url} has not answered within {self._timeout:g} s; try again later"
            ) from None
        except (OSError, HTTPException, ValueError) as error:
            raise ServerError(
                f"{self.url} cannot be asked: {error or type(error).__name__}; is `honeyguide serve` running there?"
            ) from error
        finally:
            connection.close()
        if len(told) > MOST_BYTES:
            raise ServerError(
                f"{self.url} answers with more than {MOST_BYTES >> 20} MB; ask for less at once"
            )
        if answer.status >= 300:
            raise error_of(answer.status, told, self.url)
        return told


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
