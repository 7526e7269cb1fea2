"""Requests about one crawl: commands and answers, lists, jobs that are waited for. A part of `RemoteCrawl`."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from honeyguide.client.pages import RemotePage
from honeyguide.client.shapes import Json, post_of, visit_of
from honeyguide.commands import Command, written
from honeyguide.errors import SettingsError, StoreError
from honeyguide.store.base import Post

if TYPE_CHECKING:
    from honeyguide.client.server import Client
    from honeyguide.crawls import Crawl

LOOK_SECONDS = (0.05, 1.0)
"""Between two looks at a job, at first and at most."""


class RemoteAsking:
    """What may be asked of a crawl, wherever it runs."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name
        self._path = f"/crawls/{quote(name, safe='')}"

    def _get(self, path: str, **query: object) -> Json:
        return self.client.json("GET", self._path + path, **query)

    def _post(self, path: str, body: Json = None, **query: object) -> Json:
        return self.client.json("POST", self._path + path, {} if body is None else body, **query)

    def _listed(self, path: str, **query: object) -> Iterator[Json]:
        return self.client.listed(self._path + path, **query)

    def send(self, command: Command) -> int:
        """Leave a command in the crawl's inbox; gives its number."""
        return int(self._post("/commands", json.loads(written(command)))["number"])

    def answer(self, number: int, seconds: float = 5.0) -> str | None:
        """What the crawl answered to the command of this number; None if it has not within so many seconds."""
        until = time.monotonic() + seconds
        while True:
            posts = self.inbox(since=number - 1)
            if (posts and posts[0].receipt is not None) or time.monotonic() >= until:
                return posts[0].receipt if posts else None
            time.sleep(LOOK_SECONDS[0])

    def inbox(self, since: int = 0) -> list[Post]:
        """Commands and what was answered to each, after the one with the number `since`."""
        return [post_of(row) for row in self._listed("/commands", cursor=since)]

    def _page(self, row: Json) -> RemotePage:
        return RemotePage(visit_of(row), cast("Crawl", self), row["relevant"])

    def _ended(self, job: Json) -> Json:
        """A job once it has ended; one that failed says why."""
        pause, longest = LOOK_SECONDS
        while job["state"] == "running":
            time.sleep(pause)
            pause = min(2 * pause, longest)
            job = self.client.json("GET", f"/jobs/{job['id']}")
        if job["state"] == "done":
            return job
        said = [line for line in job["log"].splitlines() if line.startswith("error: ")]
        why = said[-1].removeprefix("error: ") if said else f"the job {job['id']} was {job['state']}"
        raise (SettingsError if job["code"] == 2 else StoreError)(why)
