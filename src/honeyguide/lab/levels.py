"""What an experiment asks of a crawl among the settings of a strategy: `level = "sites"`, `shards = 16`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from honeyguide.making import at_level
from honeyguide.settings import CrawlOrder
from honeyguide.strategies.base import Strategy

OF_CRAWL = ("level", "site_relevance", "site_budget")
"""Settings that are the crawl's, and no strategy's own."""
SHARDS = "shards"


def own_settings(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the strategy itself."""
    return {name: value for name, value in keywords.items() if name not in (*OF_CRAWL, SHARDS)}


def in_shards(
    asked: Iterable[tuple[str, Mapping[str, Any]]], numbers: Iterable[int]
) -> list[tuple[str, Mapping[str, Any]]]:
    """Strategies with their settings, once for each number of shards; a crawl in one piece needs no setting for it."""
    divided = [{SHARDS: number} if number > 1 else {} for number in numbers]
    return [(name, {**own, **also}) for also in divided for name, own in [*asked]]


def at_asked_level(strategy: Strategy, keywords: Mapping[str, Any]) -> Strategy:
    """A strategy, at the level that its settings ask for."""
    asked = {f"crawl.{name}": keywords[name] for name in OF_CRAWL if name in keywords}
    return at_level(CrawlOrder().with_overrides(asked, "configurations").crawl, strategy)
