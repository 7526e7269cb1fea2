"""A page's bytes to `ParsedPage`: text, title, links, language, what it says to robots. Called by the registry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from honeyguide.model import ParsedPage
from honeyguide.parse.charset import decode
from honeyguide.parse.flatten import harmless
from honeyguide.parse.language import language_of
from honeyguide.parse.links import MARK, Attributes, LinkTable, one_line, refresh_target, visible_text
from honeyguide.parse.options import ParseOptions
from honeyguide.urls import UrlPolicy

_MAX_TITLE_CHARS = 500
_MAX_META_CHARS = 1_000
_JUDGED_WORDS = 2_000
_JUDGED_CHARS = 16_384  # in which nearly all texts have so many words
_BLANK = ord(" ")
_BLANKS = bytes(_BLANK if chr(byte).isspace() else byte for byte in range(256))
_INVISIBLE = frozenset(("script", "style", "noscript", "template", "svg", "noframes", "noembed"))
_LINKS = ("a", "area")
_WANTED = frozenset(("base", *_LINKS, "iframe", "frame", "link", "meta", "title", *_INVISIBLE))
_FOLLOWED_RELATIONS = frozenset(("next", "prev", "canonical"))
_FEEDS = frozenset(("application/rss+xml", "application/atom+xml", "application/rdf+xml"))
_ROBOTS_NAMES = ("robots", "honeyguide")


def parse_html(body: bytes, url: str, content_type: str, options: ParseOptions) -> ParsedPage:
    """Read a page, whatever its bytes are; never raises.

    Words of neighboring elements are kept apart, also where an inline element ends within a word. The text is
    spaced as the markup is: whoever reads it looks for words, and tidying it here would cost as much as judging it.

    >>> html = b"<title>Birds</title><p>See <a href=/b>bees</a>."
    >>> page = parse_html(html, "https://example.org/a", "text/html", ParseOptions())
    >>> page.title, page.text.split(), page.links.urls, page.links.anchors
    ('Birds', ['See', 'bees', '.'], ['https://example.org/b'], ['bees'])
    """
    html, _ = decode(body, content_type)
    html = html.replace(MARK, " ")  # marks of our own must be the only ones
    try:
        tree = LexborHTMLParser(harmless(html), scripting=True)
    except SelectolaxError:
        return ParsedPage()
    reader = _Reader(url, options, tree, max_anchor_chars=2 * len(html))
    text, contexts = reader.text_and_contexts(options.context_words // 2)
    return ParsedPage(
        title=reader.title or "",
        text=text[: options.max_text_chars],
        links=reader.links.columns(contexts),
        language=language_of(text, reader.language),
        robots=frozenset(reader.robots),
        bad_links=reader.links.bad_links,
    )


def tidied(page: ParsedPage) -> ParsedPage:
    """The page with only the first words of its text, one space between them: what judging and comparing read."""
    return replace(page, text=first_words(page.text))


def readable(page: ParsedPage) -> str:
    r"""What a topic judges of a page that was tidied.

    >>> readable(tidied(ParsedPage(title="Bees", text="  of\n honey ")))
    'Bees\nof honey'
    """
    return f"{page.title}\n{page.text}"


def first_words(text: str) -> str:
    r"""The beginning of a text, with one space between words.

    >>> first_words("  of\n honey ")
    'of honey'
    """
    found = _first_words_of_latin(text)
    return " ".join(text.split(None, _JUDGED_WORDS)[:_JUDGED_WORDS]) if found is None else found


def _first_words_of_latin(text: str) -> str | None:
    """The same without an object a word, in a third of the time; None where that is not possible."""
    try:
        beginning = text[:_JUDGED_CHARS].encode("latin-1")
    except UnicodeEncodeError:
        return None
    letters = np.frombuffer(beginning.translate(_BLANKS), dtype=np.uint8)
    is_letter = letters != _BLANK
    is_kept = is_letter.copy()  # as is the first blank behind a word
    is_kept[1:] |= is_letter[:-1]
    ends = np.flatnonzero(is_kept != is_letter)
    if len(ends) < _JUDGED_WORDS and len(text) > _JUDGED_CHARS:
        return None
    end = int(ends[_JUDGED_WORDS - 1]) if len(ends) >= _JUDGED_WORDS else len(letters)
    return str(letters[:end][is_kept[:end]], "latin-1").rstrip(" ")


class _Reader:
    """Walks once over what a tree says about its title, links, robots and language."""

    def __init__(
        self, url: str, options: ParseOptions, tree: LexborHTMLParser, max_anchor_chars: int
    ) -> None:
        self.title: str | None = None
        self.robots: set[str] = set()
        self.language = _declared_language(tree)
        self._tree = tree
        nodes = _visible(tree)
        policy = options.policy
        self.links = LinkTable(_base(nodes, url, policy), policy, options.max_links, max_anchor_chars)
        self._wants_feed = options.with_feed
        for tag, node in nodes:
            attributes = node.attributes
            if tag in _LINKS:
                if "href" in attributes:
                    self.links.add(node, attributes["href"] or "", attributes)
            else:
                self._read(tag, node, attributes)

    def _read(self, tag: str, node: LexborNode, attributes: Attributes) -> None:
        match tag:
            case "iframe" | "frame":
                if source := attributes.get("src"):
                    self.links.add(node, source, attributes)
            case "link" if "href" in attributes:
                self._read_link(node, attributes)
            case "meta" if "content" in attributes:
                self._read_meta(node, attributes)
            case "title" if self.title is None and node.parent is not None:  # no longer in a tree: of a frame
                self.title = one_line(node.text()[:_MAX_TITLE_CHARS])

    def _read_link(self, node: LexborNode, attributes: Attributes) -> None:
        relations = (attributes.get("rel") or "").lower().split()
        reference = attributes["href"] or ""
        # A canonical url is no more than a link: many sites name their home page on every page.
        if not _FOLLOWED_RELATIONS.isdisjoint(relations) or self._is_feed(relations, attributes):
            self.links.add(node, reference, attributes, _is_in_head(node))

    def _is_feed(self, relations: Sequence[str], attributes: Attributes) -> bool:
        """Whether it is the first feed: that of the site comes before those of the page's comments."""
        kind = (attributes.get("type") or "").strip().lower()
        if not self._wants_feed or "alternate" not in relations or kind not in _FEEDS:
            return False
        self._wants_feed = False
        return True

    def _read_meta(self, node: LexborNode, attributes: Attributes) -> None:
        content = attributes["content"] or ""
        if (attributes.get("name") or "").strip().lower() in _ROBOTS_NAMES:
            self.robots.update(_directives(content[:_MAX_META_CHARS]))
        match (attributes.get("http-equiv") or "").strip().lower():
            case "refresh":
                target = refresh_target(content)
                if target is not None:
                    self.links.add(node, target, {}, _is_in_head(node))
            case "content-language":
                self.language = self.language or content[:_MAX_META_CHARS]

    def text_and_contexts(self, half: int) -> tuple[str, Sequence[str]]:
        """Return the visible text, and the words around each link unless none are wanted. Changes the tree."""
        body = self._tree.body
        return self.links.text_and_contexts(body, half) if half else (visible_text(body), ())


