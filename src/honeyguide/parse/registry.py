"""Which parser reads a page: by its content type, one of ours or of another package. Called wherever pages are read.

Another package names its parsers by content type, in the entry point group `honeyguide.parsers`. What has no parser
of its own is read as HTML, as pages without a content type are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from honeyguide.errors import SettingsError, in_one_line
from honeyguide.model import ParsedPage, Response
from honeyguide.parse.contexts import LinkPlaces, words_around
from honeyguide.parse.html import parse_html
from honeyguide.parse.options import ParseOptions, Parser
from honeyguide.parse.plain_text import parse_text
from honeyguide.parse.sitemap import may_be_sitemap, parse_sitemap
from honeyguide.plugins import outside_plugins

_BUILT_IN: Mapping[str, Parser] = {
    "text/html": parse_html,
    "application/xhtml+xml": parse_html,
    "text/plain": parse_text,
}
_USUAL = ParseOptions()
_SHORT_CHARS = 200
_LIST_ITEM = re.compile(r'(?:[^",]|"(?:[^"\\]|\\.)*+(?:"|\\?\Z))++', re.DOTALL)
_MIME_TYPE = re.compile(r"\s*([!#$%&'*+.^`|~\w-]+/[!#$%&'*+.^`|~\w-]+)\s*(?:;|$)", re.ASCII)


@cache
def parsers() -> Mapping[str, Parser]:
    """The parser of each content type; what they are registered for is also what is fetched by default."""
    found: dict[str, Parser] = {}
    for content_type, point in outside_plugins("parsers").items():
        try:
            found[content_type.lower()] = point.load()
        except Exception as error:  # another package's code: anything may be wrong with it
            raise SettingsError(
                f"the parser of {content_type}, {point.value}, cannot be loaded ({in_one_line(error)}); "
                "repair or uninstall its package"
            ) from error
    return {**found, **_BUILT_IN}


def parse_page(body: bytes, url: str, content_type: str = "", options: ParseOptions = _USUAL) -> ParsedPage:
    """Read a page with the parser of its content type. Our own never raise, whatever the bytes are.

    Sitemaps and feeds come under many types and as any XML: they are told by their bytes, where type or url let one
    expect them.

    >>> parse_page(b"<b>1 < 2", "https://example.org/a", "text/plain").text
    '<b>1 < 2'
    """
    return _with_words_around([_parsed(body, url, content_type, options)])[0]


def parse_pages(responses: Iterable[Response], options: ParseOptions = _USUAL) -> list[ParsedPage]:
    """Read many pages, in less time than one by one."""
    return _with_words_around([_parsed(one.body, one.url, one.content_type, options) for one in responses])


def _with_words_around(pages: list[ParsedPage]) -> list[ParsedPage]:
    """What is left to be done for all pages at once."""
    placed = [page.links.contexts for page in pages]
    found = iter(words_around([own for own in placed if isinstance(own, LinkPlaces)]))
    return [
        replace(page, links=replace(page.links, contexts=next(found)))
        if isinstance(own, LinkPlaces)
        else page
        for page, own in zip(pages, placed, strict=True)
    ]


def _parsed(body: bytes, url: str, content_type: str, options: ParseOptions) -> ParsedPage:
    page = None
    if options.with_listings and may_be_sitemap(url, content_type):
        page = parse_sitemap(body, url, content_type, options)
    if page is None and (parser := parsers().get(mime_type(content_type))):
        page = parser(body, url, content_type, options)
    return parse_html(body, url, content_type, options) if page is None else page


def mime_type(header: str) -> str:
    """The MIME type of a Content-Type header, as the last of several that can be read; empty when none can.

    >>> mime_type("Text/HTML; charset=utf-8"), mime_type("image/png, text/plain"), mime_type("nonsense")
    ('text/html', 'text/plain', '')
    """
    return _mime_type(header) if len(header) <= _SHORT_CHARS else _mime_type.__wrapped__(header)


@lru_cache(256)  # of short headers: what is remembered is bounded in bytes, too
def _mime_type(header: str) -> str:
    items = _LIST_ITEM.findall(header) if "," in header else [header]
    found = [match[1].lower() for item in items if (match := _MIME_TYPE.match(item))]
    return next((name for name in reversed(found) if name != "*/*"), "")
