"""A page of the archive as it was judged. Called by whoever explains, learns from or shows pages of a crawl."""

from __future__ import annotations

from honeyguide.model import Location, ParsedPage
from honeyguide.parse import parse_page, readable, tidied
from honeyguide.store.reader import Reader


def archived_page(reader: Reader, location: Location) -> ParsedPage:
    """Read a page from the archive, with as much of its text as is judged. Raises StoreError."""
    response = reader.response(location)
    return tidied(parse_page(response.body, response.url, response.content_type))


def archived_text(reader: Reader, location: Location) -> str:
    """What the topic judged of a page: its title and text. Raises StoreError."""
    return readable(archived_page(reader, location))
