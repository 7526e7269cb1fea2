"""Found pages go back into the topic map: one topic a page, with address and relevance, joined to those it mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from honeyguide.errors import TopicError
from honeyguide.files import whole_file

PAGE = "urn:honeyguide:page"
ADDRESS = "urn:honeyguide:address"
RELEVANCE = "urn:honeyguide:relevance"
MENTIONS, SUBJECT = "urn:honeyguide:mentions", "urn:honeyguide:subject"
# Characters that no XML document and no Turtle file may hold.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page a crawl found."""

    url: str
    relevance: float
    title: str = ""
    mentions: tuple[int, ...] = ()  # topics of the map


def printable(text: str) -> str:
    """Text without the characters that would make a file unreadable."""
    return _UNPRINTABLE.sub("\ufffd", text)


@contextmanager
def replaced_file(path: Path) -> Iterator[TextIO]:
    """A file that takes the place of an earlier one when it is complete."""
    try:
        with whole_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as error:
        raise TopicError(f"{path} cannot be written: {error.strerror}") from None
