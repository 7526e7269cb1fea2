"""The live Web with manners: robots.txt first, one request at a time, and a rest for the host after each.

Made by assembly.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol
from weakref import WeakValueDictionary

from honeyguide import clock as crawl_clock
from honeyguide.errors import AddressForbidden, FetchError, FetchTimeout, HostUnreachable, RobotsDenied
from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.fetch.politeness import Politeness
from honeyguide.fetch.robots import Robots, RobotsRules
from honeyguide.fetch.strangers import Patience, SilentAddresses
from honeyguide.model import Response, Validators
from honeyguide.urls import host_of

MAX_WAIT_SECONDS = 120.0
"""A request waits for its host to have rested, but a host that rests longer is left for later."""
ROBOTS_RETRIES = 5
_SILENCE = (FetchTimeout, HostUnreachable, AddressForbidden)


class Client(Protocol):
    """`HttpClient`, as far as it is needed here."""

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
        """Ask a host for one thing, and wait for it as long as usual, or a share of that. Raises FetchError."""

    @property
    def waiting(self) -> int:
        """How many requests wait for room."""

    def body_done(self, size: int) -> None:
        """Take note that a body has been read."""

    async def address_of(self, host: str) -> str:
        """Where a host is; empty if that cannot be told."""

    async def close(self) -> None:
        """Close all connections."""


class Turns(Protocol):
    """Whose turn it is to ask an address, where others ask there, too."""

    def claim(self, group: str, now: float) -> float:
        """Take the turn; gives the moment until which it is somebody else's, or `now` if it is taken."""

    def leave(self, group: str, until: float) -> None:
        """Let the next have the turn, from a moment on."""


class PoliteClient:
    """Asks one thing at a time of a host, and only when it has rested."""

    def __init__(self, client: Client, politeness: Politeness, clock: Callable[[], float]) -> None:
        self._client = client
        self._politeness = politeness
        self._clock = clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.turns: Turns | None = None  # of groups whose hosts are not all asked from here
        self._strangers = Patience()
        self._addresses = SilentAddresses()
        self.contacts: list[tuple[str, bool]] = []  # hosts asked, and whether they answered
        self.resting = 0  # requests that wait for their host

    async def get(
        self,
        url: str,
        *,
        validators: Validators = NEVER_SEEN,
        any_type: bool = False,
        max_body_bytes: int | None = None,
        cut_body: bool = False,
    ) -> Response:
        """Do what `HttpClient.get` does, in good time."""
        host = host_of(url)
        turn = await self._turn(host)
        is_stranger = self._politeness.is_stranger(host)
        try:
            address = await self._checked_address(host) if is_stranger else ""
        except BaseException:
            turn.release()
            raise
        started = self._clock()
        # What is noted if the crawl is stopped: the host was asked all the same.
        outcome: Response | FetchError = FetchError("given up")
        try:
            outcome = await self._client.get(
                url,
                validators=validators,
                any_type=any_type,
                max_body_bytes=max_body_bytes,
                cut_body=cut_body,
                patience=self._strangers.share if is_stranger else 1.0,
            )
            self._note_contact(host, is_stranger, address, has_answered=True)
            return outcome
        except FetchError as error:
            outcome = error
            self._note_contact(host, is_stranger, address, has_answered=not isinstance(error, _SILENCE))
            raise
        finally:
            ended = self._clock()
            turn.release()  # nobody else runs before the next line has noted when the host may be asked again
            self._politeness.note(host, ended, max(ended - started, 0.0), outcome)
            if self.turns:
                self.turns.leave(self._politeness.group_of(host), self._politeness.rest_until(host, ended))
            del (
                outcome
            )  # an error and the frame it was raised in would keep each other, and all pages behind them

    async def _checked_address(self, host: str) -> str:
        """Where a stranger is, which cannot be told before it is its turn; refused if nobody answers there."""
        address = await self._client.address_of(host)
        if not self._addresses.may_try(address, host, self._clock()):
            self.contacts.append((host, False))
            raise HostUnreachable(
                f"{address}, where {host} is, has not answered other hosts' requests either"
            )
        return address

    def _note_contact(self, host: str, is_stranger: bool, address: str, has_answered: bool) -> None:
        self.contacts.append((host, has_answered))
        if is_stranger:
            self._strangers.note(has_answered)
        if address:
            self._addresses.note(address, host, has_answered, self._clock())

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def _turn(self, host: str) -> asyncio.Lock:
        """Wait until nobody else asks the host or its group, and it has rested. The caller releases the lock."""
        if self._politeness.needs_address(host) and (address := await self._client.address_of(host)):
            self._politeness.note_address(host, address)
        lock = self._locks.setdefault(self._politeness.group_of(host), asyncio.Lock())
        self.resting += 1
        try:
            await lock.acquire()
            try:
                await self._let_rest(host)
                await self._let_others(host)
            except BaseException:
                lock.release()
                raise
        finally:
            self.resting -= 1
        return lock

    async def _let_rest(self, host: str) -> None:
        # A sleep may end early, and the rest may have been prolonged meanwhile.
        while (wait := self._politeness.rest_until(host, now := self._clock()) - now) > 0:
            if wait > MAX_WAIT_SECONDS:
                raise _later(FetchError(f"{host} wants to be left alone for {wait:.0f} seconds"))
            await asyncio.sleep(wait)

    async def _let_others(self, host: str) -> None:
        """Wait for those who ask the same group from elsewhere."""
        group, started = self._politeness.group_of(host), self._clock()
        while self.turns and (until := self.turns.claim(group, now := self._clock())) > now:
            if now > started + MAX_WAIT_SECONDS:
                raise _later(FetchError(f"{host}: others have asked {group} all the time"))
            await asyncio.sleep(min(max(until - now, 0.01), 1.0))


