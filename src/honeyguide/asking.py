"""Commands to a crawl, and its answers. A part of `Crawl`."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

from honeyguide.commands import Command
from honeyguide.store.base import Post
from honeyguide.store.inbox import post_all
from honeyguide.store.reader import Reader


class Asking(ABC):
    """What may be asked of a crawl, whichever process runs it."""

    folder: Path

    @abstractmethod
    def reader(self) -> Reader:
        """Everything that is stored, as of the last commit."""

    def send(self, command: Command) -> int:
        """Leave a command in the crawl's inbox; gives its number. `inbox` tells what the crawl answered.

        It is obeyed between batches, exactly once, and by a crawl that does not run when it is next run; but pause,
        resume and stop are for a running one.
        """
        return self._send_all([command])[0]

    def _send_all(self, commands: Iterable[Command]) -> list[int]:
        """The same of many at once, which takes little longer than one: all are left or, if anything fails, none."""
        with self.reader():  # a crawl of an earlier version is brought up to date
            return post_all(self.folder, commands)

    def answer(self, number: int, seconds: float = 5.0) -> str | None:
        """What the crawl answered to the command of this number; None if it has not within so many seconds."""
        until = time.monotonic() + seconds
        while True:
            posts = self.inbox(since=number - 1)
            if (posts and posts[0].receipt is not None) or time.monotonic() >= until:
                return posts[0].receipt if posts else None
            time.sleep(0.05)

    def inbox(self, since: int = 0) -> list[Post]:
        """Commands and what was answered to each, after the one with the number `since`."""
        with self.reader() as reader:
            return reader.posts(since)
