"""What other machines read of the portal: OpenSearch description, sitemaps, robots.txt."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as Xml

from honeyguide.serve.portal.feeds import element, xml_bytes
from honeyguide.serve.portal.shown import plain

OPENSEARCH = "http://a9.com/-/spec/opensearch/1.1/"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
MOST_LISTED = 10_000
MOST_SHORT_NAME = 16


def opensearch(name: str, description: str, search: str, page: str, icon: str, json: str = "") -> bytes:
    """A description by which browsers add a search; `search` is the absolute address of the search page."""
    top = Xml.Element("OpenSearchDescription", {"xmlns": OPENSEARCH})
    element(top, "ShortName", plain(name, MOST_SHORT_NAME))
    element(top, "LongName", plain(name, 48))
    element(top, "Description", plain(description, 1024))
    element(top, "Url", type="text/html", method="get", rel="results", template=f"{search}?q={{searchTerms}}")
    if json:
        element(
            top,
            "Url",
            type="application/json",
            rel="results",
            template=f"{json}?q={{searchTerms}}&most={{count?}}&offset={{startIndex?}}",
            indexOffset="0",
        )
    element(top, "Url", type="application/opensearchdescription+xml", rel="self", template=page)
    element(top, "Image", icon, type="image/svg+xml", width="64", height="64")
    element(top, "InputEncoding", "UTF-8")
    element(top, "OutputEncoding", "UTF-8")
    return xml_bytes(top)


def sitemap(pages: Iterable[tuple[str, str]]) -> bytes:
    """Absolute addresses of pages of the portal, each with the time it last changed, if that is known."""
    return _listing("urlset", "url", pages)


def sitemap_index(sitemaps: Iterable[str]) -> bytes:
    """A sitemap for each collection."""
    return _listing("sitemapindex", "sitemap", ((one, "") for one in sitemaps))


def _listing(outer: str, inner: str, addresses: Iterable[tuple[str, str]]) -> bytes:
    top = Xml.Element(outer, {"xmlns": SITEMAP})
    for address, changed in addresses:
        entry = element(top, inner)
        element(entry, "loc", address)
        if changed:
            element(entry, "lastmod", changed)
    return xml_bytes(top)


def robots(root: str, origin: str, is_open: bool) -> str:
    """Crawlers may read everything but answers to questions; what needs a login is none of their business."""
    if not is_open:
        return "User-agent: *\nDisallow: /\n"
    closed = ("/api/", "/console/", "/?q=", "/c/*/search?")
    lines = [
        "User-agent: *",
        *(f"Disallow: {root}{path}" for path in closed),
        "",
        f"Sitemap: {origin}/sitemap.xml",
    ]
    return "\n".join(lines) + "\n"
