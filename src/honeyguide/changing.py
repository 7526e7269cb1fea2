"""What has changed in a crawl that is kept fresh: pages that are new, say something else, or are gone."""

from __future__ import annotations

import re
import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from xml.etree import ElementTree as Xml

from honeyguide.asking import Asking
from honeyguide.errors import SettingsError, StoreError
from honeyguide.model import Visit
from honeyguide.parse.content import short_diff
from honeyguide.parse.main_text import main_text
from honeyguide.settings import CrawlOrder
from honeyguide.store.reader import Reader

MOST = 1_000
_SECONDS = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_AGO = re.compile(r"([0-9]{1,6})([mhdw])")
_ATOM = "http://www.w3.org/2005/Atom"
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

Kind = Literal["new", "changed", "gone"]


@dataclass(frozen=True, slots=True)
class Change:
    """A page that is new, or says something else than before, or is gone."""

    kind: Kind
    url: str
    time: float  # when that was seen, in seconds since 1970
    title: str = ""
    relevance: float = 0.0  # when it was last had
    difference: str = ""  # of a page that changed: what it says no more (-), and what it says now (+)


class Changing(Asking):
    """What a crawl has seen change. A part of `Crawl`."""

    @property
    @abstractmethod
    def order(self) -> CrawlOrder:
        """What the crawl was told."""

    def changes(self, since: float | str = "7d", most: int = MOST) -> list[Change]:
        """Pages that are new, changed or gone since a moment in seconds since 1970, or so long ago: "12h", "7d", "4w".

        The latest first, at most so many of each kind. Which pages have changed is known of crawls with
        `crawl.keep_fresh`. A recorded or made web has a clock of its own, which stands still since the last visit.
        """
        with self.reader() as reader:
            since = moment(since, time.time() if self.order.web.is_live else _last_time(reader))
            return sorted(_changes(reader, since, most), key=lambda change: -change.time)


def _last_time(reader: Reader) -> float:
    latest = reader.latest(1)
    return latest[0].time if latest else time.time()


def moment(since: float | str, now: float) -> float:
    """A moment in seconds since 1970; SettingsError for what is none.

    >>> moment("2h", now=10_000.0), moment(12.5, now=10_000.0)
    (2800.0, 12.5)
    """
    if not isinstance(since, str):
        return since
    found = _AGO.fullmatch(since)
    if found:
        return now - int(found[1]) * _SECONDS[found[2]]
    try:
        given = datetime.fromisoformat(since[:40])
        return (given if given.tzinfo else given.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise SettingsError(
            f"{since[:40]!r} is no time; give 30m, 12h, 7d or 4w, or a date such as 2026-05-01"
        ) from None


def _changes(reader: Reader, since: float, most: int) -> Iterator[Change]:
    for visit in reader.changed(since, most):
        is_new = not visit.is_revisit
        difference = "" if is_new else _difference(reader, visit)
        yield Change(
            "new" if is_new else "changed", visit.url, visit.time, visit.title, visit.relevance, difference
        )
    for gone in reader.gone(since, most):
        last = reader.last_visit(gone.url_id)
        if last is not None:
            yield Change("gone", last.url, gone.time, last.title, last.relevance)


def _difference(reader: Reader, visit: Visit) -> str:
    before = reader.visit_before(visit)
    if before is None or before.location is None or visit.location is None:
        return ""
    try:
        pages = [reader.response(location) for location in (before.location, visit.location)]
    except StoreError:
        return ""
    first, second = (main_text(page.body, page.url, page.content_type) for page in pages)
    return short_diff(first, second)


def changes_as_atom(changes: Sequence[Change], folder: str, title: str) -> str:
    """Changes as a feed; an entry is a page at the moment at which it was seen so."""
    top = Xml.Element("feed", {"xmlns": _ATOM})
    _add(top, "title", f"{title}: what has changed")
    _add(top, "id", f"urn:honeyguide:changes:{folder}")
    _add(top, "updated", _iso(max((change.time for change in changes), default=0.0)))
    _add(_add(top, "author"), "name", "honeyguide")
    for change in changes:
        entry = _add(top, "entry")
        _add(entry, "title", f"{change.kind}: {change.title or change.url}")
        _add(entry, "id", f"{change.url}#{change.kind}-{change.time:.0f}")
        _add(entry, "updated", _iso(change.time))
        _add(entry, "link", rel="alternate", href=change.url)
        _add(entry, "category", term=change.kind)
        if change.difference:
            _add(entry, "summary", change.difference, type="text")
    return Xml.tostring(top, encoding="unicode", xml_declaration=True)


def _add(parent: Xml.Element, name: str, text: str = "", **attributes: str) -> Xml.Element:
    made = Xml.SubElement(parent, name, {key: _UNPRINTABLE.sub(" ", own) for key, own in attributes.items()})
    made.text = _UNPRINTABLE.sub(" ", text) or None
    return made


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