def _visible(tree: LexborHTMLParser) -> list[tuple[str, LexborNode]]:
    """Take what nobody sees out of the tree, and return the elements we want of the rest, with their names."""
    visible = []
    is_whole = True
    for tag, node in _wanted(tree):
        if tag in _INVISIBLE:
            node.decompose()
            is_whole = False
        elif is_whole or node.parent is not None:  # else it went with its parent
            visible.append((tag, node))
            if tag == "iframe" and node.first_child is not None:
                node.first_child.decompose()
    return visible


def _wanted(tree: LexborHTMLParser) -> list[tuple[str, LexborNode]]:
    """Every element we want, in the order of the page: a walk costs half of what a selector does."""
    if tree.root is None:
        return []
    names = _names_of_wanted()
    return [(names[number], node) for node in tree.root.traverse() if (number := node.tag_id) in names]


@cache
def _names_of_wanted() -> Mapping[int, str]:
    """The names by their numbers, which never change: asking an element for its name takes longer."""
    parser = LexborHTMLParser("")
    return {parser.create_node(name).tag_id: name for name in _WANTED}


def _is_in_head(node: LexborNode) -> bool:
    return node.parent is not None and node.parent.tag == "head"


def _base(nodes: Sequence[tuple[str, LexborNode]], url: str, policy: UrlPolicy) -> str:
    bases = (node.attributes for tag, node in nodes if tag == "base")
    base = next((attributes["href"] for attributes in bases if "href" in attributes), None)
    return (policy.canonical(base, url) if base else None) or url


def _declared_language(tree: LexborHTMLParser) -> str:
    attributes = tree.root.attributes if tree.root is not None else {}
    return attributes.get("lang") or attributes.get("xml:lang") or ""


def _directives(content: str) -> Iterable[str]:
    return filter(None, (directive.strip() for directive in content.lower().split(",")))
