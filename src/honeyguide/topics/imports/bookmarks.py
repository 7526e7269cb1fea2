"""Bookmark files of browsers (the Netscape format): folders become topics, bookmarks their examples."""

from __future__ import annotations

import codecs
import html
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from honeyguide.errors import ImportFailed
from honeyguide.topics.examples import Example
from honeyguide.topics.imports.collected import (
    DEFAULT_LIMITS,
    ROOT,
    BoundedText,
    Collected,
    ImportLimits,
    Progress,
    chunks,
    no_progress,
    opened,
)
from honeyguide.topics.taxonomy.tree import MAX_DEPTH

MAX_BYTES = 100_000_000
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHARSET = re.compile(rb"""<meta\b[^<>]{0,500}charset\s{0,9}=\s{0,9}["']?([A-Za-z0-9_.:-]{1,40})""", re.I)
# Names that old browsers wrote and no standard knows.
_CHARSET_NAMES = {"x-mac-roman": "mac_roman", "x-mac-system": "mac_roman", "iso-8859-1": "cp1252"}
_TEXT_CODEC = re.compile(r"utf-?8|cp\d+|iso-?8859|mac[-_]|koi8|shift_jis|euc_|gb|big5|iso2022_jp")

# A tag that never ends takes the rest of the file with it, so that every character is looked at once.
_ATTRIBUTES = r"""(?:[^>"'=]++|=\s*+"[^"]*+"|=\s*+'[^']*+'|["'=])*+"""
_MARKUP = re.compile(
    rf"<!--.*?(?:-->|\Z)|<(?P<end>/?)(?P<name>[a-z][a-z0-9]*+)(?P<attributes>{_ATTRIBUTES})>?+", re.I | re.S
)
_BOOKMARKS = re.compile(r"<(?:a|h3|dl)[\s>]", re.I)
_HREF = re.compile(r"""(?:^|\s)href\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.I)


def read_bookmarks(
    path: Path, limits: ImportLimits = DEFAULT_LIMITS, progress: Progress = no_progress
) -> Collected:
    """Bookmarks outside any folder are examples of the root; folders of one name in one place are one topic."""
    limits = replace(limits, bytes=min(limits.bytes, MAX_BYTES))
    collected = Collected(path.name, limits)
    with opened(path) as file:
        text = _decoded(b"".join(chunks(file, path.name, limits, progress)))
        if text.strip() and not _BOOKMARKS.search(text):
            raise ImportFailed(f"{path.name}: no bookmark file: neither a folder nor a bookmark is in it")
        _Reader(collected).read(text)
    return collected


def _decoded(data: bytes) -> str:
    for mark, codec in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace")
    declared = _CHARSET.search(data[:4096])
    for label in (declared[1].decode() if declared else "utf-8", "utf-8"):
        with suppress(UnicodeDecodeError, LookupError):
            return data.decode(_codec(label))
    return data.decode("cp1252", "replace")


def _codec(label: str) -> str:
    name = _CHARSET_NAMES.get(label.lower()) or codecs.lookup(label).name
    return name if _TEXT_CODEC.match(name) else "utf-8"


class _Reader:
    """Follows folders and bookmarks in the order they come; nothing depends on tags being closed."""

    def __init__(self, collected: Collected) -> None:
        self._collected = collected
        self._folders: list[str] = []  # one for each open list; the outermost list has no name
        self._lists_below = 0  # open lists deeper than any topic may lie
        self._heading = ""
        self._url: str | None = None  # of the bookmark whose title or description comes next
        self._title = BoundedText()
        self._description = BoundedText()
        self._into: BoundedText | None = None  # where text belongs

    def read(self, text: str) -> None:
        at = 0
        for found in _MARKUP.finditer(text):
            self._text(text[at : found.start()])
            self._tag((found["end"] or "") + (found["name"] or "").lower(), found["attributes"] or "")
            at = found.end()
        self._text(text[at:])
        self._finish()

    def _text(self, text: str) -> None:
        if self._into is not None:
            self._into.add(text)

    def _tag(self, name: str, attributes: str) -> None:
        if name == "a":
            self._finish()
            href = _HREF.search(attributes)
            self._url = html.unescape(href[1] or href[2] or href[3] or "") if href else ""
            self._into = self._title
        elif name == "h3":
            self._finish()
            self._into = self._title
        elif name in ("/a", "/h3", "dt", "hr"):
            self._into = None
        elif name == "dd":
            self._into = self._description
        elif name == "dl":
            self._finish()
            self._open_list()
        elif name == "/dl":
            self._finish()
            self._close_list()

    def _open_list(self) -> None:
        if len(self._folders) < MAX_DEPTH:
            self._folders.append(self._heading)
        else:
            self._lists_below += 1
        self._heading = ""

    def _close_list(self) -> None:
        if self._lists_below:
            self._lists_below -= 1
        else:
            del self._folders[-1:]

    def _finish(self) -> None:
        """Hand over the bookmark or folder read so far, now that its description cannot go on."""
        title = html.unescape(str(self._title))
        description = html.unescape(str(self._description)).strip()
        if self._url is not None:
            self._collected.page(self._folders, self._url, title, description)
        elif title.strip():
            self._heading = title
            self._folder(title, description)
        self._url, self._title, self._description, self._into = None, BoundedText(), BoundedText(), None

    def _folder(self, title: str, description: str) -> None:
        node = self._collected.topic([*self._folders, title])
        if node and node != ROOT and description:
            self._collected.add(node, Example(description, title=title.strip()))
