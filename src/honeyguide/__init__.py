"""honeyguide: a focused web crawler. Give it a topic and some starting pages; the pages on the topic come first.

What is listed in `__all__` is the promise: it changes by semantic versioning. Everything else may change any day.

>>> import honeyguide as hg
>>> hg.Crawl, hg.Label(url="https://example.org/bees", relevant=True).relevant
(<class 'honeyguide.crawls.Crawl'>, True)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from honeyguide.version import __version__

if TYPE_CHECKING:
    from honeyguide.commands import (
        AddSeeds,
        Label,
        Pause,
        Resume,
        SetLimits,
        SetPriorities,
        Steer,
        Stop,
        Unsteer,
        UseRevision,
    )
    from honeyguide.crawled import CrawledPage, CrawlStatus
    from honeyguide.crawls import Crawl
    from honeyguide.engine.running import StopReason
    from honeyguide.errors import HoneyguideError
    from honeyguide.fetch.base import Fetcher
    from honeyguide.settings import CrawlOrder
    from honeyguide.strategies.base import Strategy
    from honeyguide.stream import crawl
    from honeyguide.topics.base import TopicModel


__all__ = [
    "AddSeeds",
    "Crawl",
    "CrawlOrder",
    "CrawlStatus",
    "CrawledPage",
    "Fetcher",
    "HoneyguideError",
    "Label",
    "Pause",
    "Resume",
    "SetLimits",
    "SetPriorities",
    "Steer",
    "Stop",
    "StopReason",
    "Strategy",
    "TopicModel",
    "Unsteer",
    "UseRevision",
    "__version__",
    "crawl",
]

_HOMES = {
    "honeyguide.commands": (
        "AddSeeds",
        "Label",
        "Pause",
        "Resume",
        "SetLimits",
        "SetPriorities",
        "Steer",
        "Stop",
        "Unsteer",
        "UseRevision",
    ),
    "honeyguide.crawled": ("CrawlStatus", "CrawledPage"),
    "honeyguide.crawls": ("Crawl",),
    "honeyguide.engine.running": ("StopReason",),
    "honeyguide.errors": ("HoneyguideError",),
    "honeyguide.fetch.base": ("Fetcher",),
    "honeyguide.settings": ("CrawlOrder",),
    "honeyguide.strategies.base": ("Strategy",),
    "honeyguide.stream": ("crawl",),
    "honeyguide.topics.base": ("TopicModel",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import what is asked for when it is asked for: the command line starts at once."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'honeyguide' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
