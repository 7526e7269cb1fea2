"""How long hosts rest between two requests. No input or output: the caller tells what happened and when.

A host here is a host with its port, as in `urls.host_of`; all times are those of `clock.now`. Called by live.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Annotated

from pydantic import Field, TypeAdapter

from honeyguide.errors import FetchError, FetchTimeout, HostUnreachable, HttpStatusError
from honeyguide.model import Response
from honeyguide.settings.sections import PolitenessSettings
from honeyguide.urls import site_of

FIRST_BACKOFF_SECONDS = 60.0
MARGIN_SECONDS = 0.02
"""Added to every rest, as the end of an answer can reach us before its host has seen it leave: busy hosts noted it
up to 6 ms later. That no gap is shorter than the delay is for the host to see."""

_MAX_RECORD_CHARS = 1000
_OVERLOADED = (429, 503)
_HOSTS_BEFORE_FORGETTING = 50_000
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(slots=True)
class _Rest:
    """What is known of one host, or of one group of hosts that are asked one at a time."""

    ended: _Amount  # of the last answer
    seconds: _Amount  # that it took
    blocked_until: _Amount = 0.0
    backoff_seconds: _Amount = 0.0  # the wait that the last refusal without a date earned


class Politeness:
    """Knows when each host may be asked again.

    The rest counts from the end of the last answer and lasts as long as the longest of: our own delay, the
    delay of its robots.txt, and a multiple of the time the last answer took. Refusals (429, 503) and silence
    block the host for as long as it says, or for a minute, two, four ...; every answer halves the next block.
    """

    def __init__(self, settings: PolitenessSettings) -> None:
        self._settings = settings
        self._delays: dict[str, float] = {}
        self._addresses: dict[str, str] = {}
        self._rests: dict[str, _Rest] = {}
        self._changed: set[str] = set()
        self._forget_at = _HOSTS_BEFORE_FORGETTING
        groups: dict[str, Callable[[str], str]] = {
            "host": str,
            "site": site_of,
            "address": lambda host: self._addresses.get(host, host),
        }
        self.group_of = groups[settings.one_request_per]
        """The name of the hosts that are asked one at a time together with a host."""

    @property
    def by_address(self) -> bool:
        """Whether hosts are asked one at a time that have an address in common."""
        return self._settings.one_request_per == "address"

    def needs_address(self, host: str) -> bool:
        """Whether it cannot tell yet whom a host is asked together with."""
        return self.by_address and host not in self._addresses

    def note_address(self, host: str, address: str) -> None:
        """Take note of where a host is; it stays there for this crawl."""
        self._addresses.setdefault(host, address)

    def note_delay(self, host: str, robots_delay: float | None) -> None:
        """Take note of the seconds between two requests that a host's robots.txt asks for."""
        if robots_delay:
            self._delays[host] = robots_delay
        else:
            self._delays.pop(host, None)

    def note(self, host: str, ended: float, seconds: float, outcome: Response | FetchError) -> None:
        """Take note of a request that has ended, and how."""
        group = self.group_of(host)
        rest = self._rests.get(group)
        if rest is None:
            self._forget_rested(ended)
            rest = self._rests[group] = _Rest(ended, seconds)
        rest.ended, rest.seconds = ended, seconds
        self._block(rest, outcome)
        self._changed.add(group)

    def rest_until(self, host: str, now: float) -> float:
        """The moment from which the host may be asked, now or later."""
        rest = self._rests.get(self.group_of(host))
        if rest is None:
            return now
        pause = max(self.delay(host), self._settings.slowdown * rest.seconds)
        margin = MARGIN_SECONDS if pause else 0.0
        return max(now, rest.ended + pause + margin, rest.blocked_until)

    def is_stranger(self, host: str) -> bool:
        """Whether the host, or its group, has yet to answer, or has refused to the last time."""
        rest = self._rests.get(self.group_of(host))
        return rest is None or rest.backoff_seconds > 0

    def delay(self, host: str) -> float:
        """The seconds a host rests at least: our own floor, or what its robots.txt asks for."""
        settings, asked = self._settings, self._delays.get(host, 0.0)
        if settings.longer_delays != "obey":
            asked = min(asked, settings.max_delay_seconds)
        return max(settings.delay_seconds, asked)

    def is_skipped(self, host: str) -> bool:
        """Whether the host asks for so long a rest that this crawl would rather do without it."""
        settings = self._settings
        return settings.longer_delays == "skip" and self._delays.get(host, 0.0) > settings.max_delay_seconds

    def take_records(self) -> dict[str, str]:
        """A text for each group that has changed since the last call."""
        changed, self._changed = self._changed, set()
        return {
            group: _RECORD.dump_json(self._rests[group]).decode() for group in changed if group in self._rests
        }

    def restore_record(self, group: str, record: str, now: float) -> float:
        """Take back a text of `take_records`; a damaged one is ignored. Returns how many seconds it is ahead of now.

        The last request that the group had before it was kept may not have been its last, so it rests from now on.
        """
        rest = _read_record(record)
        if rest is None:
            return 0.0
        ahead, left = rest.ended - now, rest.blocked_until - max(rest.ended, now)
        rest.ended = now
        rest.blocked_until = now + min(max(left, 0.0), self._settings.max_backoff_seconds)
        self._rests[group] = rest
        if ahead > 0:
            self._changed.add(group)  # so that it is right from now on, whatever the clock does next
        return max(ahead, 0.0)

    def _block(self, rest: _Rest, outcome: Response | FetchError) -> None:
        longest = self._settings.max_backoff_seconds
        if _is_refusal(outcome):
            rest.backoff_seconds = min(max(2 * rest.backoff_seconds, FIRST_BACKOFF_SECONDS), longest)
            wait = rest.backoff_seconds
        else:
            halved = rest.backoff_seconds / 2
            rest.backoff_seconds = halved if halved >= FIRST_BACKOFF_SECONDS else 0.0
            wait = 0.0
        asked = retry_after_seconds(_headers(outcome), rest.ended)
        blocked_until = rest.ended + min(wait if asked is None else asked, longest)
        rest.blocked_until = max(rest.blocked_until, blocked_until)

    def _forget_rested(self, now: float) -> None:
        """Hosts that may be asked anyway need not be remembered; looked for whenever their number doubles."""
        if len(self._rests) < self._forget_at:
            return
        longest = max(map(self.delay, self._delays), default=self._settings.delay_seconds)
        self._rests = {
            group: rest for group, rest in self._rests.items() if not self._is_over(rest, now - longest)
        }
        self._forget_at = max(_HOSTS_BEFORE_FORGETTING, 2 * len(self._rests))

    def _is_over(self, rest: _Rest, now: float) -> bool:
        ended = rest.ended + self._settings.slowdown * rest.seconds
        return max(ended, rest.blocked_until) < now and not rest.backoff_seconds


