"""Reading XML from strangers: the children of the root element, one at a time.

Nothing outside the file is ever loaded. Entities are expanded only if they are short, plain text (as in the
namespace shorthands many ontology editors write); everything is bounded.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin
from xml.parsers import expat

from honeyguide.errors import ImportFailed

MAX_DEPTH = 100
MAX_ELEMENTS_EACH = 100_000
"""Elements within one child of the root."""
MAX_ENTITY_CHARS = 1_000
CHUNK_BYTES = 1 << 16
XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s{0,20}=\s{0,20}["']([A-Za-z0-9._-]{1,40})["']""")
# Python knows stranger ones, some of them slow to decode.
_CHARSETS = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp\d+|koi8-[rtu]|mac-\w+|gb2312|gbk|gb18030|big5|shift_jis|euc_.."
)


@dataclass(slots=True)
class Element:
    """An element with all that is in it."""

    namespace: str
    tag: str
    attributes: dict[str, str]  # those of other namespaces as "namespace name"
    line: int
    base: str  # what relative references are relative to
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The characters directly in it."""
        return "".join(self.texts)

    def all(self, *tags: str) -> Iterator[Element]:
        """Its children with one of these names."""
        return (child for child in self.children if child.tag in tags)

    def first(self, *tags: str) -> Element | None:
        """The first child with one of these names."""
        return next(self.all(*tags), None)

    def resolve(self, reference: str) -> str:
        """An absolute identifier from a reference."""
        if reference.startswith("#"):  # most are, and this is quicker
            return self.base.partition("#")[0] + reference
        try:
            return urljoin(self.base, reference)
        except ValueError:
            raise ImportFailed(f"line {self.line}: {reference[:200]!r} is no usable reference") from None

    def own_address(self) -> str:
        """The identifier its id stands for."""
        return self.resolve("#" + self.attributes["id"])


class XmlReader:
    """Parses a document in one go; `root` is known before the first child is handed out."""

    def __init__(self, data: bytes, base: str, max_bytes: int) -> None:
        self.root: Element | None = None
        self._failure: ImportFailed | None = None  # kept until it is known what kind of document this is
        self.utf8 = _as_utf8(data)
        self._base, self._max_bytes = base, max_bytes
        self._open: list[Element] = []
        self._closed: list[Element] = []
        self._next = 0
        self._elements = 0
        self._longest_entity = 0
        self._parser = self._new_parser()

    @property
    def _unread(self) -> bool:
        return self._next == 0 or self._next < len(self.utf8)

    def _new_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate("utf-8", namespace_separator=" ")
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.EntityDeclHandler = self._entity
        parser.EndDoctypeDeclHandler = self._doctype_ended
        parser.ExternalEntityRefHandler = self._external
        parser.SkippedEntityHandler = self._skipped
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        return parser

    def read_root(self) -> Element:
        """The root element's name and attributes, without what is in it."""
        while self.root is None and self._failure is None and self._unread:
            try:
                self._feed()
            except ImportFailed as error:
                self._failure = error
        if self.root is None and self._failure is not None:
            raise self._failure
        if self.root is None:
            raise ImportFailed("line 1: there is no element; is this an XML file?")
        return self.root

    def children(self) -> Iterator[Element]:
        """The children of the root element, each complete."""
        if self._failure is not None:
            raise self._failure
        while self._closed or self._unread:
            yield from self._closed
            self._closed.clear()
            if self._unread:
                self._feed()

    def _feed(self) -> None:
        start = self._next
        self._next += CHUNK_BYTES
        try:
            self._parser.Parse(self.utf8[start : self._next], not self._unread)
        except expat.ExpatError as error:
            problem = expat.ErrorString(error.code)
            raise ImportFailed(f"line {error.lineno}: not well-formed XML ({problem})") from None

    def _entity(self, name: str, is_parameter: bool, value: str | None, *_outside: object) -> None:
        if value is None or is_parameter:
            raise self._refusal(f"the entity {name!r} comes from outside the file; remove its declaration")
        if len(value) > MAX_ENTITY_CHARS or "&" in value or "<" in value:
            raise self._refusal(
                f"the entity {name!r} is more than a short text; replace it by what it stands for"
            )
        self._longest_entity = max(self._longest_entity, len(value))

    def _doctype_ended(self) -> None:
        # No entity contains another, so this bounds what all of them together can grow to.
        if self.utf8.count(b"&") * self._longest_entity > self._max_bytes:
            raise self._refusal(
                "its entities would grow beyond the size limit; replace them by what they stand for"
            )

    def _external(self, *_: object) -> int:
        raise self._refusal("it refers to another file; put that file's contents in its place")

    def _skipped(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            raise self._refusal(
                f"the entity {name!r} is not declared in the file; replace it by what it stands for"
            )

    def _refusal(self, problem: str) -> ImportFailed:
        return ImportFailed(f"line {self._parser.CurrentLineNumber}: {problem}")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if len(self._open) >= MAX_DEPTH:
            raise self._refusal(f"elements are nested more than {MAX_DEPTH} deep")
        if self._elements > MAX_ELEMENTS_EACH:
            raise self._refusal(f"one topic or association has more than {MAX_ELEMENTS_EACH:,} elements")
        namespace, _, tag = name.rpartition(" ")
        line = self._parser.CurrentLineNumber
        element = Element(namespace, tag, attributes, line, self._open[-1].base if self._open else self._base)
        if f"{XML_NAMESPACE} base" in attributes:
            element.base = element.resolve(attributes[f"{XML_NAMESPACE} base"])
        if self.root is None:
            self.root = element
        self._open.append(element)

    def _end(self, _name: str) -> None:
        element = self._open.pop()
        if len(self._open) == 1:
            self._closed.append(element)
            self._elements = 0
        elif self._open:
            self._open[-1].children.append(element)

    def _characters(self, text: str) -> None:
        if len(self._open) > 1:
            self._open[-1].texts.append(text)


def _as_utf8(data: bytes) -> bytes:
    """The document in UTF-8, whatever its encoding."""
    encoding = _encoding_of(data)
    if encoding in ("utf-8", "ascii"):
        return data.removeprefix(b"\xef\xbb\xbf")  # the parser itself finds what is not UTF-8
    try:
        return data.decode(encoding).removeprefix("\ufeff").encode()
    except UnicodeError as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        raise ImportFailed(f"line {line}: not valid {encoding}; save the file as UTF-8") from None


def _encoding_of(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if data.startswith((b"<\x00", b"\x00<")):
        return "utf-16-le" if data[:1] == b"<" else "utf-16-be"
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    said = declared[1].decode() if declared else "utf-8"
    try:
        encoding = codecs.lookup(said).name
    except LookupError:
        encoding = ""
    if not _CHARSETS.fullmatch(encoding):
        raise ImportFailed(f"line 1: the encoding {said!r} is unknown; save the file as UTF-8")
    return encoding
