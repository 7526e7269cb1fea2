"""Honeyguide: weighs all that is known of a link, and learns on the way what tells good links from others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import SettingsError
from honeyguide.model import ROOT, Explanation, Floats, Ids, Learned, Pages, Part, Priorities, Status
from honeyguide.state.ordering import distinct
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy, is_due
from honeyguide.strategies.evidence import FEATURES, TABLES, VALUES, Evidence
from honeyguide.strategies.experts import Experts
from honeyguide.strategies.link_model import LinkModel
from honeyguide.strategies.neighbors import Neighbors
from honeyguide.strategies.soft_focus import explain_by_parents
from honeyguide.topics.base import TopicModel

WEIGHTS: Mapping[str, float] = {
    "always": -3.0,
    "words": 0.55,
    "address": 0.3,
    "parents": 0.4,
    "neighbors": 0.7,
    "folder": 0.5,
    "cash": 0.25,
}
"""Where learning starts: found on the tuning tasks of the lab (docs/evaluation.md)."""

SAYS: Mapping[str, str] = {
    "always": "what any link is worth",
    "words": "the words around the links to it",
    "address": "the words of its address",
    "parents": "the relevance of the pages that link to it",
    "neighbors": "what the links beside those links led to",
    "folder": "what else was found in its folder and on its host",
    "cash": "how many links lead to it, and from where",
}

SWEEP_EVERY, SWEEP_GROWTH = 50, 0.02
SWEPT_PER_PAGE = 20
TOLERANCE = 0.05
NEXT = 1e5  # priority of what has waited longest: no sum of evidence comes near
LOOKED_THROUGH = 10_000  # urls at most in search of what has waited longest
_MODEL, _EXPERTS, _HISTORY, _OLDEST = "link model", "experts", "weights over time", "oldest in queue"
_OF_OTHERS = "learned by other shards"


class Honeyguide(Strategy):
    """Priority = weights times evidence, as log-odds of being relevant. Every fetched page corrects the weights.

    Corrected weights are used as far as they have ordered pages better than those it started from; what they have lost
    they have lost only on hosts of which pages were seen. A page's outcome is passed on at once to the links beside
    those that led to it; what changes for all, the weights and the folders, reaches the best of the queue every so
    often. A share `explore` of what is asked for has waited longest, whatever is known of it, for where the guide errs.
    """

    name: ClassVar[str] = "honeyguide"
    needs = frozenset({"context relevance"})
    values = VALUES
    tables = TABLES
    hands_on: Mapping[str, Literal["split"]] = {"cash": "split"}
    refresh_every = SWEEP_EVERY

    def __init__(
        self,
        precision: float = 10.0,
        explore: float = 0.03,
        without: str = "",
        trusted: Literal["both", "start", "learned"] = "both",
    ) -> None:
        if without and without not in FEATURES:
            raise SettingsError(f"there is no evidence called {without!r}; there are {', '.join(FEATURES)}")
        if not precision > 0:
            raise SettingsError(f"precision is {precision}; it must be more than 0")
        if not 0 <= explore < 1:
            raise SettingsError(f"explore is {explore}; it must be from 0 to less than 1")
        self.precision = precision
        self.explore = explore
        self.without = without
        self.trusted = trusted
        self._start = np.array([WEIGHTS[name] * (name != without) for name in FEATURES])

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Learn from how the pages turned out, then weigh their links and those beside the links to them."""
        evidence = Evidence(crawl)
        before = np.array([np.nan if page.former is None else page.former.relevance for page in pages])
        is_page = np.array([page.id != ROOT and not (page.is_listing or page.is_foreign) for page in pages])
        fetched, again = is_page & np.isnan(before), is_page & ~np.isnan(before)
        ids, outcomes = pages.ids[fetched], pages.relevance[fetched]
        # Somebody vouched for the seeds: how these turn out tells nothing of links that pages vouch for.
        ranked = (crawl.value("links")[ids] > 0) & np.array([page.depth > 0 for page in pages])[fetched]
        model, experts = self._taught(ids[ranked], outcomes[ranked], evidence, crawl)
        beside = evidence.note_outcomes(ids, outcomes)
        if again.any():
            more = pages.relevance[again] - before[again]
            beside = _either(beside, evidence.correct_outcomes(pages.ids[again], more))
        taken_back = evidence.take_back_links(pages)
        targets = _either(evidence.note_links(pages), taken_back)
        Neighbors(crawl).renew(pages)
        evidence.save()
        weights = self._mixed(model, experts)
        wanted = self._weighed(_either(_queued(beside, crawl), targets), evidence, weights, crawl)
        return _last(taken_back, self._with_oldest(wanted, len(ids), crawl), crawl)

    def judged_again(
        self, pages: Pages, before: Floats, topic_before: TopicModel, crawl: CrawlView
    ) -> Priorities:
        """Correct what the pages and their links had told, and weigh again what they lead to."""
        evidence = Evidence(crawl)
        more = pages.relevance - before
        own = np.array([not page.is_foreign for page in pages], dtype=np.bool_)
        beside = evidence.correct_outcomes(pages.ids[own], more[own])
        targets = evidence.correct_links(pages, more, topic_before)
        evidence.save()
        return self._weighed(_either(_queued(beside, crawl), targets), evidence, self._used(crawl), crawl)

    def _taught(
        self, ids: Ids, outcomes: Floats, evidence: Evidence, crawl: CrawlView
    ) -> tuple[LinkModel, Experts]:
        """Compare what both experts had said of pages, then correct the weights as far as they were used for each."""
        model, experts = self._model(crawl), _experts(crawl)
        features, known = evidence.features(ids), evidence.known(ids)
        started, learned = (self._scores(features, known, own) for own in (self._start, model.weights))
        experts = experts.judged(started, learned, outcomes)
        held = (1.0 - known)[:, None] * (self._lost(model.weights) > 0)
        model = model.learned((1.0 - held) * features, outcomes, (held * features) @ self._start)
        crawl.set_array(_MODEL, model.to_array())
        crawl.set_array(_EXPERTS, experts.to_array())
        return model, experts

    def _scores(self, features: NDArray[np.float64], known: Floats, weights: Floats) -> Floats:
        """Log-odds by these weights; what they have lost counts in full where a host is not known.

        What any link is worth is left out: it changes all the time, and is the same for those that are not weighed now.
        """
        lost = self._lost(weights)
        scores: Floats = features[:, 1:] @ weights[1:] + (1.0 - known) * (features @ lost)
        return scores

    def _lost(self, weights: Floats) -> Floats:
        """By how much each weight is less than at the start; but for what any link is worth, which is no evidence."""
        lost: Floats = np.maximum(self._start - weights, 0.0)
        lost[0] = 0.0
        return lost

    def _mixed(self, model: LinkModel, experts: Experts) -> Floats:
        """The weights that are used."""
        weights: Floats = self._start + self._trust(experts) * (model.weights - self._start)
        return weights

    def _trust(self, experts: Experts) -> float:
        return {"both": experts.trust, "start": 0.0, "learned": 1.0}[self.trusted]

    def _used(self, crawl: CrawlView) -> Floats:
        return self._mixed(self._model(crawl), _experts(crawl))

    def _weighed(self, ids: Ids, evidence: Evidence, weights: Floats, crawl: CrawlView) -> Priorities:
        open_ids = ids[crawl.is_open(ids) & (crawl.value("links")[ids] > 0)]
        open_ids = open_ids[(crawl.priority[open_ids] < NEXT) | (crawl.status[open_ids] == Status.KNOWN)]
        weighed = self._scores(evidence.features(open_ids), evidence.known(open_ids), weights)
        # Written so that what is no number is among them, and noticed by whoever takes them.
        changed = ~(np.abs(weighed - crawl.priority[open_ids]) <= TOLERANCE)
        changed |= crawl.status[open_ids] == Status.KNOWN  # dropped from a full queue, found again
        return Priorities(open_ids[changed], weighed[changed])

    def _with_oldest(self, wanted: Priorities, pages: int, crawl: CrawlView) -> Priorities:
        """So many pages fetched call for a share of what has waited longest; what is owed is remembered."""
        kept = crawl.array(_OLDEST)
        start, owed = (0, 0.0) if kept is None else (int(kept[0]), float(kept[1]))
        owed += self.explore * pages
        looked_at = slice(start, start + LOOKED_THROUGH)
        waiting = (crawl.status[looked_at] == Status.QUEUED) & (crawl.outcome[looked_at] == Status.KNOWN)
        new = wanted.ids[(wanted.ids >= start) & (wanted.ids < start + len(waiting))]
        waiting[new - start] = True
        oldest = np.flatnonzero(waiting)[: int(owed)]
        passed = int(oldest[-1]) + 1 if len(oldest) == int(owed) > 0 else len(waiting) if owed >= 1 else 0
        crawl.set_array(_OLDEST, np.array([start + passed, min(owed - len(oldest), 1.0)]))
        first = (start + oldest).astype(np.int32)
        others = ~np.isin(wanted.ids, first)
        return Priorities(
            np.concatenate((first, wanted.ids[others])),
            np.concatenate((np.full(len(first), NEXT), wanted.priorities[others])),
        )

    def refresh(self, crawl: CrawlView) -> Priorities:
        """Weigh the best of the queue anew."""
        if not is_due("sweep", SWEEP_EVERY, SWEEP_GROWTH, crawl, Evidence(crawl).pages_elsewhere):
            return Priorities.none()
        self._note_weights(crawl)
        return self._swept(crawl)

    def _swept(self, crawl: CrawlView) -> Priorities:
        queued = np.flatnonzero(crawl.status == Status.QUEUED)
        most = int(SWEPT_PER_PAGE * max(SWEEP_EVERY, SWEEP_GROWTH * crawl.pages_fetched))
        if len(queued) > most:
            best = np.argpartition(-crawl.priority[queued], most)[:most]
            queued = queued[best]
        return self._weighed(np.sort(queued).astype(np.int32), Evidence(crawl), self._used(crawl), crawl)

    def _note_weights(self, crawl: CrawlView) -> None:
        """For people; sweeps become rarer as a crawl grows, so this stays short."""
        experts = _experts(crawl)
        told = [crawl.pages_fetched, self._trust(experts), *experts.right()]
        row = np.concatenate((told, self._model(crawl).weights))
        crawl.set_array(_HISTORY, np.vstack((_history(crawl), row)))

    def own_learning(self, crawl: CrawlView) -> dict[str, NDArray[Any]]:
        """What this shard's own pages have added to the weights' information, to the moments and to the lead."""
        others = crawl.array(_OF_OTHERS)
        # The weights in use rest on all shards; what is not known of others is this one's.
        known = self._model(crawl).to_information() - self._first().to_information()
        return {
            "information": known if others is None else known - others,
            "lead": np.array([_experts(crawl).own]),
            "moments": Evidence(crawl).moments,
        }

    def take_learning(self, crawl: CrawlView, others: Sequence[Mapping[str, NDArray[Any]]]) -> Priorities:
        """Use what all shards have learned; for what waits already, as often as in a crawl of one piece."""
        told = [one for one in others if one]
        if not told:
            return Priorities.none()
        own = self.own_learning(crawl)
        information, lead, moments = (
            np.sum([one[name] for one in told], axis=0) for name in ("information", "lead", "moments")
        )
        first = self._first()
        model = first.with_information(first.to_information() + own["information"] + information)
        crawl.set_array(_MODEL, model.to_array())
        crawl.set_array(_EXPERTS, _experts(crawl).beside(float(lead[0])).to_array())
        crawl.set_array(_OF_OTHERS, information)
        Evidence(crawl).take_moments(moments)
        return self.refresh(crawl)

    def learned(self, crawl: CrawlView) -> Learned:
        """The weights that were learned, how much is trusted in them, and how right both were, over time."""
        none = Experts.start()
        start = [0.0, self._trust(none), *none.right(), *self._start.tolist()]
        summary = (
            "honeyguide: what each kind of evidence is worth, as log-odds. The first row is what a crawl starts from; "
            "what is used lies between that and what was learned, as far as that is trusted, by how much better it "
            "has ordered recent pages; where no page of a host was seen, no less than at the start. Right is which "
            "share of recent pages each had put in the right order, before they were fetched."
        )
        columns = ("pages", "trust", "start right", "learned right", *FEATURES)
        return Learned(summary, columns, [start, *_history(crawl).tolist()])

    def redirect(self, sources: Ids, targets: Ids, crawl: CrawlView) -> Priorities:
        """The target takes over what was known of the url."""
        evidence = Evidence(crawl)
        beside = evidence.move(sources, targets)
        return self._weighed(_either(_queued(beside, crawl), targets), evidence, self._used(crawl), crawl)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """What each kind of evidence adds."""
        ids = np.array([url_id], dtype=np.int32)
        evidence = Evidence(crawl)
        used = self._used(crawl)
        weights = used + (1.0 - evidence.known(ids)[0]) * self._lost(used)
        shares = (evidence.features(ids)[0] * weights).tolist()
        parts = [Part(SAYS[name], share) for name, share in zip(FEATURES, shares, strict=True)]
        chance = 1.0 / (1.0 + np.exp(-sum(shares)))
        if crawl.outcome[url_id] == Status.FETCHED:
            summary = (
                "honeyguide: the priority is that of the moment it was taken; what is left of the evidence (what links "
                f"gave it went on to its own) and was learned since makes {chance:.1%}, as log-odds the sum of what "
                "follows"
            )
        else:
            summary = f"honeyguide: {chance:.1%} likely to be relevant, as log-odds the sum of what follows"
        if crawl.priority[url_id] == NEXT:
            summary += f"; one of the {self.explore:.0%} that are taken because they have waited longest"
        summary += "; what any link is worth is the same for all, so no part of the priority"
        parts.sort(key=lambda part: -abs(part.number))
        parents = explain_by_parents(self.name, url_id, crawl, most=1).parts
        best = [replace(part, label="most relevant of what links to it:") for part in parents]
        return Explanation(summary, parts, best)

    def _model(self, crawl: CrawlView) -> LinkModel:
        kept = crawl.array(_MODEL)
        return self._first() if kept is None else LinkModel.from_array(kept)

    def _first(self) -> LinkModel:
        return LinkModel.start(self._start, [self._precision(name) for name in FEATURES])

    def _precision(self, name: str) -> float:
        if name == self.without:
            return math.inf
        # How common good pages are differs from web to web; what tells them, much less.
        return 1.0 if name == "always" else self.precision


