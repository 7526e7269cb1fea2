"""Urls that point elsewhere: what was worth something there is handed on to where they lead. Called by `Ingest`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from honeyguide.admission.intake import Intake
from honeyguide.engine.arrival import Arrival
from honeyguide.engine.dividing import redirected
from honeyguide.engine.harvested import Harvested
from honeyguide.engine.keeping import Keeping
from honeyguide.engine.linked_pages import redirects_to
from honeyguide.engine.linking import Linking
from honeyguide.engine.visits import VisitWriter
from honeyguide.errors import FetchError, HttpStatusError
from honeyguide.model import MOST_REDIRECTS, Gone, Ids, Page, Pages, Priorities, Status
from honeyguide.shards.owners import Owners
from honeyguide.state.state import State
from honeyguide.state.tables import Whole
from honeyguide.state.view import CrawlView
from honeyguide.store.base import PageLinks
from honeyguide.strategies.base import Strategy
from honeyguide.urls import UrlPolicy


class Moving:
    """Takes redirects in."""

    def __init__(
        self,
        *,
        policy: UrlPolicy,
        state: State,
        intake: Intake,
        linking: Linking,
        visits: VisitWriter,
        strategy: Strategy,
        view: CrawlView,
        push: Callable[[Priorities], None],
        keeping: Keeping,
        owners: Owners | None,
    ) -> None:
        self._policy = policy
        self._state = state
        self._intake = intake
        self._linking = linking
        self._visits = visits
        self._strategy = strategy
        self._view = view
        self._push = push
        self._keeping = keeping
        self._owners = owners

    def take(self, arrivals: Sequence[Arrival], work: Harvested) -> list[Arrival]:
        """Follow them; gives those that failed: they lead nowhere, or are not believed yet."""
        failed = []
        for arrival in arrivals:
            problem = self._take(arrival, work)
            if problem is not None:
                arrival.outcome = problem
                failed.append(arrival)
        return failed

    def _take(self, arrival: Arrival, work: Harvested) -> FetchError | None:
        if self._keeping.doubts(arrival):
            return HttpStatusError(arrival.response.status)
        target = self._policy.canonical(arrival.response.redirect or "", arrival.url)
        if target and self._owners is not None and not self._owners.own([target])[0]:
            self._leave_shard(arrival, target, self._owners, work)
            return None
        source = _ids_of(arrival)
        admitted = self._intake.admit([target], source, deeper=False) if target else source
        hops = redirects_to(self._state, arrival.url_id)
        if admitted[0] in (-1, arrival.url_id) or hops >= MOST_REDIRECTS:
            return FetchError("redirects to nowhere this crawl may go, or too often")
        self._leave(arrival, PageLinks(arrival.url_id, admitted, [""], self._was_visited(arrival)), work)
        moved = Page(arrival.url_id, arrival.url, 0.0, 0, admitted)
        self._state.note_contributions(Pages([moved]), self._state.urls["priority"][source])
        self._push(self._strategy.redirect(source, admitted, self._view))
        return None

    def _leave_shard(self, arrival: Arrival, target: str, owners: Owners, work: Harvested) -> None:
        """A url moved into another shard, which is told all that was known of it."""
        urls = self._state.urls
        # Whole numbers are rows of tables, which each shard numbers for itself.
        told = [name for name, first in self._strategy.values.items() if not isinstance(first, Whole)]
        known = {name: float(urls[name][arrival.url_id]) for name in told}
        place = float(urls["priority"][arrival.url_id]), int(urls["depth"][arrival.url_id])
        owner = int(owners.of([target])[0])
        work.write({owner: redirected(arrival.url_id, arrival.url, target, *place, known)})
        nowhere = _ids_of(arrival)[:0]
        self._leave(arrival, PageLinks(arrival.url_id, nowhere, [], self._was_visited(arrival)), work)

    def _leave(self, arrival: Arrival, links: PageLinks, work: Harvested) -> None:
        """What was a page is none any more."""
        source = _ids_of(arrival)
        if self._state.urls["outcome"][arrival.url_id] == Status.FETCHED:
            work.gone.append(Gone(arrival.url_id, arrival.time, arrival.response.status))
        self._state.settle(source, Status.MOVED)
        if links.replaces:
            self._state.set("relevance", source, np.nan)
        self._linking.note([links], work)
        self._visits.archive(arrival)
        work.counts["redirects"] += 1
        work.fruitless.append(arrival.url_id)

    def _was_visited(self, arrival: Arrival) -> bool:
        return self._state.links.of_last_version(arrival.url_id) is not None


def _ids_of(arrival: Arrival) -> Ids:
    return np.array([arrival.url_id], dtype=np.int32)
