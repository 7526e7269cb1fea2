"""Why a url stands where it stands in a crawl: what became of it, its relevance, its priority, how it was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from honeyguide.admission.rules import RULE, Rules
from honeyguide.admission.scope import Scope
from honeyguide.admission.yields import HostYield
from honeyguide.engine.guidance import Guidance
from honeyguide.engine.keeping import TOP, what_is_known
from honeyguide.errors import NotRecorded, StoreError
from honeyguide.model import Explanation, Failure, Part, Status, Visit
from honeyguide.settings import CrawlOrder
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.store.archived_page import archived_text
from honeyguide.store.reader import LinkRow, Reader
from honeyguide.strategies.base import Strategy
from honeyguide.topics.base import TopicModel
from honeyguide.urls import host_of
from honeyguide.wording import count, moment

MOST_PARTS = 15
_DECIDED = {"raise": "raised before all others", "lower": "lowered after all others", "exclude": "excluded"}


@dataclass(frozen=True, slots=True)
class UrlExplanation:
    """All there is to say of a url; as text, what `honeyguide explain` prints."""

    url: str
    standing: str  # what became of it, a line for each thing to say
    status: Status | None = None  # None: it is not in the crawl
    visit: Visit | None = None  # the last
    failures: Sequence[Failure] = ()
    relevant_above: float = 0.0
    relevance: Explanation | None = None
    priority: float | None = None
    ranking: Explanation | None = None
    path: Sequence[LinkRow] = ()  # the links from the list of seeds to it
    names: Mapping[int, str] | None = None  # texts of the urls that explanations refer to

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """Headings, of which the first is empty, and the lines below each."""
        yield "", [self.url, *self._standing()]
        if self.visit and self.relevance:
            judged = "relevant" if self.visit.relevance >= self.relevant_above else "not relevant"
            heading = (
                f"Relevance {self.visit.relevance:.3f} ({judged}; the threshold is {self.relevant_above:g})"
            )
            yield heading, self._explained(self.relevance)
        if self.status is Status.QUEUED and self._worth is not None:
            worth = f"{self._worth:.3f} relevant days, by how often it changes"
            yield (
                "To be asked for again before what is new",
                [f"  that is worth {worth}; see docs/freshness.md"],
            )
        elif self.ranking:
            has_none = self.priority is None or self._worth is not None
            heading = "Priority: none is given" if has_none else f"Priority {self.priority:.3f}"
            yield heading, self._explained(self.ranking)
        if self.path:
            yield "Found by this path from a seed", [*self._steps()]

    @property
    def _worth(self) -> float | None:
        """What it was worth to ask for it again, where that, and not what links promise, was its last priority."""
        return self.priority - TOP if self.priority is not None and self.priority >= TOP else None

    def __str__(self) -> str:
        return "\n\n".join("\n".join([heading] * bool(heading) + lines) for heading, lines in self.sections())

    def _standing(self) -> Iterator[str]:
        if visit := self.visit:
            yield f"title: {visit.title}"
            yield (
                f"fetched {moment(visit.time)}, status {visit.status}, {count(visit.bytes, 'byte')},"
                f" depth {visit.depth}, {count(visit.links, 'link')}"
            )
        yield from self.standing.splitlines()
        for failure in self.failures:
            after = "what was had of it stands" if self.visit else "given up"
            what_next = after if failure.final else "to be tried again"
            yield f"failed {moment(failure.time)}: {reason_of(failure)}; {what_next}"

    def _explained(self, explanation: Explanation) -> list[str]:
        lines = [explanation.summary]
        lines += [f"{part.number:8.3f}  {self._named(part)}" for part in explanation.parts[:MOST_PARTS]]
        if len(explanation.parts) > MOST_PARTS:
            lines.append(f"and {len(explanation.parts) - MOST_PARTS:,} more")
        lines += [f"{self._named(part)} ({part.number:.3f})" for part in explanation.refers_to]
        return [f"  {line}" for line in lines]

    def _named(self, part: Part) -> str:
        if part.url_id is None:
            return part.label
        return f"{part.label} {(self.names or {})[part.url_id] or 'the list of seeds'}"

    def _steps(self) -> Iterator[str]:
        for step, link in enumerate(self.path, 1):
            yield f"  {step:3}. {link.target}" + (f'  "{link.anchor}"' if link.anchor else "")


def reason_of(failure: Failure) -> str:
    """Say why a page could not be had."""
    is_outside = failure.error == NotRecorded.__name__
    return failure.message if is_outside else f"{failure.error}: {failure.message}"


def explain_url(
    reader: Reader, order: CrawlOrder, guidance: Guidance, strategy: Strategy, url: str, url_id: int | None
) -> UrlExplanation:
    """Explain a canonical url; None is the id of one that is not in the crawl."""
    if url_id is None:
        return UrlExplanation(url, "\n".join([*_labelled(url, reader), _why_unknown(url, order, reader)]))
    state = reader.state(strategy.values, strategy.tables)
    visit = reader.last_visit(url_id)
    priority = float(state.urls["priority"][url_id])
    ranking = _ranking(reader, guidance, strategy, url_id, state)
    shown = [*ranking.parts[:MOST_PARTS], *ranking.refers_to]
    status = Status(int(state.urls["status"][url_id]))
    return UrlExplanation(
        url=url,
        standing="\n".join(
            [*_labelled(url, reader), *_standings(status, visit, url_id, order, state, reader)]
        ),
        status=status,
        visit=visit,
        failures=list(reader.failures(url_id)),
        relevant_above=guidance.relevant_above,
        relevance=_relevance(visit, guidance.topic, reader) if visit else None,
        priority=priority if np.isfinite(priority) else None,
        ranking=ranking,
        path=path_to(reader, url_id),
        names={part.url_id: reader.url_text(part.url_id) for part in shown if part.url_id is not None},
    )


def _ranking(
    reader: Reader, guidance: Guidance, strategy: Strategy, url_id: int, state: State
) -> Explanation:
    """By the strategy; in a divided crawl, as the shard sees it that ranks the url."""
    shard = reader.ranked_in(url_id, strategy.values, strategy.tables)
    if shard is None:
        return strategy.explain(url_id, CrawlView(state, guidance.topic, guidance.revision))
    state, here, numbers = shard
    told = strategy.explain(here, CrawlView(state, guidance.topic, guidance.revision))

    def named(parts: Sequence[Part]) -> list[Part]:
        return [
            part if part.url_id is None else replace(part, url_id=int(numbers[part.url_id])) for part in parts
        ]

    return replace(told, parts=named(told.parts), refers_to=named(told.refers_to))


def _labelled(url: str, reader: Reader) -> Iterator[str]:
    """What somebody said of the page, whatever the topic says."""
    if row := reader.labels().get(url):
        said = "unsure" if row.relevant is None else "relevant" if row.relevant else "not relevant"
        by = f" by {row.by}" if row.by else ""
        note = f": {' '.join(row.note.split())}" if row.note else ""
        yield f"labelled {said}{by} on {moment(row.time)}{note}"


def _why_unknown(url: str, order: CrawlOrder, reader: Reader) -> str:
    scope, host = Scope(order.scope), host_of(url)
    if name := scope.refusal(url, host, depth=0):
        reason = scope.explain(url, host, depth=0)
        return f"not in this crawl: the rule {name.replace('_', ' ')} of [scope] refuses it: {reason}"
    rules = Rules(reader.rules())
    if rules.excludes(number := rules.decide(url, host)):
        return f"not in this crawl: rule {number} of `honeyguide steer` excludes it; links to it are refused"
    if reason := HostYield(reader.counted_hosts(), order.scope.starve_host_after).explain(host):
        return f"not in this crawl: {reason}; links to it are refused"
    return (
        "not in this crawl: no page fetched so far links to it, or only by links that were not followed"
        " (nofollow, too deep, host full); `honeyguide status` counts those"
    )


def _standings(
    status: Status, visit: Visit | None, url_id: int, order: CrawlOrder, state: State, reader: Reader
) -> Iterator[str]:
    if visit is None:
        outcome = Status(int(state.urls["outcome"][url_id]))
        yield _unfetched(outcome if outcome is Status.LISTING else status, url_id, state, reader)
    elif status is Status.QUEUED:
        yield "waiting to be fetched again"
    elif status is Status.GONE:
        yield "gone: it was missing at two looks, and left the collection; what was had of it is in the archive"
    elif status is Status.MOVED:
        there = ", ".join(reader.url_text(int(target)) for target in state.links.outlinks(url_id))
        yield f"moved to {there or 'elsewhere'}; it left the collection, and what was had of it is in the archive"
    yield from what_is_known(state, url_id)
    rules = {rule.number: rule for rule in reader.rules()}
    number = int(state.urls[RULE][url_id]) if RULE in state.urls else 0
    if rule := rules.get(number):
        yield f"{_DECIDED[rule.action]} by rule {number}: {rule.pattern}"
    host = state.host_names[state.urls["host"][url_id]]
    if reason := HostYield(state, order.scope.starve_host_after).explain(host):
        yield f"left alone: {reason}"


def _unfetched(status: Status, url_id: int, state: State, reader: Reader) -> str:
    targets = state.links.outlinks(url_id)
    if status is Status.LISTING:
        return f"no page: a sitemap or feed, which was read for its {count(len(targets), 'link')}"
    meanings = {
        Status.KNOWN: "known, but not waiting: no strategy wanted it, or it was dropped, as the worst or with its host",
        Status.QUEUED: "waiting in the queue",
        Status.FAILED: "could not be fetched",
        Status.MOVED: "moved to " + ", ".join(reader.url_text(int(target)) for target in targets),
    }
    return f"not fetched: {meanings.get(status, status.name.lower())}"


def _relevance(visit: Visit, topic: TopicModel, reader: Reader) -> Explanation:
    """The parts of a page's relevance, from the archived page."""
    if visit.location is None:
        why = "it asks not to be kept (noindex)" if visit.noindex else "see output.archive"
        return Explanation(f"the page is not in the archive, so nothing more can be said: {why}")
    try:
        return topic.explain(archived_text(reader, visit.location))
    except StoreError as error:
        return Explanation(f"the page is not in the archive, so nothing more can be said: {error}")


def path_to(reader: Reader, url_id: int) -> list[LinkRow]:
    """The links by which a url was first found, from the list of seeds on."""
    path = reader.path_from_seed(url_id)
    texts = [reader.url_text(step) for step in path]
    anchors = [reader.anchor(*pair) for pair in pairwise(path)]
    return [LinkRow(*link) for link in zip(["", *texts], texts, ["", *anchors], strict=False)]
