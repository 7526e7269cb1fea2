"""What an experiment asks of a crawl among the settings of a strategy: `level = "sites"`, `shards = 16`."""

from __future__ import annotations

from collections.abc import Mapping
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


def at_asked_level(strategy: Strategy, keywords: Mapping[str, Any]) -> Strategy:
    """A strategy, at the level that its settings ask for."""
    asked = {f"crawl.{name}": keywords[name] for name in OF_CRAWL if name in keywords}
    return at_level(CrawlOrder().with_overrides(asked, "configurations").crawl, strategy)
