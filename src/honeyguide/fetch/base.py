"""The interface of what brings pages, from the live web or a recorded one. Called by the crawler alone."""

from __future__ import annotations

from abc import ABC, abstractmethod

from honeyguide.model import Response


class Fetcher(ABC):
    """Brings one page at a time, whole or not at all."""

    @abstractmethod
    async def fetch(self, url: str) -> Response:
        """Bring the page at a canonical url. A redirect is returned, not followed. Raises FetchError."""

    @abstractmethod
    async def close(self) -> None:
        """Release what the fetcher itself holds open."""
