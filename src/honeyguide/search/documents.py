"""From a visit to what is indexed of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from honeyguide.model import Visit
from honeyguide.search.library import tantivy
from honeyguide.search.ranking import as_indexed, weight
from honeyguide.search.schema import COPY, PAGE
from honeyguide.search.words import MOST_CHARS, stems_of, words
from honeyguide.urls import host_of, site_of

MOST_URL_CHARS = 300
_SPELLED_CHARS = 500
_SHORTEST, _LONGEST = 3, 30


@dataclass(frozen=True, slots=True)
class Indexed:
    """What is indexed of a page beside its visit."""

    text: str
    anchors: Sequence[str] = field(default_factory=tuple)
    authority: float = 0.0

    def known(self) -> bytes:
        """The anchors as they are kept, to tell later whether there are others."""
        return "\n".join(self.anchors).encode("utf-8", "replace")


def page_document(visit: Visit, own: Indexed) -> tantivy.Document:
    """The document of a page."""
    stems, text = stems_of(visit.language), own.text[:MOST_CHARS]
    host = host_of(visit.url)
    document: tantivy.Document = tantivy.Document()
    title = words(visit.title)
    document.add_text("kind", PAGE)
    document.add_text("page", str(visit.url_id))
    document.add_unsigned("number", visit.number)
    document.add_text("title", stems.indexed(title))
    document.add_text("text", stems.indexed(words(text)))
    document.add_text("anchors", stems.indexed(words("\n".join(own.anchors))))
    document.add_text("url", " ".join(words(visit.url[:MOST_URL_CHARS])))
    document.add_text("spelling", " ".join(_spelled([*title, *words(text[:_SPELLED_CHARS])])))
    document.add_text("host", host)
    document.add_text("site", site_of(host))
    document.add_text("language", visit.language)
    document.add_text("topic_class", visit.topic_class)
    document.add_unsigned("year", datetime.fromtimestamp(visit.time, UTC).year)
    document.add_float("time", visit.time)
    document.add_float("relevance", visit.relevance)
    document.add_float("weight", as_indexed(weight(visit.relevance, own.authority)))
    document.add_bytes("content", text.encode("utf-8", "replace"))
    document.add_bytes("known", own.known())
    return document


def copy_document(visit: Visit) -> tantivy.Document:
    """The document of a copy: it is only counted, at the page that it copies."""
    document: tantivy.Document = tantivy.Document()
    document.add_text("kind", COPY)
    document.add_text("page", str(visit.url_id))
    document.add_text("copy_of", str(visit.copy_of))
    return document


def _spelled(found: Sequence[str]) -> list[str]:
    """Words that may be what somebody meant, each once."""
    return [word for word in dict.fromkeys(found) if _SHORTEST <= len(word) <= _LONGEST and word.isalpha()]
