"""Every exception the package raises on purpose.

HoneyguideError
├── SettingsError          a crawl order, option or plug-in parameter is wrong
├── StoreError             the crawl's folder cannot be used
│   ├── CrawlLocked        another process has it open
│   ├── NoIndex            its pages cannot be searched yet
│   └── DiskFull           nothing more can be written; everything committed is safe
├── TopicError             the topic cannot be used
├── ImportFailed           a file given by the user cannot be read
├── ServerError            a server of crawls cannot be asked, or turns one away
└── FetchError             one page could not be had; the class says what to do about it
    ├── RobotsDenied  FetchTimeout  HostUnreachable  TooLarge
    └── AddressForbidden  NotText  HttpStatusError  Unreadable

A message says what was wrong, where, and what to do next.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from pathlib import Path


class HoneyguideError(Exception):
    """Base of all errors raised on purpose; the command line prints its message without a traceback."""


class SettingsError(HoneyguideError):
    """A crawl order, option or plug-in parameter is wrong."""


class StoreError(HoneyguideError):
    """The crawl's folder cannot be used."""


class CrawlLocked(StoreError):
    """Another process has the crawl open."""


class NoIndex(StoreError):
    """The pages of the crawl cannot be searched yet."""


class DiskFull(StoreError):
    """Nothing more can be written; everything committed so far is safe."""


class TopicError(HoneyguideError):
    """The topic cannot be used."""


class ImportFailed(HoneyguideError):
    """A file given by the user cannot be read."""


class ServerError(HoneyguideError):
    """A server of crawls cannot be asked, or turns one away."""


class FetchError(HoneyguideError):
    """One page could not be had. `max_retries` says how often the crawler tries again; the host rests in between.

    A failure is `fruitless` when it tells something of what the host has to give: enough of them, and it is left.
    """

    max_retries: int = 0
    fruitless: bool = True
    is_request: bool = True  # whether anybody was asked for the page


class RobotsDenied(FetchError):
    """robots.txt forbids this page."""

    fruitless = is_request = False


class FetchTimeout(FetchError):
    """The host took too long."""

    max_retries = 2
    fruitless = False  # the host rests longer and longer


class HostUnreachable(FetchError):
    """No connection could be made, or it broke."""

    max_retries = 2
    fruitless = False


class TooLarge(FetchError):
    """The body or headers exceed the size limit."""


class AddressForbidden(FetchError):
    """The host's address is not one this crawl may talk to."""

    fruitless = is_request = False


class NotText(FetchError):
    """The content type is not one the crawl wants."""


class Unreadable(FetchError):
    """The page came, but reading, judging or storing it failed; asked again it would fail again."""


class HttpStatusError(FetchError):
    """The host answered with an error status."""

    def __init__(self, status: int, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(f"HTTP status {status}")
        self.status = status
        self.headers = headers or {}  # names in lower case; Retry-After is among them
        if status in (408, 425, 429, 500, 502, 503, 504):
            self.max_retries = 2
        self.fruitless = status not in (429, 503)  # the host is busy, and rests longer and longer


class UnknownPlugin(SettingsError):
    """No strategy or topic model has this name."""


class NothingNew(SettingsError):
    """The last revision of the topic has learned all there is to learn."""


class ContactMissing(SettingsError):
    """Whoever asks strangers for pages must say who they are."""


class NotRecorded(HttpStatusError):
    """A link leads out of the recorded web; there it may have led to a page."""

    is_request = False

    def __init__(self) -> None:
        super().__init__(404)
        self.args = ("not in this recording",)


def in_one_line(error: Exception) -> str:
    """What went wrong and where in the code: whoever wrote a plug-in must be able to find it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
