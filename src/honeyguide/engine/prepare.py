"""Reading and judging: from a response to a parsed page and its relevance. Pure work, done here or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from honeyguide.errors import Unreadable, in_one_line
from honeyguide.model import ParsedPage, Response
from honeyguide.parse import ParseOptions, parse_page, readable, tidied
from honeyguide.parse.content import NOTHING_SAID, content_signature
from honeyguide.parse.duplicates import NO_SIGNATURE, looks_missing, signature
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
    revision: int = 0  # of the topic it was judged by
    topic_class: str = ""  # where in a taxonomy it belongs
    content: int = NOTHING_SAID  # of what it says, where changes are looked for

    @property
    def is_listing(self) -> bool:
        """Whether it is a sitemap or feed."""
        return self.parsed.is_listing


@dataclass(frozen=True)
class Preparer:
    """Parses and judges batches of responses. Small and picklable, so that `Worker` can do it elsewhere."""

    topic: TopicModel
    policy: UrlPolicy
    needs: frozenset[str]
    max_links: int
    is_live: bool  # then copies, missing pages and sitemaps are looked for
    revision: int = field(default=0, kw_only=True)  # of the topic
    tells_changes: bool = field(default=False, kw_only=True)

    def revised(self, topic: TopicModel, revision: int) -> Self:
        """The same with another revision of the topic."""
        return replace(self, topic=topic, revision=revision)

    def prepare(self, responses: Sequence[Response]) -> Sequence[Prepared | Unreadable]:
        """Read and judge a batch. A page on which that fails is named, and costs nobody else anything."""
        try:
            return self._prepare(responses)
        except Exception as error:
            if len(responses) == 1:
                return [Unreadable(f"parsing or judging it failed: {in_one_line(error)}")]
            return [one for response in responses for one in self.prepare([response])]

    def _prepare(self, responses: Sequence[Response]) -> list[Prepared | Unreadable]:
        parsed = [self._parse(response) for response in responses]
        if not parsed:
            return []
        judged = self.topic.classify([readable(page) for page in parsed])
        classes = judged.classes or [""] * len(parsed)
        verdicts = zip(judged.relevance.tolist(), judged.accepted.tolist(), classes, strict=True)
        return [
            Prepared(page, 0.0)
            if page.is_listing
            else self._marked(response, self._prepared(page, response, *verdict))
            for page, response, verdict in zip(parsed, responses, verdicts, strict=True)
        ]

    def _marked(self, response: Response, read: Prepared | Unreadable) -> Prepared | Unreadable:
        """With the signature of what the page says, which costs as much as half of judging it."""
        if not self.tells_changes or isinstance(read, Unreadable):
            return read
        return replace(read, content=content_signature(response.body, response.url, response.content_type))

    def _prepared(
        self, page: ParsedPage, response: Response, relevance: float, accepted: bool, topic_class: str
    ) -> Prepared | Unreadable:
        if not 0 <= relevance <= 1:
            return Unreadable(f"the topic model {self.topic.name!r} gave a relevance that is not from 0 to 1")
        if not self.is_live:
            read = self._slim(page)
            return Prepared(read, relevance, accepted, revision=self.revision, topic_class=topic_class)
        if looks_missing(page.title, page.text, response.url):
            relevance, accepted, is_missing, topic_class = 0.0, False, True, ""
        else:
            is_missing = False
        read = self._slim(page)
        marks = signature(page.text), is_missing, self.revision, topic_class
        return Prepared(read, relevance, accepted, *marks)

    def _parse(self, response: Response) -> ParsedPage:
        options = ParseOptions(
            policy=self.policy,
            context_words=CONTEXT_WORDS if "context" in self.needs else 0,
            max_links=self.max_links,
            with_listings=self.is_live,
        )
        return tidied(parse_page(response.body, response.url, response.content_type, options))

    def _slim(self, page: ParsedPage) -> ParsedPage:
        # The text is the bulk of what would travel between processes, and few strategies read it.
        return page if "text" in self.needs else replace(page, text="")
