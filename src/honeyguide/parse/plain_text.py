"""Plain text to `ParsedPage`."""

from __future__ import annotations

from honeyguide.model import ParsedPage
from honeyguide.parse.charset import decode
from honeyguide.parse.language import language_of
from honeyguide.parse.options import ParseOptions


def parse_text(body: bytes, url: str, content_type: str, options: ParseOptions) -> ParsedPage:
    """Read a text without links, whatever its bytes are; never raises."""
    text = decode(body, content_type)[0][: options.max_text_chars].replace("\0", " ")
    return ParsedPage(text=text, language=language_of(text))
