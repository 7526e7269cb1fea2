"""Pages kept fresh: which are asked for again, and when. The rule that divides requests is in `freshness`.

What is known of a page's changes are values of its url, what is known of a site's are those of its host. Everything
that decides is kept with the commit of the pages it follows from, so that a crawl that was killed goes on the same way.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from honeyguide.engine.arrival import Arrival
from honeyguide.errors import FetchTimeout, HostUnreachable, HttpStatusError
from honeyguide.freshness.evidence import DAY_SECONDS, any_date, told_by
from honeyguide.freshness.rates import LONGEST_GAP, after_look, known_rate, site_rate, spread_of_rates
from honeyguide.freshness.worth import LEAST_WORTH, discovery_worth, refresh_worth, worth_from
from honeyguide.model import ROOT, Bools, Failure, Floats, Ids, Priorities, Status, Visit
from honeyguide.sample_web.changing import BEGINNING
from honeyguide.state.state import State
from honeyguide.state.tables import HOSTS
from honeyguide.urls import fingerprints
from honeyguide.wording import count, moment

LOOKED, CHANGES, DAYS = "fresh looked", "fresh changes", "fresh days"
"""Of a url: the day of its last look (since 1970), and the two numbers of its rate."""
MISSING, ANNOUNCED = "fresh missing", "fresh announced"
"""The day since which it is missing, and that of which a sitemap or feed says that it changed; 0: none."""

KEEPING = "keeping fresh"
"""The array of what is known of the crawl as a whole; its places follow."""
_CLOCK, _SINCE, _NEXT, _BROUGHT, _TRIED, _PAGES = range(6)

TOP = 1e9
"""Above every priority of a strategy: what is asked for again was found to be worth more than what waits."""

GONE_AFTER_DAYS = 1.0
"""Between the first look at which a page was missing and the second, which settles it."""
GONE_STATUSES = frozenset((404, 410))
FOR_NOW = frozenset((302, 303, 307))
"""Of redirects that do not say that they are for ever: sites in repair, log-ins, consent."""
MISSING_STATUSES = GONE_STATUSES | FOR_NOW

AWAY = (Status.FAILED, Status.MOVED, Status.GONE)
"""Of urls where there is no page, as far as is known."""
MAY_PASS = frozenset(error.__name__ for error in (HttpStatusError, FetchTimeout, HostUnreachable))
"""Failures after which a url is looked at again: each time after as long as it has been missing until then."""
FAILED_DAYS = 7.0
"""Before the first such look at a url that was never had; for one that was had, a day."""
LONGEST_MISSING_DAYS = 365.0
BACK_SHARE = 0.1
"""What such a look is worth, as a share of what it is to ask for a url that is new."""

LOOKS_SHARE = 0.02
"""All pages are looked through each time so many requests, as a share of the pages, have been made."""
LEAST_REQUESTS = 32
LEAST_SLEEP_SECONDS = 3600.0
_LONGEST_SLEEP_DAYS = 1.0
_REMEMBERED = 0.99  # of what discovery brought: the last hundred requests
_HOPED = 0.2  # relevance of the first page, before anything was found
_LOOKED_AHEAD = 1_000

RECORDED_SECONDS = 600.0
"""A recorded web has a clock of its own, which goes on by so much with each request."""


class Keeping:
    """Learns how often pages change, and names those that are worth asking for again; does nothing if not wanted."""

    def __init__(
        self,
        state: State,
        wanted: bool | Literal["relevant"],
        is_live: bool,
        relevant_above: Callable[[], float],
    ) -> None:
        if wanted:
            for name in (LOOKED, CHANGES, DAYS, MISSING, ANNOUNCED):
                state.declare_value(name)
            state.declare_table(HOSTS, {CHANGES: 0.0, DAYS: 0.0})
            state.links.remember()  # what is found changed has to be taken back
        self._state = state
        self._is_live = is_live
        self._is_on = bool(wanted)
        self._only_relevant = wanted == "relevant"
        self._relevant_above = relevant_above

    @property
    def _kept(self) -> Floats:
        kept = self._state.arrays.get(KEEPING)
        return np.array([BEGINNING, *[0.0] * 5]) if kept is None else kept

    def _keep(self, place: int, number: float) -> None:
        kept = self._kept.copy()
        kept[place] = number
        self._state.set_array(KEEPING, kept)

    def now(self) -> float:
        """What time it is; a recorded web has a clock of its own."""
        return time.time() if self._is_live else float(self._kept[_CLOCK])

    def date(self, arrivals: Sequence[Arrival]) -> None:
        """Give the arrivals of a recorded web their times, one after the other."""
        if not self._is_on:
            return
        for place, arrival in enumerate(arrivals, start=1):
            arrival.time = self.now() + place * RECORDED_SECONDS
        self._keep(_CLOCK, self.now() + len(arrivals) * RECORDED_SECONDS)

    def sleep(self) -> bool:
        """Wait for the next moment at which something is worth asking for; gives whether there will be one.

        In a recorded web it has come at once; in the live Web the engine waits, and looks again.
        """
        if self._is_live or not self._is_on:
            return self._is_on
        wakes = float(self._kept[_NEXT])
        if not math.isfinite(wakes):
            return False
        self._keep(_CLOCK, max(self.now(), wakes))
        return True

    def take(
        self,
        pages: Sequence[Arrival],
        visits: Sequence[Visit],
        failures: Sequence[Failure],
        moved: Sequence[Arrival] = (),
    ) -> Sequence[Failure]:
        """Learn from a batch; gives pages that were there once and were missing at both of two looks."""
        if not self._is_on:
            return ()
        for page in pages:
            if page.read.is_listing:
                self._announce(page)
        headers = {page.url_id: page.response.headers for page in pages}
        urls = self._state.urls
        for arrival in moved:
            # Where there never was a page, a redirect that is for ever is believed: most links of old are such.
            may_be_back = urls[LOOKED][arrival.url_id] > 0 or arrival.response.status in FOR_NOW
            if may_be_back and urls["outcome"][arrival.url_id] == Status.MOVED:
                self._note_away(arrival.url_id, arrival.time / DAY_SECONDS)
        return self._note(visits, failures, headers)

    def doubts(self, arrival: Arrival) -> bool:
        """Whether a page that we have may point elsewhere only for now: a second look settles that."""
        if not self._is_on or arrival.response.status not in FOR_NOW:
            return False
        urls = self._state.urls
        since, day = float(urls[MISSING][arrival.url_id]), arrival.time / DAY_SECONDS
        is_settled = since > 0 and day - since >= GONE_AFTER_DAYS
        return urls["outcome"][arrival.url_id] == Status.FETCHED and not is_settled

    def _note(
        self, visits: Sequence[Visit], failures: Sequence[Failure], headers: Mapping[int, Mapping[str, str]]
    ) -> list[Failure]:
        self._note_discoveries(visits, failures)
        for visit in visits:
            if not visit.is_revisit:
                self._begin(visit, *told_by(headers.get(visit.url_id, {}), visit.time))
        again = [visit for visit in visits if visit.is_revisit and visit.changed is not None]
        if again:
            self._learn(again)
        self._looked(visits)
        return self._missing(failures)

    def _note_discoveries(self, visits: Sequence[Visit], failures: Sequence[Failure]) -> None:
        outcome, missing = self._state.urls["outcome"], self._state.urls[MISSING]
        brought = [visit.harvest for visit in visits if not visit.is_revisit]
        failed = [failure.url_id for failure in failures]
        brought += [0.0 for at in failed if outcome[at] != Status.FETCHED and not missing[at]]
        kept = self._kept.copy()
        for relevance in brought:
            kept[_BROUGHT] = _REMEMBERED * kept[_BROUGHT] + relevance
            kept[_TRIED] = _REMEMBERED * kept[_TRIED] + 1.0
        kept[_SINCE] += len(visits) + len(failures)
        kept[_PAGES] += sum(not visit.is_revisit for visit in visits)
        self._state.set_array(KEEPING, kept)

    def _begin(self, visit: Visit, changes: float, days: float) -> None:
        ids = np.array([visit.url_id], dtype=np.int32)
        self._add(ids, np.array([changes]), np.array([days]))

    def _learn(self, visits: Sequence[Visit]) -> None:
        """From pages that were had again. A page comes once in a batch: it is in the queue once."""
        ids = np.array([visit.url_id for visit in visits], dtype=np.int32)
        urls = self._state.urls
        shape, days = _known(self._state, ids)
        gap = np.array([visit.time for visit in visits]) / DAY_SECONDS - urls[LOOKED][ids]
        changed = np.array([bool(visit.changed) for visit in visits])
        after = after_look(urls[CHANGES][ids], urls[DAYS][ids], shape / days, gap, changed)
        self._add(ids, after[0] - urls[CHANGES][ids], after[1] - urls[DAYS][ids])

    def _add(self, ids: Ids, changes: Floats, days: Floats) -> None:
        hosts = self._state.urls["host"][ids]
        table = self._state.tables[HOSTS]
        for name, more in ((CHANGES, changes), (DAYS, days)):
            self._state.set(name, ids, self._state.urls[name][ids] + more)
            rows, group = np.unique(hosts, return_inverse=True)
            sums = table.value(name)[rows] + np.bincount(group, weights=more, minlength=len(rows))
            table.set_value(name, rows.astype(np.int32), sums)

    def _looked(self, visits: Sequence[Visit]) -> None:
        ids = np.array([visit.url_id for visit in visits], dtype=np.int32)
        self._state.set(LOOKED, ids, np.array([visit.time for visit in visits]) / DAY_SECONDS)
        self._state.set(MISSING, ids, 0.0)

    def _missing(self, failures: Sequence[Failure]) -> list[Failure]:
        """Pages that were there once and are not, at a second look; others are looked at as usual again."""
        urls, gone = self._state.urls, []
        for failure in failures:
            ids, day = np.array([failure.url_id], dtype=np.int32), failure.time / DAY_SECONDS
            if urls["outcome"][failure.url_id] != Status.FETCHED:
                if urls["outcome"][failure.url_id] in AWAY and failure.error in MAY_PASS:
                    self._note_away(failure.url_id, day)
                continue
            since = float(urls[MISSING][failure.url_id])
            if failure.status not in MISSING_STATUSES:
                self._state.set(LOOKED, ids, day)
            elif not since:
                self._state.set(MISSING, ids, day)
            elif day - since >= GONE_AFTER_DAYS:
                self._note_away(failure.url_id, day)
                gone.append(failure)
        return gone

    def _note_away(self, url_id: int, day: float) -> None:
        ids = np.array([url_id], dtype=np.int32)
        self._state.set(LOOKED, ids, day)
        if not self._state.urls[MISSING][url_id]:
            self._state.set(MISSING, ids, day)

    def _announce(self, listing: Arrival) -> None:
        """Note which pages have changed as a sitemap or feed has it; a day that is still to come says nothing.

        One that has not ended may bring another change after the last look.
        """
        self._state.set(LOOKED, np.array([listing.url_id], dtype=np.int32), listing.time / DAY_SECONDS)
        parsed = listing.read.parsed
        dated = [
            (url, min(date[1], listing.time))
            for url, text in zip(parsed.links.urls, parsed.dates, strict=False)
            if (date := any_date(text)) is not None and 0 < date[0] <= listing.time
        ]
        ids = self._state.find(fingerprints([url for url, _ in dated]))
        days = np.array([date for _, date in dated])[ids >= 0] / DAY_SECONDS
        self._state.set(ANNOUNCED, ids[ids >= 0], days)
        self._keep(_NEXT, 0.0)

    def wanted(self, *, is_idle: bool) -> Priorities:
        """Pages to be asked for again, if it is time to look through all: their share of what is asked for next."""
        if not self._is_on:
            return Priorities.none()
        kept, urls, now = self._kept, self._state.urls, self.now()
        most = max(LEAST_REQUESTS, round(LOOKS_SHARE * kept[_PAGES]))
        if not (kept[_SINCE] >= most or (is_idle and now >= kept[_NEXT])):
            return Priorities.none()
        outcome = urls["outcome"]
        may_be_back = np.isin(outcome, AWAY) & (urls[MISSING] > 0)
        rests = (np.isin(outcome, (Status.FETCHED, Status.LISTING)) | may_be_back) & (
            urls["status"] == outcome
        )
        ids = np.flatnonzero(rests).astype(np.int32)
        return self._best(ids[ids != ROOT], now, most)

    def _best(self, ids: Ids, now: float, most: int) -> Priorities:
        urls, today = self._state.urls, now / DAY_SECONDS
        weight, gap, known = self._weight(ids), today - urls[LOOKED][ids], _known(self._state, ids)
        is_told = urls[ANNOUNCED][ids] > urls[LOOKED][ids]
        worth = refresh_worth(weight, *known, np.where(is_told, LONGEST_GAP, gap))
        is_away = np.isin(urls["outcome"][ids], AWAY)
        is_missing = (urls[MISSING][ids] > 0) & ~is_away
        missing_for = today - urls[MISSING][ids]
        second_look = np.where(missing_for >= GONE_AFTER_DAYS, discovery_worth(1.0, self._usual_rate()), 0.0)
        worth = np.where(is_missing, second_look, worth)
        back, rest = self._back(ids, is_told)
        worth = np.where(is_away, np.where(gap >= rest, back, 0.0), worth)
        # A list of pages brings each day what a page would that is found.
        is_list = urls["outcome"][ids] == Status.LISTING
        worth = np.where(is_list, gap * self._expected(), worth)
        order = np.argsort(-worth, kind="stable")
        best = order[:most][worth[order[:most]] >= self._least_worth()]
        near = order[:_LOOKED_AHEAD]
        waits = [
            *(worth_from(weight[near], known[0][near], known[1][near], LEAST_WORTH) - gap[near]).tolist(),
            *(GONE_AFTER_DAYS - missing_for[is_missing]).tolist(),
            *(rest - gap)[is_away & (back >= LEAST_WORTH)].tolist(),
            *(LEAST_WORTH / self._expected() - gap[is_list]).tolist(),
        ]
        self._keep(_SINCE, 0.0)
        self._keep(_NEXT, now + _sleep_seconds(min(waits, default=math.inf)))
        return Priorities(ids[best], TOP + worth[best], revisit=True)

    def _back(self, ids: Ids, is_told: Bools) -> tuple[Floats, Floats]:
        """What it is worth to look whether urls that failed, moved or are gone are back, and after how many days.

        What a sitemap or feed says has changed is there again.
        """
        urls = self._state.urls
        missing = urls[LOOKED][ids] - urls[MISSING][ids]
        new = discovery_worth(self._expected(), self._usual_rate())
        back = np.where(missing < LONGEST_MISSING_DAYS, BACK_SHARE * new, 0.0)
        least = np.where(urls["outcome"][ids] == Status.FAILED, FAILED_DAYS, GONE_AFTER_DAYS)
        rest = np.maximum(missing, least)
        return np.where(is_told, new, back), np.where(is_told, 0.0, rest)

    def _least_worth(self) -> float:
        """What else could be had for a request: a page nobody has asked for yet, or peace."""
        urls = self._state.urls
        waits: Bools = (urls["status"] == Status.QUEUED) & (urls["outcome"] == Status.KNOWN)
        if not waits.any():
            return LEAST_WORTH
        return max(LEAST_WORTH, discovery_worth(self._expected(), self._usual_rate()))

    def _usual_rate(self) -> float:
        """How often a page changes a day, over all hosts: of a page that is still to be found nobody knows more."""
        table = self._state.tables[HOSTS]
        changes, days = (table.value(name).sum(keepdims=True) for name in (CHANGES, DAYS))
        return float(site_rate(changes, days)[0])

    def _expected(self) -> float:
        """The relevance of a page nobody has asked for yet, as the last ones were."""
        kept = self._kept
        return float((kept[_BROUGHT] + _HOPED) / (kept[_TRIED] + 1.0))

    def _weight(self, ids: Ids) -> Floats:
        """Relevance; a hub is worth what it leads to."""
        urls = self._state.urls
        relevance: Floats = np.nan_to_num(urls["relevance"][ids])
        if self._only_relevant:
            relevance = np.where(relevance >= self._relevant_above(), relevance, 0.0)
        if "hub" in urls and (best := float(urls["hub"].max(initial=0.0))) > 0:
            relevance = np.maximum(relevance, urls["hub"][ids] / best)
        return relevance


def _known(state: State, ids: Ids) -> tuple[Floats, Floats]:
    """The rates of pages; see `known_rate`."""
    urls, table = state.urls, state.tables[HOSTS]
    hosts = urls["host"][ids]
    of_site = site_rate(table.value(CHANGES)[hosts], table.value(DAYS)[hosts])
    spread = spread_of_rates(urls[CHANGES][ids], of_site * urls[DAYS][ids])
    return known_rate(urls[CHANGES][ids], urls[DAYS][ids], of_site, spread)


def what_is_known(state: State, url_id: int) -> Iterator[str]:
    """Say of a url in a crawl that is kept fresh how often it changes, or since when it is missing."""
    if LOOKED not in state.urls or state.urls["outcome"][url_id] in (Status.KNOWN, Status.LISTING):
        return
    looked, missing = (float(state.urls[name][url_id]) * DAY_SECONDS for name in (LOOKED, MISSING))
    if missing:
        later = f", looked for again {moment(looked)}" if looked > missing else ""
        yield f"missing since {moment(missing)}{later}"
    elif looked:
        shape, days = _known(state, np.array([url_id], dtype=np.int32))
        every = count(max(1, round(float(days[0] / shape[0]))), "day")
        yield f"changes about every {every}, as far as looks at it and its site tell; last looked at {moment(looked)}"


def _sleep_seconds(days: float) -> float:
    """How long to sleep until something is worth asking for; a bit longer, so that it is when one wakes."""
    if math.isinf(days):
        return math.inf
    return max(LEAST_SLEEP_SECONDS, min(days, _LONGEST_SLEEP_DAYS) * DAY_SECONDS + 1.0)
