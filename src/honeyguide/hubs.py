"""What the distiller makes of a crawl: its best hubs, authorities and sites."""

from __future__ import annotations

from typing import Any

import numpy as np

from honeyguide.crawls import Crawl
from honeyguide.graph.hits import best_of_scores, densest_sites, distill
from honeyguide.model import ROOT, Floats, Ids
from honeyguide.state.state import State
from honeyguide.store.reader import Reader
from honeyguide.urls import site_of

Distilled = dict[str, list[dict[str, Any]]]


def distilled(crawl: Crawl, most: int, all_links: bool = False) -> Distilled:
    """Rows of `hubs`, `authorities` and `sites`, the best first; with links within a site, or without."""
    with crawl.reader() as reader:
        return _distilled(reader, reader.state(), most, all_links, crawl.threshold)


def _distilled(reader: Reader, state: State, most: int, all_links: bool, relevant_above: float) -> Distilled:
    relevance = state.urls["relevance"].copy()
    relevance[ROOT] = np.nan  # the seeds' list is no page
    names, host_sites = np.unique([site_of(host) for host in state.host_names], return_inverse=True)
    sites = host_sites[state.urls["host"]].astype(np.int32)
    found = distill(*state.links.pairs(), relevance, None if all_links else sites)
    densest = densest_sites(relevance, sites, relevant_above)
    rows = zip(densest.sites, densest.densities, densest.relevant, densest.pages, strict=True)

    def pages(name: str, scores: Floats) -> list[dict[str, Any]]:
        best: Ids = best_of_scores(scores, most)
        return [_page(reader, int(at), name, float(scores[at]), float(relevance[at])) for at in best]

    return {
        "hubs": pages("hub", found.hub),
        "authorities": pages("authority", found.authority),
        "sites": [
            {
                "site": str(names[site]),
                "density": float(density),
                "relevant": int(relevant),
                "pages": int(number),
            }
            for site, density, relevant, number in list(rows)[:most]
        ],
    }


def _page(reader: Reader, url_id: int, name: str, score: float, relevance: float) -> dict[str, Any]:
    visit = reader.last_visit(url_id)
    title = visit.title if visit else ""
    return {name: score, "relevance": relevance, "title": title, "url": reader.url_text(url_id)}
