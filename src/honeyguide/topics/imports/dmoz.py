"""DMOZ / Open Directory dumps (structure.rdf.u8, content.rdf.u8), read as a stream.

They call themselves RDF but use a namespace of their own, leave out prefixes and hold bytes that are no XML:
elements are known by their local names, and what XML forbids is replaced before the parser sees it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.parsers import expat

from honeyguide.errors import ImportFailed
from honeyguide.topics.examples import Example
from honeyguide.topics.imports.collected import (
    DEFAULT_LIMITS,
    BoundedText,
    Collected,
    ImportLimits,
    Progress,
    chunks,
    names_of,
    no_progress,
    opened,
)

_MAX_ELEMENT_DEPTH = 16
_MAX_SILENCE = 1_000_000
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos);|#([0-9]{1,7});|#x([0-9a-fA-F]{1,6});)?")
_LONGEST_REFERENCE = 10
_TAG = re.compile(r"<[^<>]{0,2000}>")
_TEXTS = frozenset(("Title", "Description", "topic"))


def read_dmoz(
    *paths: Path, limits: ImportLimits = DEFAULT_LIMITS, progress: Progress = no_progress
) -> Collected:
    """Topics and pages of one or more dumps; structure and content go together in any order.

    "Top/Arts" becomes the topic Arts; a topic named twice is one topic.
    """
    collected = Collected(", ".join(path.name for path in paths), limits)
    for path in paths:
        reader = _Reader(path.name, collected)
        with opened(path) as file:
            for text in _xml_text(chunks(file, path.name, limits, progress)):
                reader.feed(text)
            reader.close()
    return collected.checked()


def _xml_text(pieces: Iterator[bytes]) -> Iterator[str]:
    """Decode and mend: wrong bytes, control characters, stray ampersands and unknown entities."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    rest = ""
    for piece in pieces:
        text = rest + decoder.decode(piece)
        cut = text.find("&", max(0, len(text) - _LONGEST_REFERENCE))
        rest = text[cut:] if cut >= 0 else ""
        yield _mended(text[:cut] if cut >= 0 else text)
    yield _mended(rest + decoder.decode(b"", final=True))


def _mended(text: str) -> str:
    return _REFERENCE.sub(_valid_reference, _FORBIDDEN.sub("\ufffd", text))


def _valid_reference(found: re.Match[str]) -> str:
    name, decimal, hexadecimal = found.groups()
    if name:
        return found[0]
    if not decimal and not hexadecimal:
        return "&amp;"
    code = int(decimal) if decimal else int(hexadecimal, 16)
    is_valid = code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0x110000
    return found[0] if is_valid and not 0xFFFE <= code <= 0xFFFF else "\ufffd"


class _Reader:
    """Turns the events of the parser into topics and pages."""

    def __init__(self, source: str, collected: Collected) -> None:
        self._source = source
        self._collected = collected
        self._depth = 0
        self._fed = self._last_event = 0
        self._record = ""  # the local name of the element read right now: Topic, ExternalPage or nothing
        self._about = ""
        self._field = ""
        self._texts: dict[str, BoundedText] = {}
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def feed(self, text: str) -> None:
        data = text.encode()
        self._fed += len(data)
        try:
            self._parser.Parse(data, False)
        except expat.ExpatError as error:
            raise self._failure(f"is not well-formed: {expat.ErrorString(error.code)}") from None
        if self._fed - self._last_event > _MAX_SILENCE:  # the parser keeps an unfinished tag in memory
            raise self._failure(f"has a tag or comment longer than {_MAX_SILENCE:,} bytes")

    def close(self) -> None:
        try:
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise self._failure(f"ends too early: {expat.ErrorString(error.code)}; fetch it again") from None

    def _failure(self, what: str) -> ImportFailed:
        return ImportFailed(f"{self._source}, line {self._parser.CurrentLineNumber:,}: the file {what}")

    def _refuse_doctype(self, *_: object) -> None:
        raise self._failure("has a DOCTYPE, which dumps of DMOZ do not have; remove it if you trust the file")

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._last_event = self._fed
        self._depth += 1
        if self._depth > _MAX_ELEMENT_DEPTH:
            raise self._failure(f"has more than {_MAX_ELEMENT_DEPTH} elements inside each other")
        local = name.rpartition(":")[2]
        if local in ("Topic", "ExternalPage"):
            self._record, self._texts = local, {}
            values = {key.rpartition(":")[2]: value for key, value in attributes.items()}
            self._about = values.get("id") or values.get("about", "")
        self._field = local if self._record and local in _TEXTS else ""

    def _characters(self, text: str) -> None:
        self._last_event = self._fed
        if self._field:
            self._texts.setdefault(self._field, BoundedText()).add(text)

    def _end(self, name: str) -> None:
        self._last_event = self._fed
        self._depth -= 1
        self._field = ""
        local = name.rpartition(":")[2]
        if local == self._record:
            self._record = ""
            self._topic() if local == "Topic" else self._page()

    def _text(self, field: str) -> str:
        return str(self._texts.get(field, ""))

    def _topic(self) -> None:
        node = self._collected.topic(names_of(self._about))
        description = " ".join(_TAG.sub(" ", self._text("Description")).split())
        if node and description:  # the root has no siblings to be told from
            title = self._text("Title").strip()
            self._collected.add(node, Example(description, title=title))

    def _page(self) -> None:
        names = names_of(self._text("topic"))
        self._collected.page(names, self._about, self._text("Title"), self._text("Description"))
