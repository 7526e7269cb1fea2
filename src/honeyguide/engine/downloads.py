"""Requests under way: urls leave the frontier here and come back as arrivals. The only place that awaits a fetcher."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from honeyguide import clock
from honeyguide.admission.yields import HostYield
from honeyguide.engine.arrival import Arrival
from honeyguide.errors import FetchError, HttpStatusError, Unreadable, in_one_line
from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.frontier.frontier import Frontier
from honeyguide.model import Ids, Response, Validators
from honeyguide.state.state import State
from honeyguide.store.base import Store


class _Asked(NamedTuple):
    """A url that is handed out, with what the store knows of it."""

    url_id: int
    url: str
    via: str
    validators: Validators


class Downloads:
    """Takes urls from the frontier, has them fetched, and releases their hosts as soon as they have answered."""

    def __init__(
        self, state: State, frontier: Frontier, fetcher: Fetcher, store: Store, yields: HostYield
    ) -> None:
        self._state = state
        self._frontier = frontier
        self._fetcher = fetcher
        self._store = store
        self._yields = yields
        self._trust: dict[int, int] = {}  # of hosts for which it has changed
        self.has_answer = False  # whether anybody has answered anything
        self.under_way: dict[asyncio.Task[Arrival], int] = {}  # with their urls, in the order handed out

    def start(self, count: int) -> None:
        """Hand out up to so many urls more."""
        self._hear()
        ids = self._without_starved(self._frontier.acquire(count, clock.now()))
        for asked in self._asked(ids):
            self.under_way[asyncio.create_task(self._fetch(asked))] = asked.url_id

    def _asked(self, ids: Ids) -> list[_Asked]:
        if not len(ids):
            return []
        texts = self._store.url_texts(np.concatenate((ids, self._state.urls["via"][ids])))
        known = self._validators(ids)
        return [
            _Asked(url_id, url, via, known.get(url_id, NEVER_SEEN))
            for url_id, url, via in zip(ids.tolist(), texts[: len(ids)], texts[len(ids) :], strict=True)
        ]

    def _without_starved(self, ids: Ids) -> Ids:
        """Drop what was queued before its host turned out to bring nothing; it costs the host no request."""
        hosts = self._state.urls["host"][ids].tolist()
        is_starved = np.array([self._yields.is_starved(host) for host in hosts], dtype=np.bool_)
        for url_id, host in zip(ids.tolist(), hosts, strict=True):
            if self._yields.is_starved(host):
                self._frontier.drop_host_of(url_id)
                self._frontier.release(url_id, float(self._state.hosts["ready_at"][host]))
        return ids[~is_starved]

    def on_the_wire(self) -> int:
        """Requests under way but for those that wait for their host to have rested."""
        return len(self.under_way) - self._fetcher.resting

    def _validators(self, ids: Ids) -> dict[int, Validators]:
        seen = ids[~np.isnan(self._state.urls["relevance"][ids])]
        return self._store.validators(seen) if len(seen) else {}

    async def _fetch(self, asked: _Asked) -> Arrival:
        url_id, url, via, validators = asked
        try:
            outcome: Response | FetchError = await self._fetcher.fetch(url, validators)
        except FetchError as error:
            outcome = error.with_traceback(None)  # which would keep this frame, and all that it refers to
        except Exception as error:  # whatever a host can make a fetcher stumble over, it costs its own page
            outcome = Unreadable(f"fetching it failed: {in_one_line(error)}")
        self._frontier.release(url_id, self._fetcher.rest_until(url, clock.now()))
        self.has_answer |= isinstance(outcome, Response | HttpStatusError)
        is_conditional = validators != NEVER_SEEN
        return Arrival(url_id, url, via, outcome, time.time(), is_conditional=is_conditional)

    async def batch(self, count: int) -> list[Arrival]:
        """Hand out up to so many urls and have them fetched one after the other: for webs that answer at once."""
        ids = self._frontier.acquire(count, clock.now())
        return [await self._fetch(asked) for asked in self._asked(ids)]

    async def some(self, also: Iterable[asyncio.Future[Any]], seconds: float) -> list[Arrival]:
        """Wait until something has arrived, or one of the others is done, or the time is over."""
        awaited: set[asyncio.Future[Any]] = {*self.under_way, *also}
        if awaited:
            await asyncio.wait(awaited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(seconds)
        done = [task for task in self.under_way if task.done()]
        for task in done:
            del self.under_way[task]
        return [task.result() for task in done]

    def turn_to(self, state: State, frontier: Frontier, yields: HostYield) -> None:
        """Go on with a state made anew, from which nothing that is under way may be handed out again."""
        frontier.hold(np.array([*self.under_way.values()], dtype=np.int32))
        self._state, self._frontier, self._yields = state, frontier, yields

    async def cancel(self) -> None:
        """Give up all that is under way; it will be asked for again."""
        for task in self.under_way:
            task.cancel()
        await asyncio.gather(*self.under_way, return_exceptions=True)
        self.under_way.clear()

    def take_trust(self) -> dict[int, int]:
        """How sure hosts are to answer, where that has changed since the last call."""
        self._hear()
        trust, self._trust = self._trust, {}
        return trust

    def _hear(self) -> None:
        """Have the frontier know who has answered: a host that did need not be waited for like a stranger."""
        for name, has_answered in self._fetcher.take_contacts():
            self.has_answer |= has_answered
            host = self._state.find_host(name)
            if host is not None and self._frontier.hear(host, has_answered):
                self._trust[host] = int(self._state.hosts["trust"][host])
