"""What the distiller makes of a crawl: its best hubs, authorities and sites."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from honeyguide.crawls import Crawl
from honeyguide.graph.hits import HubMarks, best_of_scores, densest_sites, distill
from honeyguide.model import ROOT, Bools, Floats, Ids
from honeyguide.state.state import State
from honeyguide.store.base import LabelRow
from honeyguide.store.reader import Reader
from honeyguide.urls import site_of

Distilled = dict[str, list[dict[str, Any]]]


def distilled(crawl: Crawl, most: int, all_links: bool = False) -> Distilled:
    """Rows of `hubs`, `authorities` and `sites`, the best first; with links within a site, or without."""
    with crawl.reader() as reader:
        state = reader.state()
        if not len(state.urls):  # not started yet
            return {"hubs": [], "authorities": [], "sites": []}
        return _distilled(reader, state, most, all_links, crawl.threshold)


def _distilled(reader: Reader, state: State, most: int, all_links: bool, relevant_above: float) -> Distilled:
    relevance = state.urls["relevance"].copy()
    relevance[ROOT] = np.nan  # the seeds' list is no page
    names, host_sites = np.unique([site_of(host) for host in state.host_names], return_inverse=True)
    sites = host_sites[state.urls["host"]].astype(np.int32)
    labelled, is_relevant = _said(reader, reader.labels())
    judged = ~np.isnan(relevance[labelled])
    relevance[labelled[judged]] = is_relevant[judged]
    hubs, is_good = _said(reader, reader.hub_marks())
    marked = dict(zip(hubs.tolist(), is_good.tolist(), strict=True))
    called = dict(zip(labelled.tolist(), is_relevant.tolist(), strict=True))
    found = distill(
        *state.links.pairs(), relevance, None if all_links else sites, marks=HubMarks.of(hubs, is_good)
    )
    densest = densest_sites(relevance, sites, relevant_above)
    rows = zip(densest.sites, densest.densities, densest.relevant, densest.pages, strict=True)

    def pages(
        name: str, scores: Floats, best: Iterable[int], said: Mapping[int, bool]
    ) -> list[dict[str, Any]]:
        return [
            {
                **_page(reader, at, name, float(scores[at]), float(relevance[at])),
                "mark": _MARKS[said.get(at)],
            }
            for at in best
        ]

    best_hubs = best_of_scores(found.hub, most).tolist()
    best_hubs += [hub for hub in marked if hub not in best_hubs]
    return {
        "hubs": pages("hub", found.hub, best_hubs, marked),
        "authorities": pages(
            "authority", found.authority, best_of_scores(found.authority, most).tolist(), called
        ),
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


_MARKS = {True: "good", False: "bad", None: ""}


def _said(reader: Reader, labels: dict[str, LabelRow]) -> tuple[Ids, Bools]:
    """Pages of the crawl of which something was said, and what."""
    known = [(reader.find_url(url), row.relevant) for url, row in labels.items() if row.relevant is not None]
    found = [(url_id, verdict) for url_id, verdict in known if url_id is not None]
    return (
        np.array([url_id for url_id, _ in found], dtype=np.int32),
        np.array([verdict for _, verdict in found], dtype=np.bool_),
    )


def _page(reader: Reader, url_id: int, name: str, score: float, relevance: float) -> dict[str, Any]:
    visit = reader.last_visit(url_id)
    title = visit.title if visit else ""
    judged = None if math.isnan(relevance) else relevance  # one that was marked need not be fetched
    return {name: score, "relevance": judged, "title": title, "url": reader.url_text(url_id)}
