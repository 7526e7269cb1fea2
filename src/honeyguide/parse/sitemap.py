"""Sitemaps, sitemap indexes, feeds and lists of urls, packed or not, to links. Called by the registry.

Tags are looked for in the text, no XML parser reads it: nothing is expanded or included, and an error costs one
entry, not the rest of the file.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from honeyguide.model import ParsedLinks, ParsedPage
from honeyguide.parse.charset import decode
from honeyguide.parse.links import one_line
from honeyguide.parse.options import ParseOptions
from honeyguide.urls import MAX_LENGTH

MAX_UNPACKED_BYTES = 20_000_000
"""The rest of a larger file is not read; 50,000 urls of 400 bytes fit in."""

_GZIP = b"\x1f\x8b"
_GZIP_WINDOW = 31
_MAX_ENTRIES = 50_000  # what a sitemap may have, however few links a page may
_MAX_MEMBERS = 100
_MAX_PROLOG_CHARS = 100_000
_MAX_VALUE_CHARS = 2 * MAX_LENGTH
_MAX_ANCHOR_CHARS = 300
_MAX_DATE_CHARS = 64
_TAGS_PER_ENTRY = 12  # more are not looked at, so that a file of empty tags costs no more than a full one
_LOOKED_AT_LINES = 50
_LINES_PER_ENTRY = 4

_PROLOG = re.compile(r"(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*+(?:\[[^\]]*+\]\s*+)?+>)*+", re.S | re.I)
_ROOT = re.compile(r"<([\w.-]{1,100}+:)?(urlset|sitemapindex|rss|RDF|feed)(?=[\s/>])", re.I)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.S)
_ANY_TAG = re.compile(r"<[^>]*+(?:>|\Z)")
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ATTRIBUTE = re.compile(r"""\b(href|rel)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""", re.I)

Kind = Literal["pages", "sitemaps", "feed", "text"]
_KINDS: dict[str, Kind] = {
    "urlset": "pages",
    "sitemapindex": "sitemaps",
    "rss": "feed",
    "rdf": "feed",
    "feed": "feed",
}
_FIELDS = {
    "loc": "url",
    "link": "url",
    "guid": "id",
    "title": "title",
    "lastmod": "modified",
    "pubDate": "modified",
    "updated": "modified",
    "published": "modified",
}
_SITEMAP_URL = re.compile(
    r"/[^/?]*(?:sitemap[^/?]*\.(?:txt|xml)|\.(?:xml|rss|atom))(?:\.gz)?(?:\?|\Z)", re.IGNORECASE
)
_TYPES = re.compile(
    r"(?:application|text)/(?:(?:[\w.-]++\+)?+xml|plain|html|(?:x-)?gzip|octet-stream)|binary/octet-stream"
)
_SITEMAP_NAMES = "url|sitemap|loc|lastmod"
_FEED_NAMES = "item|entry|link|guid|title|pubDate|updated|published"


@dataclass(slots=True)
class Entry:
    """One page, or one sitemap, that is listed; texts as written."""

    url: str = ""
    title: str = ""
    modified: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What a file lists; `kind` tells whether that are pages or further sitemaps."""

    kind: Kind
    entries: list[Entry]
    title: str = ""


def may_be_sitemap(url: str, content_type: str) -> bool:
    """Whether it is worth looking: by its name or its type, a list of pages rather than a page.

    >>> may_be_sitemap("http://example.org/sitemap.txt", "text/plain")
    True
    """
    return "xml" in content_type.lower().replace("xhtml+xml", "") or _SITEMAP_URL.search(url) is not None


def may_come_as(url: str, mime_type: str) -> bool:
    """Whether it is by its name a sitemap or feed, and these are served so: as XML, text or packed, not as a picture.

    >>> [may_come_as("http://example.org/news.rss", kind) for kind in ("application/rss+xml", "image/svg+xml")]
    [True, False]
    """
    return _TYPES.fullmatch(mime_type) is not None and _SITEMAP_URL.search(url) is not None


def may_be_packed_sitemap(url: str, body: bytes) -> bool:
    """Whether what came without a content type is worth unpacking."""
    return body.startswith(_GZIP) and _SITEMAP_URL.search(url) is not None


def parse_sitemap(body: bytes, url: str, content_type: str, options: ParseOptions) -> ParsedPage | None:
    """Read a sitemap or feed as a page that only links, with titles as anchors; None when it is none. Never raises.

    >>> body = b"<urlset><url><loc>http://example.org/a</loc></url></urlset>"
    >>> parse_sitemap(body, "http://example.org/sitemap.xml", "text/xml", ParseOptions()).links.urls
    ['http://example.org/a']
    """
    sitemap = read_sitemap(body)
    if sitemap is None:
        return None
    anchors: dict[str, str] = {}
    dates: dict[str, str] = {}
    bad_links = 0
    for entry in sitemap.entries:
        target = options.policy.canonical(entry.url, url)
        if target is None:
            bad_links += 1
        elif not anchors.get(target):
            anchors[target] = one_line(entry.title[:_MAX_ANCHOR_CHARS])
            dates[target] = entry.modified[:_MAX_DATE_CHARS]
    links = ParsedLinks(list(anchors), list(anchors.values()), [False] * len(anchors))
    title = one_line(sitemap.title[:_MAX_ANCHOR_CHARS])
    return ParsedPage(
        title=title, links=links, bad_links=bad_links, is_listing=True, dates=list(dates.values())
    )


