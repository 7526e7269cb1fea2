"""The settings of a crawl: declared once in `sections`, read from one TOML file, wrong ones told."""

from honeyguide.settings.catalog import Setting
from honeyguide.settings.order import CrawlOrder, all_settings, parse_assignments, sections
from honeyguide.settings.plugin_settings import keywords_of, plugin_keywords
from honeyguide.settings.sections import (
    CrawlSettings,
    FetchSettings,
    LimitSettings,
    OutputSettings,
    PolitenessSettings,
    ScopeSettings,
    SeedSettings,
    StrategySettings,
    TopicSettings,
    WebSettings,
)

__all__ = [
    "CrawlOrder",
    "CrawlSettings",
    "FetchSettings",
    "LimitSettings",
    "OutputSettings",
    "PolitenessSettings",
    "ScopeSettings",
    "SeedSettings",
    "Setting",
    "StrategySettings",
    "TopicSettings",
    "WebSettings",
    "all_settings",
    "keywords_of",
    "parse_assignments",
    "plugin_keywords",
    "sections",
]
