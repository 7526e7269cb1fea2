"""What a page has to say, without its menus and footers: what is searched in, and shown of a page that was found."""

from __future__ import annotations

from resiliparse.extract.html2text import extract_plain_text  # type: ignore[import-untyped]

from honeyguide.parse.charset import decode
from honeyguide.parse.flatten import harmless
from honeyguide.parse.registry import mime_type, parse_page

_HTML = frozenset(("", "text/html", "application/xhtml+xml"))
_FEW_CHARS = 250
_MANY_TIMES = 4


def main_text(body: bytes, url: str, content_type: str) -> str:
    """The main text in one line, or all of it where hardly any is main.

    >>> main_text(b"<nav><a href=/>Home</a></nav><main><p>Bees  make honey.</p></main>", "http://a.example/", "")
    'Bees make honey.'
    """
    if mime_type(content_type) not in _HTML:
        return " ".join(parse_page(body, url, content_type).text.split())
    html = harmless(decode(body, content_type)[0])
    found = _extracted(html, main_content=True)
    if len(found) >= _FEW_CHARS:
        return found
    whole = _extracted(html, main_content=False)
    return whole if len(whole) > _MANY_TIMES * len(found) else found


def _extracted(html: str, *, main_content: bool) -> str:
    text: str = extract_plain_text(
        html,
        main_content=main_content,
        preserve_formatting=False,
        alt_texts=False,
        links=False,
        form_fields=False,
        noscript=False,
    )
    return text
