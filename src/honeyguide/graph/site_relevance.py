"""How relevant a site is, by the pages that were judged of it: several definitions, pure functions on arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from honeyguide.model import Floats

Definition = Literal["mean", "share", "odds"]

RELEVANT_SITE = 0.5
"""A site is relevant from here on, by every definition."""
EARLIER_PAGES = 2.0
"""What was expected of a site counts as much as so many of its pages."""
UNLINKED = 0.5
"""What a site is worth that nobody but itself links to; counts as one link."""
_SUREST_PAGE, _SUREST_SITE = 0.9, 0.95
"""What one page, and what all that is known beforehand, can say at most; else no page could say otherwise."""
_LEAST = 1e-9


def leaning(relevance: Floats, relevant_above: float) -> Floats:
    """Relevance of pages on a scale that has the threshold of the topic at one half.

    >>> leaning(np.array([0.0, 0.1, 0.2, 0.6, 1.0]), 0.2).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    below = relevance / (2 * max(relevant_above, _LEAST))
    above = 1 - (1 - relevance) / (2 * max(1 - relevant_above, _LEAST))
    leaned: Floats = np.clip(np.where(relevance < relevant_above, below, above), 0.0, 1.0)
    return leaned


def evidence(definition: Definition, leaned: Floats) -> Floats:
    """What each page says of its site; the evidence of several adds up."""
    if definition == "share":
        return (leaned >= RELEVANT_SITE).astype(np.float64)
    return leaned if definition == "mean" else _log_odds(leaned, _SUREST_PAGE)


def site_relevance(definition: Definition, before: Floats, evidence: Floats, pages: Floats) -> Floats:
    """Relevance of sites, 0 to 1, by the evidence of their pages and by what was expected before.

    The share of relevant pages (`share`) and their mean leaning (`mean`) have what was expected for some pages more;
    the odds (`odds`) are those of a classifier to which every page is a witness of its own.
    """
    if definition == "odds":
        log_odds = _log_odds(before, _SUREST_SITE) + evidence
        return 1 / (1 + np.exp(-np.clip(log_odds, -50.0, 50.0)))
    known: Floats = (EARLIER_PAGES * before + evidence) / (EARLIER_PAGES + pages)
    return np.clip(known, 0.0, 1.0)


def expected_of(definition: Definition, sites: Mapping[str, Floats]) -> Floats:
    """What the next page of sites should bring, 0 to 1, by what a crawl by sites keeps of each."""
    recommended = (UNLINKED + sites["trust"]) / (1 + sites["links"])
    before = np.where(np.isnan(sites["before"]), recommended, sites["before"])
    return site_relevance(definition, before, sites["evidence"], sites["spent"])


def _log_odds(probability: Floats, surest: float) -> Floats:
    bounded = np.clip(probability, 1 - surest, surest)
    odds: Floats = np.log(bounded / (1 - bounded))
    return odds
