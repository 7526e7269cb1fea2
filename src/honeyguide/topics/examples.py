"""Examples: pages somebody has said something about, as text. Topic models are trained on them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """A page as plain text, already extracted; where it came from, if that is known."""

    text: str
    url: str = ""
    title: str = ""

    @property
    def readable(self) -> str:
        """What a topic model reads of it: title and text, as of a page in a crawl."""
        return f"{self.title}\n{self.text}" if self.title else self.text