class LiveFetcher(Fetcher):
    """Fetches from the live Web what robots.txt allows, as fast as is polite."""

    is_live = True
    tells_contacts = True

    def __init__(
        self, client: Client, politeness: Politeness, clock: Callable[[], float] = crawl_clock.now
    ) -> None:
        self._client = PoliteClient(client, politeness, clock)
        self._http = client
        self._politeness = politeness
        self._robots = Robots(self._client.get)
        self._clock = clock

    def share_turns(self, turns: Turns) -> None:
        """Ask addresses by turns with others; where whole sites are spared, nobody else asks their hosts."""
        self._client.turns = turns if self._politeness.by_address else None

    @property
    def resting(self) -> int:
        """Requests that wait for their host to have rested after its robots.txt, or for room for a large page."""
        return self._client.resting + self._http.waiting

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        """Bring a page if its host allows it; the first page of a host has to wait for its robots.txt."""
        await self._check_robots(url)
        return await self._client.get(url, validators=validators)

    def body_done(self, size: int) -> None:
        """Give back the room of a page that has been read."""
        self._http.body_done(size)

    def rest_until(self, url: str, now: float) -> float:
        """The moment from which the url's host, or its robots.txt where that failed, may be asked again."""
        rest = self._politeness.rest_until(host_of(url), now)
        rules = self._robots.known(_origin(url), now)
        return rest if rules is None or rules.is_final else max(rest, rules.expires)

    def take_contacts(self) -> Sequence[tuple[str, bool]]:
        """Hosts asked since the last call, for a page or robots.txt, and whether they answered anything at all."""
        taken, self._client.contacts = self._client.contacts, []
        return taken

    def take_sitemaps(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Sitemaps found since the last call: the url of a robots.txt and the urls it lists."""
        return self._robots.take_sitemaps()

    def take_host_records(self) -> Mapping[str, str]:
        """Rests by host and rules by origin, where they have changed since the last call."""
        return self._politeness.take_records() | self._robots.take_records()

    def restore_host_records(self, records: Mapping[str, str]) -> float:
        """Take back what was kept before a restart; damaged records are ignored."""
        now, ahead = self._clock(), 0.0
        for name, record in records.items():
            if "://" not in name:
                ahead = max(ahead, self._politeness.restore_record(name, record, now))
            elif rules := self._robots.restore_record(name, record, now):
                self._politeness.note_delay(host_of(name), rules.delay_seconds)
        return ahead

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def _check_robots(self, url: str) -> None:
        host = host_of(url)
        rules = await self._robots.rules(_origin(url), self._clock())
        self._politeness.note_delay(host, rules.delay_seconds)
        if not rules.is_reachable:
            raise HostUnreachable(rules.reason)
        if not rules.is_final:
            raise _later(RobotsDenied(f"{rules.url} cannot be had, so nothing is allowed: {rules.reason}"))
        if self._politeness.is_skipped(host):
            raise RobotsDenied(_too_slow(rules))
        if not rules.allows(url):
            raise RobotsDenied(f"{rules.url} forbids it")


def _too_slow(rules: RobotsRules) -> str:
    return (
        f"{rules.url} asks for {rules.delay_seconds:g} seconds between requests, more than"
        " politeness.max_delay_seconds. Raise that, or set politeness.longer_delays to obey or shorten."
    )


def _later(error: FetchError) -> FetchError:
    """Mark an error as one that says nothing about the page, so that it is tried again."""
    error.max_retries = ROBOTS_RETRIES
    return error


def _origin(url: str) -> str:
    return url[: url.index("/", len("https://"))]