def retry_after_seconds(headers: Mapping[str, str], now: float) -> float | None:
    """Read Retry-After, which is a number of seconds or a date; None if there is none to be understood.

    >>> retry_after_seconds({"retry-after": "120"}, now=0.0)
    120.0
    >>> retry_after_seconds({"retry-after": "Thu, 01 Jan 1970 00:01:00 GMT"}, now=20.0)
    40.0
    """
    text = headers.get("retry-after", "").strip()[:100]
    if not text:
        return None
    try:
        seconds = float(text) if text[:1].isdigit() else parse_date(text) - now
    except ValueError:
        return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def parse_date(text: str) -> float:
    """Read a date as servers write it, in any of the three forms of HTTP or in ISO 8601. Raises ValueError."""
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError, OverflowError):
        moment = datetime.fromisoformat(text)
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except OverflowError as error:
        raise ValueError(text) from error


def _is_refusal(outcome: Response | FetchError) -> bool:
    if isinstance(outcome, HttpStatusError):
        return outcome.status in _OVERLOADED
    return isinstance(outcome, (FetchTimeout, HostUnreachable))


def _headers(outcome: Response | FetchError) -> Mapping[str, str]:
    """The headers that may hold a Retry-After; on a page that was given, it would mean nothing."""
    if isinstance(outcome, HttpStatusError):
        return outcome.headers
    return outcome.headers if isinstance(outcome, Response) and outcome.redirect is not None else {}


_RECORD = TypeAdapter(_Rest)


def _read_record(record: str) -> _Rest | None:
    try:
        return _RECORD.validate_json(record[:_MAX_RECORD_CHARS], strict=True)
    except ValueError:
        return None
