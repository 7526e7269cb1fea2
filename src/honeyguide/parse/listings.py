"""Pages that list others: of a tag, a month, a search. They lead to answers and are none. Used to show pages."""

from __future__ import annotations

import re

from honeyguide.model import ParsedPage

LINKED_SHARE = 0.5
"""Of the words of a page; teasers and menus leave few lists above it, but hardly any article is."""
FEWEST_LINKS = 20

_LIST_OF = re.compile(
    r"/(?:tags?|categor(?:y|ies)|archives?|authors?|labels?|search)(?:/|\.html?|$)|/page/?\d+(?:/|\.html?|$)"
    r"|[?&](?:page|paged|tag|cat|category|author|s|q)=|/(?:19|20)\d\d/(?:\d\d/){0,2}$",
    re.IGNORECASE,
)
_VARIANT = re.compile(r"(?:/page/?\d+|/amp|/print)?/?(?:index\.\w+|\.html?)?$", re.IGNORECASE)


def has_url_of_list(url: str) -> bool:
    """Whether a url looks like that of a list.

    >>> [has_url_of_list(f"https://a.example/{path}") for path in ("tags/bees/", "2019/05/", "?page=2", "2019/05/bees")]
    [True, True, True, False]
    """
    return _LIST_OF.search(url) is not None


def is_mostly_links(page: ParsedPage) -> bool:
    """Whether more words of a page are in its links than beside them."""
    linked = sum(len(anchor.split()) for anchor in page.links.anchors)
    return len(page.links) >= FEWEST_LINKS and linked > LINKED_SHARE * len(page.text.split())


def without_variant(url: str) -> str:
    """A url without what often differs where the page is the same: query, number of a page, index.html, a slash.

    >>> without_variant("https://a.example/bees/page/2/?x=1"), without_variant("https://a.example/bees/index.html")
    ('https://a.example/bees', 'https://a.example/bees')
    """
    return _VARIANT.sub("", url.partition("?")[0], count=1)
