"""A page of the archive as it was judged. Called by whoever explains, learns from or shows pages of a crawl."""

from __future__ import annotations

from pathlib import Path

from honeyguide.model import ParsedPage
from honeyguide.parse import parse_page, readable, tidied
from honeyguide.store.archive import read_page
from honeyguide.store.base import Location


def archived_page(archive: Path, location: Location) -> ParsedPage:
    """Read a page from the folder of an archive, with as much of its text as is judged. Raises StoreError."""
    response = read_page(archive, location)
    return tidied(parse_page(response.body, response.url, response.content_type))


def archived_text(archive: Path, location: Location) -> str:
    """What the topic judged of a page: its title and text. Raises StoreError."""
    return readable(archived_page(archive, location))
