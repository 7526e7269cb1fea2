"""Reading and judging: from a response to a parsed page and its relevance. Pure work, done here or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from honeyguide.errors import Unreadable, in_one_line
from honeyguide.model import ParsedPage, Response
from honeyguide.parse import parse_page, readable, tidied
from honeyguide.parse.duplicates import NO_SIGNATURE, looks_missing, signature
from honeyguide.parse.sitemap import may_be_sitemap, parse_sitemap
from honeyguide.topics.base import TopicModel
from honeyguide.urls import UrlPolicy

CONTEXT_WORDS = 20


@dataclass(frozen=True, slots=True)
class Prepared:
    """A page read and judged."""

    parsed: ParsedPage
    relevance: float
    accepted: bool = False  # by the topic's hard rule
    signature: int = NO_SIGNATURE
    is_missing: bool = False  # it says that there is no such page
    is_listing: bool = False  # a sitemap or feed: only links


@dataclass(frozen=True)
class Preparer:
    """Parses and judges batches of responses. Small and picklable, so that `Worker` can do it elsewhere."""

    topic: TopicModel
    policy: UrlPolicy
    needs: frozenset[str]
    max_links: int
    is_live: bool  # then copies, missing pages and sitemaps are looked for

    def prepare(self, responses: Sequence[Response]) -> Sequence[Prepared | Unreadable]:
        """Read and judge a batch. A page on which that fails is named, and costs nobody else anything."""
        try:
            return self._prepare(responses)
        except Exception as error:
            if len(responses) == 1:
                return [Unreadable(f"parsing or judging it failed: {in_one_line(error)}")]
            return [one for response in responses for one in self.prepare([response])]

    def _prepare(self, responses: Sequence[Response]) -> list[Prepared | Unreadable]:
        listings = [self._listing(response) for response in responses]
        parsed = [found or self._parse(response) for found, response in zip(listings, responses, strict=True)]
        if not parsed:
            return []
        judged = self.topic.classify([readable(page) for page in parsed])
        verdicts = zip(judged.relevance.tolist(), judged.accepted.tolist(), strict=True)
        return [
            Prepared(page, 0.0, is_listing=True) if listing else self._prepared(page, response, *verdict)
            for page, response, verdict, listing in zip(parsed, responses, verdicts, listings, strict=True)
        ]

    def _prepared(
        self, page: ParsedPage, response: Response, relevance: float, accepted: bool
    ) -> Prepared | Unreadable:
        if not 0 <= relevance <= 1:
            return Unreadable(f"the topic model {self.topic.name!r} gave a relevance that is not from 0 to 1")
        if not self.is_live:
            return Prepared(self._slim(page), relevance, accepted)
        if looks_missing(page.title, page.text, response.url):
            return Prepared(self._slim(page), 0.0, signature=signature(page.text), is_missing=True)
        return Prepared(self._slim(page), relevance, accepted, signature(page.text))

    def _listing(self, response: Response) -> ParsedPage | None:
        """A sitemap or feed as a page of links; None for everything else."""
        if not self.is_live or not may_be_sitemap(response.url, response.content_type):
            return None
        return parse_sitemap(response.body, response.url, self.policy)

    def _parse(self, response: Response) -> ParsedPage:
        page = parse_page(
            response.body,
            response.url,
            response.content_type,
            policy=self.policy,
            context_words=CONTEXT_WORDS if "context" in self.needs else 0,
            max_links=self.max_links,
        )
        return tidied(page)

    def _slim(self, page: ParsedPage) -> ParsedPage:
        # The text is the bulk of what would travel between processes, and few strategies read it.
        return page if "text" in self.needs else replace(page, text="")
