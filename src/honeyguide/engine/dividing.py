"""Pages whose links lead into several shards of a crawl: what stays here, and what is written to the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from honeyguide.engine.linked_pages import followed_links, picked
from honeyguide.model import Floats, Page, Pages, ParsedLinks, ParsedPage, Passages
from honeyguide.shards.letters import Letter
from honeyguide.shards.owners import Owners
from honeyguide.state.view import CrawlView
from honeyguide.strategies import Strategy
from honeyguide.strategies.link_context import judge_contexts
from honeyguide.topics.base import TopicModel

NO_LINKS = ParsedLinks()


@dataclass(frozen=True, slots=True)
class Divided:
    """Pages of a batch, with their links into this shard, and those into others, by shard and place of the page."""

    here: Sequence[ParsedPage]
    elsewhere: Mapping[int, Mapping[int, ParsedLinks]]

    @classmethod
    def whole(cls, parsed: Sequence[ParsedPage]) -> Divided:
        """All links stay here."""
        return cls(parsed, {})

    @classmethod
    def among(cls, owners: Owners | None, parsed: Sequence[ParsedPage], follow_nofollow: bool) -> Divided:
        """Links by the owners of their targets; what may not be followed stays here, where it is counted."""
        if owners is None:
            return cls.whole(parsed)
        chosen = [followed_links(page, follow_nofollow, Counter()) for page in parsed]
        urls = chain.from_iterable(map(picked, (page.links.urls for page in parsed), chosen))
        here, elsewhere = [*parsed], dict[int, dict[int, ParsedLinks]]()
        for place, leaving in _leaving(owners, [*urls], [*map(len, chosen)]).items():
            links, picks = parsed[place].links, chosen[place]
            stays = np.ones(len(links), dtype=np.bool_)
            for shard, some in sorted(leaving.items()):
                at = some if len(picks) == len(links) else [picks[one] for one in some]
                elsewhere.setdefault(shard, {})[place] = _some(links, at)
                stays[at] = False
            here[place] = replace(parsed[place], links=_some(links, np.flatnonzero(stays).tolist()))
        return cls(here, elsewhere)

    def to_all(self, owners: Owners, places: Sequence[int]) -> Divided:
        """The same, but all shards hear of some pages: those that are to forget links they had."""
        nothing = dict.fromkeys(places, NO_LINKS)
        elsewhere = {shard: {**nothing, **self.elsewhere.get(shard, {})} for shard in owners.others}
        return Divided(self.here, elsewhere) if places else self

    def parts(self, pages: Sequence[Page]) -> dict[int, Floats]:
        """For each other shard the share of every page's links that lead into it."""
        here = np.array([len(page.targets) for page in pages], dtype=np.float64)
        into = {shard: self._counted(shard, len(pages)) for shard in self.elsewhere}
        total = np.maximum(here + sum(into.values()), 1.0)
        return {shard: counts / total for shard, counts in into.items()}

    def _counted(self, shard: int, pages: int) -> Floats:
        counts = np.zeros(pages)
        for place, links in self.elsewhere[shard].items():
            counts[place] = len(links)
        return counts


def _leaving(owners: Owners, urls: Sequence[str], counts: Sequence[int]) -> dict[int, dict[int, list[int]]]:
    """Links of pages, of which each has so many, that lead elsewhere: by page, and by shard which of its links.

    Most links lead nowhere else, so that only those that do are looked at one by one.
    """
    owner = owners.of(urls)
    leaving = np.flatnonzero(owner != owners.shard)
    ends = np.cumsum(counts, dtype=np.int64)
    pages = np.searchsorted(ends, leaving, side="right")
    found: dict[int, dict[int, list[int]]] = {}
    at = leaving - (ends - np.asarray(counts, dtype=np.int64))[pages]
    for page, shard, link in zip(pages.tolist(), owner[leaving].tolist(), at.tolist(), strict=True):
        found.setdefault(page, {}).setdefault(shard, []).append(link)
    return found


def _some(links: ParsedLinks, places: Sequence[int]) -> ParsedLinks:
    """The links at these places."""
    urls, anchors = ([column[place] for place in places] for column in (links.urls, links.anchors))
    nofollow = [links.nofollow[place] for place in places]
    contexts = Passages.of(links.contexts).take(places) if links.contexts else ()
    around = None if links.around is None else links.around[places]
    return ParsedLinks(urls, anchors, nofollow, contexts, around)


