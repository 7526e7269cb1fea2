"""RDF/XML by rdflib's handler, fed in a way that keeps its time linear. Imported only when an RDF file is read."""

from __future__ import annotations

from typing import Any
from xml.sax import make_parser
from xml.sax.handler import ErrorHandler, feature_external_ges, feature_external_pes, feature_namespaces
from xml.sax.saxutils import XMLFilterBase
from xml.sax.xmlreader import AttributesNSImpl, InputSource

from rdflib import Graph
from rdflib.plugins.parsers.rdfxml import RDFXMLHandler

XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
PARSE_TYPE = ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "parseType")


class PlainLiterals(XMLFilterBase):
    """Hands text on in one piece, and literals with markup as their text.

    rdflib appends what comes in pieces piece by piece, and parses a literal with markup anew for each of them.
    """

    def __init__(self, parent: Any) -> None:
        super().__init__(parent)
        self._texts: list[str] = []
        self._depth = 0  # of elements within a literal, itself included

    def startElementNS(self, name: Any, qname: Any, attrs: Any) -> None:  # noqa: N802
        """Begin an element, or swallow one that is part of a literal."""
        if self._depth:
            self._depth += 1
            return
        self._hand_on()
        if attrs.get(PARSE_TYPE) == "Literal":
            self._depth = 1
            kept = {key: attrs[key] for key in attrs.getNames() if key != PARSE_TYPE}
            attrs = AttributesNSImpl(kept, {key: attrs.getQNameByName(key) for key in kept})
        super().startElementNS(name, qname, attrs)

    def endElementNS(self, name: Any, qname: Any) -> None:  # noqa: N802
        """End an element."""
        self._depth = max(0, self._depth - 1)
        if not self._depth:
            self._hand_on()
            super().endElementNS(name, qname)

    def characters(self, content: str) -> None:
        """Collect text."""
        self._texts.append(content)

    def _hand_on(self) -> None:
        if self._texts:
            super().characters("".join(self._texts))
            self._texts.clear()


def parse_rdf_xml(source: InputSource, graph: Graph) -> None:
    """Add the statements of a document to a graph. Its entities must have been checked before."""
    parser: Any = make_parser()
    parser.start_namespace_decl("xml", XML_NAMESPACE)  # a prefix that rdflib expects to be known
    parser.setFeature(feature_namespaces, True)
    parser.setFeature(feature_external_ges, False)
    parser.setFeature(feature_external_pes, False)
    handler: Any = RDFXMLHandler(graph)
    handler.setDocumentLocator(source)  # until the parser gives a better one
    reader = PlainLiterals(parser)
    reader.setContentHandler(handler)
    reader.setErrorHandler(ErrorHandler())
    reader.parse(source)
