"""What every parser is told, and what it is: a function from bytes to a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from honeyguide.model import ParsedPage
from honeyguide.urls import DEFAULT_POLICY, UrlPolicy


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """How much of a page is wanted."""

    policy: UrlPolicy = DEFAULT_POLICY  # makes the urls of links canonical
    context_words: int = 0  # around each link; 0: none
    max_links: int = 10_000
    max_text_chars: int = 1_000_000
    with_listings: bool = False  # whether sitemaps and feeds are looked for
    with_feed: bool = False  # whether the first feed that a page declares in its head is a link


Parser = Callable[[bytes, str, str, ParseOptions], ParsedPage | None]
"""Reads a body, given its url and Content-Type header; None when that is not what the parser reads."""
