"""A page of a crawl elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from honeyguide.crawled import CrawledPage
from honeyguide.store.reader import LinkRow


@dataclass(frozen=True, slots=True)
class RemotePage(CrawledPage):
    """A page of a crawl elsewhere. Whether it is relevant is as of when it was asked for."""

    relevant: bool

    @property
    def is_relevant(self) -> bool:
        """Whether it counts as relevant."""
        return self.relevant

    def text(self) -> str:
        """Its readable text; empty if it is not kept."""
        return self.crawl.text(self.url)

    def html(self) -> str:
        """The page as it was sent; empty if it is not kept."""
        return self.crawl.html(self.url)

    def links(self) -> list[LinkRow]:
        """Its links that entered the crawl."""
        return self.crawl.links(self.url)
