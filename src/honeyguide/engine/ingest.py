"""From what the fetcher brought to what is known: parse, judge, admit links, rank, and put it all in one batch.

Steps 4 to 8 of a page's way (docs/architecture.md). Plain synchronous code over a batch; called by the engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np

from honeyguide.admission.intake import Intake
from honeyguide.admission.yields import HostYield
from honeyguide.engine.arrival import Arrival, Arrivals
from honeyguide.engine.dividing import Divided, letters
from honeyguide.engine.guidance import Guidance
from honeyguide.engine.harvested import Harvested
from honeyguide.engine.judging import Judging
from honeyguide.engine.keeping import AWAY, Keeping
from honeyguide.engine.linked_pages import trusted
from honeyguide.engine.linking import Linking
from honeyguide.engine.moving import Moving
from honeyguide.engine.receiving import Receiving
from honeyguide.engine.rereading import ReadAgain
from honeyguide.engine.steering import Steering
from honeyguide.engine.visits import VisitWriter
from honeyguide.errors import HoneyguideError, NotRecorded
from honeyguide.frontier.frontier import Frontier
from honeyguide.model import (
    ROOT,
    Failure,
    Gone,
    Ids,
    Page,
    Pages,
    ParsedLinks,
    ParsedPage,
    Priorities,
    Status,
)
from honeyguide.seeds import check_seeds
from honeyguide.settings import CrawlOrder
from honeyguide.shards.corrections import Correction
from honeyguide.shards.letters import Letter
from honeyguide.shards.owners import Owners
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.store.base import Batch, LabelRow
from honeyguide.strategies.base import Strategy
from honeyguide.urls import fingerprints, host_of

MOST_TRIES = 255


class Ingest:
    """Turns arrivals into a batch, and the state and frontier with it."""

    def __init__(
        self,
        *,
        order: CrawlOrder,
        state: State,
        frontier: Frontier,
        intake: Intake,
        guidance: Guidance,
        strategy: Strategy,
        visits: VisitWriter,
        yields: HostYield,
        steering: Steering,
        keeping: Keeping,
        owners: Owners | None = None,
    ) -> None:
        self._order = order
        self._state = state
        self._frontier = frontier
        self._intake = intake
        self._guidance = guidance
        self._strategy = strategy
        self._visits = visits
        self._yields = yields
        self.steering = steering
        self._keeping = keeping
        self._owners = owners
        self._view = CrawlView(state, guidance.topic, guidance.revision)
        self._linking = Linking(state, intake, order.scope.follow_nofollow)
        self._receiving = Receiving(state, self._linking, strategy, self._view, self._push)
        self._judging = Judging(
            state, guidance, strategy, self._view, self._push, owners, order.scope.follow_nofollow
        )
        self._policy = order.url_policy
        self._moving = Moving(
            policy=self._policy,
            state=state,
            intake=intake,
            linking=self._linking,
            visits=visits,
            strategy=strategy,
            view=self._view,
            push=self._push,
            keeping=keeping,
            owners=owners,
        )

    def plant(self, seeds: Sequence[str]) -> Batch:
        """Make the root page, whose links are the seeds."""
        host = self._state.host_id("")
        nobody = np.zeros(1, dtype=np.int32)
        self._state.add([""], np.zeros(1, dtype=np.uint64), nobody + host, nobody, nobody)
        root = np.array([ROOT], dtype=np.int32)
        self._state.settle(root, Status.FETCHED)
        self._state.set("relevance", root, 1.0)
        work = Harvested()
        self._from_root(seeds, work)
        return self._finish(work)

    def _from_root(self, seeds: Sequence[str], work: Harvested) -> Pages:
        own = self._own(seeds)
        parsed = ParsedPage(links=ParsedLinks(urls=own, anchors=[""] * len(own), nofollow=[False] * len(own)))
        (root,) = self._linking.linked([ROOT], [""], [parsed], np.ones(1), work)
        pages = Pages([replace(root, share=len(own) / max(len(seeds), 1))])
        self._push(self._strategy.prioritize(pages, self._view))
        return pages

    def _own(self, urls: Sequence[str]) -> Sequence[str]:
        return urls if self._owners is None else [*compress(urls, self._owners.own(urls).tolist())]

    def nothing(self) -> Batch:
        """What has changed in memory since the last batch, and no more."""
        return self._finish(Harvested())

    def add_seeds(self, given: Sequence[str]) -> tuple[Batch, str]:
        """Link more urls from the root."""
        found = check_seeds(given, self._policy)
        work = Harvested()
        pages = self._from_root(found.urls, work)
        self._ask_again(pages.targets)
        entered = len(pages.targets)
        own = len(self._own(found.urls))
        refused = own - entered
        # In a divided crawl each shard answers for its own, and all answers become one.
        parts = [f"{entered:,} of {len(given):,} urls are seeds now"] if own or self._owners is None else []
        parts += [f"{refused:,} refused by what [scope], [limits] or rules say"] if refused else []
        parts += [f"{problem.text}: {problem.reason}" for problem in found.problems[:1]]
        return self._finish(work), "; ".join(parts)

    def _ask_again(self, ids: Ids) -> None:
        """Queue urls that failed, moved or are gone: somebody says that they are there."""
        away = ids[np.isin(self._state.urls["status"][ids], AWAY)]
        priorities = np.nan_to_num(self._state.urls["priority"][away], neginf=0.0)
        self._push(Priorities(away, priorities, revisit=True))

    def set_priorities(self, wanted: Mapping[str, float]) -> tuple[Batch, str]:
        """Move urls in the queue, or back into it."""
        ids = self._state.find(fingerprints(self._intake.known_spellings([*wanted], self._policy)))
        is_known = ids >= 0
        priorities = np.array([*wanted.values()], dtype=np.float64)
        may_wait = (Status.KNOWN, Status.QUEUED, *AWAY)
        waits = is_known & np.isin(self._state.urls["status"][ids], may_wait)
        self._push(Priorities(ids[waits], priorities[waits], revisit=True))
        waiting = int(np.count_nonzero(self._state.urls["status"][ids[is_known]] == Status.QUEUED))
        answer = f"{waiting:,} of {len(ids):,} urls wait with their new priority"
        unknown = int(np.count_nonzero(~is_known))
        return self.nothing(), answer + (f"; {unknown:,} are not in this crawl" if unknown else "")

    def known_spelling(self, url: str) -> str:
        """A url as this crawl knows it, or would; SettingsError if it is none."""
        return self._intake.known_spellings([url], self._policy)[0]

    def label(self, label: LabelRow) -> tuple[Batch, str]:
        """Note what somebody said of a page; what is said of hubs, the strategy may follow at once."""
        (self._state.hub_marks if label.of_hub else self._state.labels).note([label.url], [label.relevant])
        wanted = self._strategy.hubs_marked(self._view) if label.of_hub else Priorities.none()
        if wanted is not None:
            self._push(wanted)
        answer = "noted" if wanted is not None else "noted, but of all strategies only `distilled` follows it"
        return replace(self.nothing(), labels=[label]), answer

    def use_revision(self, revision: int) -> Batch:
        """Be guided by another revision of the topic from here on."""
        self._guidance.turn_to(revision)
        self._view.topic, self._view.revision = self._guidance.topic, revision
        return replace(self.nothing(), revision=revision)

    def judge_again(self, read: Sequence[ReadAgain]) -> Batch:
        """Take in what the topic says now of pages that were fetched before."""
        judgments, corrections = self._judging.again(read)
        return replace(self.nothing(), judgments=judgments, corrections=corrections)

    def take(self, arrived: Arrivals, pages_before: int, letter: Letter | None = None) -> Batch:
        """Take in arrivals, of which the pages have been read and judged; and first what another shard has written."""
        work = Harvested(requests=arrived.requests())
        told = self._receiving.take(letter, work) if letter else ()
        self._take_failures(arrived.failed, work)
        self._take_pages(arrived.pages, work, told)
        self._take_unchanged(arrived.unchanged, work)
        self._take_failures(self._moving.take(arrived.moved, work), work)
        if missing := self._keeping.take(arrived.pages, work.visits, work.failures, arrived.moved):
            self._take_gone(missing, work)
        new_pages = sum(not visit.is_revisit for visit in work.visits)
        self._refresh(pages_before, pages_before + new_pages)
        return self._finish(work)

    def give_up(self, failed: Sequence[Arrival]) -> Batch:
        """Take in that urls have failed, and nothing else."""
        work = Harvested(requests=Arrivals(failed=[*failed]).requests())
        self._take_failures(failed, work)
        return self._finish(work)

    def _take_pages(self, arrivals: Sequence[Arrival], work: Harvested, told: Sequence[Page] = ()) -> None:
        """Take in pages of this shard, and rank what they link to together with what those `told` by others do."""
        if not arrivals:
            self._rank(told)
            return
        archived = self._visits.look_at(arrivals)
        relevance = np.array([arrival.read.relevance for arrival in arrivals])
        ids = np.array([arrival.url_id for arrival in arrivals], dtype=np.int32)
        is_listing = np.array([arrival.read.is_listing for arrival in arrivals])
        self._state.settle(ids, np.where(is_listing, Status.LISTING, Status.FETCHED))
        first_new = len(self._state)
        parsed = [arrival.read.parsed for arrival in arrivals]
        divided = Divided.among(self._owners, parsed, self._linking.follow_nofollow)
        urls = [arrival.url for arrival in arrivals]
        accepted = [arrival.read.accepted for arrival in arrivals]
        pages = self._linking.linked(ids.tolist(), urls, divided.here, relevance, work, accepted)
        self._state.set("relevance", ids, np.where(is_listing, np.nan, relevance))
        for page, arrival in zip(pages, arrivals, strict=True):
            if arrival.read.is_listing:
                self._visits.archive(arrival)
                work.counts["sitemaps"] += 1
                work.fruitless.append(page.id)
                continue
            new_urls = int(np.count_nonzero(page.targets >= first_new))
            visit = self._visits.write(arrival, page, new_urls, archived)
            work.visits.append(visit)
            if not visit.is_revisit:  # pages are counted, not looks at them
                work.counts["pages_missing"] += arrival.read.is_missing
                work.counts["pages_copied"] += visit.copy_of is not None
                work.counts["pages_noindex"] += visit.noindex
        ranked = Pages([trusted(self._state, page) for page in pages])
        self._write(divided, ranked, work)
        self._rank([*told, *ranked])

    def _rank(self, pages: Sequence[Page]) -> None:
        if pages:
            self._push(self._strategy.prioritize(Pages(pages), self._view))

    def _write(self, divided: Divided, pages: Pages, work: Harvested) -> None:
        """Tell other shards what pages link to there; what they had linked to, these forget."""
        if self._owners is None:
            return
        again = [place for place, page in enumerate(pages) if page.is_revisit]
        divided = divided.to_all(self._owners, again)
        work.write(letters(divided, pages, self._strategy, self._view))

    def receive(self, letter: Letter) -> Batch:
        """Take in what another shard has written."""
        work = Harvested()
        self._rank(self._receiving.take(letter, work))
        return self._finish(work)

    def correct(self, correction: Correction) -> Batch:
        """Take in what another shard says now of pages it has written of before."""
        self._judging.correct(correction)
        return self.nothing()

    def _take_unchanged(self, arrivals: Sequence[Arrival], work: Harvested) -> None:
        for arrival in arrivals:
            self._state.rest(np.array([arrival.url_id], dtype=np.int32))
            work.visits.append(self._visits.write_unchanged(arrival))

    def take_sitemaps(self, found: Sequence[tuple[str, Sequence[str]]]) -> Batch:
        """Queue the sitemaps that robots.txt files list, as links that nothing relevant points to.

        They hang on the first url that was known of the host: only what the user gives is linked from the root.
        """
        first_urls = self._state.hosts["first_url"]
        hosts = [self._state.find_host(host_of(robots)) for robots, _ in found]
        links = [
            (url, int(first_urls[host]))
            for host, (_, listed) in zip(hosts, found, strict=True)
            for url in listed
            if host is not None
        ]
        urls = [url for url, _ in links]
        ids = self._intake.admit(urls, np.array([source for _, source in links], dtype=np.int32))
        urls = [url for url, is_in in zip(urls, (ids >= 0).tolist(), strict=True) if is_in]
        if urls:
            nothing = [""] * len(urls)
            page = Page(ROOT, "", 0.0, 0, ids[ids >= 0], urls=urls, anchors=nothing, contexts=nothing)
            self._push(self._strategy.prioritize(Pages([page]), self._view))
        return self.nothing()

    def _take_gone(self, missing: Sequence[Failure], work: Harvested) -> None:
        """Pages that were missing twice leave the collection; their links are taken back, as if they had none."""
        ids = np.array([page.url_id for page in missing], dtype=np.int32)
        self._state.settle(ids, Status.GONE)
        nothing = [ParsedPage()] * len(ids)
        urls = [page.url for page in missing]
        pages = self._linking.linked(ids.tolist(), urls, nothing, np.zeros(len(ids)), work)
        self._state.set("relevance", ids, np.nan)
        self._write(Divided.whole(nothing), pages, work)
        self._push(self._strategy.prioritize(pages, self._view))
        work.gone += [Gone(page.url_id, page.time, page.status) for page in missing]
        work.counts["pages_gone"] += len(ids)

    def _take_failures(self, failed: Sequence[Arrival], work: Harvested) -> None:
        if not failed:
            return
        ids = np.array([arrival.url_id for arrival in failed], dtype=np.int32)
        tries = np.minimum(self._state.urls["tries"][ids].astype(np.int64) + 1, MOST_TRIES)
        is_final = tries > [min(arrival.error.max_retries, MOST_TRIES - 1) for arrival in failed]
        self._state.set("tries", ids, tries)
        before = self._state.urls["outcome"][ids]
        # What is known of a page stands, though it could not be had again.
        self._state.settle(ids, np.where(is_final & (before == Status.KNOWN), Status.FAILED, before))
        self._push(replace(self._strategy.retry(ids[~is_final], self._view), revisit=True))
        asked_first = np.isin(before, (Status.KNOWN, Status.FETCHED)).tolist()
        work.fruitless.extend(
            arrival.url_id for arrival in compress(failed, asked_first) if arrival.error.fruitless
        )
        work.counts["not_recorded"] += sum(isinstance(arrival.error, NotRecorded) for arrival in failed)
        work.failures.extend(
            self._visits.write_failure(arrival, tried, final)
            for arrival, tried, final in zip(failed, tries.tolist(), is_final.tolist(), strict=True)
        )

    def _note_yields(self, work: Harvested) -> None:
        """Count what hosts gave; one that is starved no more gets back what it had queued."""
        is_relevant = [visit.is_relevant(self._guidance.relevant_above) for visit in work.visits]
        ids = [visit.url_id for visit in work.visits]
        vain = [url_id for url_id, is_good in zip(ids, is_relevant, strict=True) if not is_good]
        fed = self._yields.note(compress(ids, is_relevant), [*vain, *work.fruitless])
        if fed:
            urls = self._state.urls
            dropped = np.isin(urls["host"], fed) & (urls["status"] == Status.KNOWN)
            self.queue_again(np.flatnonzero(dropped & np.isfinite(urls["priority"])).astype(np.int32))

    def queue_again(self, ids: Ids) -> None:
        """Urls that were dropped from the queue wait again, with the priority they had."""
        self._push(Priorities(ids, self._state.urls["priority"][ids]))

    def refill(self, wanted: Priorities | None = None) -> Batch:
        """Queue these; or, where the queue is empty, what the strategy may still have before the crawl ends."""
        self._push(wanted or self._strategy.refresh(self._view))
        return self.nothing()

    def _refresh(self, pages_before: int, pages_now: int) -> None:
        every = self._strategy.refresh_every
        if every and pages_before // every != pages_now // every:
            self._push(self._strategy.refresh(self._view))

    def _push(self, wanted: Priorities) -> None:
        if not np.isfinite(wanted.priorities).all():
            raise HoneyguideError(
                f"the strategy {self._strategy.name!r} gave a priority that is no finite number"
            )
        welcome = ~self._yields.starved(self._state.urls["host"][wanted.ids])
        if not welcome.all():  # else they would be dropped, and wanted again, without end
            wanted = Priorities(wanted.ids[welcome], wanted.priorities[welcome], wanted.revisit)
        self._frontier.push(wanted)

    def _finish(self, work: Harvested) -> Batch:
        self._note_yields(work)
        return Batch(
            changes=self._state.take_changes(),
            links=work.links,
            visits=work.visits,
            failures=work.failures,
            gone=work.gone,
            requests=work.requests,
            counts={**{name: n for name, n in work.counts.items() if n}, **self._intake.take_refused()},
            yields=self._yields.take_changed(),
            letters=work.letters,
            foreign=work.foreign,
            archive_end=self._visits.end(),
        )