def letters(
    divided: Divided, pages: Sequence[Page], strategy: Strategy, crawl: CrawlView
) -> dict[int, Letter]:
    """What other shards are told of judged pages; what these hand on in shares is taken from them."""
    if not divided.elsewhere:
        return {}
    ids = np.array([page.id for page in pages], dtype=np.int32)
    parts = divided.parts(pages)
    before = {name: crawl.value(name)[ids] for name in strategy.hands_on}
    for name, how in strategy.hands_on.items():
        if how == "split":
            crawl.set_value(name, ids, before[name] * (1.0 - sum(parts.values())))
    judged = _judged(divided, pages, crawl.topic)
    written = {}
    for (shard, links), around in zip(divided.elsewhere.items(), judged, strict=True):
        handed_on = {
            name: before[name] * parts[shard] if how == "split" else before[name]
            for name, how in strategy.hands_on.items()
        }
        written[shard] = _letter([*links], [*links.values()], pages, handed_on, around)
    return written


def _letter(
    places: Sequence[int],
    links: Sequence[ParsedLinks],
    pages: Sequence[Page],
    handed_on: Mapping[str, Floats],
    around: NDArray[np.float32],
) -> Letter:
    chosen = [pages[place] for place in places]
    numbers = np.nan_to_num
    return Letter(
        ids=np.array([page.id for page in chosen], dtype=np.int64),
        urls=[page.url for page in chosen],
        relevance=np.array([page.relevance for page in chosen], dtype=np.float64),
        priority=np.zeros(len(chosen)),
        depth=np.array([page.depth for page in chosen], dtype=np.int32),
        accepted=np.array([page.accepted for page in chosen], dtype=np.bool_),
        is_listing=np.array([page.is_listing for page in chosen], dtype=np.bool_),
        is_redirect=np.zeros(len(chosen), dtype=np.bool_),
        links=np.array([len(own) for own in links], dtype=np.int32),
        targets=[url for own in links for url in own.urls],
        anchors=[anchor for own in links for anchor in own.anchors],
        around=around,
        handed_on={name: numbers(values[[*places]]) for name, values in handed_on.items()},
    )


def corrections(
    divided: Divided, pages: Sequence[Page], before: Floats, topic_before: TopicModel, crawl: CrawlView
) -> dict[int, tuple[Letter, Floats, NDArray[np.float32]]]:
    """What other shards are told of pages that are judged again: as they are judged now, and as they were before."""
    if not divided.elsewhere:
        return {}
    judged = zip(_judged(divided, pages, crawl.topic), _judged(divided, pages, topic_before), strict=True)
    told = {}
    for (shard, links), (around, around_before) in zip(divided.elsewhere.items(), judged, strict=True):
        letter = _letter([*links], [*links.values()], pages, {}, around)
        told[shard] = letter, before[[*links]], around_before
    return told


def _judged(divided: Divided, pages: Sequence[Page], topic: TopicModel) -> list[NDArray[np.float32]]:
    """Relevance of the words around links into each other shard: numbers travel, texts stay."""
    told = [(pages[place], own) for into in divided.elsewhere.values() for place, own in into.items()]
    known = [own.around for _, own in told if own.around is not None and not own.contexts]
    sizes = [sum(map(len, into.values())) for into in divided.elsewhere.values()]
    if told and len(known) == len(told):
        return np.split(np.concatenate(known).astype(np.float32), np.cumsum(sizes)[:-1])
    alike = [
        replace(
            page,
            targets=np.full(len(own), -1, dtype=np.int32),
            contexts=own.contexts,
            around=own.around,
            former=None,
        )
        for page, own in told
    ]
    around = judge_contexts(Pages(alike), np.arange(sum(sizes)), topic).astype(np.float32)
    return np.split(around, np.cumsum(sizes)[:-1])


def redirected(
    url_id: int, url: str, target: str, priority: float, depth: int, handed_on: Mapping[str, float]
) -> Letter:
    """What another shard is told of a url that has moved there."""
    return Letter(
        ids=np.array([url_id], dtype=np.int64),
        urls=[url],
        relevance=np.zeros(1),
        priority=np.array([priority]),
        depth=np.array([depth], dtype=np.int32),
        accepted=np.zeros(1, dtype=np.bool_),
        is_listing=np.zeros(1, dtype=np.bool_),
        is_redirect=np.ones(1, dtype=np.bool_),
        links=np.ones(1, dtype=np.int32),
        targets=[target],
        anchors=[""],
        around=np.full(1, np.nan, dtype=np.float32),
        handed_on={name: np.array([np.nan_to_num(value)]) for name, value in handed_on.items()},
    )