def read_sitemap(body: bytes, max_entries: int = _MAX_ENTRIES) -> Sitemap | None:
    """Read what a sitemap, index, feed or list of urls lists; None when the bytes are none of these. Never raises."""
    text, _ = decode(_unpacked(body) if body.startswith(_GZIP) else body[:MAX_UNPACKED_BYTES])
    text = text.lstrip("\ufeff \t\r\n")
    if not text.startswith("<"):
        entries = _listed(text, max_entries)
        return Sitemap("text", entries) if entries else None
    start = _PROLOG.match(text, 0, _MAX_PROLOG_CHARS)
    root = _ROOT.match(text, start.end() if start else 0)
    # Entities would not be expanded, but nothing good begins with declaring some.
    if root is None or "<!ENTITY" in text[: root.start()]:
        return None
    reader = _Reader(text, root)
    reader.read(max_entries)
    return Sitemap(_KINDS[root[2].lower()], reader.entries, reader.title)


def _unpacked(body: bytes) -> bytes:
    """As much of the file as is allowed and in order."""
    unpacked = bytearray()
    for _ in range(_MAX_MEMBERS):
        member = zlib.decompressobj(_GZIP_WINDOW)
        try:
            unpacked += member.decompress(body, MAX_UNPACKED_BYTES - len(unpacked))
        except zlib.error:
            break
        body = member.unused_data
        if not body or len(unpacked) >= MAX_UNPACKED_BYTES:
            break
    return bytes(unpacked)


def _listed(text: str, max_entries: int) -> list[Entry]:
    """The urls of a plain list, one a line; none when most of the lines are something else."""
    lines = (line.strip() for line in islice(_lines(text), _LINES_PER_ENTRY * max_entries))
    head = [line for line in islice(lines, _LOOKED_AT_LINES) if line]
    if 2 * sum(map(_is_url, head)) <= len(head):
        return []
    urls = (line for source in (head, lines) for line in source if _is_url(line))
    return [Entry(url) for url in islice(urls, max_entries)]


def _lines(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = end if end >= 0 else len(text)
        yield text[start : min(end, start + _MAX_VALUE_CHARS)]
        start = end + 1


def _is_url(line: str) -> bool:
    return line.startswith(("http://", "https://")) and " " not in line


class _Reader:
    """Walks over the tags that matter. Fields that stand in no entry are the feed's own."""

    def __init__(self, text: str, root: re.Match[str]) -> None:
        self.title = ""
        self.entries: list[Entry] = []
        self._text = text
        self._root_end = root.end()
        self._is_feed = _KINDS[root[2].lower()] == "feed"
        # Of "loc" and "image:loc" the one with the prefix of the root is meant; RDF's items have another one.
        prefix = "" if root[2].lower() == "rdf" else root[1] or ""
        names = _FEED_NAMES if self._is_feed else _SITEMAP_NAMES
        self._tags = re.compile(
            rf"<(?:!--.*?(?:-->|\Z)|!\[CDATA\[.*?(?:\]\]>|\Z)|(/?){re.escape(prefix)}({names})(?=[\s/>])([^<>]*+)>)",
            re.S,
        )
        self._entry: Entry | None = None
        self._entry_start = 0
        self._field = ""
        self._field_start = 0

    def read(self, max_entries: int) -> None:
        for tag in islice(self._tags.finditer(self._text, self._root_end), _TAGS_PER_ENTRY * max_entries):
            if tag[2]:
                self._follow(tag, tag[2], is_end=tag[1] == "/")
            if len(self.entries) >= max_entries:
                return
        self._close_field(len(self._text))
        self._close_entry(len(self._text))

    def _follow(self, tag: re.Match[str], name: str, is_end: bool) -> None:
        if name in _FIELDS:
            if not is_end or name == self._field:
                self._close_field(tag.start())
            if not is_end:
                self._open_field(tag, name)
        elif not self._field:  # else it is markup within a value
            self._close_entry(tag.start())
            if not is_end:
                self._entry, self._entry_start = Entry(), tag.end()

    def _open_field(self, tag: re.Match[str], name: str) -> None:
        attributes = tag[3]
        if not attributes.endswith("/") and "href" not in attributes:
            self._field, self._field_start = name, tag.end()
            return
        # An Atom link has its address as an attribute, and may lead to something other than the page.
        values = {name.lower(): double or single for name, double, single in _ATTRIBUTE.findall(attributes)}
        if self._entry and not self._entry.url and values.get("rel", "alternate") == "alternate":
            self._entry.url = _plain(values.get("href", ""))

    def _close_field(self, end: int) -> None:
        if not self._field:
            return
        value = self._value(self._field_start, end)
        field, self._field = _FIELDS[self._field], ""
        if self._is_feed and self._entry is None:
            self.title = self.title or (value if field == "title" else "")
            return
        if field == "url" and self._entry and self._entry.url and not self._is_feed:
            self._close_entry(end)  # two addresses in one entry are two pages
        self._entry = self._entry or Entry()
        if not getattr(self._entry, field):
            setattr(self._entry, field, value)

    def _close_entry(self, end: int) -> None:
        entry, self._entry = self._entry, None
        if entry is None:
            return
        # Some write the address elsewhere: as the id, or as the only text of the entry.
        if not entry.url:
            other = entry.id if self._is_feed else self._value(self._entry_start, end)
            entry.url = other if _is_url(other) else ""
        if entry.url:
            self.entries.append(entry)

    def _value(self, start: int, end: int) -> str:
        return _value(self._text[start : min(end, start + _MAX_VALUE_CHARS)])


def _value(raw: str) -> str:
    """The text between two tags: references resolved, other markup gone."""
    parts = _CDATA.split(raw)  # outside and inside by turns
    plain = [_plain(_ANY_TAG.sub("", part)) if at % 2 == 0 else part for at, part in enumerate(parts)]
    return "".join(plain).strip()


def _plain(text: str) -> str:
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    if reference[1]:
        return _NAMED[reference[1]]
    code = int(reference[2]) if reference[2] else int(reference[3], 16)
    is_character = code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else "\ufffd"