def _history(crawl: CrawlView) -> NDArray[np.float64]:
    """Rows of pages, trust, how right both experts were, and weights; of crawls that did not note that, by chance."""
    history = crawl.array(_HISTORY)
    if history is None:
        return np.empty((0, 4 + len(FEATURES)))
    return history if history.shape[1] == 4 + len(FEATURES) else np.insert(history, [2, 2], 0.5, axis=1)


def _experts(crawl: CrawlView) -> Experts:
    kept = crawl.array(_EXPERTS)
    return Experts.start() if kept is None else Experts.from_array(kept)


def _either(some: Ids, others: Ids) -> Ids:
    return distinct(np.concatenate((some, others)))


def _queued(ids: Ids, crawl: CrawlView) -> Ids:
    """What was dropped from a full queue comes back by a new link only."""
    queued: Ids = ids[crawl.status[ids] == Status.QUEUED]
    return queued


def _last(ids: Ids, wanted: Priorities, crawl: CrawlView) -> Priorities:
    """What no page links to any more comes behind all else."""
    left = ids[crawl.is_open(ids) & (crawl.value("links")[ids] <= 0)]
    if not len(left):
        return wanted
    return Priorities(
        np.concatenate((wanted.ids, left)), np.concatenate((wanted.priorities, np.full(len(left), -NEXT)))
    )
