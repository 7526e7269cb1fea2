"""Hostile inputs of any size: pieces of what a crawler reads, repeated between a beginning and an end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

_ELEMENTS = (
    "a abbr address applet area article b base big blockquote body br button caption center code col colgroup dd del"
    " desc details dialog dir div dl dt em embed fieldset figure font footer foreignobject form frame frameset g h1 h2"
    " head header hr html i iframe image img input ins label li link listing main marquee math menu meta mi"
    " annotation-xml nobr noembed noframes noscript object ol optgroup option p param path plaintext pre q rb rp rt rtc"
    " ruby s script search section select small source span strike strong style sub summary sup svg table tbody td"
    " template textarea tfoot th thead title tr track tt u ul var video wbr x-unknown xmp"
)
_ATTRIBUTES = (
    *(
        "a",
        "a{n}",
        "a{n}=1",
        "id={n}",
        "=",
        "a=",
        "a='",
        'a="',
        "href=/{n}",
        "href=//h{n}.example/",
        "href='../?{n}'",
    ),
    *(
        "rel=nofollow",
        "name=robots content=none",
        "http-equiv=refresh content='0;url=/{n}'",
        "alt=x",
        "title=y",
        "/",
    ),
    *("style='a:b;a:b'", "src=/{n}", "class={n}", "xml:lang=x", "charset=x"),
)
_MARKUP = (
    *(
        "<",
        ">",
        "</",
        "/>",
        "<!",
        "<!-",
        "<!--",
        "-->",
        "--!>",
        "<!-->",
        "<?",
        "<?xml",
        "?>",
        "<![CDATA[",
        "]]>",
        "&",
    ),
    *(
        "&amp;",
        "&#",
        "&#x41;",
        "&#99999999;",
        "&notit;",
        "&{n};",
        "<!DOCTYPE",
        "<!DOCTYPE html>",
        "'",
        '"',
        "=",
        "\0",
    ),
    *(
        "</script",
        "<script><!--",
        "<script>",
        "<!--<script>",
        "<a<",
        "<b",
        "<b<b",
        "<n{n}>",
        "</n{n}>",
        "<br\xa0>",
    ),
    *(
        "<li\v>",
        "<lin\u212a>",
        "<p a{n}>",
        "<b id={n}>",
        "<a href=/{n}>x</a>",
        "<font size=1>",
        "<svg/>",
        "<path/>",
    ),
    *(
        " ",
        "\n",
        "\r",
        "\t",
        "\xa0",
        "\u2003",
        "\u200b",
        "\ufeff",
        "\ufffd",
        "word",
        "word{n} ",
        "é",
        "蜂",
        "ก",
        "\u0301",
    ),
    *(
        "{n} ",
        "<title>",
        "</title>",
        "<base href=/{n}/>",
        "<img alt=x>",
        "<a href=/{n}><img alt=''>",
        "\x85",
        "\x1b$B",
    ),
)
_XML = (
    *(
        "<urlset>",
        "<sitemapindex>",
        "<rss>",
        "<feed>",
        "<rdf:RDF>",
        "<url>",
        "</url>",
        "<loc>",
        "</loc>",
        "<item>",
    ),
    *(
        "</item>",
        "<entry>",
        "<link>",
        "</link>",
        "<link href='/{n}'/>",
        "<guid>",
        "<title>",
        "</title>",
        "<lastmod>",
    ),
    *(
        "http://h.example/{n}",
        "http://h.example/{n}\n",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "&amp;",
        "&#38;",
        "<?",
        "?>",
    ),
    *(
        "<!DOCTYPE",
        "[",
        "]",
        "<!ENTITY",
        "<",
        ">",
        " href=",
        " href='",
        "<loc",
        "<x:loc>",
        "\n",
        " ",
        "<loc/>",
        "x",
    ),
)
_ADDRESSES = (
    *(
        "http://",
        "https:",
        "//",
        "/",
        "\\",
        ":",
        "@",
        "?",
        "#",
        "&",
        "=",
        ";",
        "%",
        "%41",
        "%zz",
        "%2F",
        ".",
        "..",
        "/../",
    ),
    *(
        "a",
        "{n}",
        "a=1&",
        "sid=",
        ";sid=a1b2c3d4e5f6g7h8",
        "utm_x=1&",
        "xn--",
        "é",
        "\u212a",
        "[",
        "]",
        "[::1]",
        "0x7f.",
    ),
    *(
        "2051-03/",
        "/2050/12/31/",
        "calendar",
        "date=2051",
        "sess",
        "sid",
        "(s(",
        "a-",
        "-",
        "_",
        "1",
        "wow/",
        " ",
        "\t",
    ),
    *("f[0]=", "|", ",", ".example", "h{n}.example/", "a/b/", "month", "a1", "sessionid="),
)
_RULES = (
    *(
        "User-agent: *\n",
        "User-agent: honeyguide\n",
        "User-agent: {n}\n",
        "user-agent ",
        "Disallow: /",
        "Allow: /",
    ),
    *(
        "\n",
        "\r",
        "*",
        "*a",
        "a*",
        "*a*b",
        "$",
        "/",
        "%",
        "%41",
        "{n}",
        "Disallow: /{n}\n",
        "Disallow: /*a*a*a$\n",
    ),
    *(
        "Crawl-delay: 1\n",
        "Request-rate: 1/1\n",
        "Sitemap: /s{n}\n",
        "Sitemap:",
        "http:sitemap",
        "#",
        ":",
        " ",
        "\t",
        ",",
    ),
    *("Allow: *\n", "Disallow:\n", "é", "\ufeff", "\0", "a", "?", "honeyguide ", "x/1.0 "),
)
_HEADERS = (
    '"',
    "\\",
    '\\"',
    ",",
    ";",
    " ",
    "text/html",
    "charset=",
    "=",
    "Mon,",
    "mon",
    "a",
    "/",
    "noindex",
    ":",
    "*",
    "none",
)
_STYLES = (
    "<style>",
    "</style>",
    "{",
    "}",
    "@import '",
    "url(",
    ")",
    "/*",
    "*/",
    "a:b;",
    "<!--",
    "-->",
    "\\",
    "'",
    ";",
)
_CHARSETS = (
    *(
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xef\xbb\xbf",
        b"\x1b$B",
        b"\x1b(B",
        b"\x80",
        b"\xc3",
        b"\xe3\x81",
        b"\xff",
        b"\0",
    ),
    *(
        b"\0a",
        b"a\0",
        b"\x81\x40",
        b"\xa4\xa2",
        b"<meta charset=",
        b"<meta charset=utf-7>",
        b"<meta ",
        b"charset",
        b"=",
    ),
    *(
        b"<meta http-equiv=content-type content='text/html; charset=",
        b"'",
        b'"',
        b">",
        b"<?xml encoding='",
        b" ",
        b"<!--",
    ),
    *(
        b"utf-16",
        b"iso-2022-jp",
        b"gb18030",
        b"\x842\x30",
        b"~{",
        b"+AAA-",
        b"<script",
        b"word ",
        b"\xf0\x9f",
    ),
)


@dataclass(frozen=True)
class HostileInput:
    """`body(size)` is that many bytes, nearly: the beginning, the unit again and again, the end."""

    unit: bytes
    beginning: bytes = b""
    end: bytes = b""

    def body(self, size: int) -> bytes:
        """In each repetition "{n}" is another number."""
        room = max(1, size - len(self.beginning) - len(self.end))
        if b"{n}" not in self.unit:
            return self.beginning + self.unit * (room // max(1, len(self.unit)) + 1) + self.end
        pieces, length, number = [self.beginning], 0, 0
        while length < room:
            pieces.append(self.unit.replace(b"{n}", b"%d" % number))
            length += len(pieces[-1])
            number += 1
        return b"".join((*pieces, self.end))


def _tags(dice: random.Random) -> str:
    name = dice.choice(_ELEMENTS.split())
    attributes = "".join(f" {dice.choice(_ATTRIBUTES)}" for _ in range(dice.choice((0, 0, 0, 0, 1, 1, 2))))
    return dice.choice(
        (f"<{name}{attributes}>",) * 5 + (f"</{name}>",) * 3 + (f"<{name}{attributes}", f"<{name}/>")
    )


_GRAMMARS: dict[str, Sequence[str] | Sequence[bytes] | None] = {
    "tags": None,
    "markup": _MARKUP,
    "styles": _STYLES,
    "xml": _XML,
    "addresses": _ADDRESSES,
    "rules": _RULES,
    "charsets": _CHARSETS,
    "headers": _HEADERS,
}
_WEIGHTS = (10, 4, 1, 3, 3, 3, 2, 1)


def _piece(dice: random.Random, grammar: str) -> bytes:
    if dice.random() < 0.1:
        grammar = dice.choice(list(_GRAMMARS))
    pieces = _GRAMMARS[grammar]
    piece = _tags(dice) if pieces is None else dice.choice(pieces)
    return piece if isinstance(piece, bytes) else piece.encode()


def random_input(dice: random.Random) -> tuple[str, HostileInput]:
    """A unit of up to four pieces, mostly of one grammar, which is named, between up to two others."""
    grammar = dice.choices(list(_GRAMMARS), _WEIGHTS)[0]

    def some(most: int, least: int = 0) -> bytes:
        return b"".join(_piece(dice, grammar) for _ in range(dice.randint(least, most)))

    edges = (some(2), some(2)) if dice.random() < 0.5 else (b"", b"")
    return grammar, HostileInput(some(4, 1), *edges)
