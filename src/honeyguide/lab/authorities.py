"""Whether two crawls that began from other seeds agree on what the authorities are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.hits import distill
from honeyguide.lab.results import Run
from honeyguide.lab.tasks.closed_web import ClosedWeb
from honeyguide.model import Floats

COUNT = 25
EVERY = 100


def top_authorities(run: Run, web: ClosedWeb, pages: int, count: int = COUNT) -> list[str]:
    """The best authorities among the first pages of a run, by the links between them and the guide's relevance."""
    fetched = np.array([web.numbers[url] for url in run.url[:pages].tolist()], dtype=np.int64)
    relevance = np.full(len(web.urls), np.nan)
    relevance[fetched] = run.relevance[:pages]
    links = web.graph.tocoo()
    known = ~np.isnan(relevance[links.row]) & ~np.isnan(relevance[links.col])
    found = distill(
        links.row[known].astype(np.int32), links.col[known].astype(np.int32), relevance, sites=None
    )
    best = np.argsort(-found.authority, kind="stable")[:count]
    return [web.urls[number] for number in best.tolist() if found.authority[number] > 0]


def authority_robustness(
    first: Run, second: Run, web: ClosedWeb, every: int = EVERY
) -> tuple[NDArray[np.int64], Floats]:
    """Pages fetched, and by then the common share of the best authorities of two runs of one task."""
    steps = np.arange(every, min(len(first), len(second)) + 1, every)
    overlaps = []
    for pages in steps.tolist():
        ours, theirs = (set(top_authorities(run, web, pages)) for run in (first, second))
        overlaps.append(len(ours & theirs) / max(1, min(len(ours), len(theirs))))
    return steps, np.array(overlaps)
