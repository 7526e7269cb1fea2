"""RDF files as triples, by rdflib. Imported only when an RDF file is read.

Nothing is loaded from elsewhere: XML arrives here without entities from outside, and JSON-LD with contexts of its own.
"""

from __future__ import annotations

import json
import logging
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rdflib import Graph
from rdflib.parser import InputSource, PythonInputSource, StringInputSource
from rdflib.plugins.parsers.notation3 import BadSyntax
from rdflib.plugins.stores.memory import Memory
from rdflib.term import Node, URIRef

from honeyguide.errors import ImportFailed
from honeyguide.topics.ontology.rdf_xml import parse_rdf_xml

MAX_PREFIXES = 2_000
MAX_CONTEXT_TERMS = 10_000_000
_PLACED = re.compile(r":(\d+):\d+: (.*)")

Pairs = list[tuple[Node, Node]]


class Triples(Memory):
    """A store that only remembers: subjects and objects under each predicate, up to a limit."""

    def __init__(self, max_triples: int) -> None:
        super().__init__()
        self.by_predicate: dict[str, Pairs] = defaultdict(list)
        self._left = max_triples
        self._max = max_triples
        self._prefixes_left = MAX_PREFIXES

    def add(self, triple: tuple[Node, Node, Node], context: Any, quoted: bool = False) -> None:
        """Remember a triple."""
        self._left -= 1
        if self._left < 0:
            raise ImportFailed(
                f"more than {self._max:,} triples; keep the part on your topic, or raise max_triples"
            )
        subject, predicate, object_ = triple
        self.by_predicate[str(predicate)].append((subject, object_))

    def bind(self, prefix: str, namespace: URIRef, override: bool = True) -> None:
        """Count a prefix; rdflib looks through all of them for each new one."""
        self._prefixes_left -= 1
        if self._prefixes_left < 0:
            raise ImportFailed(f"more than {MAX_PREFIXES:,} prefixes are declared")
        super().bind(prefix, namespace, override)


def read_triples(data: bytes, base: str, syntax: str, max_triples: int) -> dict[str, Pairs]:
    """Subjects and objects under each predicate. `syntax` is "xml", "turtle" or "json-ld"."""
    triples = Triples(max_triples)
    try:
        source, syntax = _source(data, base, syntax)
        with _quiet():
            graph = Graph(store=triples, bind_namespaces="none")
            if syntax == "xml":
                parse_rdf_xml(source, graph)
            else:
                graph.parse(source=source, format=syntax, publicID=base)
    except ImportFailed:
        raise
    except RecursionError:
        raise ImportFailed("things are nested too deeply") from None
    except Exception as error:  # whatever a parser trips over, it is the file's fault
        raise ImportFailed(_problem(error)) from None
    return triples.by_predicate


@contextmanager
def _quiet() -> Iterator[None]:
    """Without rdflib's remarks on every odd address and date, and on itself, which would fill the screen."""
    logger = logging.getLogger("rdflib.term")
    before, logger.disabled = logger.disabled, True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.disabled = before


def _source(data: bytes, base: str, syntax: str) -> tuple[InputSource, str]:
    if syntax == "json-ld":
        try:
            document = json.loads(data)
        except UnicodeDecodeError:
            raise
        except ValueError as error:
            if data.lstrip()[:1] == b"{":
                raise ImportFailed(f"line {getattr(error, 'lineno', 1)}: no valid JSON ({error})") from None
            syntax = "turtle"  # which also may begin with a bracket
        else:
            _check_contexts(document)
            return PythonInputSource(document, system_id=base), syntax
    source = StringInputSource(data.decode("utf-8-sig"), system_id=base)
    source.setEncoding("utf-8")
    return source, syntax


def _check_contexts(document: Any) -> None:
    """Every context must be in the file, and as each inherits the terms of others, there may not be too many."""
    contexts = terms = 0
    for key, value in _members(document):
        if key in ("@context", "@import"):
            parts = value if isinstance(value, list) else [value]
            elsewhere = next((one for one in parts if isinstance(one, str)), None)
            if elsewhere is not None:
                remedy = "put the contents of that file in its place"
                raise ImportFailed(f"its {key} is elsewhere ({elsewhere[:200]}); {remedy}")
            contexts += 1
            terms += sum(len(one) for one in parts if isinstance(one, dict))
    if contexts * terms > MAX_CONTEXT_TERMS:
        raise ImportFailed("it has too many contexts with too many terms; give it one for all")


def _members(document: Any) -> Iterator[tuple[str, Any]]:
    todo = [document]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            yield from value.items()
            todo.extend(value.values())
        elif isinstance(value, list):
            todo.extend(value)


def _problem(error: Exception) -> str:
    """What is wrong and, if the parser says so, on which line."""
    if isinstance(error, BadSyntax):
        return f"line {error.lines + 1}: not valid Turtle ({error._why})"
    if isinstance(error, UnicodeDecodeError):
        line = error.object.count(b"\n", 0, error.start) + 1
        return f"line {line}: not valid UTF-8; save the file as UTF-8"
    text = " ".join(str(error).split())[:300]
    if placed := _PLACED.search(text):
        return f"line {placed[1]}: not valid RDF/XML ({placed[2]})"
    return f"not valid RDF ({text or type(error).__name__})"
