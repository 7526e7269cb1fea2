"""A read page as a strategy sees it: which of its links may be followed, and which entered the crawl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, chain, compress

import numpy as np

from honeyguide.model import MOST_REDIRECTS, ROOT, Ids, Page, ParsedPage, Passages, Status
from honeyguide.state.state import State
from honeyguide.urls import fingerprints


def followed_links(page: ParsedPage, follow_nofollow: bool, counts: Counter[str]) -> Sequence[int]:
    """Which of a page's links may be followed at all."""
    counts["links_not_http"] += page.bad_links
    everything = range(len(page.links))
    if follow_nofollow:
        return everything
    if "nofollow" in page.robots or "none" in page.robots:
        counts["links_nofollow"] += len(page.links)
        return range(0)
    if not any(page.links.nofollow):
        return everything
    allowed = [at for at in everything if not page.links.nofollow[at]]
    counts["links_nofollow"] += len(page.links) - len(allowed)
    return allowed


def linked_page(
    state: State,
    url_id: int,
    url: str,
    parsed: ParsedPage,
    picks: Sequence[int],
    targets: Ids,
    relevance: float,
    accepted: bool = True,
) -> Page:
    """A page with its links; `targets` are those of the links at the places `picks`, -1 where one did not enter."""
    entered = targets >= 0
    is_in = entered.tolist()
    places = np.asarray(picks)[entered]
    links = parsed.links

    def kept(column: Sequence[str]) -> list[str]:
        return list(compress(picked(column, picks), is_in))

    return Page(
        id=url_id,
        former=state.version_of(url_id),
        url=url,
        relevance=relevance,
        depth=int(state.urls["depth"][url_id]),
        targets=targets[entered],
        title=parsed.title,
        text=parsed.text,
        accepted=accepted,
        is_listing=parsed.is_listing,
        urls=kept(links.urls),
        anchors=kept(links.anchors),
        contexts=Passages.of(links.contexts).take(places) if links.contexts else (),
        around=None if links.around is None else links.around[places],
    )


def read_again(
    state: State,
    ids: Sequence[int],
    urls: Sequence[str],
    parsed: Sequence[ParsedPage],
    relevance: Sequence[float],
    follow_nofollow: bool,
) -> list[Page]:
    """Pages that were read again, with the links that had entered when they were fetched."""
    chosen = [followed_links(page, follow_nofollow, Counter()) for page in parsed]
    linked = [picked(page.links.urls, picks) for page, picks in zip(parsed, chosen, strict=True)]
    found = state.find(fingerprints([*chain.from_iterable(linked)]))
    found[found == np.repeat(np.array(ids, dtype=np.int32), [len(own) for own in linked])] = -1
    ends = accumulate(map(len, linked))
    return [
        replace(
            linked_page(state, url_id, url, page, picks, found[end - len(picks) : end], judged), former=None
        )
        for url_id, url, page, picks, end, judged in zip(
            ids, urls, parsed, chosen, ends, relevance, strict=True
        )
    ]


def picked(column: Sequence[str], picks: Sequence[int]) -> Sequence[str]:
    """The entries at these places."""
    return column if len(picks) == len(column) else [column[at] for at in picks]


def redirects_to(state: State, url_id: int) -> int:
    """How many redirects in a row led to a url."""
    outcome, via = state.urls["outcome"], state.urls["via"]
    hops, at = 0, int(via[url_id])
    while outcome[at] == Status.MOVED and hops < MOST_REDIRECTS:
        hops, at = hops + 1, int(via[at])
    return hops


def trusted(state: State, page: Page) -> Page:
    """A sitemap given as a seed is a list of seeds; any other is no reason to trust what it lists."""
    if page.is_listing and state.urls["via"][page.id] == ROOT:
        return replace(page, relevance=1.0, accepted=True)
    return page
