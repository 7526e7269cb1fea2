"""What can be known of a url before it is fetched, as numbers that add up to log-odds.

Everything is kept in the crawl's columns, two tables and one small array, so it survives a restart. Each feature is 0
where nothing is known; those of outcomes compare what was found near a url with what is found on average.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import ROOT, Floats, Ids, Pages, Passages
from honeyguide.state.tables import Single, Table, Whole
from honeyguide.state.view import CrawlView, add_to
from honeyguide.strategies import neighbors
from honeyguide.strategies.link_context import judge_contexts
from honeyguide.strategies.neighbors import Neighbors
from honeyguide.topics.base import TopicModel
from honeyguide.urls import fingerprints

FEATURES = ("always", "words", "address", "parents", "neighbors", "folder", "cash")

NOWHERE = -1.0

VALUES: Mapping[str, float] = {
    # Of each url: links seen, those with words around them, and sums over both.
    **dict.fromkeys(("links", "worded", "words", "parents"), Single(0.0)),
    **neighbors.VALUES,
    **{"address": Single(0.0), "folder": Whole(NOWHERE), "cash": Single(0.0)},  # the folder by its row
}

TABLES: Mapping[str, Mapping[str, float]] = {
    # How pages turned out, and what the words around links to them promised.
    "hosts": dict.fromkeys(("pages", "good", "worded", "words"), Single(0.0)),
    "folders": dict.fromkeys(("pages", "good"), Single(0.0)),
}

USUAL, USUAL_WEIGHT = 0.05, 20.0  # share of good pages before any is seen, and how many pages outweigh it
RAREST, COMMONEST = 0.005, 0.5
NEAR_DOUBT, FOLDER_DOUBT = 1.0, 3.0  # outcomes of the usual kind that are added before any is seen
SEEN_ENOUGH = 3.0  # pages of a host from which on what was learned holds there in full
WORDS_DOUBT = 5.0  # links to a host with nothing to say, likewise
SUREST = 0.001  # shares of good pages are kept this far from 0 and 1
SUREST_OF_WORDS = 0.03  # and judgments of a few words so far
RECENT = 10_000  # numbers after which older ones count half
LEAST_CASH = 1e-30
LOWEST, HIGHEST = -3.0, 6.0
LEAST_VARIANCE = 0.05
_ARRAY, _OF_OTHERS = "link evidence", "link evidence of other shards"
_WORDS, _ADDRESS, _CASH, _OUTCOMES = range(4)


class Evidence:
    """The evidence of one crawl; made anew for every batch, since it keeps nothing itself."""

    def __init__(self, crawl: CrawlView) -> None:
        self._crawl = crawl
        kept = crawl.array(_ARRAY)
        # Count, sum and sum of squares of the judgments of words and addresses, of cash and of outcomes so far.
        self._moments = np.zeros((4, 3)) if kept is None else kept.copy()
        self._others = crawl.array(_OF_OTHERS)

    def save(self) -> None:
        """Keep the moments."""
        self._crawl.set_array(_ARRAY, self._moments)

    @property
    def moments(self) -> NDArray[np.float64]:
        """What this shard has added to those of the crawl."""
        return self._moments

    def take_moments(self, others: NDArray[np.float64]) -> None:
        """Compare with what other shards have found as well. Each halves its own, so the recent outweigh the old."""
        self._crawl.set_array(_OF_OTHERS, others)
        self._others = others

    @property
    def pages_elsewhere(self) -> int:
        """How many pages other shards have told of."""
        return 0 if self._others is None else int(self._others[_OUTCOMES, 0])

    def _sums(self, kind: int) -> NDArray[np.float64]:
        sums: NDArray[np.float64] = self._moments[kind]
        return sums if self._others is None else sums + self._others[kind]

    @property
    def usual(self) -> float:
        """The share of good pages so far."""
        count, total, _ = self._sums(_OUTCOMES)
        return float(np.clip((total + USUAL_WEIGHT * USUAL) / (count + USUAL_WEIGHT), RAREST, COMMONEST))

    def features(self, ids: Ids) -> NDArray[np.float64]:
        """A row for each url, in the order of `FEATURES`."""
        of_links = np.maximum(self._crawl.value("links")[ids], 1.0)
        parents = self._crawl.value("parents")[ids] / of_links
        return np.stack(
            (
                np.ones(len(ids)),
                self._words(ids),
                self._standing(self._crawl.value("address")[ids], _ADDRESS),
                np.clip(log_odds(parents) - log_odds(self.usual), LOWEST, HIGHEST),
                self._better(self._crawl.value("near")[ids], self._crawl.value("near weight")[ids]),
                self._folder(ids),
                self._standing(_log_cash(self._crawl.value("cash")[ids]), _CASH),
            ),
            axis=1,
        )

    def known(self, ids: Ids) -> Floats:
        """How far what pages have taught holds for each url, 0 to 1: by those that its host has shown."""
        pages = self._crawl.table("hosts").value("pages")[self._crawl.host[ids]].astype(np.float64)
        return np.minimum(pages / SEEN_ENOUGH, 1.0)

    def _words(self, ids: Ids) -> Floats:
        worded = self._crawl.value("worded")[ids]
        standing = self._standing(self._crawl.value("words")[ids] / np.maximum(worded, 1.0), _WORDS)
        return np.where(worded > 0, standing, 0.0)

    def _standing(self, judged: Floats, kind: int) -> Floats:
        """How far above or below the average of its kind, in standard deviations."""
        mean, spread = self._average(kind)
        return np.clip((judged - mean) / spread, LOWEST, HIGHEST)

    def _average(self, kind: int) -> tuple[float, float]:
        sums = self._sums(kind)
        count, total, squares = sums / max(sums[0], 1.0)
        return float(total), float(np.sqrt(max(squares - total * total, LEAST_VARIANCE))) if count else 1.0

    def _better(self, good: Floats, weight: Floats) -> Floats:
        return log_odds((good + NEAR_DOUBT * self.usual) / (weight + NEAR_DOUBT)) - log_odds(self.usual)

    def _folder(self, ids: Ids) -> Floats:
        """How a folder's pages turned out; where few are known, how its host's did, or what is said of its host."""
        hosts = self._crawl.host[ids]
        share = _share_of_good(self._crawl.table("hosts"), hosts, self._promised(hosts))
        folder = self._crawl.value("folder")[ids].astype(np.int32)
        placed = folder != NOWHERE
        share[placed] = _share_of_good(self._crawl.table("folders"), folder[placed], share[placed])
        return log_odds(share) - log_odds(self.usual)

    def _promised(self, hosts: Ids) -> Floats:
        """The share of good pages that the words around links to pages of a host let expect."""
        table = self._crawl.table("hosts")
        worded = table.value("worded")[hosts]
        standing = self._standing(table.value("words")[hosts] / np.maximum(worded, 1.0), _WORDS)
        odds = log_odds(self.usual) + standing * worded / (worded + WORDS_DOUBT)
        return 1.0 / (1.0 + np.exp(-odds))

    def note_outcomes(self, ids: Ids, outcomes: Floats) -> Ids:
        """Tell hosts, folders and neighbors of fetched pages how they turned out; gives those neighbors."""
        found = {"pages": np.ones(len(ids)), "good": outcomes}
        self._moments[_OUTCOMES] += (len(ids), outcomes.sum(), (outcomes**2).sum())
        add_to(self._crawl.table("hosts"), self._crawl.host[ids], found)
        folder = self._crawl.value("folder")[ids].astype(np.int32)
        placed = folder != NOWHERE
        add_to(self._crawl.table("folders"), folder[placed], {name: of[placed] for name, of in found.items()})
        return Neighbors(self._crawl).tell(ids, outcomes)

    def correct_outcomes(self, ids: Ids, more: Floats) -> Ids:
        """Pages turned out better or worse than was told, by so much; gives the neighbors that learn of it."""
        self._moments[_OUTCOMES, 1] += more.sum()
        add_to(self._crawl.table("hosts"), self._crawl.host[ids], {"good": more})
        folder = self._crawl.value("folder")[ids].astype(np.int32)
        placed = folder != NOWHERE
        add_to(self._crawl.table("folders"), folder[placed], {"good": more[placed]})
        return Neighbors(self._crawl).tell(ids, more, is_new=False)

    def note_links(self, pages: Pages) -> Ids:
        """Take in the links of a batch; gives the urls they lead to that are not fetched."""
        crawl = self._crawl
        ends = crawl.destinations(pages.targets)
        Neighbors(crawl).note_known(pages, ends)
        wanted = np.flatnonzero(~crawl.is_fetched(ends))
        targets = ends[wanted]
        new, first = np.unique(targets, return_index=True)
        is_new = crawl.value("links")[new] == 0
        urls = [*chain.from_iterable(page.urls or [""] * len(page.targets) for page in pages)]
        self._note_addresses(new[is_new], [urls[at] for at in wanted[first[is_new]].tolist()])
        words = judge_contexts(pages, wanted, crawl.topic)
        # A link without words around it, as that of the root to a seed, tells nothing by them.
        worded = ~np.isnan(words)
        judged = np.where(worded, log_odds(words, SUREST_OF_WORDS), 0.0)
        self._learn_moments(judged[worded], _WORDS)
        self._remember(pages, wanted, words, judged)
        self._pass_on_cash(pages, ends)
        said = {"worded": worded.astype(np.float64), "words": judged}
        add_to(crawl.table("hosts"), crawl.host[targets], said)
        return add_to(
            crawl,
            targets,
            {
                "links": np.ones(len(targets)),
                **said,
                "parents": pages.per_link(pages.relevance)[wanted],
            },
        )

    def _remember(self, pages: Pages, wanted: NDArray[np.int64], words: Floats, judged: Floats) -> None:
        """What the words around each link add, NaN where there are none: to be taken back when the link is gone."""
        contributed = np.full(len(pages.targets), np.nan)
        contributed[wanted] = np.where(np.isnan(words), np.nan, judged)
        self._crawl.note_contributions(pages, contributed)

    def take_back_links(self, pages: Pages) -> Ids:
        """Undo what former versions of pages that were fetched again had brought; gives the urls they led to."""
        former = pages.changed()
        if former is None:
            return np.empty(0, dtype=np.int32)
        crawl = self._crawl
        ends = crawl.destinations(former.targets)
        own = [page.former for page in pages if page.former is not None]
        parents = np.concatenate([np.full(len(one.targets), one.relevance) for one in own])
        wanted = ~crawl.is_fetched(ends) & (crawl.value("links")[ends] > 0)
        targets, words, parents = ends[wanted], former.contributions[wanted], np.nan_to_num(parents[wanted])
        counted = crawl.value("worded")[targets]
        if not crawl.remembers_links:  # then each is worth what links to its target are worth on average
            average = crawl.value("words")[targets] / np.maximum(counted, 1.0)
            words = np.where(counted > 0, average, np.nan)
        said = {"worded": -1.0 * ~np.isnan(words), "words": -np.nan_to_num(words).astype(np.float64)}
        add_to(crawl.table("hosts"), crawl.host[targets], said)
        return add_to(crawl, targets, {"links": np.full(len(targets), -1.0), **said, "parents": -parents})

    def correct_links(self, pages: Pages, more: Floats, topic_before: TopicModel) -> Ids:
        """Judge the links of pages again that were taken in before, and pass on by how much these are better now."""
        crawl = self._crawl
        ends = crawl.destinations(pages.targets)
        wanted = np.flatnonzero(~crawl.is_fetched(ends) & (crawl.value("links")[ends] > 0))
        targets = ends[wanted]
        new, first = np.unique(targets, return_index=True)
        urls = [url for page in pages for url in page.urls]
        self._judge_addresses(new, [urls[at] for at in wanted[first].tolist()])
        words = judge_contexts(pages, wanted, crawl.topic)
        then = Pages([replace(page, around=page.around_before) for page in pages])
        before = judge_contexts(then, wanted, topic_before)
        worded = ~np.isnan(words)
        judged = np.where(worded, log_odds(words, SUREST_OF_WORDS), 0.0)
        self._learn_moments(judged[worded], _WORDS)
        self._remember(pages, wanted, words, judged)
        change = judged - np.where(worded, log_odds(before, SUREST_OF_WORDS), 0.0)
        add_to(crawl.table("hosts"), crawl.host[targets], {"words": change})
        return add_to(crawl, targets, {"words": change, "parents": pages.per_link(more)[wanted]})

    def _pass_on_cash(self, pages: Pages, ends: Ids) -> None:
        """Every page gives what it has to its links in equal parts (Abiteboul et al. 2003); the root has 1."""
        cash = self._crawl.value("cash")[pages.ids]
        of_root = pages.relevance * np.array([page.share for page in pages])
        given = np.where(pages.ids == ROOT, of_root, cash) / np.maximum(pages.link_counts, 1)
        self._crawl.set_value("cash", pages.ids, 0.0)
        richer = add_to(self._crawl, ends, {"cash": pages.per_link(given)})
        cash = self._crawl.value("cash")[richer[~self._crawl.is_fetched(richer)]]
        self._learn_moments(_log_cash(cash[cash > 0]), _CASH)

    def _note_addresses(self, ids: Ids, urls: list[str]) -> None:
        self._judge_addresses(ids, urls)
        folders = self._crawl.table("folders").rows(_folder_keys(urls))
        self._crawl.set_value("folder", ids, folders.astype(np.float64))

    def _judge_addresses(self, ids: Ids, urls: list[str]) -> None:
        judged = log_odds(self._crawl.judge(Passages.of([_path_of(url) for url in urls])), SUREST_OF_WORDS)
        self._learn_moments(judged, _ADDRESS)
        self._crawl.set_value("address", ids, judged)

    def _learn_moments(self, judged: Floats, kind: int) -> None:
        self._moments[kind] += (len(judged), judged.sum(), (judged**2).sum())
        if self._moments[kind, 0] > RECENT:
            self._moments[kind] /= 2

    def move(self, sources: Ids, targets: Ids) -> Ids:
        """What was known of a url is known of the one it moved to; gives the neighbors that learn of it."""
        crawl = self._crawl
        names = ("links", "worded", "words", "parents", "near", "near weight", "cash")
        is_new = crawl.value("links")[targets] == 0
        for name in ("address", "folder"):
            crawl.set_value(name, targets[is_new], crawl.value(name)[sources[is_new]])
        add_to(crawl, targets, {name: crawl.value(name)[sources] for name in names})
        crawl.set_value("cash", sources, 0.0)
        known = crawl.is_fetched(targets) & (targets != ROOT)
        return Neighbors(self._crawl).tell(sources[known], crawl.relevance[targets[known]])


def _share_of_good(table: Table, rows: Ids, expected: Floats | float) -> Floats:
    """How pages of a host or folder turned out, a few of the expected kind added."""
    good, pages = table.value("good")[rows], table.value("pages")[rows]
    share: Floats = (good + FOLDER_DOUBT * expected) / (pages + FOLDER_DOUBT)
    return share


def log_odds(share: Floats | float, surest: float = SUREST) -> Floats:
    """Of probabilities, kept away from 0 and 1."""
    bounded = np.clip(share, surest, 1.0 - surest)
    odds: Floats = np.log(bounded / (1.0 - bounded))
    return odds


def _log_cash(cash: Floats) -> Floats:
    logarithm: Floats = np.log(np.maximum(cash, LEAST_CASH))
    return logarithm


def _path_of(url: str) -> str:
    """The part of a url that somebody may have named after what is there."""
    return unquote(url.partition("://")[2].partition("/")[2])


def _folder_keys(urls: list[str]) -> NDArray[np.uint64]:
    # As the bits of floats, since crawls begun before there were tables have kept them so.
    keys = (fingerprints([_folder_of(url) for url in urls]) >> np.uint64(12)).astype(np.float64) + 1.0
    return keys.view(np.uint64)


def _folder_of(url: str) -> str:
    return url.partition("?")[0].removesuffix("/").rpartition("/")[0]
