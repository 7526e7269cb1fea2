"""Reading a topic map or ontology from a file, whatever its syntax; the contents tell, never the file's name."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from honeyguide.errors import ImportFailed
from honeyguide.topics.ontology import xtm1, xtm2
from honeyguide.topics.ontology.building import MapBuilder
from honeyguide.topics.ontology.rdf import MAX_TRIPLES, add_rdf
from honeyguide.topics.ontology.topic_map import TopicMap
from honeyguide.topics.ontology.xml_elements import Element, XmlReader

MAX_BYTES = 64_000_000
MAX_MERGED_FILES = 100
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
OWL = "http://www.w3.org/2002/07/owl#"
_XML = re.compile(rb"\s{0,1000}<(?:[?!]|[A-Za-z_][\w.-]{0,100}(?::[A-Za-z_][\w.-]{0,100})?[\s/>])")
_TWO_ADDRESSES = re.compile(rb"\s{0,1000}<[^<>\s!?]{1,1000}>\s{0,1000}<[^<>\s]{1,1000}>")
_XML_WIDE = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")
GZIP = b"\x1f\x8b"
READABLE = "XTM 1.0, 2.0 or 2.1, or SKOS, OWL or RDFS in RDF/XML, Turtle, N-Triples or JSON-LD"


def read_topic_map(path: Path, *, max_bytes: int = MAX_BYTES, max_triples: int = MAX_TRIPLES) -> TopicMap:
    """Read XTM or RDF, perhaps gzipped. Nothing but the file and mergeMaps in its folder is read; no network.

    What cannot be read is refused with an `ImportFailed` that names the file and, where known, the line.
    """
    reading = _Reading(path.parent, max_bytes, max_triples)
    try:
        reading.add_file(path)
        return reading.builder.finish()
    except ImportFailed as error:
        raise ImportFailed(f"{reading.current}: {error}") from None


@dataclass
class _Reading:
    """One map in the making, and what may still be read."""

    folder: Path
    bytes_left: int
    max_triples: int
    builder: MapBuilder = field(default_factory=MapBuilder)
    current: Path = Path()
    seen: set[Path] = field(default_factory=set)

    def add_file(self, path: Path, themes: tuple[int, ...] = ()) -> None:
        self.current = path
        self.seen.add(path.resolve())
        data = _contents(path, self.bytes_left)
        self.bytes_left -= len(data)
        base = "file:///" + quote(path.relative_to(self.folder).as_posix())
        if _is_xml(data):
            self._add_xml(data, base, themes)
        else:
            add_rdf(self.builder, data, base, _syntax(data), self.max_triples)

    def _add_xml(self, data: bytes, base: str, themes: tuple[int, ...]) -> None:
        reader = XmlReader(data, base, self.bytes_left + len(data))
        root = reader.read_root()
        if (root.namespace, root.tag) == (xtm1.NAMESPACE, "topicMap"):
            reified = xtm1.reified_addresses(root, reader.children())
            again = XmlReader(data, base, self.bytes_left + len(data))
            root = again.read_root()
            self._add_xtm1(root, again.children(), reified, themes)
        elif (root.namespace, root.tag) == (xtm2.NAMESPACE, "topicMap"):
            merges2 = list(xtm2.Xtm2Reader(self.builder, root).read(root, reader.children()))
            for merge in merges2:
                self._merge(merge, merge.attributes.get("href", ""), ())
        elif root.namespace != RDF and xtm1.NAMESPACE.encode() in reader.utf8:
            # XTM 1.0 may stand within any other document, there also several times.
            embedded = [one for child in reader.children() for one in xtm1.maps_in(child)]
            if not embedded:
                _refuse_other_roots(root)
            for one in embedded:
                self._add_xtm1(one, one.children, xtm1.reified_addresses(one, one.children), themes)
        else:
            _refuse_other_roots(root)
            for _ in reader.children():  # well-formed, bounded and without dangerous entities to its end
                pass
            add_rdf(self.builder, reader.utf8, base, "xml", self.max_triples)

    def _add_xtm1(
        self, root: Element, children: Iterable[Element], reified: set[str], themes: tuple[int, ...]
    ) -> None:
        merges = list(xtm1.Xtm1Reader(self.builder, reified, themes).read(root, children))
        for merge, added in merges:
            self._merge(merge, merge.attributes.get(xtm1.HREF, ""), added)

    def _merge(self, element: Element, reference: str, themes: tuple[int, ...]) -> None:
        """Read a file that the map says belongs to it, if it lies in the same folder or below."""
        address = urlsplit(element.resolve(reference))
        target = self.folder / unquote(address.path.lstrip("/")).replace("\0", "")
        note = f"{self.current.name}, line {element.line}: the map {reference[:200]!r} was left out"
        if address.scheme != "file" or not target.resolve().is_relative_to(self.folder.resolve()):
            self.builder.notes.append(f"{note}: it is not in the same folder")
        elif not target.is_file():
            self.builder.notes.append(f"{note}: there is no such file")
        elif target.resolve() not in self.seen:
            if len(self.seen) >= MAX_MERGED_FILES:
                raise ImportFailed(f"more than {MAX_MERGED_FILES} files are merged into one map")
            outer, reifier = self.current, self.builder.map_reifier
            self.add_file(target, themes)
            # The topic that a merged file says stands for it does not stand for this map.
            self.current, self.builder.map_reifier = outer, reifier


def _contents(path: Path, max_bytes: int) -> bytes:
    """A file's bytes, unpacked if they are gzipped; never more than the limit."""
    too_large = f"more than {max_bytes:,} bytes; keep the part on your topic, or raise max_bytes"
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise ImportFailed(f"cannot be read: {error.strerror}") from None
    if data.startswith(GZIP):
        try:
            with gzip.open(io.BytesIO(data)) as unpacked:
                data = unpacked.read(max_bytes + 1)
        except (OSError, EOFError, zlib.error):
            raise ImportFailed("a damaged gzip file") from None
    if len(data) > max_bytes:
        raise ImportFailed(too_large)
    if not data.strip():
        raise ImportFailed(f"the file is empty; needed is {READABLE}")
    return data


def _is_xml(data: bytes) -> bool:
    data = data.removeprefix(b"\xef\xbb\xbf")
    # A Turtle file may begin like elements do, with addresses in angle brackets, but it closes none.
    return data.startswith(_XML_WIDE) or bool(
        _XML.match(data) and (b"</" in data or not _TWO_ADDRESSES.match(data))
    )


def _syntax(data: bytes) -> str:
    if data.lstrip()[:1] in (b"{", b"["):
        return "json-ld"
    return "turtle"  # of which N-Triples is a part


def _refuse_other_roots(root: Element) -> None:
    if root.namespace == RDF and root.tag == "RDF":
        return
    if any(name.startswith(RDF + " ") for name in root.attributes):
        return
    if root.namespace == OWL:
        raise ImportFailed(f"line {root.line}: this is OWL/XML; save it as RDF/XML or Turtle")
    kind = "an HTML page" if root.tag.lower() == "html" else f"XML with the root element {root.tag!r}"
    raise ImportFailed(f"line {root.line}: this is {kind}; needed is {READABLE}")
