"""The newest good pages as Atom (RFC 4287), RSS 2.0 and JSON Feed 1.1. Texts come bounded and printable."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import formatdate
from xml.etree import ElementTree as Xml

from honeyguide.serve.portal.newest import Entry
from honeyguide.serve.portal.shown import iso

ATOM = "http://www.w3.org/2005/Atom"
MEDIA_TYPES = {
    "atom": "application/atom+xml",
    "rss": "application/rss+xml",
    "json": "application/feed+json",
}


@dataclass(frozen=True, slots=True)
class Feed:
    """What all three say; addresses are absolute."""

    title: str
    description: str
    page: str
    feed: str
    origin: str  # what paths of entries are put behind
    entries: Sequence[Entry]

    @property
    def updated(self) -> float:
        """When the newest page was fetched."""
        return max((entry.seconds for entry in self.entries), default=0.0)


def write_feed(feed: Feed, form: str) -> bytes:
    """The feed in one of the forms of `MEDIA_TYPES`."""
    return {"atom": _atom, "rss": _rss, "json": _json}[form](feed)


def xml_bytes(element: Xml.Element) -> bytes:
    """A document with its declaration."""
    written: bytes = Xml.tostring(element, encoding="utf-8", xml_declaration=True)
    return written


def element(parent: Xml.Element, name: str, text: str = "", **attributes: str) -> Xml.Element:
    """Add an element with a text."""
    made = Xml.SubElement(parent, name, attributes)
    made.text = text or None
    return made


def _atom(feed: Feed) -> bytes:
    top = Xml.Element("feed", {"xmlns": ATOM})
    element(top, "title", feed.title)
    element(top, "subtitle", feed.description)
    element(top, "id", feed.feed)
    element(top, "updated", iso(feed.updated))
    element(top, "link", rel="self", href=feed.feed, type=MEDIA_TYPES["atom"])
    element(top, "link", rel="alternate", href=feed.page, type="text/html")
    element(element(top, "author"), "name", "honeyguide")
    for entry in feed.entries:
        item = element(top, "entry")
        element(item, "title", entry.title)
        element(item, "id", entry.url)
        element(item, "updated", entry.time)
        element(item, "link", rel="alternate", href=entry.url)
        element(item, "link", rel="related", href=feed.origin + entry.about, type="text/html")
        if entry.summary:
            element(item, "summary", entry.summary, type="text")
    return xml_bytes(top)


def _rss(feed: Feed) -> bytes:
    top = Xml.Element("rss", {"version": "2.0", "xmlns:atom": ATOM})
    channel = element(top, "channel")
    element(channel, "title", feed.title)
    element(channel, "link", feed.page)
    element(channel, "description", feed.description)
    element(channel, "lastBuildDate", formatdate(feed.updated))
    element(channel, "atom:link", rel="self", href=feed.feed, type=MEDIA_TYPES["rss"])
    for entry in feed.entries:
        item = element(channel, "item")
        element(item, "title", entry.title)
        element(item, "link", entry.url)
        element(item, "guid", entry.url, isPermaLink="true")
        element(item, "pubDate", formatdate(entry.seconds))
        # Readers take this for HTML, so what looks like a tag in the text must be escaped once more.
        element(item, "description", entry.summary.replace("&", "&amp;").replace("<", "&lt;"))
    return xml_bytes(top)


def _json(feed: Feed) -> bytes:
    items = [
        {
            "id": entry.url,
            "url": entry.url,
            "title": entry.title,
            "content_text": entry.summary or entry.title,
            "date_published": entry.time,
            **({"language": entry.language} if entry.language else {}),
            "_honeyguide": {
                "about": feed.origin + entry.about,
                "relevance": float(entry.relevance),
            },
        }
        for entry in feed.entries
    ]
    told = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "description": feed.description,
        "home_page_url": feed.page,
        "feed_url": feed.feed,
        "items": items,
    }
    return json.dumps(told, ensure_ascii=False, indent=1).encode()
